import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { DataError } from "../../common/mod.ts";

/** Free bytes of the disk that holds a folder. */
export async function freeOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Opens a block for reading. */
export async function openBlock(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new DataError(`Cannot read ${path}: it is gone; run again to fill it in`);
  }
}

/** Files that a process was writing when it was killed. */
export async function removeRemains(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    if (/\.\d+\.[0-9a-f]{8}\.part$/.test(name)) await removeIfThere(join(folder, name));
  }
}

/** Bytes of a file; `undefined` where there is none. */
export async function lengthOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Removes a file, if there is one. */
export async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
