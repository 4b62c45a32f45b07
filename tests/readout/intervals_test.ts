import assert from "node:assert/strict";
import fc from "fast-check";
import { Random } from "../../lib/common/mod.ts";
import { beats, type Judged, pairedDifference, summarize } from "../../lib/readout/mod.ts";
import { rowsFrom } from "./_positions.ts";

/** A judgement by chance: losses have a part that is common to a game's positions. */
function randomJudged(
  seed: number,
  games: number,
  each: number,
  settings: { known?: boolean; shift?: number } = {},
) {
  const random = new Random(seed);
  const count = games * each;
  const judged: Judged = {
    rows: rowsFrom(0, count),
    top1: new Uint8Array(count),
    good: new Uint8Array(count),
    loss: new Float64Array(count),
    valueError: new Float64Array(count),
    game: new Int32Array(count),
  };
  for (let g = 0, i = 0; g < games; g++) {
    const common = random.normal();
    for (let k = 0; k < each; k++, i++) {
      judged.top1[i] = random.float() < 0.2 ? 1 : 0;
      judged.good[i] = judged.top1[i] === 1 || random.float() < 0.2 ? 1 : 0;
      judged.loss[i] = 3 + (settings.shift ?? 0) + common + 0.5 * random.normal();
      judged.valueError[i] = random.float();
      judged.game[i] = settings.known === false ? -1 : 1000 - g;
    }
  }
  return judged;
}

const mean = (numbers: ArrayLike<number>): number =>
  Array.from(numbers).reduce((sum, each) => sum + each, 0) / numbers.length;

Deno.test("`summarize()` gives means inside their intervals, the same for the same seed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const judged = randomJudged(seed, 40, 3);
      const scores = summarize(judged, { resamples: 200 });
      assert.ok(Math.abs(scores.loss.value - mean(judged.loss)) < 1e-12);
      assert.ok(Math.abs(scores.top1.value - mean(judged.top1)) < 1e-12);
      assert.ok(Math.abs(scores.good.value - mean(judged.good)) < 1e-12);
      assert.ok(Math.abs(scores.value.value - mean(judged.valueError)) < 1e-12);
      for (const { low, value, high } of [scores.loss, scores.value]) assert.ok(low < value && value < high);
      assert.deepEqual(summarize(judged, { resamples: 200 }), scores);
      assert.notDeepEqual(summarize(judged, { resamples: 200, seed: 2 }), scores);
    }),
    { numRuns: 20 },
  );
});

Deno.test("`summarize()` covers the truth about as often as its level says, when games are alike inside", () => {
  const covered = (level: number) => {
    let hits = 0;
    for (let seed = 0; seed < 400; seed++) {
      const { low, high } = summarize(randomJudged(seed, 60, 6), { resamples: 300, level }).loss;
      if (low <= 3 && 3 <= high) hits++;
    }
    return hits / 400;
  };
  // Three standard errors of a share of 400 around the level, and a little for a bootstrap of 60 games.
  const wide = covered(0.95);
  assert.ok(wide > 0.9 && wide < 0.985, `95 % intervals cover ${wide}`);
  const narrow = covered(0.5);
  assert.ok(narrow > 0.41 && narrow < 0.59, `50 % intervals cover ${narrow}`);
});

Deno.test("`summarize()` draws whole games: forgetting them makes the interval too narrow", () => {
  const width = (known: boolean) => {
    const { low, high } = summarize(randomJudged(7, 100, 10, { known })).loss;
    return high - low;
  };
  // Within a game nearly all of the variance is common, so that ten rows count little more than one.
  assert.ok(width(true) > 2 * width(false));
});

Deno.test("a readout's paired difference with itself is 0 with an interval of no width", () => {
  const judged = randomJudged(1, 50, 4);
  for (const interval of Object.values(pairedDifference(judged, judged))) {
    assert.deepEqual(interval, { value: 0, low: 0, high: 0 });
  }
  assert.equal(beats(judged, judged), false);
});

Deno.test("`beats()` sees a small difference on the same positions that the two intervals hide", () => {
  const one = randomJudged(3, 100, 4);
  const other = { ...one, loss: one.loss.map((each, i) => each + 0.02 + 0.05 * Math.sin(i)) };
  assert.equal(beats(one, other), true);
  assert.equal(beats(other, one), false);
  const [a, b] = [summarize(one).loss, summarize(other).loss];
  assert.ok(a.high > b.low);
});

Deno.test("`beats()` is fooled by equals about as often as the level says", () => {
  let wins = 0;
  for (let seed = 0; seed < 200; seed++) {
    const one = randomJudged(seed, 50, 4);
    const random = new Random(seed, "noise");
    const other = { ...one, loss: one.loss.map((each) => each + 0.1 * random.normal()) };
    if (beats(one, other, { resamples: 300 })) wins++;
  }
  assert.ok(wins <= 13, `${wins} of 200, about 5 are wanted`);
});

Deno.test("paired differences refuse other rows, and intervals refuse nothing and odd settings", () => {
  const judged = randomJudged(1, 5, 2);
  assert.throws(() => pairedDifference(judged, randomJudged(1, 5, 3)), RangeError);
  assert.throws(
    () => pairedDifference(judged, { ...judged, rows: judged.rows.slice().reverse() }),
    RangeError,
  );
  assert.throws(() => summarize(randomJudged(1, 0, 0)), RangeError);
  assert.throws(() => summarize(judged, { level: 1 }), RangeError);
  assert.throws(() => summarize(judged, { resamples: 0 }), RangeError);
});

Deno.test("4,096 rows without games take well under a second for 1,000 resamples", () => {
  const judged = randomJudged(1, 4096, 1, { known: false });
  const start = performance.now();
  summarize(judged);
  // About 0.15 s alone on one core; the rest is room for a busy machine.
  assert.ok(performance.now() - start < 2000);
});
