import * as tf from "@tensorflow/tfjs-core";
import type { Positions } from "../data/positions.ts";
import { type PositionLoss, positionLoss } from "./_legal_softmax.ts";
import { READOUT_COLUMNS } from "./readout.ts";

/**
 * `features x weight + bias` with a gradient of our own. TensorFlow.js's WebAssembly engine multiplies by a
 * transposed matrix ten times slower (36 ms for `[1314 x 256] x [256 x 134]`) than it transposes first and
 * multiplies then (3.7 ms); no gradient goes to the features, because nothing behind them learns.
 *
 * @param features `[rows][columns]`.
 */
export function linearScores(
  features: tf.Tensor2D,
): (weight: tf.Tensor, bias: tf.Tensor) => tf.Tensor {
  return tf.customGrad((weight, bias) => ({
    value: tf.add(tf.matMul(features, weight as tf.Tensor2D), bias as tf.Tensor1D),
    gradFunc: (
      change: tf.Tensor,
    ) => [tf.matMul(tf.transpose(features), change as tf.Tensor2D), tf.sum(change, 0)],
  }));
}

/** What the loss of a batch came to. */
export interface BatchLoss {
  /** Policy loss, summed over the batch. */
  policy: number;
  /** Squared value error, summed over the batch. */
  value: number;
}

/**
 * The loss of a batch as one operation of TensorFlow.js: policy loss plus squared value error, averaged over the
 * batch, worked out over the packed lists of legal moves (no gathers, no padding).
 *
 * @param result The sums are written here.
 */
export function batchLoss(
  positions: Positions,
  rows: Int32Array,
  result: BatchLoss,
): (scores: tf.Tensor) => tf.Scalar {
  const loss = tf.customGrad<tf.Scalar>((scores) => {
    const numbers = (scores as tf.Tensor2D).dataSync<"float32">();
    const gradient = new Float32Array(numbers.length);
    sumLoss(positions, rows, numbers, result, gradient);
    return {
      value: tf.scalar((result.policy + result.value) / rows.length),
      gradFunc: (change: tf.Tensor) => tf.mul(change, tf.tensor2d(gradient, [rows.length, READOUT_COLUMNS])),
    };
  });
  return (scores) => loss(scores);
}

/** The losses of a batch, summed, and the gradient of their mean. */
export function sumLoss(
  positions: Positions,
  rows: Int32Array,
  scores: Float32Array,
  result: BatchLoss,
  gradient?: Float32Array,
): void {
  const each: PositionLoss = { policy: 0, value: 0, favourite: 0 };
  result.policy = 0;
  result.value = 0;
  for (let i = 0; i < rows.length; i++) {
    positionLoss(positions, rows[i]!, scores, i * READOUT_COLUMNS, each, gradient, 1 / rows.length);
    result.policy += each.policy;
    result.value += each.value;
  }
}
