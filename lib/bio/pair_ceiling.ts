import type { LongWork } from "../common/mod.ts";

/** Differences between the better and the other position of pairs, as somebody sees them. */
export interface PairDifferences {
  /** How many pairs. */
  readonly count: number;
  /** Numbers that a position is seen as. */
  readonly features: number;
  /** `[count][features]`: the better position less the other. */
  readonly values: Float32Array | Float64Array;
}

/** How a pair reader is fitted. */
export interface PairFitOptions extends LongWork {
  /** Penalty on the squared length of the weights, above 0: L2. */
  readonly penalty: number;
  /** Passes over the pairs at most (500). */
  readonly passes?: number | undefined;
}

/** Gradients no longer than this are the end. */
const FLAT = 1e-6;
/** Steps that L-BFGS remembers. */
const MEMORY = 10;
/** How much of what the slope promises a step must bring (Armijo), and how often a step is halved at most. */
const ENOUGH = 1e-4, HALVINGS = 30;

/**
 * Fits a logistic regression that tells the better position of a pair (reference, section 10): the mean of
 * log(1 + exp(-a d)) over the pairs plus penalty / 2 |a|^2, by L-BFGS (Liu and Nocedal 1989). It is the most that a linear
 * reader of these numbers makes of pairs: a ceiling for the dopamine rule, which is such a reader and may only weaken.
 *
 * @param pairs Differences, the better position first.
 * @param options The penalty.
 * @returns `[features]`: the weights a.
 * @throws {RangeError} If there is no pair, the sizes do not fit or the penalty is not above 0.
 *
 * @example The second number tells
 * ```ts
 * import { fitPairs, pairMargins } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const pairs = { count: 2, features: 2, values: Float64Array.of(1, 2, -1, 2) };
 * const weight = await fitPairs(pairs, { penalty: 0.01 });
 * assert.ok(Math.abs(weight[0]!) < 1e-6 && weight[1]! > 0);
 * assert.ok(pairMargins(pairs, weight).every((margin) => margin > 0));
 * ```
 */
export async function fitPairs(pairs: PairDifferences, options: PairFitOptions): Promise<Float64Array> {
  const { penalty, passes = 500, signal, onProgress } = options, { features } = pairs;
  check(pairs);
  if (!(penalty > 0 && penalty < Infinity)) {
    throw new RangeError(`Cannot fit pairs: the penalty is ${penalty}, a number above 0 is wanted`);
  }
  const steps: { readonly step: Float64Array; readonly turn: Float64Array; readonly scale: number }[] = [];
  let weight: Float64Array = new Float64Array(features), now = lossOf(pairs, weight, penalty);
  for (let pass = 1; pass < passes; pass++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    if (Math.sqrt(dot(now.slope, now.slope)) < FLAT) break;
    const direction = descent(now.slope, steps), promised = dot(direction, now.slope);
    let size = steps.length === 0 ? 1 / Math.sqrt(dot(now.slope, now.slope)) : 1;
    let next = moved(weight, direction, size), after = lossOf(pairs, next, penalty);
    for (
      let half = 0;
      half < HALVINGS && !(after.loss <= now.loss + ENOUGH * size * promised);
      half++, pass++
    ) {
      size /= 2;
      next = moved(weight, direction, size);
      after = lossOf(pairs, next, penalty);
    }
    if (!(after.loss < now.loss)) break;
    const step = next.map((value, i) => value - weight[i]!);
    const turn = after.slope.map((value, i) => value - now.slope[i]!), bend = dot(step, turn);
    if (bend > 0) steps.push({ step, turn, scale: 1 / bend });
    if (steps.length > MEMORY) steps.shift();
    [weight, now] = [next, after];
    onProgress?.({ task: "fitting pairs", done: pass, total: passes, unit: "passes" });
  }
  return weight;
}

/**
 * How sure a pair reader is of each pair: above 0 where it finds the better position.
 *
 * @param pairs Differences, the better position first.
 * @param weight `[features]`, of `fitPairs`.
 * @returns `[count]`: a d.
 * @throws {RangeError} If the sizes do not fit.
 */
export function pairMargins(pairs: PairDifferences, weight: Float64Array): Float64Array {
  check(pairs);
  if (weight.length !== pairs.features) {
    throw new RangeError(
      `Cannot read pairs: there are ${weight.length} weights, ${pairs.features} are wanted`,
    );
  }
  const { count, features, values } = pairs, margins = new Float64Array(count);
  for (let b = 0; b < count; b++) {
    let sum = 0;
    for (let i = 0, at = b * features; i < features; i++, at++) sum += weight[i]! * values[at]!;
    margins[b] = sum;
  }
  return margins;
}

function check({ count, features, values }: PairDifferences): void {
  if (count >= 1 && values.length === count * features) return;
  throw new RangeError(
    `Cannot read pairs: there are ${values.length} numbers for ${count} pairs of ${features}, ` +
      "as many as that and at least 1 pair are wanted",
  );
}

function lossOf(
  pairs: PairDifferences,
  weight: Float64Array,
  penalty: number,
): { loss: number; slope: Float64Array } {
  const { count, features, values } = pairs, margins = pairMargins(pairs, weight);
  const slope = weight.map((value) => penalty * value);
  let loss = penalty / 2 * dot(weight, weight);
  for (let b = 0; b < count; b++) {
    const margin = margins[b]!, small = Math.exp(-Math.abs(margin));
    loss += (Math.max(-margin, 0) + Math.log1p(small)) / count;
    const wrong = (margin > 0 ? small : 1) / (1 + small) / count;
    for (let i = 0, at = b * features; i < features; i++, at++) slope[i]! -= wrong * values[at]!;
  }
  return { loss, slope };
}

/** The way down: the slope, bent by the last steps (two loops). */
function descent(
  slope: Float64Array,
  steps: readonly { readonly step: Float64Array; readonly turn: Float64Array; readonly scale: number }[],
): Float64Array {
  let direction: Float64Array = slope.map((value) => -value);
  const shares = steps.map(() => 0);
  for (let k = steps.length - 1; k >= 0; k--) {
    const { step, turn, scale } = steps[k]!;
    shares[k] = scale * dot(step, direction);
    direction = moved(direction, turn, -shares[k]!);
  }
  const last = steps.at(-1);
  if (last !== undefined) {
    const stretch = 1 / (last.scale * dot(last.turn, last.turn));
    direction = direction.map((value) => value * stretch);
  }
  steps.forEach(({ step, turn, scale }, k) => {
    direction = moved(direction, step, shares[k]! - scale * dot(turn, direction));
  });
  return direction;
}

function moved(from: Float64Array, direction: Float64Array, size: number): Float64Array {
  return from.map((value, i) => value + size * direction[i]!);
}

function dot(first: Float64Array, second: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < first.length; i++) sum += first[i]! * second[i]!;
  return sum;
}
