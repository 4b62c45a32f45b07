/**
 * log(1 + e^x): turns any number into a positive strength. Neither end overflows or loses digits.
 *
 * @param x Any number.
 * @returns A number above 0; for large `x` it is `x` itself, for very negative `x` it is e^x.
 */
export function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

/**
 * The number whose softplus is `y`.
 *
 * @param y Above 0.
 * @throws {RangeError} If `y` is not above 0.
 *
 * @example There and back
 * ```ts
 * import { inverseSoftplus, softplus } from "flychess/brain";
 * import assert from "node:assert/strict";
 *
 * assert.ok(Math.abs(softplus(inverseSoftplus(0.25)) - 0.25) < 1e-15);
 * ```
 */
export function inverseSoftplus(y: number): number {
  if (!(y > 0)) throw new RangeError(`Cannot invert softplus: its value is ${y}, a number above 0 is wanted`);
  return y + Math.log(-Math.expm1(-y));
}

/**
 * 1 / (1 + e^-x): how fast `softplus` rises at `x`.
 *
 * @param x Any number.
 * @returns From 0 to 1.
 */
export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
