import assert from "node:assert/strict";
import fc from "fast-check";
import { imagine, type ImaginedMoves } from "../../lib/play/mod.ts";

/** Moves as rows: probability, value, and m(ate), d(raw) or b(ack). */
function moves(...rows: [number, number, string?][]): ImaginedMoves {
  return {
    probability: rows.map(([p]) => p),
    value: rows.map(([, v]) => v),
    mates: rows.map(([, , flags = ""]) => flags.includes("m")),
    draws: rows.map(([, , flags = ""]) => flags.includes("d")),
    goesBack: rows.map(([, , flags = ""]) => flags.includes("b")),
  };
}

const CASES = [
  {
    name: "the likelier of two mates",
    moves: moves([0.1, 0, "m"], [0.2, 0, "m"], [0.7, 0.9]),
    weight: 1,
    chosen: 1,
  },
  { name: "no stalemate while winning", moves: moves([0.9, 0, "d"], [0.1, 0.3]), weight: 0, chosen: 1 },
  { name: "a draw while losing", moves: moves([0.5, 0, "d"], [0.5, -0.9]), weight: 1, chosen: 0 },
  { name: "no way back while ahead", moves: moves([0.8, 0.9, "b"], [0.2, 0.1]), weight: 4, chosen: 1 },
  {
    name: "back rather than a draw while ahead",
    moves: moves([0.5, 0, "d"], [0.1, 0.4, "b"]),
    weight: 0,
    chosen: 1,
  },
  { name: "back while behind", moves: moves([0.8, -0.1, "b"], [0.2, -0.2]), weight: 1, chosen: 0 },
  {
    name: "a losing move is out while a fresh one wins",
    moves: moves([0.99, -0.1], [0.01, 0.1]),
    weight: 0,
    chosen: 1,
  },
  { name: "the favourite at weight 0", moves: moves([0.4, 0.1], [0.6, 0.01]), weight: 0, chosen: 1 },
  {
    name: "the value alone at weight infinity",
    moves: moves([0.9, 0.1], [0.1, 0.11]),
    weight: Infinity,
    chosen: 1,
  },
  { name: "the likelier at equal value", moves: moves([0.1, 0.5], [0.3, 0.5]), weight: Infinity, chosen: 1 },
  {
    name: "the likelier below the smallest logarithm",
    moves: moves([0, 0.5], [1e-14, 0.5]),
    weight: 1,
    chosen: 1,
  },
  { name: "the first of equals", moves: moves([0.5, 0.5], [0.5, 0.5]), weight: 1, chosen: 0 },
];

for (const { name, moves, weight, chosen } of CASES) {
  Deno.test(`\`imagine()\` chooses ${name}`, () => assert.equal(imagine(moves, weight), chosen));
}

Deno.test("`imagine()` mates if it can and never draws while another move is worth more than a draw", () => {
  const row = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.constantFrom("", "", "d", "b", "db", "m"),
  );
  const weight = fc.constantFrom(0, 0.25, 1, 16, Infinity);
  fc.assert(fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), weight, (rows, w) => {
    const given = moves(...rows);
    const chosen = imagine(given, w);
    assert.ok(chosen >= 0 && chosen < rows.length);
    if (given.mates.some(Boolean)) return assert.ok(given.mates[chosen]);
    const wins = (i: number) => !given.draws[i] && given.value[i]! > 0;
    if (rows.some((_, i) => wins(i))) assert.ok(!given.draws[chosen]);
    if (rows.some((_, i) => wins(i) && !given.goesBack[i])) {
      assert.ok(wins(chosen) && !given.goesBack[chosen]);
    }
  }));
});

Deno.test("`imagine()` refuses no moves, lists of other lengths, numbers that are none, and a negative weight", () => {
  assert.throws(() => imagine(moves(), 1), RangeError);
  assert.throws(() => imagine({ ...moves([1, 0]), value: [] }, 1), /value has 0 moves/);
  assert.throws(() => imagine(moves([NaN, 0]), 1), RangeError);
  assert.throws(() => imagine(moves([0.5, NaN]), 1), RangeError);
  assert.throws(() => imagine(moves([1, 0]), -1), RangeError);
  assert.throws(() => imagine(moves([1, 0]), NaN), RangeError);
});
