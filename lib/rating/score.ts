/** Elo's unit: a gap of 400 is ten to one. */
const LOG_ODDS_PER_POINT = Math.log(10) / 400;

/**
 * The score that Elo's formula expects, a draw counting as half a win: `1 / (1 + 10^(-gap / 400))` (Elo 1978;
 * reference, section 13).
 *
 * @param gap How many rating points the player stands above the opponent.
 * @returns From 0 to 1.
 *
 * @example A gap of 400 is ten to one
 * ```ts
 * import { expectedScore } from "flychess/rating";
 * import assert from "node:assert/strict";
 *
 * assert.equal(expectedScore(0), 0.5);
 * assert.equal(expectedScore(400).toFixed(4), "0.9091");
 * ```
 */
export function expectedScore(gap: number): number {
  return 1 / (1 + Math.exp(-LOG_ODDS_PER_POINT * gap));
}

/**
 * The rating at which a score would be the expected one, the reverse of `expectedScore` (reference, section 12).
 * The score is held half a point away from nothing and from everything, so that the logarithm stays finite:
 * 0 of 20 against 1320 gives 684, which is the formula's floor and no measurement.
 *
 * @param points Points won, a draw counting one half; from 0 to `games`.
 * @param games Games played, at least 1.
 * @param opponent The opponent's rating.
 * @throws {RangeError} If the points are not between 0 and the games.
 *
 * @example
 * ```ts
 * import { performanceRating } from "flychess/rating";
 * import assert from "node:assert/strict";
 *
 * assert.equal(performanceRating(10, 20, 1320), 1320);
 * assert.equal(performanceRating(0, 20, 1320).toFixed(0), "684");
 * ```
 */
export function performanceRating(points: number, games: number, opponent: number): number {
  if (!(games >= 1 && points >= 0 && points <= games)) {
    throw new RangeError(
      `Cannot rate a performance: ${points} points of ${games} games, from 0 points to one for each game are wanted`,
    );
  }
  const least = 1 / (2 * games);
  const score = Math.min(Math.max(points / games, least), 1 - least);
  return opponent + Math.log(score / (1 - score)) / LOG_ODDS_PER_POINT;
}
