/**
 * What a text file says.
 *
 * @param path The file.
 * @returns `undefined` where there is no such file.
 *
 * @example A note, and none
 * ```ts
 * import { readText, writeFileAtomic } from "flychess/common";
 * import assert from "node:assert/strict";
 *
 * const path = await Deno.makeTempFile();
 * await writeFileAtomic(path, "two games");
 * assert.equal(await readText(path), "two games");
 * await Deno.remove(path);
 * assert.equal(await readText(path), undefined);
 * ```
 */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Whether something stands at a path: a file or a folder. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
