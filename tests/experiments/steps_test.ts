import assert from "node:assert/strict";
import * as beyond from "../../experiments/beyond.ts";
import * as steps from "../../experiments/steps.ts";
import { firstStep, regionCurve } from "../../experiments/signal/step_signals.ts";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { quickRun } from "./_quick_run.ts";

Deno.test("`steps`: at first only the eye knows of the board, later the descending neurons do", async () => {
  const { result, svg } = await quickRun("steps", steps);
  assert.equal(result.steps.length, 12);
  for (const { region, signal, afterE4 } of result.steps[0]!.regions) {
    assert.equal(signal.value > 0, region === "photoreceptor", region);
    if (region !== "photoreceptor") assert.ok(afterE4 < 1e-6, "a rate that is as usual");
  }
  const descending = regionCurve(result, "descending");
  assert.ok(firstStep(descending, 1e-3) >= 3, "two connections from the eye at least");
  assert.ok(descending.at(-1)!.value > 0.05);
  const { view, levels, drawn } = result.pictures!;
  assert.equal(levels.length, 12);
  assert.ok(drawn > 2000 && levels[0]!.length < view.width * view.height);
  assert.ok(new Set(levels[0]).size < new Set(levels[11]).size, "more shades at the end");
  assert.equal(svg.split("<image").length - 1, 12);
});

Deno.test("`steps` draws no brain where no cell body is known", async () => {
  const fly = growModelFly({ scale: 1 / 64, seed: 1 });
  const soma = fly.neurons.soma.map(() => NaN);
  const { result, svg } = await quickRun("steps", steps, {
    connectome: { ...fly, neurons: { ...fly.neurons, soma } },
  });
  assert.equal(result.pictures, null);
  assert.ok(!svg.includes("<image"));
});

Deno.test("`beyond`: the share of step 12 is that of its signals", async () => {
  const { result } = await quickRun("beyond", beyond);
  assert.equal(result.steps.length, 20);
  const curve = regionCurve(result, "descending"), share = result.share["descending"]!;
  assert.ok(Math.abs(share.value - curve[11]!.value / curve[19]!.value) < 1e-12);
  assert.ok(share.low < share.value && share.value < share.high);
});
