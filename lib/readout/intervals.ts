import { bootstrapMeans, type Interval, type IntervalOptions } from "./_bootstrap.ts";
import type { Judged } from "./judge.ts";

export type { Interval, IntervalOptions } from "./_bootstrap.ts";

/** What a readout is worth, or by how much two differ, each with its interval. */
export interface Scores {
  /** Share of positions where the favourite is the teacher's best move, 0 to 1. */
  readonly top1: Interval;
  /** Share of positions where the favourite is a good move, 0 to 1. */
  readonly good: Interval;
  /** Mean policy loss, in nats; lower is better. */
  readonly loss: Interval;
  /** Mean squared error of the value; lower is better. */
  readonly value: Interval;
}

/**
 * Top-1, good moves, held-out loss and value error with 95 % intervals: percentiles of the bootstrap, whole
 * games drawn again with replacement.
 *
 * @param judged What `judge` found.
 * @throws {RangeError} If there are no positions or a setting is out of range.
 *
 * @example Four positions of two games
 * ```ts
 * import { summarize } from "flychess/readout";
 * import assert from "node:assert/strict";
 *
 * const { top1, loss } = summarize({
 *   rows: Int32Array.of(0, 1, 2, 3),
 *   top1: Uint8Array.of(1, 0, 0, 0),
 *   good: Uint8Array.of(1, 1, 0, 0),
 *   loss: Float64Array.of(2, 2, 3, 3),
 *   valueError: Float64Array.of(0, 0, 0, 0),
 *   game: Int32Array.of(7, 7, 8, 8),
 * });
 * assert.deepEqual(top1, { value: 0.25, low: 0, high: 0.5 });
 * assert.deepEqual(loss, { value: 2.5, low: 2, high: 3 });
 * ```
 */
export function summarize(judged: Judged, options: IntervalOptions = {}): Scores {
  const { top1, good, loss, valueError, game } = judged;
  return named(bootstrapMeans([top1, good, loss, valueError], game, options));
}

/**
 * By how much `a` differs from `b` on the same positions (`a - b`), position by position, with intervals by game.
 * Two brains are compared by this and never by whether their own intervals overlap: what makes a position easy or
 * hard is the same for both and drops out.
 *
 * @param a One readout's judgement.
 * @param b The other's, of the same rows in the same order.
 * @throws {RangeError} If the rows differ.
 */
export function pairedDifference(a: Judged, b: Judged, options: IntervalOptions = {}): Scores {
  const same = a.rows.length === b.rows.length && a.rows.every((row, i) => row === b.rows[i]);
  if (!same) {
    throw new RangeError(
      `Cannot compare two readouts: they were judged on ${a.rows.length} and ${b.rows.length} rows, ` +
        "the same rows in the same order are wanted",
    );
  }
  const minus = (one: ArrayLike<number>, other: ArrayLike<number>): Float64Array =>
    Float64Array.from(one, (each, i) => each - other[i]!);
  return named(bootstrapMeans(
    [
      minus(a.top1, b.top1),
      minus(a.good, b.good),
      minus(a.loss, b.loss),
      minus(a.valueError, b.valueError),
    ],
    a.game,
    options,
  ));
}

/**
 * Whether `a` beats `b`: its policy loss on the same positions is lower, and the interval of the paired
 * difference excludes 0.
 *
 * @param a One readout's judgement.
 * @param b The other's, of the same rows in the same order.
 * @throws {RangeError} If the rows differ.
 *
 * @example No readout beats itself
 * ```ts
 * import { beats, type Judged } from "flychess/readout";
 * import assert from "node:assert/strict";
 *
 * const judged: Judged = {
 *   rows: Int32Array.of(0, 1),
 *   top1: Uint8Array.of(1, 0),
 *   good: Uint8Array.of(1, 1),
 *   loss: Float64Array.of(1.5, 2.5),
 *   valueError: Float64Array.of(0.1, 0.2),
 *   game: Int32Array.of(0, 1),
 * };
 * assert.equal(beats(judged, judged), false);
 * assert.equal(beats({ ...judged, loss: Float64Array.of(1.4, 2.3) }, judged), true);
 * ```
 */
export function beats(a: Judged, b: Judged, options: IntervalOptions = {}): boolean {
  return pairedDifference(a, b, options).loss.high < 0;
}

function named(intervals: readonly Interval[]): Scores {
  const [top1, good, loss, value] = intervals;
  return { top1: top1!, good: good!, loss: loss!, value: value! };
}
