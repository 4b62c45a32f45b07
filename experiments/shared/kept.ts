import { join } from "node:path";
import { DataError, digest } from "flychess/common";
import { loadSafeTensors, type SafeTensors, saveSafeTensors } from "flychess/training";
import { isFile } from "../making/brains.ts";

/**
 * A finished piece of an experiment: loaded if it is there, else made and kept. Killed in between, an experiment goes on
 * with the first piece that is missing.
 *
 * @param folder The experiment's own.
 * @param name The piece's.
 * @param inputs Whatever decides what comes out.
 * @param make Makes it.
 * @throws {DataError} If the piece that is there was made from other inputs, or is broken.
 */
export async function kept(
  folder: string,
  name: string,
  inputs: Readonly<Record<string, unknown>>,
  make: () => Promise<SafeTensors>,
): Promise<SafeTensors> {
  const path = pathOf(folder, name);
  const wanted = digest([name, JSON.stringify(inputs)]);
  try {
    const found = await loadSafeTensors(path);
    if (found.metadata["inputs"] === wanted) return found;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const made = await make();
    const content = { tensors: made.tensors, metadata: { ...made.metadata, inputs: wanted } };
    await Deno.mkdir(folder, { recursive: true });
    await saveSafeTensors(path, content);
    return content;
  }
  throw new DataError(
    `Cannot go on with ${path}: it was made from other inputs or settings; take another --keep, or delete it`,
  );
}

/** Whether a piece of that name is there, whatever it was made from. */
export function isKept(folder: string, name: string): Promise<boolean> {
  return isFile(pathOf(folder, name));
}

function pathOf(folder: string, name: string): string {
  return join(folder, `${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}.safetensors`);
}
