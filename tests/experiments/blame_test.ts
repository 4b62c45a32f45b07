import assert from "node:assert/strict";
import * as blame from "../../experiments/blame.ts";
import { quickRun } from "./_quick_run.ts";

Deno.test("`blame`: neurons that no board reaches multiply the error by 11.4, unless they are calm", async () => {
  const { result } = await quickRun("blame", blame);
  const [measured, calm] = result.walks;
  assert.deepEqual(measured!.steps.map(({ step }) => step), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  assert.ok(Math.abs(result.gain.predicted - 11.439) < 1e-3);
  assert.ok(result.gain.steps.some(({ step, neurons }) => step === 2 && neurons > 1000));
  for (const { median } of result.gain.steps) assert.ok(Math.abs(median / result.gain.predicted - 1) < 1e-4);
  assert.ok(Math.abs(measured!.steps[0]!.mean / calm!.steps[0]!.mean - 1) < 1e-4, "one error to start from");
  assert.ok(measured!.steps[11]!.mean > 100 * calm!.steps[11]!.mean);
  assert.ok(result.calmChanges < 1e-4, "what is read does not change");
  assert.equal(measured!.steps[0]!.regions["optic lobe"], 0, "only what is read has an error at step 12");
  const lit = (levels: string) => levels.replaceAll("0", "").length;
  const [last, ...earlier] = result.pictures!.steps;
  assert.equal(last!.step, 12);
  assert.ok(earlier.every(({ levels }) => levels.length === last!.levels.length));
  assert.ok(lit(last!.levels) < 0.3 * lit(earlier.at(-1)!.levels), "the error spreads on its way back");
});
