/** Steepness of Lichess's curve, per centipawn (fitted by Lichess on rated games; reference, section 12). */
const STEEPNESS = 0.00368208;

/**
 * The chance to win that goes with an engine's score, by Lichess's curve (reference, section 12):
 * `50 + 50 (2 / (1 + exp(-0.00368208 cp)) - 1)` in percent. ChessBench's labels are made by the same curve.
 *
 * @param cp Centipawns for the side to move; -Infinity and Infinity are a certain loss and win.
 * @returns From 0 to 1.
 *
 * @example
 * ```ts
 * import { winProbability } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * assert.equal(winProbability(0), 0.5);
 * assert.equal(winProbability(100).toFixed(4), "0.5910");
 * ```
 */
export function winProbability(cp: number): number {
  return 1 / (1 + Math.exp(-STEEPNESS * cp));
}
