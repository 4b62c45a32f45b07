import assert from "node:assert/strict";
import { type Bypass, FlyBrain, type LoadedBrain, wasmEngine } from "../../lib/brain/mod.ts";
import { largestDifference, randomConnectome, randomDrive } from "./_small_brains.ts";

const connectome = randomConnectome(31, 200, 1500), neurons = connectome.sign.length;
const calibration = randomDrive(32, 40, connectome.input), seen = randomDrive(33, 20, connectome.input);
/** Its connections go through a bypass: some are also seen by the eye, and some hear themselves. */
const senders = Int32Array.from({ length: 40 }, (_, i) => 5 * i);
const whole = await FlyBrain.create(connectome, { engine: wasmEngine({ workers: 0 }) });
await whole.calibrate(calibration);

/** The brain without what the senders send, and the bypass that adds it. */
async function apart(
  precision: "float32" | "int16",
  workers: number,
): Promise<{ brain: LoadedBrain; bypass: Bypass; load: () => Promise<LoadedBrain> }> {
  const { model } = whole, { rowStart, pre, weight } = model;
  const rest = weight.slice(), place = new Map([...senders].map((neuron, i) => [neuron, i]));
  for (let k = 0; k < pre.length; k++) if (place.has(pre[k]!)) rest[k] = 0;
  const bypass: Bypass = {
    from: senders,
    to: Int32Array.from({ length: neurons }, (_, neuron) => neuron),
    pass(rates, input, { lanes }) {
      input.fill(0);
      for (let row = 0; row < neurons; row++) {
        for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
          const from = place.get(pre[k]!);
          for (let lane = 0; from !== undefined && lane < lanes; lane++) {
            input[row * lanes + lane]! += weight[k]! * rates[from * lanes + lane]!;
          }
        }
      }
    },
  };
  const load = () => wasmEngine({ precision, workers }).load({ ...model, weight: rest });
  return { brain: await load(), bypass, load };
}

Deno.test("with a part of the brain in a bypass, homeostasis and rates are the whole brain's", async () => {
  const { brain: held, bypass } = await apart("float32", 0);
  await using brain = held;
  const found = await brain.calibrateAround!(bypass, calibration, { floor: 0.02, calm: false });
  assert.ok(largestDifference(found.mean, whole.homeostasis!.mean) < 1e-5);
  assert.ok(largestDifference(found.spread, whole.homeostasis!.spread) < 1e-5);
  for (const steps of [[1], [12], [3, 9, 12]]) {
    const rates = await brain.readAround!(bypass, seen, connectome.output, steps);
    assert.ok(largestDifference(rates, await whole.read(seen, { steps })) < 1e-4);
  }
});

Deno.test("a bypass gives the same bits on any number of workers and leaves nothing behind", async () => {
  const { brain: held, bypass, load } = await apart("float32", 0);
  await using brain = held, crew = await (await apart("float32", 2)).load(), fresh = await load();
  const first = await brain.readAround!(bypass, seen, connectome.output, [12]);
  assert.deepEqual(await brain.readAround!(bypass, seen, connectome.output, [12]), first);
  assert.deepEqual(await crew.readAround!(bypass, seen, connectome.output, [12]), first);
  const after = await brain.read(seen, connectome.output, [12]);
  assert.deepEqual(after, await fresh.read(seen, connectome.output, [12]));
});

Deno.test("a bypass works in 16 bits", async () => {
  const { brain: held, bypass } = await apart("int16", 0);
  await using brain = held;
  const rates = await brain.readAround!(bypass, seen, connectome.output, [12]);
  assert.ok(largestDifference(rates, await whole.read(seen)) < 0.03);
  const found = await brain.calibrateAround!(bypass, calibration, { floor: 0.02, calm: false });
  assert.ok(largestDifference(found.mean, whole.homeostasis!.mean) < 0.03);
});

Deno.test("an error in a bypass is thrown to whoever asked, and the next think is as before", async () => {
  const { brain: held, bypass } = await apart("float32", 0);
  await using brain = held;
  const first = await brain.readAround!(bypass, seen, connectome.output, [12]);
  const broken = {
    ...bypass,
    pass() {
      throw new Error("it broke");
    },
  };
  await assert.rejects(brain.readAround!(broken, seen, connectome.output, [12]), /it broke/);
  assert.deepEqual(await brain.readAround!(bypass, seen, connectome.output, [12]), first);
});
