import assert from "node:assert/strict";
import fc from "fast-check";
import { nextPairing, type Pairing, rateLadder } from "../../lib/rating/mod.ts";
import { type Field, fitPenalized, informationAt } from "../../lib/rating/_penalized_fit.ts";
import { meetingsOf } from "../../lib/rating/pairing.ts";

const anchor = { player: "a", rating: 1350 };
const NAMES = ["a", "b", "c", "d"];

/** A connected ladder of four. */
const ladders = fc.array(fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6)), { minLength: 6, maxLength: 6 }).map(
  (counts) =>
    NAMES.flatMap((first, i) => NAMES.slice(i + 1).map((second) => ({ first, second })))
      .map((pair, k): Pairing => {
        const [wins, draws, losses] = counts[k]!;
        return { ...pair, wins: wins + 1, draws, losses: losses + 1 };
      }),
);

const candidates = NAMES.flatMap((first, i) => NAMES.slice(i + 1).map((second) => [first, second] as const));

Deno.test("`nextPairing()` foretells what the next games take off the summed variances", () => {
  fc.assert(
    fc.property(ladders, fc.integer({ min: 1, max: 30 }), (pairings, games) => {
      const { players, anchorIndex, meetings } = meetingsOf(pairings, anchor);
      const field: Field = { players: players.length, anchor: anchorIndex, meetings, dispersion: 1 };
      const rating = new Float64Array(players.length);
      fitPenalized(field, rating);
      const trace = (field: Field) => {
        const { free, inverse } = informationAt(field, rating);
        return free.reduce((sum, _, k) => sum + inverse[k * free.length + k]!, 0);
      };
      const gains = nextPairing(pairings, { anchor, candidates, games });
      assert.equal(gains.length, candidates.length);
      for (const { first, second, drop } of gains) {
        const [i, j] = [players.indexOf(first), players.indexOf(second)];
        const more = { ...field, meetings: [...meetings, { i, j, games, points: 0 }] };
        const found = trace(field) - trace(more);
        assert.ok(Math.abs(drop - found) < 1e-6 * trace(field), `${drop} foretold, ${found} found`);
      }
      assert.deepEqual(gains.map(({ drop }) => drop), gains.map(({ drop }) => drop).sort((x, y) => y - x));
    }),
    { numRuns: 50 },
  );
});

Deno.test("`nextPairing()` counts only the players it is asked about, and refuses strangers", () => {
  const pairings: Pairing[] = [
    { first: "b", second: "a", wins: 5, draws: 0, losses: 5 },
    { first: "c", second: "a", wins: 1, draws: 0, losses: 1 },
  ];
  const pairs = [["a", "b"], ["a", "c"]] as const;
  const of = (name: string) => nextPairing(pairings, { anchor, candidates: pairs, of: [name] })[0]!;
  assert.equal(of("b").second, "b");
  assert.equal(of("c").second, "c");
  assert.equal(nextPairing(pairings, { anchor, candidates: pairs })[0]!.second, "c", "the less known one");
  const strangers = [["a", "z"]] as const;
  assert.throws(() => nextPairing(pairings, { anchor, candidates: strangers }), /z has no games yet/);
  assert.throws(() => nextPairing(pairings, { anchor, candidates: pairs, games: 0 }), RangeError);
  assert.equal(rateLadder(pairings, { anchor }).players.length, 3);
});
