import assert from "node:assert/strict";
import { join } from "node:path";
import { DataError } from "../../../lib/common/mod.ts";
import {
  compareConfigs,
  listRuns,
  openRun,
  type RunConfig,
  summarizeRun,
} from "../../../lib/training/mod.ts";
import { TemporaryFolder } from "../../_temporary_folder.ts";

const CONFIG: RunConfig = { kind: "stream", seed: 1, inputs: { positions: "ab" }, steps: [9, 10] };

Deno.test("`summarizeRun()` tells a run at work from a stopped and a finished one", async () => {
  using folder = new TemporaryFolder();
  {
    await using run = await openRun(folder.path, CONFIG);
    assert.equal((await summarizeRun(folder.path)).last, undefined);
    for (const valLoss of [3.2, 3.0, 3.1]) await run.log("check", { valLoss, batch: 5, batches: 9 });
    await run.save({ tensors: {}, metadata: {}, state: null });
    const { state, valLoss, last, hold } = await summarizeRun(folder.path);
    assert.deepEqual([state, valLoss, last?.["valLoss"], hold], ["running", 3.0, 3.1, undefined]);
  }
  assert.equal((await summarizeRun(folder.path)).state, "stopped");
  {
    await using run = await openRun(folder.path, CONFIG);
    await run.log("done", { holdLoss: 2.9, holdTop1: 0.2, holdGood: 0.4 });
  }
  const { state, hold } = await summarizeRun(folder.path);
  assert.deepEqual([state, hold], ["done", { loss: 2.9, top1: 0.2, good: 0.4 }]);
});

Deno.test("`listRuns()` lists runs oldest first and leaves out what is none", async () => {
  using folder = new TemporaryFolder();
  for (const [name, day] of [["late", 2], ["early", 1]] as const) {
    await using run = await openRun(join(folder.path, name), CONFIG, {
      now: () => new Date(Date.UTC(2026, 0, day)),
    });
    await run.log("started");
  }
  await Deno.mkdir(join(folder.path, "other"));
  await Deno.writeTextFile(join(folder.path, "file"), "");
  assert.deepEqual((await listRuns(folder.path)).map(({ name }) => name), ["early", "late"]);
  assert.deepEqual(await listRuns(join(folder.path, "nowhere")), []);
});

Deno.test("`summarizeRun()` refuses a folder that is no run's", async () => {
  using folder = new TemporaryFolder();
  await assert.rejects(summarizeRun(folder.path), DataError);
  await Deno.writeTextFile(join(folder.path, "config.json"), '{"kind":');
  await assert.rejects(summarizeRun(folder.path), /its config.json is not what flychess writes/);
});

Deno.test("`compareConfigs()` names the options in which runs differ, and no other", () => {
  const other = { ...CONFIG, seed: 2, inputs: { positions: "cd" }, leash: 0.2 };
  assert.deepEqual(compareConfigs([CONFIG, other]), [
    { field: "seed", values: ["1", "2"] },
    { field: "inputs.positions", values: ['"ab"', '"cd"'] },
    { field: "leash", values: ["nothing", "0.2"] },
  ]);
  assert.deepEqual(compareConfigs([CONFIG, CONFIG]), []);
});
