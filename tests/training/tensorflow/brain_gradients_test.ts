import assert from "node:assert/strict";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { FlyBrain, wasmEngine } from "../../../lib/brain/mod.ts";
import { Random } from "../../../lib/common/mod.ts";
import type { Drive } from "../../../lib/eye/mod.ts";
import { brainGradients, brainOp } from "../../../lib/training/mod.ts";
import { largestDifference, randomConnectome, randomDrive } from "../../brain/_small_brains.ts";

const MOVES = 4;
const connectome = randomConnectome(31, 60, 600);

async function brainOn(engine: "reference" | "wasm"): Promise<FlyBrain> {
  const runs = engine === "wasm" ? wasmEngine({ workers: 0 }) : engine;
  const brain = await FlyBrain.create(connectome, { engine: runs });
  await brain.calibrate(randomDrive(32, 64, connectome.input), { floor: 0.1 });
  return brain;
}

const random = new Random(33);
const readout = Float32Array.from({ length: connectome.output.length * MOVES }, () => random.normal());
const readoutTensor = () => tf.tensor2d(readout, [connectome.output.length, MOVES]);

/** Cross-entropy with the first move as the wanted one, summed over the positions. */
function loss(rates: tf.Tensor2D, readout: tf.Tensor): tf.Scalar {
  const wanted = tf.oneHot(tf.zeros([rates.shape[0]], "int32") as tf.Tensor1D, MOVES);
  return tf.neg(tf.sum(tf.mul(tf.logSoftmax(tf.matMul(rates, readout as tf.Tensor2D)), wanted)));
}

function part({ start, neuron }: Drive, from: number, to: number): Drive {
  return {
    positions: to - from,
    start: start.slice(from, to + 1).map((at) => at - start[from]!),
    neuron: neuron.slice(start[from], start[to]),
  };
}

for (const engine of ["reference", "wasm"] as const) {
  Deno.test(`\`brainGradients()\` on the ${engine} engine is what \`brainOp()\` gives`, async () => {
    await tf.setBackend("cpu");
    await using brain = await brainOn(engine);
    const drive = randomDrive(34, 20, connectome.input);
    const rates = brainOp(brain, drive);
    const { value, grads } = tf.valueAndGrads((theta, gain, bias, readout) =>
      loss(rates(theta!, gain!, bias!), readout!)
    )([
      ...[brain.theta, brain.gain, brain.bias].map((v) => tf.tensor1d(Float32Array.from(v))),
      readoutTensor(),
    ]);

    const found = await brainGradients(brain, drive, loss, { learned: [readoutTensor()] });
    assert.ok(Math.abs(found.loss - value.dataSync()[0]!) < 1e-4);
    const pairs = [found.brain.theta, found.brain.gain, found.brain.bias, found.learned[0]!.dataSync()];
    pairs.forEach((values, i) => {
      const expected = grads[i]!.dataSync(), size = Math.max(...Array.from(expected, Math.abs));
      assert.ok(size > 1e-4);
      assert.ok(largestDifference(values, expected) < 1e-4 * size, `gradient ${i} is off`);
    });
  });

  Deno.test(`two ${engine} engines on half a batch each give the gradient of one on all of it`, async () => {
    await tf.setBackend("cpu");
    await using one = await brainOn(engine);
    await using other = await brainOn(engine);
    const drive = randomDrive(35, 24, connectome.input), learned = [readoutTensor()];
    const whole = await brainGradients(one, drive, loss, { learned });
    const halves = await Promise.all([
      brainGradients(one, part(drive, 0, 12), loss, { learned }),
      brainGradients(other, part(drive, 12, 24), loss, { learned }),
    ]);
    const sum = (of: (half: typeof whole) => ArrayLike<number>) =>
      Array.from(of(halves[0]), (value, i) => value + of(halves[1])[i]!);
    for (
      const of of [
        (half: typeof whole) => half.brain.theta,
        (half: typeof whole) => half.brain.gain,
        (half: typeof whole) => half.brain.bias,
        (half: typeof whole) => half.learned[0]!.dataSync(),
      ]
    ) {
      const expected = of(whole), size = Math.max(...Array.from(expected, Math.abs));
      assert.ok(largestDifference(sum(of), expected) < 1e-5 * size);
    }
    assert.ok(Math.abs(halves[0].loss + halves[1].loss - whole.loss) < 1e-4);
  });
}

Deno.test("`brainGradients()` leaves no tensors behind but those it gives", async () => {
  await tf.setBackend("cpu");
  await using brain = await brainOn("wasm");
  const drive = randomDrive(36, 4, connectome.input), learned = [readoutTensor()];
  const before = tf.memory().numTensors;
  const { learned: found } = await brainGradients(brain, drive, loss, { learned });
  assert.equal(tf.memory().numTensors, before + 1);
  tf.dispose(found as tf.Tensor[]);
  await assert.rejects(
    brainGradients(brain, drive, (rates, readout) => tf.mul(loss(rates, readout!), Infinity), { learned }),
    /the loss is Infinity, a finite number is wanted/,
  );
  assert.equal(tf.memory().numTensors, before);
});

Deno.test("`brainGradients()` gives the blame of every neuron when asked", async () => {
  await tf.setBackend("cpu");
  await using brain = await brainOn("wasm");
  const drive = randomDrive(37, 3, connectome.input);
  const { brain: { blame } } = await brainGradients(brain, drive, (rates) => tf.sum(rates), {
    window: 4,
    blame: true,
  });
  assert.deepEqual([...blame.keys()].sort((a, b) => a - b), [9, 10, 11, 12]);
  assert.ok([...blame.get(9)!].some((value) => value !== 0));
});
