import assert from "node:assert/strict";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { FlyBrain } from "../../../lib/brain/mod.ts";
import { Random } from "../../../lib/common/mod.ts";
import { brainOp } from "../../../lib/training/mod.ts";
import { connectomeOf, largestDifference, randomDrive } from "../../brain/_small_brains.ts";

const NEURONS = 12, POSITIONS = 5, STEPS = 12, OUTPUT = [8, 9, 10, 11], MOVES = 3;

/** Everybody hears everybody, himself too: the same brain can be written with dense matrices. */
async function denseBrain(): Promise<FlyBrain> {
  const random = new Random(21, "dense brain");
  const all = Array.from({ length: NEURONS }, (_, i) => i);
  const connectome = connectomeOf({
    sign: all.map(() => random.float() < 0.6 ? 1 : -1),
    connections: all.flatMap((post) => all.map((pre) => [pre, post, 5 + random.int(100)] as const)),
    input: [0, 1, 2, 3],
    output: OUTPUT,
  });
  const brain = await FlyBrain.create(connectome, { engine: "reference" });
  await brain.calibrate(randomDrive(22, 40, connectome.input), { floor: 0.2 });
  for (let i = 0; i < NEURONS; i++) {
    brain.gain[i] = 0.3 + 0.4 * random.float();
    brain.bias[i] = 0.1 + 0.4 * random.float();
  }
  return brain;
}

type Rates = (theta: tf.Tensor, gain: tf.Tensor, bias: tf.Tensor) => tf.Tensor2D;

const tensor = (values: ArrayLike<number>, shape: number[]) => tf.tensor(Float32Array.from(values), shape);

/** The equations once more, as dense TensorFlow.js: autodiff finds the gradient. `first` and later steps are walked back. */
function denseRates(brain: FlyBrain, x: tf.Tensor, first: number): Rates {
  const sign = tensor(brain.connectome.sign, [1, NEURONS]);
  const row = (values: ArrayLike<number>, step: number) =>
    tensor(Array.from(values).slice(step * NEURONS, (step + 1) * NEURONS), [1, NEURONS]);
  const { mean, spread } = brain.homeostasis!;
  const step = (rates: tf.Tensor, number: number, theta: tf.Tensor, gain: tf.Tensor, bias: tf.Tensor) => {
    const weight = tf.mul(tf.softplus(tf.reshape(theta, [NEURONS, NEURONS])), sign);
    const input = tf.add(tf.matMul(rates as tf.Tensor2D, weight as tf.Tensor2D, false, true), x);
    const usual = tf.div(tf.sub(input, row(mean, number)), row(spread, number));
    const target = tf.relu(tf.tanh(tf.add(tf.mul(usual, gain), bias)));
    return tf.add(tf.mul(rates, 0.5), tf.mul(target, 0.5));
  };
  const learned = [brain.theta, brain.gain, brain.bias].map((values) => tensor(values, [values.length])) as [
    tf.Tensor,
    tf.Tensor,
    tf.Tensor,
  ];
  let before: tf.Tensor = tf.zeros([POSITIONS, NEURONS]);
  for (let number = 0; number < first; number++) before = step(before, number, ...learned);
  return (...given: [tf.Tensor, tf.Tensor, tf.Tensor]) => {
    let rates = before;
    for (let number = first; number < STEPS; number++) rates = step(rates, number, ...given);
    return tf.matMul(
      rates as tf.Tensor2D,
      tf.oneHot(tf.tensor1d(OUTPUT, "int32"), NEURONS) as tf.Tensor2D,
      false,
      true,
    );
  };
}

for (const window of [STEPS, 6, 1]) {
  Deno.test(`\`brainOp()\` has the gradient that autodiff finds, ${window} steps back`, async () => {
    await tf.setBackend("cpu");
    await using brain = await denseBrain();
    const drive = randomDrive(23, POSITIONS, brain.connectome.input, true), random = new Random(24);
    const x = new Float32Array(POSITIONS * NEURONS);
    for (let position = 0; position < POSITIONS; position++) {
      for (let k = drive.start[position]!; k < drive.start[position + 1]!; k++) {
        x[position * NEURONS + drive.neuron[k]!] = drive.value![k]!;
      }
    }
    const readout = tensor(Array.from({ length: OUTPUT.length * MOVES }, () => 3 * random.normal()), [
      OUTPUT.length,
      MOVES,
    ]);
    const wanted = tf.oneHot(tf.tensor1d([0, 2, 1, 1, 0], "int32"), MOVES);
    const lossOf = (rates: Rates) =>
      tf.valueAndGrads((theta, gain, bias, readout) => {
        const scores = tf.matMul(rates(theta!, gain!, bias!), readout as tf.Tensor2D);
        return tf.neg(tf.mean(tf.sum(tf.mul(tf.logSoftmax(scores), wanted), 1)));
      })([
        ...[brain.theta, brain.gain, brain.bias].map((values) => tensor(values, [values.length])),
        readout,
      ]);

    const ours = lossOf(brainOp(brain, drive, { window }));
    const theirs = lossOf(denseRates(brain, tensor(x, [POSITIONS, NEURONS]), STEPS - window));
    assert.ok(Math.abs(ours.value.dataSync()[0]! - theirs.value.dataSync()[0]!) < 1e-6);
    ["theta", "gain", "bias", "readout"].forEach((name, i) => {
      const found = ours.grads[i]!.dataSync(), expected = theirs.grads[i]!.dataSync();
      const size = Math.max(...Array.from(expected, Math.abs));
      assert.ok(size > 1e-4, `the gradient for ${name} is next to nothing: ${size}`);
      assert.ok(largestDifference(found, expected) < 1e-5 * size, `${name} is off`);
    });
  });
}

Deno.test("`brainOp()` adds up what comes back to a neuron that is read twice", async () => {
  await tf.setBackend("cpu");
  await using brain = await denseBrain();
  const drive = randomDrive(25, 2, brain.connectome.input);
  const bias = (neurons: number[]) => {
    const rates = brainOp(brain, drive, { neurons: Int32Array.from(neurons) });
    const [theta, gain] = [brain.theta, brain.gain].map((values) => tensor(values, [values.length]));
    return tf.grad((bias) => tf.sum(rates(theta!, gain!, bias)))(tensor(brain.bias, [NEURONS])).dataSync();
  };
  const once = bias([8]), twice = bias([8, 8]);
  assert.ok(once.some((value) => value !== 0));
  assert.ok(largestDifference(twice, once.map((value) => 2 * value)) < 1e-6);
});

Deno.test("`brainOp()` refuses a window, a neuron or a drive that the brain does not have", async () => {
  await using brain = await denseBrain();
  const drive = randomDrive(26, 1, brain.connectome.input);
  for (const window of [0, 13, 2.5]) assert.throws(() => brainOp(brain, drive, { window }), RangeError);
  assert.throws(() => brainOp(brain, drive, { neurons: Int32Array.of(12) }), /neuron 12/);
  assert.throws(
    () => brainOp(brain, { ...drive, neuron: Int32Array.of(40), start: Int32Array.of(0, 1) }),
    RangeError,
  );
});
