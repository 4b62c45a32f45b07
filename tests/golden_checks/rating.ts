import assert from "node:assert/strict";
import { fitLadder, moveAccuracy, performanceRating, winPercent } from "flychess/rating";

function near(found: number, wanted: number, closeness: number, what: string): void {
  assert.ok(Math.abs(found - wanted) <= closeness, `${what}: found ${found}, wanted ${wanted}`);
}

interface Accuracy {
  readonly cases: readonly { best: number; cp: number; win: number; accuracy: number }[];
}

/** Golden kind `accuracy`. */
export function checkAccuracy(golden: unknown): void {
  const { cases } = golden as Accuracy;
  assert.ok(cases.length > 0);
  for (const { best, cp, win, accuracy } of cases) {
    near(winPercent(cp), win, 1e-9, `win% of ${cp}`);
    near(moveAccuracy(best, cp), accuracy, 1e-9, `accuracy of ${cp} where ${best} is best`);
  }
}

interface Performance {
  readonly cases: readonly { points: number; games: number; opponent: number; rating: number }[];
}

/** Golden kind `performance`. */
export function checkPerformance(golden: unknown): void {
  const { cases } = golden as Performance;
  assert.ok(cases.length > 0);
  for (const { points, games, opponent, rating } of cases) {
    near(performanceRating(points, games, opponent), rating, 1e-9, `${points} of ${games}`);
  }
}

interface Ladder {
  readonly players: readonly string[];
  readonly anchor: string;
  readonly anchor_rating: number;
  readonly pairings: readonly [number, number, number, number][];
  readonly ratings: readonly number[];
}

/** Golden kind `ladder`: points may be any halves, so that wins and losses need not be whole. */
export function checkLadder(golden: unknown): void {
  const { players, anchor, anchor_rating, pairings, ratings } = golden as Ladder;
  const fitted = fitLadder(
    pairings.map(([i, j, games, points]) => ({
      first: players[i]!,
      second: players[j]!,
      wins: points,
      draws: 0,
      losses: games - points,
    })),
    { anchor: { player: anchor, rating: anchor_rating } },
  );
  players.forEach((player, k) => near(fitted.get(player)!, ratings[k]!, 1e-4, `rating of ${player}`));
}
