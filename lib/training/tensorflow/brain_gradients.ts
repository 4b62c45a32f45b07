import * as tf from "@tensorflow/tfjs-core";
import type { BrainGradients, FlyBrain } from "../../brain/mod.ts";
import type { LongWork } from "../../common/mod.ts";
import type { Drive } from "../../eye/mod.ts";
import type { BrainOpOptions } from "./brain_op.ts";
import { teachGradients } from "./_gradients.ts";
import type { Scalar, Tensor, Tensor2D } from "./tensors.ts";

/** What is read, how far an error walks back, and what else learns. */
export interface BrainGradientsOptions extends BrainOpOptions, LongWork {
  /** Tensors behind the brain that learn too, for example a readout's weights: handed to `loss` after the rates. */
  readonly learned?: readonly Tensor[];
  /** The steps whose mean rate is read, the brain's last one by default. */
  readonly steps?: readonly number[];
  /** Whether the blame of every neuron at every step is wanted too. */
  readonly blame?: boolean;
}

/** What a loss says about everything that learns. */
export interface LossGradients {
  /** The loss. */
  readonly loss: number;
  /** What it says about the brain, summed over the positions. */
  readonly brain: BrainGradients;
  /** What it says about each of `learned`, in the same order and shape; dispose them when done. */
  readonly learned: readonly Tensor[];
}

/**
 * The gradient of a TensorFlow.js loss for the brain and for what reads it, on any engine that walks back. Where
 * `brainOp` is one operation, this is two phases, because engines with workers or a GPU answer later and TensorFlow.js does
 * not wait: the brain thinks; the loss of its rates, with its gradient, is TensorFlow.js's; the brain walks that
 * gradient back.
 *
 * @param brain A calibrated brain, with its `theta`, `gain` and `bias` as they are now.
 * @param drive What the eye adds, for any number of positions.
 * @param loss From rates `[positions, neurons read]`, and what else learns, to one number. Made of
 * operations with a gradient: TensorFlow.js's usual ones in a readout are taught to it, `@tensorflow/tfjs` brings all.
 * @param options What is read, how far back, and what else learns.
 * @throws {RangeError} If sizes do not fit, or the loss is no finite number.
 * @throws {Error} If the brain has not been calibrated, or its engine cannot walk back.
 *
 * @example A step that makes a neuron quieter
 * ```ts
 * import * as tf from "@tensorflow/tfjs-core";
 * import "@tensorflow/tfjs-backend-cpu";
 * import { FlyBrain } from "flychess/brain";
 * import { connectomeFromTables } from "flychess/connectome";
 * import { brainGradients } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * await tf.setBackend("cpu");
 * const wiring = connectomeFromTables([{ id: 1 }, { id: 2 }], [{ pre: 1, post: 2, synapses: 5 }], {
 *   input: [1],
 *   output: [2],
 * });
 * await using brain = await FlyBrain.create(wiring, { homeostasis: "none", workers: 0 });
 * const light = { positions: 1, start: Int32Array.of(0, 1), neuron: Int32Array.of(0) };
 * const loudness = (rates: tf.Tensor2D) => tf.sum<tf.Scalar>(tf.square(rates));
 *
 * const before = await brainGradients(brain, light, loudness);
 * brain.theta[0]! -= before.brain.theta[0]!;
 * await brain.update();
 * const after = await brainGradients(brain, light, loudness);
 * assert.ok(after.loss < before.loss);
 * ```
 */
export async function brainGradients(
  brain: FlyBrain,
  drive: Drive,
  loss: (rates: Tensor2D, ...learned: Tensor[]) => Scalar,
  options: BrainGradientsOptions = {},
): Promise<LossGradients> {
  const { neurons = brain.connectome.output, window = Math.min(6, brain.steps), learned = [] } = options;
  const { blame = false, steps = [brain.steps], signal, onProgress } = options;
  teachGradients();
  const read = await brain.read(drive, { neurons, steps, signal, onProgress });
  const { value, grads } = tf.tidy(() => {
    const rates = tf.tensor2d(read, [drive.positions, neurons.length]);
    return tf.valueAndGrads((rates, ...others) => loss(rates as tf.Tensor2D, ...others))([rates, ...learned]);
  });
  const [change, ...others] = grads;
  try {
    const [number] = await value.data(), error = await change!.data<"float32">();
    if (!Number.isFinite(number)) {
      throw new RangeError(`Cannot walk back: the loss is ${number}, a finite number is wanted`);
    }
    const found = await brain.backward(drive, error, { neurons, window, steps, blame, signal, onProgress });
    return { loss: number!, brain: found, learned: others };
  } catch (error) {
    tf.dispose(others);
    throw error;
  } finally {
    tf.dispose([value, change!]);
  }
}
