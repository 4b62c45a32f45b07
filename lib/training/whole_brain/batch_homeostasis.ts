import type { BrainGradients, FlyBrain, Homeostasis } from "../../brain/mod.ts";
import { signedWeights } from "../../brain/strengths.ts";
import type { Drive } from "../../eye/mod.ts";

/** How a batch is thought about. */
export interface BatchThinkOptions {
  /** The smallest sigma a neuron may get, above 0 (0.02: reference, section 3). */
  readonly floor?: number;
  /** The steps that are read, each from 1 to the brain's `steps`; by default the last one. */
  readonly read?: readonly number[];
}

/** A batch that was thought about with its own homeostasis. */
export interface BatchThink {
  /** `[positions][steps read][output neurons]`: rates after the steps that are read. */
  readonly rates: Float64Array;
  /** What the batch itself measured. */
  readonly homeostasis: Homeostasis;
  /**
   * Walks an error back through all steps, and through the mean and spread of every neuron's input.
   *
   * @param outputGradient `[positions][steps read][output neurons]`: dL / d rate after those steps.
   * @throws {RangeError} If its size does not fit.
   */
  backward(outputGradient: Float32Array | Float64Array): BrainGradients;
}

/**
 * The steps that are read.
 *
 * @throws {RangeError} If there is none, or one is not the brain's.
 */
export function stepsRead({ steps }: Pick<BatchBrain, "steps">, read: readonly number[] = [steps]): number[] {
  if (read.length === 0 || read.some((step) => !Number.isInteger(step) || step < 1 || step > steps)) {
    throw new RangeError(
      `Cannot read steps ${read.join(", ")}: at least one, each from 1 to ${steps}, is wanted`,
    );
  }
  return [...read];
}

/** What of a brain a batch needs. */
export type BatchBrain = Pick<FlyBrain, "connectome" | "theta" | "gain" | "bias" | "steps" | "leak">;

/**
 * Thinks about a batch with homeostasis measured on that very batch, so that the error can be walked back through the
 * measuring too. Homeostasis measured once goes wrong as soon as strengths move; as batch statistics (Ioffe and Szegedy
 * 2015) it is part of what is learned. The equations are the reference's, section 3; the way back through mean
 * and spread is that of batch normalisation. Calibrate the brain again on many positions when learning is done.
 *
 * Plain TypeScript, float64, one thread: for brains of some hundred thousand connections.
 *
 * @param brain Its homeostasis is neither used nor changed.
 * @param drive At least 2 positions.
 * @throws {RangeError} If there are fewer positions, the floor is not above 0 or a step read is not there.
 *
 * @example One neuron hears another: a batch of a light and a dark board
 * ```ts
 * import { FlyBrain } from "flychess/brain";
 * import { connectomeFromTables } from "flychess/connectome";
 * import { thinkInBatch } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const wiring = connectomeFromTables([{ id: 1 }, { id: 2 }], [{ pre: 1, post: 2, synapses: 5 }], {
 *   input: [1],
 *   output: [2],
 * });
 * await using brain = await FlyBrain.create(wiring, { engine: "reference" });
 * const batch = thinkInBatch(brain, { positions: 2, start: Int32Array.of(0, 1, 1), neuron: Int32Array.of(0) });
 * assert.ok(batch.rates[0]! > batch.rates[1]!);
 * // More gain, more contrast.
 * assert.ok(batch.backward(Float64Array.of(1, -1)).gain[1]! > 0);
 * ```
 */
export function thinkInBatch(brain: BatchBrain, drive: Drive, options: BatchThinkOptions = {}): BatchThink {
  const { floor = 0.02 } = options;
  const { connectome, theta, gain, bias, steps, leak } = brain, { rowStart, pre, output } = connectome;
  const neurons = connectome.sign.length, batch = drive.positions, read = stepsRead(brain, options.read);
  if (!(batch >= 2) || !(floor > 0)) {
    throw new RangeError(
      `Cannot think in a batch: ${batch} positions and a floor of ${floor}, at least 2 and above 0 are wanted`,
    );
  }
  const slopes = new Float64Array(theta.length);
  const weight = signedWeights(connectome, theta, slopes);
  const seen = new Float64Array(neurons * batch);
  for (let b = 0; b < batch; b++) {
    for (let k = drive.start[b]!; k < drive.start[b + 1]!; k++) {
      seen[drive.neuron[k]! * batch + b]! += drive.value?.[k] ?? 1;
    }
  }
  const mean = new Float64Array(steps * neurons), spread = new Float64Array(steps * neurons);
  // Neuron by neuron, not position by position: a connection then adds one row to another.
  const rates = [new Float64Array(neurons * batch)];
  const scaled: Float64Array[] = [];
  for (let t = 0; t < steps; t++) {
    const before = rates[t]!, after = new Float64Array(neurons * batch), input = seen.slice();
    for (let j = 0; j < neurons; j++) {
      const to = j * batch;
      for (let k = rowStart[j]!; k < rowStart[j + 1]!; k++) {
        addRow(input, to, before, pre[k]! * batch, weight[k]!, batch);
      }
      let sum = 0, squares = 0;
      for (let b = 0; b < batch; b++) sum += input[to + b]!;
      const mu = sum / batch;
      for (let b = 0; b < batch; b++) squares += (input[to + b]! - mu) ** 2;
      const sigma = Math.max(Math.sqrt(squares / batch), floor);
      mean[t * neurons + j] = mu;
      spread[t * neurons + j] = sigma;
      for (let i = to; i < to + batch; i++) {
        const each = input[i]! = (input[i]! - mu) / sigma;
        const z = gain[j]! * each + bias[j]!;
        after[i] = (1 - leak) * before[i]! + (z > 0 ? leak * Math.tanh(z) : 0);
      }
    }
    rates.push(after);
    scaled.push(input);
  }
  const seenOf = (b: number, r: number, i: number) => (b * read.length + r) * output.length + i;
  const found = new Float64Array(batch * read.length * output.length);
  for (let b = 0; b < batch; b++) {
    read.forEach((t, r) => output.forEach((j, i) => found[seenOf(b, r, i)] = rates[t]![j * batch + b]!));
  }

  const backward = (outputGradient: Float32Array | Float64Array): BrainGradients => {
    if (outputGradient.length !== found.length) {
      throw new RangeError(
        `Cannot walk back: the error has ${outputGradient.length} numbers, ${found.length} are wanted`,
      );
    }
    const learned = {
      theta: new Float64Array(theta.length),
      gain: new Float64Array(neurons),
      bias: new Float64Array(neurons),
      blame: new Map<number, Float64Array>(),
    };
    let error: Float64Array = new Float64Array(neurons * batch);
    const change = new Float64Array(batch);
    for (let t = steps - 1; t >= 0; t--) {
      for (const [r, step] of read.entries()) {
        for (let b = 0; b < batch && step === t + 1; b++) {
          output.forEach((j, i) => error[j * batch + b]! += outputGradient[seenOf(b, r, i)]!);
        }
      }
      const before = rates[t]!, earlier = error.map((value) => (1 - leak) * value), inputs = scaled[t]!;
      for (let j = 0; j < neurons; j++) {
        const at = j * batch, sigma = spread[t * neurons + j]!;
        let sum = 0, along = 0;
        for (let b = 0; b < batch; b++) {
          const each = inputs[at + b]!, z = gain[j]! * each + bias[j]!;
          const dz = z > 0 ? leak * error[at + b]! * (1 - Math.tanh(z) ** 2) : 0;
          change[b] = dz;
          sum += dz;
          along += dz * each;
        }
        if (sum === 0 && along === 0) continue;
        learned.bias[j]! += sum;
        learned.gain[j]! += along;
        // At the floor sigma does not depend on the inputs; the mean always does.
        const share = sigma > floor ? along / batch : 0, level = sum / batch, factor = gain[j]! / sigma;
        for (let b = 0; b < batch; b++) {
          change[b] = factor * (change[b]! - level - share * inputs[at + b]!);
        }
        for (let k = rowStart[j]!; k < rowStart[j + 1]!; k++) {
          const from = pre[k]! * batch, w = weight[k]!;
          let blame = 0;
          for (let b = 0; b < batch; b++) {
            blame += change[b]! * before[from + b]!;
            earlier[from + b]! += w * change[b]!;
          }
          learned.theta[k]! += blame * slopes[k]!;
        }
      }
      error = earlier;
    }
    return learned;
  };
  return { rates: found, homeostasis: { mean, spread }, backward };
}

function addRow(
  to: Float64Array,
  at: number,
  from: Float64Array,
  start: number,
  times: number,
  count: number,
): void {
  for (let b = 0; b < count; b++) to[at + b]! += times * from[start + b]!;
}
