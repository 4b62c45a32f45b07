import { type Field, fitPenalized, informationAt } from "./_penalized_fit.ts";
import { expectedScore } from "./score.ts";
import { type Anchor, meetingsOf, type Pairing } from "./pairing.ts";

const C = Math.log(10) / 400;
/** 95 % quantile of chi-squared with one degree of freedom. */
const CHI_95 = 3.841458820694124;
/** A pairing's own variance is leaned towards the ladder's as if by so many games: 20 games tell little of it. */
const PRIOR_GAMES = 20;
/** No interval is followed further from its rating. */
const FURTHEST = 3000;

/** A player's place on the ladder. */
export interface RatedPlayer {
  /** Who. */
  readonly player: string;
  /** Elo. */
  readonly rating: number;
  /** The 95 % interval's lower end; -Infinity where the games set none. */
  readonly low: number;
  /** The 95 % interval's upper end; Infinity where the games set none. */
  readonly high: number;
  /** Games it played. */
  readonly games: number;
  /** Share of its points, 0 to 1. */
  readonly score: number;
  /** Share of its games that were drawn, 0 to 1. */
  readonly drawRate: number;
  /**
   * How badly one number fits it: squared distances of its scores from what Elo expects, each in standard
   * deviations, averaged over its opponents. About 1 where Elo fits.
   */
  readonly misfit: number;
  /** Whether such a misfit comes up by luck in less than 1 of 100 ladders: its score does not follow Elo's curve. */
  readonly fitsBadly: boolean;
}

/** A fitted ladder. */
export interface RatedLadder {
  /** Strongest first. */
  readonly players: readonly RatedPlayer[];
  /** Variance of a game's score as a share of a coin's with the same mean: 1 without draws, less with them. */
  readonly dispersion: number;
  /**
   * The chance that one player is stronger than another (likelihood of superiority), from the ratings' joint normal
   * approximation.
   *
   * @throws {RangeError} If either has no games here.
   */
  superiority(player: string, other: string): number;
}

/**
 * Places all players at once, with the first-order bias taken out and intervals that follow the likelihood.
 *
 * The expected score is Elo's, a draw counting as half a win, and nothing is assumed about how often draws happen:
 * their smaller variance is measured (quasi-likelihood, Wedderburn 1974). Instead of a virtual draw a pairing, which
 * pulls far-apart players together, the likelihood carries Jeffreys' penalty (Firth 1993). Intervals are those
 * ratings that the profile of the penalised likelihood does not reject at 5 %, with each player's own variance. In
 * simulated ladders they cover the truth as often as they say: `experiments/ladder_simulation.ts`.
 *
 * @param pairings What was played.
 * @param options Who stands where.
 * @throws {RangeError} If the anchor has no games, or games do not join a player to it.
 *
 * @example
 * ```ts
 * import { rateLadder } from "flychess/rating";
 * import assert from "node:assert/strict";
 *
 * const ladder = rateLadder([
 *   { first: "fly", second: "engine", wins: 0, draws: 10, losses: 10 },
 *   { first: "fly", second: "random", wins: 10, draws: 10, losses: 0 },
 * ], { anchor: { player: "engine", rating: 1320 } });
 * assert.deepEqual(ladder.players.map(({ player }) => player), ["engine", "fly", "random"]);
 * assert.ok(ladder.superiority("fly", "random") > 0.99);
 * ```
 */
export function rateLadder(
  pairings: readonly Pairing[],
  options: { readonly anchor: Anchor },
): RatedLadder {
  const { anchor } = options;
  const { players, anchorIndex, meetings } = meetingsOf(pairings, anchor);
  const count = players.length;
  const played = pairings.filter(({ wins, draws, losses }) => wins + draws + losses > 0);
  let field: Field = { players: count, anchor: anchorIndex, meetings, dispersion: 1 };
  const rating = new Float64Array(count);
  let best = fitPenalized(field, rating);
  // The dispersion and the ratings settle after a few turns; a ladder of one game has none to measure.
  for (let turn = 0; turn < 4; turn++) {
    field = { ...field, dispersion: dispersionAt(played, meetings, rating) };
    best = fitPenalized(field, rating);
  }
  const covariance = sandwich(field, played, rating);
  const information = informationAt(field, rating);
  const size = information.free.length;
  const place = (k: number) => information.free.indexOf(k);
  const rated = players.map((player, k): RatedPlayer => {
    const totals = totalsOf(player, played);
    const fit = misfitOf(k, field, rating);
    const base = { player, rating: anchor.rating + rating[k]!, ...totals, ...fit };
    if (k === anchorIndex) return { ...base, low: anchor.rating, high: anchor.rating };
    const at = place(k) * size + place(k);
    const ratio = covariance[at]! / information.inverse[at]!;
    const error = Math.sqrt(covariance[at]!);
    const end = (side: 1 | -1) => anchor.rating + profileEnd(field, rating, best, k, side, ratio, error);
    return { ...base, low: end(-1), high: end(1) };
  });
  return {
    players: rated.sort((a, b) => b.rating - a.rating),
    dispersion: field.dispersion,
    superiority(player, other) {
      const [a, b] = [player, other].map((name) => {
        const k = players.indexOf(name);
        if (k < 0) throw new RangeError(`Cannot compare ${name}: it has no games here`);
        return k;
      }) as [number, number];
      const at = (x: number, y: number) =>
        x === anchorIndex || y === anchorIndex ? 0 : covariance[place(x) * size + place(y)]!;
      const variance = at(a, a) + at(b, b) - 2 * at(a, b);
      return variance === 0 ? 0.5 : normal((rating[a]! - rating[b]!) / Math.sqrt(variance));
    },
  };
}

/** Squared distance of every game's score from its expectation, summed over a pairing. */
function squares(pairing: Pairing, expected: number): number {
  return pairing.wins * (1 - expected) ** 2 + pairing.draws * (0.5 - expected) ** 2 +
    pairing.losses * expected ** 2;
}

function dispersionAt(
  played: readonly Pairing[],
  meetings: Field["meetings"],
  rating: Float64Array,
): number {
  let found = 0;
  let coin = 0;
  meetings.forEach(({ i, j, games }, m) => {
    const expected = expectedScore(rating[i]! - rating[j]!);
    found += squares(played[m]!, expected);
    coin += games * expected * (1 - expected);
  });
  const games = meetings.reduce((sum, meeting) => sum + meeting.games, 0);
  // The ratings were fitted to the same games.
  const freedom = Math.max(1, games - rating.length + 1);
  // One imagined game without draws keeps a ladder of draws alone from being infinitely certain.
  return (found + 0.25) / (coin + 0.25) * games / freedom;
}

/** Covariance of the free ratings from each pairing's own variance (Huber 1967), `[free][free]`. */
function sandwich(field: Field, played: readonly Pairing[], rating: Float64Array): Float64Array {
  const { free, inverse } = informationAt(field, rating);
  const size = free.length;
  const covariance = new Float64Array(size * size);
  const direction = new Float64Array(size);
  field.meetings.forEach(({ i, j, games }, m) => {
    const expected = expectedScore(rating[i]! - rating[j]!);
    const coin = expected * (1 - expected);
    const prior = PRIOR_GAMES * field.dispersion * coin;
    const variance = games * (squares(played[m]!, expected) + prior) / (games + PRIOR_GAMES);
    const a = free.indexOf(i);
    const b = free.indexOf(j);
    for (let k = 0; k < size; k++) {
      direction[k] = (a < 0 ? 0 : inverse[k * size + a]!) - (b < 0 ? 0 : inverse[k * size + b]!);
    }
    for (let k = 0; k < size; k++) {
      for (let l = 0; l < size; l++) {
        covariance[k * size + l]! += C * C * variance * direction[k]! * direction[l]!;
      }
    }
  });
  return covariance;
}

/** Where the profile leaves the interval on one side, relative to the anchor. */
function profileEnd(
  field: Field,
  rating: Float64Array,
  best: number,
  player: number,
  side: 1 | -1,
  ratio: number,
  error: number,
): number {
  const others = rating.slice();
  const excess = (distance: number) => {
    others[player] = rating[player]! + side * distance;
    return 2 * (best - fitPenalized(field, others, player)) / ratio - CHI_95;
  };
  let inside = 0;
  let outside = 2 * error;
  while (excess(outside) < 0) {
    inside = outside;
    outside *= 1.6;
    if (outside > FURTHEST) return side * Infinity;
  }
  while (outside - inside > 0.05) {
    const middle = (inside + outside) / 2;
    if (excess(middle) < 0) inside = middle;
    else outside = middle;
  }
  return rating[player]! + side * (inside + outside) / 2;
}

function totalsOf(player: string, played: readonly Pairing[]) {
  let games = 0;
  let points = 0;
  let drawn = 0;
  for (const { first, second, wins, draws, losses } of played) {
    if (first !== player && second !== player) continue;
    games += wins + draws + losses;
    points += (first === player ? wins : losses) + draws / 2;
    drawn += draws;
  }
  return { games, score: points / games, drawRate: drawn / games };
}

function misfitOf(player: number, field: Field, rating: Float64Array) {
  let sum = 0;
  let opponents = 0;
  for (const { i, j, games, points } of field.meetings) {
    if (i !== player && j !== player) continue;
    const expected = expectedScore(rating[i]! - rating[j]!);
    const variance = games * field.dispersion * expected * (1 - expected);
    // Half a point of grace: a score moves in halves.
    sum += Math.max(0, Math.abs(points - games * expected) - 0.25) ** 2 / variance;
    opponents++;
  }
  const freedom = Math.max(1, opponents - 1);
  return { misfit: sum / freedom, fitsBadly: opponents > 1 && sum > chiSquared99(freedom) };
}

/** 99 % quantile of chi-squared (Wilson and Hilferty 1931). */
function chiSquared99(freedom: number): number {
  const part = 2 / (9 * freedom);
  return freedom * (1 - part + 2.3263478740408408 * Math.sqrt(part)) ** 3;
}

/** The normal distribution's share below x (Abramowitz and Stegun 1964, 26.2.17; within 7.5e-8). */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) *
    t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x < 0 ? tail : 1 - tail;
}
