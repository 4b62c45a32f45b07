import assert from "node:assert/strict";
import { FlyBrain, wasmEngine, type WasmEngineOptions } from "../../lib/brain/mod.ts";
import { roundWeights } from "../../lib/brain/engines/wasm/_byte_weights.ts";
import { largestDifference, randomConnectome, randomDrive } from "./_small_brains.ts";

async function calibrated(options: WasmEngineOptions): Promise<FlyBrain> {
  const connectome = randomConnectome(71, 400, 6000);
  const brain = await FlyBrain.create(connectome, { engine: wasmEngine({ ...options, precision: "int8" }) });
  await brain.calibrate(randomDrive(72, 100, connectome.input, true));
  return brain;
}

for (const simd of ["plain", "relaxed"] as const) {
  Deno.test(`int8 rates (${simd}) are within 0.06 of the reference's, and 0.006 on average`, async () => {
    await using brain = await calibrated({ workers: 0, simd });
    await using truth = await FlyBrain.create(brain.connectome, { engine: "reference" });
    await truth.calibrate(randomDrive(72, 100, brain.connectome.input, true));
    const drive = randomDrive(73, 70, brain.connectome.input, true);
    const found = await brain.rates(drive), wanted = await truth.rates(drive);
    let sum = 0;
    for (let i = 0; i < found.length; i++) sum += Math.abs(found[i]! - wanted[i]!);
    assert.ok(largestDifference(found, wanted) < 0.06, String(largestDifference(found, wanted)));
    assert.ok(sum / found.length < 0.006, String(sum / found.length));
    const steps = [9, 10, 11, 12];
    assert.ok(
      largestDifference(await brain.read(drive, { steps }), await truth.read(drive, { steps })) < 0.06,
    );
  });
}

Deno.test("int8: SIMD, workers, tiles, light cone and company change no bit", async () => {
  await using alone = await calibrated({ workers: 0, simd: "relaxed" });
  const drive = randomDrive(74, 70, alone.connectome.input);
  const rates = await alone.rates(drive), read = await alone.read(drive), outputs = read.length / 70;
  const others: WasmEngineOptions[] = [
    { workers: 0, simd: "plain" },
    { workers: 2 },
    { workers: 0, lightCone: false },
    { workers: 0, tile: { senders: 50, receivers: 30 } },
    { workers: 0, tile: { senders: 65_536, receivers: 65_536 }, simd: "plain" },
  ];
  for (const options of others) {
    await using brain = await calibrated(options);
    assert.deepEqual(brain.homeostasis, alone.homeostasis, JSON.stringify(options));
    assert.deepEqual(await brain.rates(drive), rates, JSON.stringify(options));
    assert.deepEqual(await brain.read(drive), read, JSON.stringify(options));
  }
  for (const positions of [1, 15, 17]) {
    const start = drive.start.slice(0, positions + 1);
    const few = { positions, start, neuron: drive.neuron.slice(0, start[positions]) };
    assert.deepEqual(await alone.read(few), read.slice(0, positions * outputs), `${positions} positions`);
  }
});

Deno.test("int8: what is read is what the rates say, and new strengths count after update()", async () => {
  await using brain = await calibrated({ workers: 1 });
  const drive = randomDrive(75, 40, brain.connectome.input), before = await brain.read(drive);
  const { output } = brain.connectome, neurons = brain.connectome.sign.length;
  const rates = await brain.rates(drive);
  for (let position = 0; position < 40; position++) {
    for (let i = 0; i < output.length; i++) {
      const rate = rates[(11 * 40 + position) * neurons + output[i]!]!;
      assert.ok(Math.abs(rate - before[position * output.length + i]!) < 1e-6);
    }
  }
  brain.theta.forEach((theta, k) => brain.theta[k] = theta - 1);
  await brain.update();
  assert.ok(largestDifference(await brain.read(drive), before) > 0.01);
});

Deno.test("int8: a weight of many units becomes several connections, and a sum stays far below 2^31", () => {
  const weight = new Float64Array(400).fill(1e-3);
  weight[0] = 1000;
  weight[7] = -0.3;
  const rowStart = Int32Array.of(0, 400, 400), each = Int32Array.from(weight, (_, k) => k);
  const rounded = roundWeights(weight, { rowStart, pre: each, connection: each, inOrder: true });
  const units = new Map<number, number>();
  rounded.sender.forEach((sender, k) => {
    assert.ok(Math.abs(rounded.weight[k]!) <= 127);
    units.set(sender, (units.get(sender) ?? 0) + rounded.weight[k]!);
  });
  const unit = rounded.unit[0]! * 127;
  weight.forEach((wanted, k) => {
    assert.ok(Math.abs((units.get(k) ?? 0) * unit - wanted) <= 0.5001 * unit + 1e-4 * Math.abs(wanted));
  });
  assert.ok(units.get(0)! > 127);
  assert.ok(rounded.sender.length <= 420);
  let sum = 0;
  for (const part of rounded.weight) sum += Math.abs(part);
  assert.ok(127 * sum < 2 ** 31);
  assert.deepEqual([...rounded.start], [0, rounded.sender.length, rounded.sender.length]);
  const wide = new Float64Array(100_000).fill(1), many = Int32Array.from(wide, (_, k) => k);
  const equal = roundWeights(wide, {
    rowStart: Int32Array.of(0, wide.length),
    pre: many,
    connection: many,
    inOrder: true,
  });
  assert.ok(127 * equal.weight.reduce((total, part) => total + part, 0) < 2 ** 31);
});

Deno.test("int8 does not learn, and its tiles have at most 65,536 senders", async () => {
  await using brain = await calibrated({ workers: 0 });
  const drive = randomDrive(76, 2, brain.connectome.input);
  const error = new Float32Array(2 * brain.connectome.output.length);
  await assert.rejects(brain.backward(drive, error), /too coarse for gradients, precision float32 is wanted/);
  const tile = { senders: 65_537, receivers: 100 };
  assert.throws(() => wasmEngine({ precision: "int8", tile }), /at most 65,536 are wanted for int8/);
});
