import assert from "node:assert/strict";
import { FlyBrain, wasmEngine, type WasmEngineOptions } from "../../lib/brain/mod.ts";
import { largestDifference, randomConnectome, randomDrive } from "./_small_brains.ts";

async function calibrated(options: WasmEngineOptions): Promise<FlyBrain> {
  const connectome = randomConnectome(71, 400, 6000);
  const brain = await FlyBrain.create(connectome, { engine: wasmEngine(options) });
  await brain.calibrate(randomDrive(72, 100, connectome.input, true));
  return brain;
}

for (const simd of ["plain", "relaxed"] as const) {
  Deno.test(`int16 rates (${simd}) are within 0.003 of the reference's, and 0.0005 on average`, async () => {
    await using brain = await calibrated({ workers: 0, precision: "int16", simd });
    await using truth = await FlyBrain.create(brain.connectome, { engine: "reference" });
    await truth.calibrate(randomDrive(72, 100, brain.connectome.input, true));
    const drive = randomDrive(73, 70, brain.connectome.input, true);
    const found = await brain.rates(drive), wanted = await truth.rates(drive);
    assert.ok(largestDifference(found, wanted) < 3e-3);
    let sum = 0;
    for (let i = 0; i < found.length; i++) sum += Math.abs(found[i]! - wanted[i]!);
    assert.ok(sum / found.length < 5e-4);
    const steps = [9, 10, 11, 12];
    assert.ok(
      largestDifference(await brain.read(drive, { steps }), await truth.read(drive, { steps })) < 3e-3,
    );
  });
}

Deno.test("int16: workers, tiles, light cone and company change no bit", async () => {
  await using alone = await calibrated({ workers: 0, precision: "int16" });
  const drive = randomDrive(74, 70, alone.connectome.input);
  const rates = await alone.rates(drive), read = await alone.read(drive), outputs = read.length / 70;
  const others: WasmEngineOptions[] = [
    { workers: 2 },
    { workers: 0, lightCone: false },
    { workers: 0, tile: { senders: 50, receivers: 30 } },
  ];
  for (const options of others) {
    await using brain = await calibrated({ ...options, precision: "int16" });
    assert.deepEqual(brain.homeostasis, alone.homeostasis, JSON.stringify(options));
    assert.deepEqual(await brain.rates(drive), rates, JSON.stringify(options));
    assert.deepEqual(await brain.read(drive), read, JSON.stringify(options));
  }
  for (const positions of [1, 31, 33]) {
    const start = drive.start.slice(0, positions + 1);
    const few = { positions, start, neuron: drive.neuron.slice(0, start[positions]) };
    assert.deepEqual(await alone.read(few), read.slice(0, positions * outputs), `${positions} positions`);
  }
});

Deno.test("int16: new strengths count after update()", async () => {
  await using brain = await calibrated({ workers: 1, precision: "int16" });
  const drive = randomDrive(75, 40, brain.connectome.input), before = await brain.read(drive);
  brain.theta.forEach((theta, k) => brain.theta[k] = theta - 1);
  await brain.update();
  assert.ok(largestDifference(await brain.read(drive), before) > 0.01);
});

Deno.test("int16 does not learn, and other precisions are not there", async () => {
  await using brain = await calibrated({ workers: 0, precision: "int16" });
  const drive = randomDrive(76, 2, brain.connectome.input);
  const error = new Float32Array(2 * brain.connectome.output.length);
  await assert.rejects(brain.backward(drive, error), /too coarse for gradients, precision float32 is wanted/);
  const precision = "int4" as "int16";
  assert.throws(
    () => wasmEngine({ precision }),
    /there is no precision int4, float32, int16 or int8 is wanted/,
  );
});
