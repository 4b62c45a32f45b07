import assert from "node:assert/strict";
import { Random } from "../../../lib/common/mod.ts";
import { denseFeatures, judge, READOUT_COLUMNS } from "../../../lib/readout/mod.ts";
import { BatchHeads, batchScaling } from "../../../lib/training/whole_brain/batch_heads.ts";
import { cachedCase } from "../_cached_case.ts";

const { positions } = cachedCase(), BATCH = 32, FEATURES = 7;
const rows = Int32Array.from({ length: BATCH }, (_, i) => 3 * i);

function someHeads() {
  const random = new Random(5);
  const rates = Float64Array.from({ length: BATCH * FEATURES }, () => random.normal());
  const heads = new BatchHeads(batchScaling(rates, FEATURES, 0.05), BATCH);
  for (let k = 0; k < heads.weight.length; k++) heads.weight[k] = 0.3 * random.normal();
  for (let c = 0; c < READOUT_COLUMNS; c++) heads.bias[c] = 0.1 * random.normal();
  return { rates, heads };
}

Deno.test("`BatchHeads` lose what their readout loses", () => {
  const { rates, heads } = someHeads();
  const { policy } = heads.gradients(rates, positions, rows);
  const judged = judge(heads.readout, denseFeatures(rates, FEATURES, { rows }), positions, rows);
  assert.ok(Math.abs(policy - judged.loss.reduce((a, b) => a + b) / BATCH) < 1e-5);
});

Deno.test("`BatchHeads.gradients()` is what small changes do", () => {
  const { rates, heads } = someHeads();
  const loss = () => {
    const judged = judge(heads.readout, denseFeatures(rates, FEATURES, { rows }), positions, rows);
    let sum = 0;
    for (let i = 0; i < BATCH; i++) sum += (judged.loss[i]! + judged.valueError[i]!) / BATCH;
    return sum;
  };
  const found = heads.gradients(rates, positions, rows), by = 1e-2;
  const pairs = [[heads.weight, found.weight, 61], [heads.bias, found.bias, 19], [
    rates,
    found.rates,
    13,
  ]] as const;
  for (const [values, gradient, stride] of pairs) {
    const size = Math.max(...Array.from(gradient, Math.abs));
    assert.ok(size > 1e-4);
    for (let k = 0; k < values.length; k += stride) {
      const middle = values[k]!;
      values[k] = middle + by;
      const above = loss();
      values[k] = middle - by;
      const slope = (above - loss()) / (2 * by);
      values[k] = middle;
      assert.ok(Math.abs(slope - gradient[k]!) < 0.02 * size, `${k}: ${slope}, ${gradient[k]}`);
    }
  }
});
