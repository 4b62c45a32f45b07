import { DataError } from "./data_error.ts";
import { readText } from "./read_text.ts";

/** A value that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * What a file of JSON says.
 *
 * @param path The file.
 * @param wanted What should be in it, for the message: `a match`.
 * @returns `undefined` where there is no such file.
 * @throws {DataError} If it is no JSON.
 *
 * @example A note, and none
 * ```ts
 * import { readJson, writeFileAtomic } from "flychess/common";
 * import assert from "node:assert/strict";
 *
 * const path = await Deno.makeTempFile();
 * await writeFileAtomic(path, '{"games": 2}');
 * assert.deepEqual(await readJson(path, "a match"), { games: 2 });
 * await Deno.remove(path);
 * assert.equal(await readJson(path, "a match"), undefined);
 * ```
 */
export async function readJson(path: string, wanted: string): Promise<JsonValue | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataError(`Cannot read ${path}: it is no JSON, ${wanted} is wanted`, { cause: error });
  }
}
