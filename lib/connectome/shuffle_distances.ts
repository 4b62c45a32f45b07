import type { LongWork } from "../common/mod.ts";
import type { Connectome } from "./connectome.ts";
import { hopsFrom } from "./hops.ts";
import { shuffleDegrees } from "./shuffle_degrees.ts";

/** How `shuffleDistances` measures and reports. */
export interface ShuffleDistancesOptions extends LongWork {
  /** Neurons that distances are counted from; the input neurons by default. */
  readonly sources?: Int32Array | undefined;
}

/**
 * `shuffleDegrees` that also leaves every neuron as far from the eye as it was: a connection swaps only with one whose
 * sender is as many connections away from the nearest input neuron, and whose receiver is, too. What is lost is which of
 * them talk to each other; how deep each lies, and how many of each depth it hears, stays.
 *
 * @param connectome The nervous system; it is not changed.
 * @param seed A whole number from 0 to 2^32 - 1.
 * @param options What distances are counted from, and how it reports progress.
 * @returns A new one, named `NAME, shuffled keeping degrees and groups (seed SEED)`.
 * @throws {RangeError} If the seed is out of range, or a source is not one of the neurons.
 *
 * @example Nobody comes nearer to the eye
 * ```ts
 * import { growModelFly, hopsFrom, shuffleDistances } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const fly = growModelFly({ scale: 1 / 64 }), shuffled = shuffleDistances(fly, 1);
 * assert.deepEqual(hopsFrom(shuffled, shuffled.input), hopsFrom(fly, fly.input));
 * ```
 */
export function shuffleDistances(
  connectome: Connectome,
  seed: number,
  options: ShuffleDistancesOptions = {},
): Connectome {
  const { sources = connectome.input, ...work } = options;
  // Neurons that nothing leads to are -1 connections away, and a group of their own.
  const groups = hopsFrom(connectome, sources).map((hops) => hops + 1);
  return shuffleDegrees(connectome, seed, { ...work, groups });
}
