import assert from "node:assert/strict";
import { FlyBrain } from "../../../lib/brain/mod.ts";
import { Random } from "../../../lib/common/mod.ts";
import { thinkInBatch } from "../../../lib/training/whole_brain/batch_homeostasis.ts";
import { BatchThinker } from "../../../lib/training/whole_brain/batch_thinker.ts";
import { largestDifference, randomConnectome, randomDrive } from "../../brain/_small_brains.ts";

const connectome = randomConnectome(41, 40, 300);

Deno.test("`BatchThinker` agrees with `thinkInBatch()` in rates and gradients, batch after batch", async () => {
  await using brain = await FlyBrain.create(connectome, { engine: "reference", steps: 4 });
  const random = new Random(45);
  for (let turn = 0; turn < 3; turn++) {
    const read = [[4], [3, 4], [3, 1]][turn]!;
    const thinker = new BatchThinker(brain, 64, { read });
    const drive = randomDrive(46 + turn, 64, connectome.input);
    const exact = thinkInBatch(brain, drive, { read }), fast = thinker.think(drive);
    const error = Float64Array.from(exact.rates, () => random.normal());
    const wanted = exact.backward(error), found = fast.backward(error);
    const pairs = {
      rates: [fast.rates, exact.rates],
      theta: [found.theta, wanted.theta],
      gain: [found.gain, wanted.gain],
      bias: [found.bias, wanted.bias],
    } as const;
    for (const [part, [a, b]] of Object.entries(pairs)) {
      const size = Math.max(...Array.from(b, Math.abs));
      assert.ok(size > 1e-3, part);
      assert.ok(largestDifference(a, b) < 1e-4 * size, `${part}: ${largestDifference(a, b) / size}`);
    }
    for (let k = 0; k < brain.theta.length; k++) brain.theta[k]! += 0.3 * random.normal();
    for (let j = 0; j < brain.gain.length; j++) brain.gain[j]! += 0.1 * random.normal();
  }
});

Deno.test("`BatchThinker` refuses other sizes and a batch that is no longer there", async () => {
  await using brain = await FlyBrain.create(connectome, { engine: "reference", steps: 4 });
  assert.throws(() => new BatchThinker(brain, 48), RangeError);
  assert.throws(() => new BatchThinker(brain, 32, { floor: 0 }), RangeError);
  for (const read of [[], [0], [5], [1.5]]) {
    assert.throws(() => new BatchThinker(brain, 32, { read }), RangeError);
    assert.throws(() => thinkInBatch(brain, randomDrive(44, 32, connectome.input), { read }), RangeError);
  }
  const thinker = new BatchThinker(brain, 32), drive = randomDrive(44, 32, connectome.input);
  assert.throws(() => thinker.think(randomDrive(44, 64, connectome.input)), RangeError);
  const early = thinker.think(drive);
  assert.throws(() => early.backward(new Float64Array(3)), RangeError);
  thinker.think(drive);
  assert.throws(() => early.backward(new Float64Array(early.rates.length)), RangeError);
});

Deno.test("`BatchThinker` leaves out what has no part in what is read, and loses nothing", async () => {
  // Some 60 neurons with few connections and a small eye: most of it is dark, or not heard, at most of the steps.
  const sparse = {
    ...randomConnectome(51, 60, 130),
    output: Int32Array.of(7, 20, 33),
    input: Int32Array.of(1, 4),
  };
  await using brain = await FlyBrain.create(sparse, { engine: "reference", steps: 6 });
  const random = new Random(52), lit = Int32Array.of(1, 4, 9, 12);
  for (let j = 0; j < brain.bias.length; j++) brain.bias[j]! += random.normal();
  for (const read of [[6], [4], [2, 5]]) {
    const thinker = new BatchThinker(brain, 32, { read, lit });
    const drive = randomDrive(53, 32, lit), exact = thinkInBatch(brain, drive, { read });
    const fast = thinker.think(drive), error = Float64Array.from(exact.rates, () => random.normal());
    const wanted = exact.backward(error), found = fast.backward(error);
    assert.ok(largestDifference(fast.rates, exact.rates) < 1e-5);
    for (const part of ["theta", "gain", "bias"] as const) {
      assert.ok(largestDifference(found[part], wanted[part]) < 1e-4, `${part}, steps ${read}`);
    }
    const none = found.theta.filter((slope) => slope === 0).length;
    assert.ok(none > sparse.pre.length / 4 && none < sparse.pre.length, `${none} of ${sparse.pre.length}`);
  }
  const thinker = new BatchThinker(brain, 32);
  assert.throws(() => thinker.think(randomDrive(53, 32, lit)), RangeError, "9 and 12 may not be lit");
  assert.throws(() => new BatchThinker(brain, 32, { lit: [60] }), RangeError);
});
