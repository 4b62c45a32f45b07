import type { LongWork } from "../common/mod.ts";
import { MAX_BEST, MAX_MOVES, type Positions } from "../data/positions.ts";
import { checkRows, type PositionLoss, positionLoss, VALUE_COLUMN } from "./_legal_softmax.ts";
import { solvePositive } from "../common/solve_positive.ts";
import type { FittedReadout } from "./fit.ts";
import { READOUT_COLUMNS } from "./readout.ts";

/** Settings of `fitBlind`. */
export interface BlindOptions extends LongWork {
  /**
   * How strongly its numbers are held to 0: this over 2 times the sum of their squares is added to the loss summed
   * over all positions. 1 by default: a normal prior of width 1, about how far apart the numbers of squares lie.
   */
  readonly ridge?: number | undefined;
}

/** Policy scores: all columns but the value. */
const POLICY = VALUE_COLUMN;
/** Rows between two looks at the signal. */
const TURN = 8192;
/** Newton's method has about doubled its digits at every step by then; five to eight steps are usual. */
const MAX_STEPS = 40;

/**
 * Fits the blind baseline: one number for each from-square, to-square and promotion and one value, without a look at
 * the board (reference, section 5). What it knows is which moves are legal and which squares are popular.
 *
 * The reference fits these numbers with Adam. Every claim is a comparison with this baseline, so here it is the exact
 * optimum: the loss is convex in 133 numbers, and Newton's method takes it to float64's precision. A small ridge
 * stands in for squares that were hardly ever seen. The value is its own optimum, the mean of the targets.
 *
 * @param positions What the teacher says.
 * @param rows The rows to learn from; the same as those of the brains it is compared with.
 * @returns A readout of 0 features, for `noFeatures`.
 * @throws {RangeError} If a row or the ridge is out of range.
 * @throws The signal's reason, if it is aborted.
 *
 * @example A position that always has the same answer
 * ```ts
 * import { fitBlind, judge, noFeatures } from "flychess/readout";
 * import assert from "node:assert/strict";
 *
 * // e2e3 and e2e4; the teacher's only move is e2e4, with a winning chance of 60 %.
 * const positions = {
 *   count: 1, hold: 0, val: 0,
 *   board: new Uint8Array(96),
 *   moveCount: Uint8Array.of(2), move: Uint16Array.of(12 | 20 << 6, 12 | 28 << 6),
 *   bestCount: Uint8Array.of(1), best: Uint8Array.of(1), win: Uint16Array.of(600),
 *   game: Int32Array.of(-1), provenance: {}, digest: "",
 * };
 * const rows = Int32Array.of(0);
 * const blind = await fitBlind(positions, rows);
 * assert.equal(judge(blind, noFeatures(1), positions, rows).top1[0], 1);
 * ```
 */
export async function fitBlind(
  positions: Positions,
  rows: Int32Array,
  options: BlindOptions = {},
): Promise<FittedReadout> {
  const { ridge = 1, signal, onProgress } = options;
  checkRows(positions, rows, "fit the blind baseline");
  if (!(ridge >= 0)) {
    throw new RangeError(`Cannot fit the blind baseline: a ridge of ${ridge}, 0 or more is wanted`);
  }
  const task = "fitting the blind baseline";
  const scores = new Float64Array(READOUT_COLUMNS);
  let state = await measure(positions, rows, scores, ridge, options);
  const trainLoss = [state.loss / rows.length];
  let steps = 0;
  for (; steps < MAX_STEPS; steps++) {
    onProgress?.({ task, done: steps, unit: "steps" });
    const step = state.gradient.slice();
    // Raising all from-scores alike changes nothing, so without a ridge the matrix is singular: a trace of one helps.
    for (let i = 0; i < POLICY; i++) state.hessian[i * POLICY + i]! += ridge + 1e-9 * rows.length;
    if (!solvePositive(state.hessian, step)) break;
    const decrement = step.reduce((sum, each, i) => sum + each * state.gradient[i]!, 0);
    // Half of this is what the step would still gain; beyond it the sums' own rounding decides.
    if (decrement < 1e-13 * rows.length) break;
    let length = 1;
    let next = state;
    const tried = new Float64Array(READOUT_COLUMNS);
    for (; length > 1e-6; length /= 2) {
      for (let i = 0; i < POLICY; i++) tried[i] = scores[i]! - length * step[i]!;
      next = await measure(positions, rows, tried, ridge, options);
      if (next.objective < state.objective) break;
    }
    if (!(next.objective < state.objective)) break;
    scores.set(tried);
    state = next;
    trainLoss.push(state.loss / rows.length);
  }
  signal?.throwIfAborted();
  onProgress?.({ task, done: steps, total: steps, unit: "steps" });
  let target = 0;
  for (const row of rows) target += 2 * positions.win[row * MAX_BEST]! / 1000 - 1;
  // The mean minimises the squared error; within 1e-6 of won or lost, where tanh can no longer be undone.
  scores[VALUE_COLUMN] = Math.atanh(Math.max(-1 + 1e-6, Math.min(1 - 1e-6, target / rows.length)));
  return {
    features: 0,
    weight: new Float32Array(0),
    bias: Float32Array.from(scores),
    history: { passes: steps, trainLoss, valLoss: [] },
  };
}

/** The loss at some scores and its first and second derivatives, summed over the rows. */
interface State {
  loss: number;
  /** The loss and the ridge's part. */
  objective: number;
  gradient: Float64Array;
  /** `[POLICY][POLICY]`, lower half. */
  hessian: Float64Array;
}

/** The second derivative of a softmax: mean of the outer products minus the outer product of the means. */
async function measure(
  positions: Positions,
  rows: Int32Array,
  scores: Float64Array,
  ridge: number,
  { signal }: LongWork,
): Promise<State> {
  const state: State = {
    loss: 0,
    objective: 0,
    gradient: new Float64Array(POLICY),
    hessian: new Float64Array(POLICY * POLICY),
  };
  const { gradient, hessian } = state;
  const { move, moveCount } = positions;
  const exponent = Float64Array.from(scores, Math.exp);
  const each: PositionLoss = { policy: 0, value: 0, favourite: 0 };
  const push = new Float64Array(READOUT_COLUMNS);
  const mean = new Float64Array(POLICY);
  const used = new Int32Array(POLICY);
  for (let at = 0; at < rows.length; at++) {
    if (at % TURN === 0) {
      await new Promise((resume) => setTimeout(resume));
      signal?.throwIfAborted();
    }
    const row = rows[at]!;
    positionLoss(positions, row, scores, 0, each, push);
    state.loss += each.policy;
    for (let i = 0; i < POLICY; i++) gradient[i]! += push[i]!;
    const first = row * MAX_MOVES;
    const end = first + moveCount[row]!;
    let sum = 0;
    for (let m = first; m < end; m++) {
      const packed = move[m]!;
      sum += exponent[packed & 63]! * exponent[64 + (packed >> 6 & 63)]! * exponent[128 + (packed >> 12)]!;
    }
    let count = 0;
    for (let m = first; m < end; m++) {
      const packed = move[m]!;
      const from = packed & 63;
      const to = 64 + (packed >> 6 & 63);
      const promotion = 128 + (packed >> 12);
      const p = exponent[from]! * exponent[to]! * exponent[promotion]! / sum;
      if (mean[from] === 0) used[count++] = from;
      if (mean[to] === 0) used[count++] = to;
      if (mean[promotion] === 0) used[count++] = promotion;
      mean[from]! += p;
      mean[to]! += p;
      mean[promotion]! += p;
      hessian[to * POLICY + from]! += p;
      hessian[promotion * POLICY + from]! += p;
      hessian[promotion * POLICY + to]! += p;
    }
    const places = used.subarray(0, count).sort();
    for (let a = 0; a < count; a++) {
      const i = places[a]!;
      const share = mean[i]!;
      hessian[i * POLICY + i]! += share;
      for (let b = 0; b <= a; b++) hessian[i * POLICY + places[b]!]! -= share * mean[places[b]!]!;
    }
    for (const i of places) mean[i] = 0;
  }
  state.objective = state.loss;
  for (let i = 0; i < POLICY; i++) {
    state.objective += ridge / 2 * scores[i]! ** 2;
    gradient[i]! += ridge * scores[i]!;
  }
  return state;
}
