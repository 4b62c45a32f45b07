import assert from "node:assert/strict";
import * as thinking from "../../experiments/thinking_time.ts";
import { quickRun } from "./_quick_run.ts";

Deno.test("`thinking_time` reads a brain and its shuffles after each number of steps, and says when which is better", async () => {
  const { result, svg } = await quickRun("thinking_time", thinking, {
    rows: { hold: 64, val: 32, train: 300 },
  });
  assert.deepEqual(result.steps.map(({ step }) => step), [2, 12]);
  for (const { loss, shuffles } of result.steps) {
    assert.deepEqual([shuffles.degrees.losses.length, shuffles.distances.losses.length], [2, 1]);
    for (const { losses, difference, among } of Object.values(shuffles)) {
      const mean = losses.reduce((sum, each) => sum + each, 0) / losses.length;
      assert.ok(Math.abs(difference.value - (loss - mean)) < 1e-9);
      assert.equal(among.of, losses.length + 1);
      assert.equal(among.rank, 1 + losses.filter((each) => each < loss).length);
    }
  }
  assert.match(svg, /distances too/);
  // The finding follows the numbers.
  const [early, late] = result.steps;
  const with2 = (first: object, second: object) => {
    const at = (step: typeof early, difference: object) => ({
      ...step!,
      shuffles: { ...step!.shuffles, degrees: { ...step!.shuffles.degrees, difference } },
    });
    return thinking.figure({ ...result, steps: [at(early, first), at(late, second)] } as typeof result);
  };
  const worse = { value: 0.02, low: 0.01, high: 0.03 }, better = { value: -0.02, low: -0.03, high: -0.01 };
  assert.match(with2(worse, better), /worse than its shuffles at step 2, better at step 12/);
  assert.match(with2(worse, worse), /worse than its shuffles at steps 2 to 12, and never better/);
  assert.match(thinking.tables(result)["steps"]!, /\| 12 +\|/);
});
