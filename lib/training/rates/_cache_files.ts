import { statfs } from "node:fs/promises";
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

/** Bytes of a file; `undefined` where there is none. */
export async function lengthOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
