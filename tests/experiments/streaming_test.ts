import assert from "node:assert/strict";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import { originOf } from "../../experiments/_experiment.ts";
import * as streaming from "../../experiments/streaming.ts";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";
import { frontRows } from "./_quick_run.ts";

Deno.test("`streaming`: once each, again and again, and in the same time; what is finished is not done again", async () => {
  using folder = new TemporaryFolder();
  const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
  const positions = await frontRows({ hold: 32, val: 16, train: 600 });
  const options = {
    connectome,
    positions,
    seed: 1,
    quick: true,
    keep: join(folder.path, "keep"),
    workers: 1,
  };
  const numbers = await streaming.run(options);
  assert.deepEqual(numbers.ways.map(({ name }) => name), [
    "blind",
    "streaming",
    "cached, same time",
    "cached, same positions",
  ]);
  const [blind, streamed, some, all] = numbers.ways;
  // A probe of 256 positions, then two batches of 128.
  assert.deepEqual([streamed!.positions, all!.positions], [512, 600]);
  assert.ok(some!.positions <= 600);
  assert.equal(streamed!.against, null);
  const minus = all!.losses[0]! - streamed!.losses[0]!;
  assert.ok(Math.abs(all!.against!.loss.value - minus) < 1e-9);
  assert.deepEqual(blind!.seconds, [0]);
  assert.ok(numbers.ways.slice(1).every(({ seconds: [one] }) => one! > 0));
  const taken = numbers.settings.steps.reduce((low, each) => each.valLoss < low.valLoss ? each : low);
  assert.equal(numbers.settings.step, taken.size);
  assert.deepEqual(await streaming.run(options), numbers, "times are those of the first run, too");
  const origin = originOf("streaming", options, { command: "a test", measured: streaming.measured });
  const svg = streaming.figure(JSON.parse(JSON.stringify({ ...origin, ...numbers })));
  assert.match(svg, /streaming/);
  assert.doesNotMatch(svg, /\b(NaN|undefined|Infinity)\b/);
  assert.equal(new Resvg(svg).width, 1145);
});
