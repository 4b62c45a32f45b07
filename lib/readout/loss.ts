/**
 * How sharply the target prefers better moves, in percent points of winning chance (reference, section 5): a move
 * that gives away `TAU` gets 1/e of the best move's share.
 */
export const TAU = 2.5;

/**
 * How the target shares itself out over the teacher's best moves: a softmax of their win% (reference, section 5;
 * distillation after Hinton et al. 2015).
 *
 * @param win Win% of the listed moves, 0 to 100, best first; all other legal moves get nothing.
 * @param tau Percent points of winning chance that cost a factor of e.
 * @returns Shares in the same order, adding up to 1.
 * @throws {RangeError} If there is no move or `tau` is not above 0.
 *
 * @example Two moves that are 2.5 percent points apart
 * ```ts
 * import { targetShares } from "flychess/readout";
 * import assert from "node:assert/strict";
 *
 * const [best, second] = targetShares([54, 51.5]);
 * assert.ok(Math.abs(best! / second! - Math.E) < 1e-12);
 * ```
 */
export function targetShares(win: ArrayLike<number>, tau: number = TAU): Float64Array {
  if (win.length === 0 || !(tau > 0)) {
    throw new RangeError(
      `Cannot share out the target: ${win.length} moves and a tau of ${tau}, at least 1 and above 0 are wanted`,
    );
  }
  const shares = Float64Array.from(win, (each) => Math.exp((each - win[0]!) / tau));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

/**
 * The cross-entropy of a softmax over the legal moves against the target, in nats (reference, section 5).
 *
 * @param scores Scores of all legal moves.
 * @param shares The target of the first `shares.length` of them; the others' is 0.
 * @throws {RangeError} If there are more shares than moves.
 */
export function policyLoss(scores: ArrayLike<number>, shares: ArrayLike<number>): number {
  if (shares.length > scores.length || scores.length === 0) {
    throw new RangeError(
      `Cannot measure the loss: ${shares.length} shares for ${scores.length} moves, no more shares than moves are wanted`,
    );
  }
  let highest = -Infinity;
  for (let i = 0; i < scores.length; i++) highest = Math.max(highest, scores[i]!);
  let sum = 0;
  for (let i = 0; i < scores.length; i++) sum += Math.exp(scores[i]! - highest);
  // The difference first: next to a score of a billion the logarithm would lose its digits.
  const normaliser = Math.log(sum);
  let loss = 0;
  for (let i = 0; i < shares.length; i++) loss += shares[i]! * (normaliser + (highest - scores[i]!));
  return loss;
}

/**
 * What the value readout should say: the best move's winning chance on a scale from -1 (lost) to 1 (won)
 * (reference, section 5).
 *
 * @param win The best move's win%, 0 to 100.
 */
export function valueTarget(win: number): number {
  return 2 * win / 100 - 1;
}

/**
 * The squared error of the value readout (reference, section 5).
 *
 * @param value What it says, after tanh, -1 to 1.
 * @param target What it should say, -1 to 1.
 */
export function valueLoss(value: number, target: number): number {
  return (value - target) ** 2;
}
