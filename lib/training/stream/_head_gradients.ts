import * as tf from "@tensorflow/tfjs-core";
import type { Positions } from "../../data/positions.ts";
import { sumLoss } from "../../readout/_head_ops.ts";
import { readyTensorflow } from "../../readout/_tensorflow.ts";
import { type Readout, READOUT_COLUMNS } from "../../readout/mod.ts";

/** What a batch says about a readout and about what it reads. */
export interface HeadGradients {
  /** Mean policy loss, in nats. */
  readonly policy: number;
  /** Mean squared error of the value. */
  readonly value: number;
  /** `[features][134]`: dL / d weight of the batch's mean loss. */
  readonly weight: Float32Array;
  /** `[134]`: dL / d bias. */
  readonly bias: Float32Array;
  /** `[rows][features]`: dL / d rate, if asked for. */
  readonly rates: Float32Array | undefined;
}

/**
 * The loss of a batch and its gradients, for the four heads and for the rates that they read (reference, sections 4 to 6).
 * The same inputs give the same bits.
 *
 * @param rates `[rows][features]`.
 * @param wantsRates Whether the gradient for the rates is wanted.
 */
export async function headGradients(
  readout: Readout,
  rates: Float32Array,
  positions: Positions,
  rows: Int32Array,
  wantsRates: boolean,
): Promise<HeadGradients> {
  const { features, weight, bias } = readout;
  await readyTensorflow();
  return tf.tidy(() => {
    const numbers = tf.tensor2d(rates, [rows.length, features]);
    const heads = tf.tensor2d(weight, [features, READOUT_COLUMNS]);
    const scores = tf.add(tf.matMul(numbers, heads), tf.tensor1d(bias)).dataSync<"float32">();
    const loss = { policy: 0, value: 0 }, slopes = new Float32Array(scores.length);
    sumLoss(positions, rows, scores, loss, slopes);
    const change = tf.tensor2d(slopes, [rows.length, READOUT_COLUMNS]);
    // Transposed first: TensorFlow.js's WebAssembly multiplies by a transposed matrix ten times slower.
    return {
      policy: loss.policy / rows.length,
      value: loss.value / rows.length,
      weight: tf.matMul(tf.transpose(numbers), change).dataSync<"float32">().slice(),
      bias: tf.sum(change, 0).dataSync<"float32">().slice(),
      rates: wantsRates ? tf.matMul(change, tf.transpose(heads)).dataSync<"float32">().slice() : undefined,
    };
  });
}
