import assert from "node:assert/strict";
import { dealDeck } from "../../lib/readout/mod.ts";
import { deckFeatures, meanFeatures, stepsOf } from "../../experiments/shared/looks.ts";
import * as steps from "../../experiments/read_steps.ts";
import { frontRows, quickRun } from "./_quick_run.ts";

Deno.test("`read_steps`: the first step of what is read knows nothing of the board", async () => {
  const { result } = await quickRun("read_steps", steps);
  const one = (name: string) => result.readings.find((reading) => reading.name === name)!;
  assert.equal(result.readings.length, 15);
  assert.equal(one("step 1").spread, 0, "no eye is one connection away");
  assert.ok(one("step 12").spread! > 0.1);
  // What is read never changes, so only biases are fitted, on 300 positions.
  assert.ok(Math.abs(one("step 1").loss.value - one("blind").loss.value) < 0.1);
  assert.equal(one("step 12").againstLast.value, 0);
  assert.equal(one("9 to 12 side by side").features, 4 * one("mean of 9 to 12").features);
});

Deno.test("`stepsOf()` takes steps apart and `meanFeatures()` puts them together", async () => {
  const deck = dealDeck(await frontRows({ hold: 2, val: 0, train: 1 }), 0, 3, 6);
  deck.rates.set([1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25, 26]);
  const some = stepsOf(deck, 3, [2, 0]);
  assert.deepEqual([...some.rates], [5, 6, 1, 2, 15, 16, 11, 12, 25, 26, 21, 22]);
  const out = new Float32Array(4);
  meanFeatures(some, 2).batch(Int32Array.of(2, 0), out);
  assert.deepEqual([...out].map((each) => Math.round(255 * each)), [23, 24, 3, 4]);
  deckFeatures(some).batch(Int32Array.of(1), out);
  assert.deepEqual([...out].map((each) => Math.round(255 * each)), [15, 16, 11, 12]);
});
