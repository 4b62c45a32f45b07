import { dirname, join } from "node:path";
import { removeIfThere } from "./remove_if_there.ts";

/**
 * Writes a file so that its final name never shows half of it: the bytes go to a temporary name beside it,
 * are flushed to the disk, and the finished file is renamed into place.
 *
 * @param path Where the file goes; missing folders are made.
 * @param content The bytes or text, or a function that writes to the open file.
 * @throws What the disk throws, with the file's name; the temporary file is removed and a former file of that name stays as it was.
 */
export async function writeFileAtomic(
  path: string,
  content: Uint8Array | string | ((file: Deno.FsFile) => Promise<void> | void),
): Promise<void> {
  const folder = dirname(path);
  try {
    await Deno.mkdir(folder, { recursive: true });
  } catch (error) {
    throw diskError(error, path);
  }
  const temporary = temporaryNameOf(path);
  try {
    using file = await Deno.open(temporary, { write: true, createNew: true });
    if (typeof content === "function") {
      await content(file);
    } else {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    }
    await file.sync();
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw diskError(error, path);
  }
  await Deno.rename(temporary, path);
}

/** A name beside a file's own that no other process and no other call takes. */
export function temporaryNameOf(path: string): string {
  return `${path}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}.part`;
}

const TEMPORARY = /\.\d+\.[0-9a-f]{8}\.part$/;

/** Removes what killed processes left under names of `temporaryNameOf`; nothing living may be writing in the folder. */
export async function removeTemporaries(folder: string): Promise<void> {
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (isFile && TEMPORARY.test(name)) await removeIfThere(join(folder, name));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The system's own words say neither which file it was nor what to do: "No space left on device (os error 28)". */
export function diskError(error: unknown, path: string): unknown {
  const found = error instanceof Error
    ? /^(.*) \(os error \d+\)(?:: \w+ '.*')?$/.exec(error.message)?.[1]
    : undefined;
  if (found === undefined) return error;
  const hint = /no space|quota/i.test(found) ? "; make room on the disk and start again" : "";
  return new Error(`Cannot write ${path}: ${found.toLowerCase()}${hint}`, { cause: error });
}
