import * as tf from "@tensorflow/tfjs-core";
import { type BrainModel, type FlyBrain, referenceBackward, signedWeights } from "../../brain/mod.ts";
import { checkDrive, checkRead } from "../../brain/_checks.ts";
import { trace } from "../../brain/engines/_trace.ts";
import type { Drive } from "../../eye/mod.ts";
import { teachGradients } from "./_gradients.ts";
import type { Tensor, Tensor2D } from "./tensors.ts";

/** What is read from the operation, and how far an error walks back into it. */
export interface BrainOpOptions {
  /** Which neurons' rates come out, in which order; by default the connectome's `output`, the descending neurons. */
  readonly neurons?: Int32Array;
  /** Steps an error walks back, from 1 to the brain's `steps`; 6 by default (reference, section 6). */
  readonly window?: number;
}

/**
 * The brain as one operation of TensorFlow.js, with a gradient: from `theta`, `gain` and `bias` to the rates of
 * some neurons after the last step. `tf.grads` flows from any loss of these rates into the brain, as through any
 * other operation.
 *
 * TensorFlow.js wants values and gradients at once, which an engine with workers cannot give: this runs on the
 * calling thread in float64, as the `reference` engine does, and is for small brains, tests and notebooks. A large brain
 * learns through `brainGradients`, in two phases, on any engine.
 *
 * @param brain Wiring, steps, leak and homeostasis. Its own `theta`, `gain` and `bias` are not used.
 * @param drive What the eye adds, for any number of positions.
 * @param options What is read, and how far back.
 * @returns A function of `theta [connections]`, `gain [neurons]`, `bias [neurons]` that gives rates
 * `[positions, neurons read]`.
 * @throws {RangeError} If drive, neurons or window do not fit the brain.
 *
 * @example The gradient of a rate
 * ```ts
 * import * as tf from "@tensorflow/tfjs-core";
 * import "@tensorflow/tfjs-backend-cpu";
 * import { FlyBrain } from "flychess/brain";
 * import { connectomeFromTables } from "flychess/connectome";
 * import { brainOp } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * await tf.setBackend("cpu");
 * const wiring = connectomeFromTables([{ id: 1 }, { id: 2 }], [{ pre: 1, post: 2, synapses: 5 }], {
 *   input: [1],
 *   output: [2],
 * });
 * await using brain = await FlyBrain.create(wiring, { engine: "reference", homeostasis: "none" });
 * const light = { positions: 1, start: Int32Array.of(0, 1), neuron: Int32Array.of(0) };
 * const rates = brainOp(brain, light);
 * const [theta] = tf.grads((...learned) => tf.sum(rates(...learned as [tf.Tensor, tf.Tensor, tf.Tensor])))(
 *   [brain.theta, brain.gain, brain.bias].map((values) => tf.tensor1d(Float32Array.from(values))),
 * );
 * assert.ok(theta!.dataSync()[0]! > 0); // a stronger connection wakes the second neuron more
 * ```
 */
export function brainOp(
  brain: FlyBrain,
  drive: Drive,
  options: BrainOpOptions = {},
): (theta: Tensor, gain: Tensor, bias: Tensor) => Tensor2D {
  const { neurons = brain.connectome.output, window = Math.min(6, brain.steps) } = options;
  const all = brain.connectome.sign.length, { positions } = drive;
  checkDrive("think", drive, all);
  checkRead(neurons, [brain.steps], { neurons: all, steps: brain.steps });
  if (!Number.isInteger(window) || window < 1 || window > brain.steps) {
    throw new RangeError(`Cannot walk back: the window is ${window}, 1 to ${brain.steps} steps are wanted`);
  }
  teachGradients();
  return tf.customGrad<tf.Tensor2D>((...inputs) => {
    const [theta, gain, bias] = inputs.slice(0, 3) as [tf.Tensor, tf.Tensor, tf.Tensor];
    const model: BrainModel = {
      ...brain.model,
      weight: signedWeights(brain.connectome, Float64Array.from(theta.dataSync())),
      gain: Float64Array.from(gain.dataSync()),
      bias: Float64Array.from(bias.dataSync()),
    };
    const rates = new Float32Array(positions * neurons.length);
    for (let position = 0; position < positions; position++) {
      const last = trace(model, drive, position).rates[model.steps - 1]!;
      neurons.forEach((neuron, i) => rates[position * neurons.length + i] = last[neuron]!);
    }
    const gradFunc = (change: tf.Tensor): tf.Tensor[] => {
      const error = new Float64Array(positions * all), given = change.dataSync();
      // Added, not set: a neuron may be read twice.
      for (let i = 0; i < given.length; i++) {
        error[Math.floor(i / neurons.length) * all + neurons[i % neurons.length]!]! += given[i]!;
      }
      const found = referenceBackward(model, drive, error, { window });
      return [found.theta, found.gain, found.bias].map((values) => tf.tensor1d(Float32Array.from(values)));
    };
    return { value: tf.tensor2d(rates, [positions, neurons.length]), gradFunc };
  });
}
