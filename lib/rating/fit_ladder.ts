import { Random } from "../common/mod.ts";
import { solvePositive } from "../common/solve_positive.ts";
import { expectedScore } from "./score.ts";
import { type Anchor, type Meeting, meetingsOf, type Pairing } from "./pairing.ts";

/** Elo's unit in natural log odds. */
const C = Math.log(10) / 400;
/** Newton's limits (reference, section 13). */
const MOST_STEPS = 100;
const SMALL_STEP = 1e-6;
/** A longer step than this leaves the region where the parabola means anything; shortening it changes no optimum. */
const LONGEST_STEP = 400;

/** How a ladder is fitted. */
export interface FitLadderOptions {
  /** Who stands where. */
  readonly anchor: Anchor;
  /** Draws that are added to every pairing, so that 20-0 has a finite rating; 1 by default. */
  readonly virtualDraws?: number;
}

/**
 * Places all players at once by maximum likelihood, a draw counting as half a win, every pairing with one virtual
 * draw (reference, section 13; the virtual draw is BayesElo's idea). `rateLadder` is the better estimate: this
 * one pulls players together, by tens of points where gaps are as large as a ladder's.
 *
 * @param pairings What was played.
 * @returns Rating by player.
 * @throws {RangeError} If the anchor has no games, or games do not join a player to it.
 *
 * @example
 * ```ts
 * import { fitLadder } from "flychess/rating";
 * import assert from "node:assert/strict";
 *
 * const ratings = fitLadder([{ first: "fly", second: "engine", wins: 0, draws: 10, losses: 10 }], {
 *   anchor: { player: "engine", rating: 1320 },
 * });
 * assert.equal(ratings.get("engine"), 1320);
 * assert.equal(ratings.get("fly")!.toFixed(0), "1140");
 * ```
 */
export function fitLadder(pairings: readonly Pairing[], options: FitLadderOptions): Map<string, number> {
  const { anchor, virtualDraws = 1 } = options;
  const { players, anchorIndex, meetings } = meetingsOf(pairings, anchor);
  const fitted = fitMeetings(players.length, anchorIndex, virtual(meetings, virtualDraws));
  return new Map(players.map((name, k) => [name, anchor.rating + fitted[k]!]));
}

/** A rating with its interval. */
export interface LadderRating {
  /** Who. */
  readonly player: string;
  /** Elo. */
  readonly rating: number;
  /** The 95 % interval's lower end. */
  readonly low: number;
  /** The 95 % interval's upper end. */
  readonly high: number;
}

/**
 * `fitLadder` with intervals as the reference makes them: refits on every pairing's games drawn again with
 * replacement, 2.5th and 97.5th percentile.
 *
 * @param pairings What was played, in whole games.
 * @param options Also how many refits (300), and the seed of the draws (1).
 */
export function bootstrapLadder(
  pairings: readonly Pairing[],
  options: FitLadderOptions & { readonly refits?: number; readonly seed?: number },
): LadderRating[] {
  const { refits = 300, seed = 1 } = options;
  const point = fitLadder(pairings, options);
  const random = new Random(seed, "ladder");
  const draws = new Map([...point.keys()].map((player) => [player, new Float64Array(refits)]));
  const played = pairings.filter(({ wins, draws, losses }) => wins + draws + losses > 0);
  for (let r = 0; r < refits; r++) {
    const again = played.map((pairing) => {
      const games = pairing.wins + pairing.draws + pairing.losses;
      const count = { wins: 0, draws: 0, losses: 0 };
      for (let g = 0; g < games; g++) {
        const pick = random.int(games);
        count[pick < pairing.wins ? "wins" : pick < pairing.wins + pairing.draws ? "draws" : "losses"]++;
      }
      return { ...pairing, ...count };
    });
    for (const [player, rating] of fitLadder(again, options)) draws.get(player)![r] = rating;
  }
  return [...point].map(([player, rating]) => {
    const sorted = draws.get(player)!.sort();
    return { player, rating, low: percentile(sorted, 0.025), high: percentile(sorted, 0.975) };
  });
}

function percentile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
}

function virtual(meetings: readonly Meeting[], draws: number): Meeting[] {
  return meetings.map((m) => ({ ...m, games: m.games + draws, points: m.points + draws / 2 }));
}

/** Newton's method for all ratings but the anchor's, which stays 0. */
function fitMeetings(players: number, anchor: number, meetings: readonly Meeting[]): Float64Array {
  const rating = new Float64Array(players);
  const free = Array.from({ length: players }, (_, k) => k).filter((k) => k !== anchor);
  const place = new Int32Array(players).fill(-1);
  free.forEach((k, at) => place[k] = at);
  for (let step = 0; step < MOST_STEPS; step++) {
    const gradient = new Float64Array(free.length);
    const curvature = new Float64Array(free.length ** 2);
    for (const { i, j, games, points } of meetings) {
      const expected = expectedScore(rating[i]! - rating[j]!);
      const slope = C * (points - games * expected);
      const weight = C * C * games * expected * (1 - expected);
      const a = place[i]!;
      const b = place[j]!;
      if (a >= 0) gradient[a]! += slope;
      if (b >= 0) gradient[b]! -= slope;
      if (a >= 0) curvature[a * free.length + a]! += weight;
      if (b >= 0) curvature[b * free.length + b]! += weight;
      if (a >= 0 && b >= 0) {
        curvature[a * free.length + b]! -= weight;
        curvature[b * free.length + a]! -= weight;
      }
    }
    if (!solvePositive(curvature, gradient)) break;
    const longest = gradient.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    const share = Math.min(1, LONGEST_STEP / longest);
    free.forEach((k, at) => rating[k]! += share * gradient[at]!);
    if (longest < SMALL_STEP) break;
  }
  return rating;
}
