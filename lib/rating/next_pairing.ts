import { type Field, fitPenalized, informationAt } from "./_penalized_fit.ts";
import { type Anchor, meetingsOf, type Pairing } from "./pairing.ts";
import { expectedScore } from "./score.ts";

const C = Math.log(10) / 400;

/** Two players, and by how much the next games between them would make the ratings surer. */
export interface PairingGain {
  /** One player. */
  readonly first: string;
  /** The other. */
  readonly second: string;
  /** Expected drop of the ratings' variances, summed, in Elo squared. */
  readonly drop: number;
}

/** Which games may be played, and whose rating matters. */
export interface NextPairingOptions {
  /** Who stands where. */
  readonly anchor: Anchor;
  /** Pairs that may play. */
  readonly candidates: readonly (readonly [string, string])[];
  /** Games that are played next; 4 by default. */
  readonly games?: number | undefined;
  /** Players whose variance counts; all but the anchor by default. */
  readonly of?: readonly string[] | undefined;
}

/**
 * Which pair should play next: the one whose games are expected to take the most off the ratings' variances. A game tells
 * most where its end is least certain, E (1 - E), and where it joins players who are not yet well joined to the
 * anchor; the rest is algebra (one more term in Fisher's information, Sherman and Morrison 1950; D-optimal and A-optimal
 * designs, Fedorov 1972). Draws make every pairing tell more in the same proportion, so they do not change the choice.
 *
 * @param pairings What was played; every player must be joined to the anchor by games.
 * @param options Which games may be played.
 * @returns All candidates, the one that tells most first; of equals the first listed.
 * @throws {RangeError} If a candidate has no games yet, the anchor has none, or games do not join a player to it.
 *
 * @example The fly's rating gets surer against a player of its own strength
 * ```ts
 * import { nextPairing } from "flychess/rating";
 * import assert from "node:assert/strict";
 *
 * const [best] = nextPairing([
 *   { first: "strong", second: "engine", wins: 17, draws: 2, losses: 1 },
 *   { first: "even", second: "engine", wins: 9, draws: 2, losses: 9 },
 *   { first: "fly", second: "strong", wins: 0, draws: 0, losses: 2 },
 *   { first: "fly", second: "even", wins: 1, draws: 0, losses: 1 },
 * ], {
 *   anchor: { player: "engine", rating: 1350 },
 *   candidates: [["fly", "strong"], ["fly", "even"]],
 *   of: ["fly"],
 * });
 * assert.equal(best!.second, "even");
 * ```
 */
export function nextPairing(pairings: readonly Pairing[], options: NextPairingOptions): PairingGain[] {
  const { anchor, candidates, games = 4, of } = options;
  if (!Number.isInteger(games) || games < 1) {
    throw new RangeError(
      `Cannot choose a pairing: games is ${games}, a whole number of at least 1 is wanted`,
    );
  }
  const { players, anchorIndex, meetings } = meetingsOf(pairings, anchor);
  const rating = new Float64Array(players.length);
  const field: Field = { players: players.length, anchor: anchorIndex, meetings, dispersion: 1 };
  fitPenalized(field, rating);
  const { free, inverse } = informationAt(field, rating);
  const place = players.map((_, k) => free.indexOf(k));
  const covariance = (a: number, b: number) =>
    place[a]! < 0 || place[b]! < 0 ? 0 : inverse[place[a]! * free.length + place[b]!]!;
  const index = (name: string) => {
    const k = players.indexOf(name);
    if (k < 0) throw new RangeError(`Cannot choose a pairing: ${name} has no games yet, some are wanted`);
    return k;
  };
  const counted = (of ?? players.filter((_, k) => k !== anchorIndex)).map(index);
  const gains = candidates.map(([first, second]): PairingGain => {
    const [i, j] = [index(first), index(second)];
    const expected = expectedScore(rating[i]! - rating[j]!);
    const information = C * C * games * expected * (1 - expected);
    const towards = (k: number) => covariance(k, i) - covariance(k, j);
    const spread = towards(i) - towards(j);
    const squares = counted.reduce((sum, k) => sum + towards(k) ** 2, 0);
    return { first, second, drop: information * squares / (1 + information * spread) };
  });
  return gains.map((gain, at) => ({ gain, at }))
    .sort((a, b) => b.gain.drop - a.gain.drop || a.at - b.at)
    .map(({ gain }) => gain);
}
