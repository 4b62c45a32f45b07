import assert from "node:assert/strict";
import { Random } from "../../lib/common/mod.ts";
import { expectedScore } from "../../lib/rating/mod.ts";
import { playByChance } from "../../experiments/ladder/adaptive_ladders.ts";
import { run, runAdaptive } from "../../experiments/ladder_simulation.ts";

Deno.test("`playByChance()` scores as Elo expects, with the draws asked for", () => {
  const random = new Random(1);
  const { wins, draws, losses } = playByChance(random, 150, 0.5, 40_000);
  assert.equal(wins + draws + losses, 40_000);
  // Standard deviations are 0.0025 at most.
  assert.ok(Math.abs((wins + draws / 2) / 40_000 - expectedScore(150)) < 0.01);
  assert.ok(Math.abs(draws / 40_000 - (1 - expectedScore(150))) < 0.01);
});

Deno.test("the simulated ladders say how wrong and how sure both plans are, the same for the same seed", () => {
  const adaptive = runAdaptive({ ladders: 1, seed: 3 });
  assert.equal(adaptive.length, 4);
  for (const { plans, saving } of adaptive) {
    assert.deepEqual(plans.map(({ games }) => games), [68, 102, 136, 204, 272, 340]);
    assert.ok(plans.at(-1)!.width.even < plans[0]!.width.even);
    assert.ok(saving >= 0 && saving < 1);
  }
  const [setting] = run({ ladders: 1, seed: 3 });
  assert.deepEqual(run({ ladders: 1, seed: 3 })[0], setting);
  assert.ok(setting!.rateLadder.coverage <= 1 && setting!.rateLadder.width > 0);
});
