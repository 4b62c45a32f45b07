/** The share of a run over which its step sizes grow from 0 (reference, section 7). */
export const WARM_UP = 0.03;

/**
 * What step sizes are multiplied with: it grows evenly from 0 to 1 over the first 3 % of a run, then follows a cosine down
 * to exactly 0 at its end (reference, section 7; Loshchilov and Hutter 2017).
 *
 * @param progress The share of the run that is done, 0 to 1.
 * @returns 0 to 1.
 * @throws {RangeError} If the progress is below 0 or no number. Beyond 1 it stays 0.
 *
 * @example Half way down
 * ```ts
 * import { scheduleFactor } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * assert.equal(scheduleFactor(0.03), 1);
 * assert.ok(Math.abs(scheduleFactor(0.515) - 0.5) < 1e-12);
 * assert.equal(scheduleFactor(1), 0);
 * ```
 */
export function scheduleFactor(progress: number): number {
  if (!(progress >= 0)) {
    throw new RangeError(`Cannot set a step size: the progress is ${progress}, 0 to 1 is wanted`);
  }
  if (progress < WARM_UP) return progress / WARM_UP;
  return (1 + Math.cos(Math.PI * Math.min(1, (progress - WARM_UP) / (1 - WARM_UP)))) / 2;
}
