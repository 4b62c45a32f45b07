import assert from "node:assert/strict";
import * as training from "../../experiments/training_run.ts";
import { quickRun } from "./_quick_run.ts";

Deno.test("`training_run`: the readout alone, then gains, then synapses; all start from the same probe", async () => {
  const { result, svg } = await quickRun("training_run", training, {
    rows: { hold: 32, val: 16, train: 600 },
  });
  assert.deepEqual(result.ways.map(({ name }) => name), [
    "readout only",
    "gains and biases too",
    "synapses too",
    "synapses too, by Adam",
  ]);
  const [readout, ...learning] = result.ways;
  // A probe of 256 positions, then two batches of 128, with a check before and after.
  assert.deepEqual(readout!.checks.map(({ positions }) => positions), [0, 256]);
  for (const way of learning) {
    assert.equal(way.checks[0]!.valLoss, readout!.checks[0]!.valLoss, "the probe");
    assert.notEqual(way.losses[0], readout!.losses[0], "the brain moved");
    const minus = way.losses[0]! - readout!.losses[0]!;
    assert.ok(Math.abs(way.againstReadout!.value - minus) < 1e-9);
  }
  assert.equal(readout!.againstReadout, null);
  assert.match(svg, /synapses too/);
  assert.match(training.tables(result)["ways"]!, /\| synapses too +\|/);
});
