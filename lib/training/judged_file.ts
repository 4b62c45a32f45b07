import { DataError } from "../common/mod.ts";
import type { Judged } from "../readout/mod.ts";
import { loadSafeTensors, saveSafeTensors } from "./run/safetensors.ts";

/** What the file is, for whoever opens it. */
const ABOUT =
  "what a readout of flychess did with positions it did not learn from, one number a position: 'rows' in the positions " +
  "file, 'top1' and 'good' 0 or 1, 'loss' in nats, 'valueError' squared, 'game'.";

/** The kind of each array. */
const KINDS = {
  rows: Int32Array,
  top1: Uint8Array,
  good: Uint8Array,
  loss: Float64Array,
  valueError: Float64Array,
  game: Int32Array,
} as const;

/**
 * Saves what a readout did with every position, so that it can be set beside another's later (`pairedDifference`).
 *
 * @param path Where the file goes; any program that knows safetensors opens it.
 * @param judged What `judge` found.
 */
export async function saveJudged(path: string, judged: Judged): Promise<void> {
  const tensors = Object.fromEntries(
    (Object.keys(KINDS) as (keyof Judged)[]).map((name) => {
      const data = judged[name];
      return [name, { shape: [data.length], data }];
    }),
  );
  await saveSafeTensors(path, { tensors, metadata: { about: ABOUT } });
}

/**
 * Loads what `saveJudged` saved.
 *
 * @param path The file.
 * @throws {DataError} If it is no such file, or was changed.
 *
 * @example Saving and loading
 * ```ts
 * import { loadJudged, saveJudged } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const judged = {
 *   rows: Int32Array.of(0, 1),
 *   top1: Uint8Array.of(1, 0),
 *   good: Uint8Array.of(1, 1),
 *   loss: Float64Array.of(1.5, 2.5),
 *   valueError: Float64Array.of(0.1, 0.2),
 *   game: Int32Array.of(0, 1),
 * };
 * const folder = await Deno.makeTempDir();
 * await saveJudged(`${folder}/hold.safetensors`, judged);
 * assert.deepEqual(await loadJudged(`${folder}/hold.safetensors`), judged);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function loadJudged(path: string): Promise<Judged> {
  const { tensors } = await loadSafeTensors(path);
  const count = tensors["rows"]?.data.length;
  const take = <Kind extends typeof KINDS[keyof typeof KINDS]>(name: string, kind: Kind) => {
    const data = tensors[name]?.data;
    if (data instanceof kind && data.length === count) return data as InstanceType<Kind>;
    throw new DataError(`Cannot load judgements from ${path}: '${name}' does not fit`);
  };
  return {
    rows: take("rows", Int32Array),
    top1: take("top1", Uint8Array),
    good: take("good", Uint8Array),
    loss: take("loss", Float64Array),
    valueError: take("valueError", Float64Array),
    game: take("game", Int32Array),
  };
}
