import assert from "node:assert/strict";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import { originOf, type Result } from "../../experiments/_experiment.ts";
import * as long from "../../experiments/long_run.ts";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";
import { frontRows } from "./_quick_run.ts";

Deno.test("`long_run` fits again each time the positions double, and what is finished is not done again", async () => {
  using folder = new TemporaryFolder();
  const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
  const positions = await frontRows({ hold: 64, val: 32, train: 1500 });
  const options = {
    connectome,
    positions,
    seed: 1,
    quick: true,
    keep: join(folder.path, "keep"),
    workers: 1,
  };
  const numbers = await long.run(options);
  for (const { stages } of numbers.runs) {
    assert.deepEqual(stages.map(({ positions }) => positions), [512, 1024, 1500]);
  }
  assert.equal(numbers.settings.games, 0);
  const [cosine, halving] = numbers.runs, [first, second] = cosine!.stages;
  assert.deepEqual([cosine!.schedule, halving!.schedule], ["cosine", "halving"]);
  const ends = [cosine, halving].map((run) => run!.stages.at(-1)!.loss.value);
  assert.ok(Math.abs(numbers.difference.value - (ends[0]! - ends[1]!)) < 1e-9);
  assert.equal(first!.againstLast, null);
  assert.ok(Math.abs(second!.againstLast!.value - (second!.loss.value - first!.loss.value)) < 1e-9);
  assert.deepEqual(await long.run(options), numbers, "times are those of the first run, too");

  const origin = originOf("long_run", options, { command: "a test", measured: long.measured });
  const result: Result<long.LongRunNumbers> = JSON.parse(JSON.stringify({ ...origin, ...numbers }));
  const svg = long.figure(result);
  assert.match(svg, /3 times the positions/);
  assert.doesNotMatch(svg, /\b(NaN|undefined|Infinity)\b/);
  assert.equal(new Resvg(svg).width, 1145);
  const rated = {
    ...result,
    runs: result.runs.map((run) => ({
      ...run,
      stages: run.stages.map((stage, i) => ({
        ...stage,
        elo: { value: 400 + i, low: i === 0 ? null : 350, high: 450 },
      })),
    })),
  };
  assert.match(long.figure(rated), /Elo 402/);
  assert.match(long.tables(rated)["stages"]!, /400 \(no limit to 450\)/);
});
