import assert from "node:assert/strict";
import { Random } from "../../lib/common/mod.ts";
import { FlyBrain, referenceBackward } from "../../lib/brain/mod.ts";
import { randomConnectome, randomDrive } from "./_small_brains.ts";

Deno.test("the way back agrees with finite differences", async () => {
  const connectome = randomConnectome(11, 20, 90);
  await using brain = await FlyBrain.create(connectome, { engine: "reference" });
  await brain.calibrate(randomDrive(12, 40, connectome.input));
  const drive = randomDrive(13, 3, connectome.input), random = new Random(14);
  const error = Float64Array.from({ length: 60 }, () => random.normal());
  const loss = async () => {
    await brain.update();
    const rates = await brain.rates(drive);
    return error.reduce((sum, weight, i) => sum + weight * rates[rates.length - 60 + i]!, 0);
  };
  const gradients = referenceBackward(brain.model, drive, error, { window: 12 });
  const numbers = [["theta", brain.theta], ["gain", brain.gain], ["bias", brain.bias]] as const;
  for (const [name, values] of numbers) {
    for (let i = 0; i < values.length; i += 7) {
      const kept = values[i]!, nudge = 1e-6;
      values[i] = kept + nudge;
      const above = await loss();
      values[i] = kept - nudge;
      const slope = (above - await loss()) / (2 * nudge);
      values[i] = kept;
      const found = gradients[name][i]!;
      assert.ok(
        Math.abs(found - slope) < 1e-6 * Math.max(1, Math.abs(slope)),
        `${name} ${i}: ${found}, ${slope}`,
      );
    }
  }
});

Deno.test("the way back from a mean of several steps agrees with finite differences", async () => {
  const connectome = randomConnectome(21, 20, 90);
  await using brain = await FlyBrain.create(connectome, { engine: "reference" });
  await brain.calibrate(randomDrive(22, 40, connectome.input));
  const drive = randomDrive(23, 3, connectome.input), random = new Random(24), steps = [9, 10, 12];
  const width = connectome.output.length;
  const error = Float64Array.from({ length: 3 * width }, () => random.normal());
  const loss = async () => {
    await brain.update();
    const all = await brain.rates(drive);
    let sum = 0;
    for (const step of steps) {
      for (let position = 0; position < 3; position++) {
        connectome.output.forEach((neuron, i) => {
          const rate = all[((step - 1) * 3 + position) * 20 + neuron]!;
          sum += error[position * width + i]! * rate / steps.length;
        });
      }
    }
    return sum;
  };
  const gradients = await brain.backward(drive, error, { window: 12, steps });
  for (const name of ["theta", "gain", "bias"] as const) {
    const values = brain[name];
    for (let i = 0; i < values.length; i += 7) {
      const kept = values[i]!, nudge = 1e-6;
      values[i] = kept + nudge;
      const above = await loss();
      values[i] = kept - nudge;
      const slope = (above - await loss()) / (2 * nudge);
      values[i] = kept;
      const found = gradients[name][i]!;
      assert.ok(
        Math.abs(found - slope) < 1e-6 * Math.max(1, Math.abs(slope)),
        `${name} ${i}: ${found}, ${slope}`,
      );
    }
  }
  await assert.rejects(
    brain.backward(drive, error, { window: 12, steps: [9] }),
    /the window is 12, 1 to 9 steps/,
  );
});

Deno.test("the gradient of what the eye adds agrees with finite differences", async () => {
  const connectome = randomConnectome(17, 20, 90);
  await using brain = await FlyBrain.create(connectome, { engine: "reference" });
  await brain.calibrate(randomDrive(18, 40, connectome.input));
  const drive = randomDrive(19, 5, connectome.input, true), random = new Random(20);
  const outputs = connectome.output, value = Float64Array.from(drive.value!);
  const error = Float64Array.from({ length: 5 * outputs.length }, () => random.normal());
  const loss = async () => {
    const rates = (await brain.rates({ ...drive, value })).subarray(11 * 5 * 20);
    return error.reduce((sum, weight, i) => {
      return sum + weight * rates[Math.floor(i / outputs.length) * 20 + outputs[i % outputs.length]!]!;
    }, 0);
  };
  const found = await brain.backward(drive, error, { window: 12, drive: true });
  assert.equal(found.blame.size, 0);
  assert.equal(found.drive!.length, value.length);
  assert.ok(value.length > 2 && found.drive!.some((slope) => Math.abs(slope) > 1e-3));
  for (let k = 0; k < value.length; k++) {
    const kept = value[k]!, nudge = 1e-6;
    value[k] = kept + nudge;
    const above = await loss();
    value[k] = kept - nudge;
    const slope = (above - await loss()) / (2 * nudge);
    value[k] = kept;
    assert.ok(Math.abs(found.drive![k]! - slope) < 1e-6 * Math.max(1, Math.abs(slope)), `${k}: ${slope}`);
  }
  assert.ok(!("drive" in await brain.backward(drive, error)));
});

Deno.test("steps outside the window get no blame, and a wrong window is refused", async () => {
  const connectome = randomConnectome(15, 20, 90);
  await using brain = await FlyBrain.create(connectome, { engine: "reference", homeostasis: "none" });
  const drive = randomDrive(16, 2, connectome.input), error = new Float64Array(40).fill(1);
  const { blame } = referenceBackward(brain.model, drive, error, { window: 2 });
  assert.deepEqual([...blame.keys()], [12, 11]);
  for (const window of [0, 13, 1.5]) {
    assert.throws(() => referenceBackward(brain.model, drive, error, { window }), RangeError);
  }
  assert.throws(
    () => referenceBackward(brain.model, drive, new Float64Array(20)),
    /20 values, 2 positions x 20/,
  );
});
