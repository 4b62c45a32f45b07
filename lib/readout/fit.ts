import * as tf from "@tensorflow/tfjs-core";
import { type LongWork, Random } from "../common/mod.ts";
import type { Positions } from "../data/positions.ts";
import { type BatchLoss, batchLoss, linearScores, sumLoss } from "./_head_ops.ts";
import { checkRows } from "./_legal_softmax.ts";
import { readyTensorflow } from "./_tensorflow.ts";
import type { FeatureSource } from "./features.ts";
import { type Readout, READOUT_COLUMNS } from "./readout.ts";

/** When to stop a fit, by the loss on positions that it does not learn from. */
export interface StopOn {
  /** The rows to check after every pass (VAL). */
  readonly rows: Int32Array;
  /** Passes in a row without a new best after which it stops. */
  readonly patience: number;
  /** The most passes. */
  readonly maxPasses: number;
  /** How much lower than the best a loss must be to count as a new best, in nats; 1e-4 by default. */
  readonly minimumGain?: number | undefined;
}

/** Settings of `fitReadout`. */
export interface FitOptions extends LongWork {
  /** Times every position is seen; 8 by default, unused with `stopOn`. */
  readonly passes?: number | undefined;
  /** Positions a step; 256 by default. */
  readonly batch?: number | undefined;
  /** Adam's step size; 1e-3 by default. */
  readonly learningRate?: number | undefined;
  /** Seed of the order in which positions come; 1 by default. */
  readonly seed?: number | undefined;
  /** A gradient longer than this is scaled down to it; no limit by default. */
  readonly maxGradient?: number | undefined;
  /** Stop by the loss on other positions instead of after `passes`, and keep the best. */
  readonly stopOn?: StopOn | undefined;
}

/** How a fit went. */
export interface FitHistory {
  /** Passes made. */
  readonly passes: number;
  /** `[passes]`: mean policy loss of each pass on the rows it learned from, while it learned. */
  readonly trainLoss: readonly number[];
  /** `[1 + passes]`: policy loss on `stopOn.rows` at the start and after each pass; empty without `stopOn`. */
  readonly valLoss: readonly number[];
}

/** A readout that knows how it was fitted. */
export interface FittedReadout extends Readout {
  /** How the fit went. */
  readonly history: FitHistory;
}

/** How long to work before other work of the program gets a turn, in ms. */
const TURN = 50;
/** Rows that are scored at once on VAL. */
const CHECK_BATCH = 1024;

/**
 * Fits the four linear heads on features that stay as they are: softmax over the legal moves against the
 * teacher's opinion plus squared error of the value, Adam (reference, sections 5 and 7).
 *
 * All weights start at 0. The policy loss is convex in them, so a random start would only add noise to every
 * comparison of two brains; from 0 the first guess is that all legal moves are equally likely. Chance enters only
 * through the order of the positions, and the same inputs give the same bits.
 *
 * With `stopOn` it follows the reference's fast way: a pass after which the VAL loss is no new best is undone (the
 * best readout comes back, with a fresh Adam of half the step).
 *
 * @param features Row `i` describes position `i`; at least one column (`fitBlind` needs none).
 * @param positions What the teacher says.
 * @param rows The rows to learn from.
 * @returns The readout: the last one, or with `stopOn` the best one.
 * @throws {RangeError} If a row or a setting is out of range.
 * @throws The signal's reason, if it is aborted.
 */
export async function fitReadout(
  features: FeatureSource,
  positions: Positions,
  rows: Int32Array,
  options: FitOptions = {},
): Promise<FittedReadout> {
  const { passes = 8, batch = 256, learningRate = 1e-3, seed = 1, maxGradient, stopOn, signal } = options;
  checkRows(positions, rows, "fit a readout");
  if (stopOn !== undefined) checkRows(positions, stopOn.rows, "check a readout");
  wholeNumber("the passes", stopOn?.maxPasses ?? passes);
  wholeNumber("the batch", batch);
  wholeNumber("the features", features.columns);
  if (!(learningRate > 0)) {
    throw new RangeError(`Cannot fit a readout: a step of ${learningRate}, one above 0 is wanted`);
  }
  const { columns } = features;
  const random = new Random(seed, "readout");
  const order = rows.slice();
  const most = stopOn?.maxPasses ?? passes;
  const total = most * rows.length;
  const buffer = new Float32Array(Math.max(batch, CHECK_BATCH) * columns);
  const trainLoss: number[] = [];
  const valLoss: number[] = [];

  await readyTensorflow();
  const [weight, bias] = tf.tidy(() => [
    tf.variable(tf.zeros([columns, READOUT_COLUMNS])),
    tf.variable(tf.zeros([READOUT_COLUMNS])),
  ]);
  const read = (): Readout => ({
    features: columns,
    weight: weight.dataSync<"float32">().slice(),
    bias: bias.dataSync<"float32">().slice(),
  });
  const put = (readout: Readout): void =>
    tf.tidy(() => {
      weight.assign(tf.tensor(readout.weight, [columns, READOUT_COLUMNS]));
      bias.assign(tf.tensor(readout.bias, [READOUT_COLUMNS]));
    });
  const featuresOf = (some: Int32Array): tf.Tensor2D => {
    features.batch(some, buffer);
    return tf.tensor2d(buffer.subarray(0, some.length * columns), [some.length, columns]);
  };
  const check = (stop: StopOn): number => {
    const sum: BatchLoss = { policy: 0, value: 0 };
    let policy = 0;
    for (let at = 0; at < stop.rows.length; at += CHECK_BATCH) {
      const some = stop.rows.subarray(at, at + CHECK_BATCH);
      const scores = tf.tidy(() => tf.add(tf.matMul(featuresOf(some), weight), bias).dataSync<"float32">());
      sumLoss(positions, some, scores, sum);
      policy += sum.policy;
    }
    return policy / stop.rows.length;
  };

  let step = learningRate;
  let adam = tf.train.adam(step);
  try {
    let best = read();
    let bestLoss = Infinity;
    if (stopOn !== undefined) {
      bestLoss = check(stopOn);
      valLoss.push(bestLoss);
    }
    let turn = performance.now();
    let misses = 0;
    for (let pass = 0; pass < most && misses < (stopOn?.patience ?? 1); pass++) {
      random.shuffle(order);
      let policy = 0;
      for (let at = 0; at < order.length; at += batch) {
        if (performance.now() - turn > TURN) {
          options.onProgress?.({
            task: "fitting the readout",
            done: pass * rows.length + at,
            total,
            unit: "positions",
          });
          await new Promise((resume) => setTimeout(resume));
          signal?.throwIfAborted();
          await readyTensorflow();
          turn = performance.now();
        }
        const some = order.subarray(at, at + batch);
        const sum: BatchLoss = { policy: 0, value: 0 };
        tf.tidy(() => {
          const scores = linearScores(featuresOf(some));
          const loss = batchLoss(positions, some, sum);
          const { grads } = tf.variableGrads(() => loss(scores(weight, bias)), [weight, bias]);
          adam.applyGradients(limited(grads, maxGradient));
        });
        policy += sum.policy;
      }
      trainLoss.push(policy / order.length);
      if (stopOn === undefined) continue;
      const loss = check(stopOn);
      valLoss.push(loss);
      if (loss < bestLoss - (stopOn.minimumGain ?? 1e-4)) {
        bestLoss = loss;
        best = read();
        misses = 0;
      } else {
        misses++;
        put(best);
        step /= 2;
        // The old moments belong to a path that was just given up.
        adam.dispose();
        adam = tf.train.adam(step);
      }
    }
    signal?.throwIfAborted();
    options.onProgress?.({ task: "fitting the readout", done: total, total, unit: "positions" });
    const readout = stopOn === undefined ? read() : best;
    return { ...readout, history: { passes: trainLoss.length, trainLoss, valLoss } };
  } finally {
    adam.dispose();
    weight.dispose();
    bias.dispose();
  }
}

/** Gradients by name; where they are longer than `most` together, all scaled down alike (reference, section 7). */
function limited(
  gradients: tf.NamedTensorMap,
  most: number | undefined,
): { name: string; tensor: tf.Tensor }[] {
  const named = Object.entries(gradients).map(([name, tensor]) => ({ name, tensor }));
  if (most === undefined) return named;
  let square = 0;
  for (const { tensor } of named) square += tf.sum(tf.square(tensor)).dataSync()[0]!;
  const scale = Math.min(1, most / Math.sqrt(square));
  return scale < 1 ? named.map(({ name, tensor }) => ({ name, tensor: tf.mul(tensor, scale) })) : named;
}

function wholeNumber(what: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) {
    throw new RangeError(`Cannot fit a readout: ${what} are ${value}, a whole number above 0 is wanted`);
  }
}
