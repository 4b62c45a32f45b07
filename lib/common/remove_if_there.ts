/**
 * Removes a file, if there is one.
 *
 * @param path The file.
 * @param options `recursive: true` removes a folder, with all that is in it.
 *
 * @example A note, removed twice
 * ```ts
 * import { exists, removeIfThere } from "flychess/common";
 * import assert from "node:assert/strict";
 *
 * const path = await Deno.makeTempFile();
 * await removeIfThere(path);
 * await removeIfThere(path);
 * assert.equal(await exists(path), false);
 * ```
 */
export async function removeIfThere(path: string, options: Deno.RemoveOptions = {}): Promise<void> {
  try {
    await Deno.remove(path, options);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
