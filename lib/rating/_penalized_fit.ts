import { solvePositive } from "../common/solve_positive.ts";
import { expectedScore } from "./score.ts";
import type { Meeting } from "./pairing.ts";

/** Elo's unit in natural log odds. */
const C = Math.log(10) / 400;
const MOST_STEPS = 200;
const SMALL_STEP = 1e-6;
const LONGEST_STEP = 200;
/** Nobody is placed further from the anchor: a slope that far out is below a float's last digit. */
const FURTHEST = 6000;

/** A ladder as arrays: who is free to move, and the information that the games hold about them. */
export interface Field {
  readonly players: number;
  readonly anchor: number;
  readonly meetings: readonly Meeting[];
  /** Variance of a game's score as a share of a coin's with the same mean: 1 without draws. */
  readonly dispersion: number;
}

/** Information about the free players' ratings, `[free][free]`, and its inverse. */
export interface Information {
  readonly free: readonly number[];
  readonly inverse: Float64Array;
  /** Half the logarithm of the information's determinant. */
  readonly halfLogDet: number;
}

/** The Fisher information of a binomial likelihood at some ratings. */
export function informationAt(field: Field, rating: Float64Array): Information {
  const free = freePlayers(field);
  const size = free.length;
  const matrix = informationMatrix(field, rating, free);
  const inverse = new Float64Array(size * size);
  let halfLogDet = 0;
  for (let column = 0; column < size; column++) {
    const work = matrix.slice();
    const right = new Float64Array(size);
    right[column] = 1;
    if (!solvePositive(work, right)) return { free, inverse: inverse.fill(Infinity), halfLogDet: -Infinity };
    if (column === 0) { for (let k = 0; k < size; k++) halfLogDet += Math.log(work[k * size + k]!); }
    for (let k = 0; k < size; k++) inverse[k * size + column] = right[k]!;
  }
  return { free, inverse, halfLogDet };
}

/**
 * Ratings of largest penalised likelihood: that of the scores plus Jeffreys' half log determinant, which takes away
 * the bias of first order (Firth 1993, Biometrika 80:27; for logistic models Heinze and Schemper 2002), scaled by
 * the dispersion. Finite also for 20-0.
 *
 * @param start Where to start, the anchor at 0; it is changed into the result.
 * @param fixed A player who stays where `start` puts it.
 * @returns The penalised log likelihood reached.
 */
export function fitPenalized(field: Field, start: Float64Array, fixed = -1): number {
  const { meetings, anchor, dispersion } = field;
  let reached = penalizedLikelihood(field, start);
  for (let step = 0; step < MOST_STEPS; step++) {
    const { free, inverse } = informationAt(field, start);
    const size = free.length;
    const place = new Int32Array(field.players).fill(-1);
    free.forEach((k, at) => place[k] = at);
    const moving = free.filter((k) => k !== fixed);
    const gradient = new Float64Array(field.players);
    for (const { i, j, games, points } of meetings) {
      const expected = expectedScore(start[i]! - start[j]!);
      const a = place[i]!;
      const b = place[j]!;
      const spread = (a < 0 ? 0 : inverse[a * size + a]!) + (b < 0 ? 0 : inverse[b * size + b]!) -
        (a < 0 || b < 0 ? 0 : 2 * inverse[a * size + b]!);
      const leverage = C * C * games * expected * (1 - expected) * spread;
      const slope = C * (points - games * expected + dispersion * leverage * (0.5 - expected));
      gradient[i]! += slope;
      gradient[j]! -= slope;
    }
    gradient[anchor] = 0;
    const right = Float64Array.from(moving, (k) => gradient[k]!);
    if (moving.length === 0 || !solvePositive(informationMatrix(field, start, moving), right)) break;
    const longest = right.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    let share = Math.min(1, LONGEST_STEP / longest);
    const before = start.slice();
    for (let halved = 0; halved < 20; halved++, share /= 2) {
      moving.forEach((k, at) =>
        start[k] = Math.max(-FURTHEST, Math.min(FURTHEST, before[k]! + share * right[at]!))
      );
      const now = penalizedLikelihood(field, start);
      if (now >= reached - 1e-12 * Math.abs(reached)) {
        reached = now;
        break;
      }
    }
    if (longest < SMALL_STEP) break;
  }
  return reached;
}

function penalizedLikelihood(field: Field, rating: Float64Array): number {
  let sum = 0;
  for (const { i, j, games, points } of field.meetings) {
    const gap = C * (rating[i]! - rating[j]!);
    // log E and log (1 - E), also where either is far out.
    sum -= points * softplus(-gap) + (games - points) * softplus(gap);
  }
  return sum + field.dispersion * informationAt(field, rating).halfLogDet;
}

function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

function freePlayers({ players, anchor }: Field): number[] {
  return Array.from({ length: players }, (_, k) => k).filter((k) => k !== anchor);
}

function informationMatrix(field: Field, rating: Float64Array, of: readonly number[]): Float64Array {
  const size = of.length;
  const place = new Int32Array(field.players).fill(-1);
  of.forEach((k, at) => place[k] = at);
  const matrix = new Float64Array(size * size);
  for (const { i, j, games } of field.meetings) {
    const expected = expectedScore(rating[i]! - rating[j]!);
    const weight = C * C * games * expected * (1 - expected);
    const a = place[i]!;
    const b = place[j]!;
    if (a >= 0) matrix[a * size + a]! += weight;
    if (b >= 0) matrix[b * size + b]! += weight;
    if (a >= 0 && b >= 0) {
      matrix[a * size + b]! -= weight;
      matrix[b * size + a]! -= weight;
    }
  }
  return matrix;
}
