import type { LongWork } from "../common/mod.ts";
import type { Positions } from "../data/positions.ts";
import type { FeatureSource } from "./features.ts";
import { fitReadout, type FittedReadout } from "./fit.ts";

/** The probe (reference, section 7): one fit of the same length for every brain. */
export const PROBE: Readonly<{ positions: number; passes: number; batch: number; learningRate: number }> = {
  /** Positions it learns from, where there are so many. */
  positions: 50_000,
  /** Times it sees each. */
  passes: 8,
  /** Positions a step. */
  batch: 256,
  /** Adam's step size. */
  learningRate: 1e-3,
};

/** A fit to the end: as long as VAL gets better. Patience, gain and most passes: reference, section 7. */
export const TO_END: Readonly<
  { patience: number; maxPasses: number; minimumGain: number; batch: number; learningRate: number }
> = {
  /** Passes without a new best after which it stops. */
  patience: 4,
  /** The most passes. */
  maxPasses: 60,
  /** What counts as a new best, in nats. */
  minimumGain: 1e-4,
  /** Positions a step. The reference's 8,192 is for millions of positions; here a pass must be many steps. */
  batch: 256,
  /** Adam's first step size, halved at every miss. */
  learningRate: 2e-3,
};

/** Settings of `fitProbe` and `fitToEnd`. */
export interface ProbeOptions extends LongWork {
  /** Seed of the order in which positions come; 1 by default. */
  readonly seed?: number | undefined;
}

/**
 * The probe: a readout fitted on a brain that stays as it is, with the same few passes for every brain, so that
 * what differs is the brain (reference, section 7; linear probing as in Kumar et al. 2022).
 *
 * @param features The brain's rates, or a baseline's features.
 * @param positions What the teacher says.
 * @param rows The rows to learn from; the reference takes 50,000.
 * @throws As `fitReadout`.
 *
 * @example One feature that tells which of two moves is best
 * ```ts
 * import { denseFeatures, fitProbe, judge } from "flychess/readout";
 * import assert from "node:assert/strict";
 *
 * const moves = [12 | 20 << 6, 12 | 28 << 6]; // e2e3, e2e4
 * const move = new Uint16Array(2 * 96);
 * move.set(moves, 0);
 * move.set(moves, 96);
 * const best = new Uint8Array(2 * 8);
 * best[8] = 1; // the second position's best move is e2e4
 * const positions = {
 *   count: 2, hold: 0, val: 0,
 *   board: new Uint8Array(2 * 96),
 *   moveCount: Uint8Array.of(2, 2), move,
 *   bestCount: Uint8Array.of(1, 1), best, win: new Uint16Array(2 * 8).fill(500),
 *   game: Int32Array.of(-1, -1), provenance: {}, digest: "",
 * };
 * const rates = denseFeatures(Float32Array.of(0, 1, 1, 0), 2);
 * const rows = Int32Array.of(0, 1);
 * const readout = await fitProbe(rates, positions, rows);
 * assert.deepEqual([...judge(readout, rates, positions, rows).top1], [1, 1]);
 * ```
 */
export function fitProbe(
  features: FeatureSource,
  positions: Positions,
  rows: Int32Array,
  options: ProbeOptions = {},
): Promise<FittedReadout> {
  const { passes, batch, learningRate } = PROBE;
  return fitReadout(features, positions, rows, { ...options, passes, batch, learningRate });
}

/**
 * A readout fitted until VAL stops getting better, the best one kept: what a brain's features are worth, rather
 * than how far a probe of fixed length gets with them.
 *
 * @param features The brain's rates, or a baseline's features.
 * @param positions What the teacher says.
 * @param rows The rows to learn from.
 * @param valRows The rows to stop by; none of them may be judged later.
 * @throws As `fitReadout`.
 */
export function fitToEnd(
  features: FeatureSource,
  positions: Positions,
  rows: Int32Array,
  valRows: Int32Array,
  options: ProbeOptions = {},
): Promise<FittedReadout> {
  const { patience, maxPasses, minimumGain, batch, learningRate } = TO_END;
  return fitReadout(features, positions, rows, {
    ...options,
    batch,
    learningRate,
    stopOn: { rows: valRows, patience, maxPasses, minimumGain },
  });
}
