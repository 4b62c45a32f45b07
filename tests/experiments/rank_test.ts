import assert from "node:assert/strict";
import { chanceInWords } from "../../experiments/shared/interval_words.ts";
import { amongShuffles } from "../../experiments/shared/rank.ts";

const NINETEEN = Array.from({ length: 19 }, (_, i) => 3 + 0.01 * i);

Deno.test("`amongShuffles()` says how rare it is that the measured wiring is the best of 20", () => {
  const { rank, of, chance, chanceWorse } = amongShuffles(2.9, NINETEEN);
  assert.deepEqual([rank, of, chance, chanceWorse], [1, 20, 0.05, 1]);
});

Deno.test("`amongShuffles()` counts a level shuffle against a rare rank", () => {
  const { rank, chance, chanceWorse } = amongShuffles(3, NINETEEN);
  assert.deepEqual([rank, chance, chanceWorse], [1, 0.1, 1]);
});

Deno.test("`amongShuffles()` gives an effect and no chance with fewer than 19", () => {
  const among = amongShuffles(1, [2, 4]);
  assert.deepEqual([among.mean, among.difference, among.chance, among.chanceWorse], [3, -2, null, null]);
  assert.ok(Math.abs(among.deviation - Math.SQRT2) < 1e-12 && Math.abs(among.effect + Math.SQRT2) < 1e-12);
});

Deno.test("`chanceInWords()` says where a chance is the least that so few shuffles can give", () => {
  assert.equal(chanceInWords(1 / 20, 20), "0.05, the least that 19 can give");
  assert.equal(chanceInWords(2 / 20, 20), "0.10");
});
