import assert from "node:assert/strict";
import { Resvg } from "@resvg/resvg-js";
import * as costOfScale from "../../experiments/cost_of_scale.ts";
import * as engineSpeed from "../../experiments/engine_speed.ts";
import { originOf } from "../../experiments/_experiment.ts";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { frontRows } from "./_quick_run.ts";

Deno.test("`engine_speed` measures a brain and random wiring as large, and draws both", async () => {
  const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
  const positions = await frontRows({ hold: 1, val: 1, train: 1 });
  const options = { connectome, positions, seed: 1, quick: true, keep: "", workers: 1 };
  const numbers = await engineSpeed.run(options);
  const [own, uniform] = numbers.reports;
  assert.equal(uniform!.connections, own!.connections);
  assert.ok(own!.rows.every(({ positionsPerSecond }) => positionsPerSecond > 0));
  const origin = originOf("engine_speed", options, { command: "a test", measured: engineSpeed.measured });
  const svg = engineSpeed.figure(JSON.parse(JSON.stringify({ ...origin, ...numbers })));
  assert.match(svg, /positions a second/);
  assert.doesNotMatch(svg, /\b(NaN|undefined|Infinity)\b/);
  assert.equal(new Resvg(svg).width, 830);
});

Deno.test("`cost_of_scale` is about model flies only", () => {
  const fly = growModelFly({ scale: 1 / 64, seed: 1 });
  assert.equal(costOfScale.refuses(fly), undefined);
  assert.match(costOfScale.refuses({ ...fly, name: "larva" })!, /model flies/);
});
