import assert from "node:assert/strict";
import { FlyBrain } from "../../../lib/brain/mod.ts";
import { Random } from "../../../lib/common/mod.ts";
import { thinkInBatch } from "../../../lib/training/whole_brain/batch_homeostasis.ts";
import { largestDifference, randomConnectome, randomDrive } from "../../brain/_small_brains.ts";

const connectome = randomConnectome(41, 40, 300);
const drive = randomDrive(42, 16, connectome.input);

Deno.test("`thinkInBatch()` thinks as a brain calibrated on the same batch", async () => {
  await using brain = await FlyBrain.create(connectome, { engine: "reference", steps: 4 });
  const batch = thinkInBatch(brain, drive);
  const measured = await brain.calibrate(drive);
  assert.ok(largestDifference(batch.homeostasis.spread, measured.spread) < 1e-9);
  assert.ok(largestDifference(batch.homeostasis.mean, measured.mean) < 1e-9);
  assert.ok(largestDifference(batch.rates, await brain.read(drive)) < 1e-6);
});

Deno.test("`thinkInBatch().backward()` is what small changes do, through mean and spread as well", async () => {
  await using brain = await FlyBrain.create(connectome, { engine: "reference", steps: 4 });
  const random = new Random(43);
  const read = [2, 4];
  const { rates, backward } = thinkInBatch(brain, drive, { read });
  const error = Float64Array.from(rates, () => random.normal());
  const found = backward(error);
  const loss = () =>
    thinkInBatch(brain, drive, { read }).rates.reduce((sum, rate, i) => sum + rate * error[i]!, 0);
  for (const part of ["theta", "gain", "bias"] as const) {
    const values = brain[part], size = Math.max(...Array.from(found[part], Math.abs));
    assert.ok(size > 1e-3);
    for (let k = 0; k < values.length; k += part === "theta" ? 7 : 1) {
      const middle = values[k]!, by = 1e-6;
      values[k] = middle + by;
      const above = loss();
      values[k] = middle - by;
      const below = loss();
      values[k] = middle;
      const slope = (above - below) / (2 * by);
      assert.ok(Math.abs(slope - found[part][k]!) < 1e-4 * size, `${part} ${k}: ${slope}, ${found[part][k]}`);
    }
  }
});

Deno.test("`thinkInBatch()` refuses a batch of one and an error of another size", async () => {
  await using brain = await FlyBrain.create(connectome, { engine: "reference", steps: 4 });
  assert.throws(() => thinkInBatch(brain, randomDrive(44, 1, connectome.input)), RangeError);
  assert.throws(() => thinkInBatch(brain, drive).backward(new Float64Array(3)), RangeError);
});
