import type { BrainGradients } from "../../brain/mod.ts";
import { signedWeights } from "../../brain/strengths.ts";
import type { Drive } from "../../eye/mod.ts";
import { type BatchKernels, KernelRoom } from "./batch/kernels.ts";
import { type BatchBrain, type BatchThink, type BatchThinkOptions, stepsRead } from "./batch_homeostasis.ts";

/** Positions of a line in kernels.as. */
const LINE = 32;

/**
 * `thinkInBatch` in float32 with SIMD, on the calling thread, for one brain and one size of batch: same equations, same
 * gradients, many times faster. It keeps the rates and inputs of all steps: 8 bytes a neuron, position and step.
 *
 * @example The same as in float64, as closely as float32 can say it
 * ```ts
 * import { FlyBrain } from "flychess/brain";
 * import { connectomeFromTables } from "flychess/connectome";
 * import { BatchThinker, thinkInBatch } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const wiring = connectomeFromTables([{ id: 1 }, { id: 2 }], [{ pre: 1, post: 2, synapses: 5 }], {
 *   input: [1],
 *   output: [2],
 * });
 * await using brain = await FlyBrain.create(wiring, { engine: "reference" });
 * const thinker = new BatchThinker(brain, 32);
 * const drive = { positions: 32, start: new Int32Array(33).fill(1, 1), neuron: Int32Array.of(0) };
 * const fast = thinker.think(drive), exact = thinkInBatch(brain, drive);
 * assert.ok(Math.abs(fast.rates[0]! - exact.rates[0]!) < 1e-5);
 * ```
 */
export class BatchThinker {
  readonly #brain: BatchBrain;
  readonly #batch: number;
  readonly #floor: number;
  readonly #read: readonly number[];
  readonly #room = new KernelRoom();
  readonly #kernels: BatchKernels;
  readonly #at: Readonly<
    Record<
      | "rowStart"
      | "pre"
      | "weight"
      | "gain"
      | "bias"
      | "seen"
      | "mean"
      | "spread"
      | "slope"
      | "gainSlope"
      | "biasSlope"
      | "error"
      | "earlier"
      | "rates"
      | "scaled",
      number
    >
  >;
  #thought = 0;

  /**
   * Reserves memory for a batch.
   *
   * @param brain Its `theta`, `gain` and `bias` are read anew at every `think`.
   * @param batch Positions a batch: a multiple of 32.
   * @throws {RangeError} If the batch is no multiple of 32, the floor is not above 0, a step read is not there or it
   * needs over 4 GiB.
   */
  constructor(brain: BatchBrain, batch: number, options: BatchThinkOptions = {}) {
    const { floor = 0.02 } = options;
    if (!(batch >= LINE && batch % LINE === 0) || !(floor > 0)) {
      throw new RangeError(
        `Cannot think in a batch: ${batch} positions and a floor of ${floor}, a multiple of 32 and above 0 are wanted`,
      );
    }
    const { connectome, theta, steps } = brain, neurons = connectome.sign.length, state = neurons * batch;
    const take = (numbers: number) => this.#room.take(numbers);
    this.#at = {
      rowStart: take(neurons + 1),
      pre: take(theta.length),
      weight: take(theta.length),
      gain: take(neurons),
      bias: take(neurons),
      seen: take(state),
      mean: take(neurons * steps),
      spread: take(neurons * steps),
      slope: take(theta.length),
      gainSlope: take(neurons),
      biasSlope: take(neurons),
      error: take(state),
      earlier: take(state),
      rates: take(state * (steps + 1)),
      scaled: take(state * steps),
    };
    this.#kernels = this.#room.open();
    this.#brain = brain;
    this.#batch = batch;
    this.#floor = floor;
    this.#read = stepsRead(brain, options.read);
    this.#room.whole(this.#at.rowStart, neurons + 1).set(connectome.rowStart);
    this.#room.whole(this.#at.pre, theta.length).set(connectome.pre);
  }

  /**
   * Thinks about a batch with homeostasis measured on it. The next call overwrites what `backward` needs.
   *
   * @param drive As many positions as the batch has.
   * @throws {RangeError} If it has another number of positions.
   */
  think(drive: Drive): BatchThink {
    const { connectome, theta, gain, bias, steps, leak } = this.#brain, { output } = connectome;
    const neurons = connectome.sign.length, batch = this.#batch, at = this.#at, state = 4 * neurons * batch;
    if (drive.positions !== batch) {
      throw new RangeError(`Cannot think in a batch: ${drive.positions} positions, ${batch} are wanted`);
    }
    const thought = ++this.#thought;
    const slopes = new Float64Array(theta.length);
    this.#floats(at.weight, theta.length).set(signedWeights(connectome, theta, slopes));
    this.#floats(at.gain, neurons).set(gain);
    this.#floats(at.bias, neurons).set(bias);
    const seen = this.#floats(at.seen, neurons * batch).fill(0);
    for (let b = 0; b < batch; b++) {
      for (let k = drive.start[b]!; k < drive.start[b + 1]!; k++) {
        seen[this.#placeOf(drive.neuron[k]!, b)]! += drive.value?.[k] ?? 1;
      }
    }
    // deno-fmt-ignore
    for (let t = 0; t < steps; t++) {
      this.#kernels.forward(
        neurons, batch / LINE, at.rowStart, at.pre, at.weight, at.seen, at.rates + t * state, at.rates + (t + 1) * state,
        at.scaled + t * state, at.gain, at.bias, at.mean + 4 * t * neurons, at.spread + 4 * t * neurons,
        this.#floor, leak, t === 0 ? 1 : 0,
      );
    }
    const width = this.#read.length * output.length, rates = new Float64Array(batch * width);
    this.#read.forEach((t, r) => {
      const after = this.#floats(at.rates + t * state, neurons * batch);
      for (let i = 0, to = r * output.length; i < output.length; i++, to++) {
        for (let b = 0; b < batch; b++) rates[b * width + to] = after[this.#placeOf(output[i]!, b)]!;
      }
    });
    return {
      rates,
      homeostasis: {
        mean: Float64Array.from(this.#floats(at.mean, neurons * steps)),
        spread: Float64Array.from(this.#floats(at.spread, neurons * steps)),
      },
      backward: (outputGradient) => {
        if (thought !== this.#thought) {
          throw new RangeError("Cannot walk back: a later batch was thought about");
        }
        return this.#walkBack(outputGradient, slopes);
      },
    };
  }

  #walkBack(outputGradient: Float32Array | Float64Array, slopes: Float64Array): BrainGradients {
    const { connectome, theta, leak } = this.#brain, { output } = connectome;
    const neurons = connectome.sign.length, batch = this.#batch, at = this.#at, state = 4 * neurons * batch;
    const width = this.#read.length * output.length;
    if (outputGradient.length !== batch * width) {
      throw new RangeError(
        `Cannot walk back: the error has ${outputGradient.length} numbers, ${batch * width} are wanted`,
      );
    }
    const slope = this.#floats(at.slope, theta.length).fill(0);
    const gain = this.#floats(at.gainSlope, neurons).fill(0),
      bias = this.#floats(at.biasSlope, neurons).fill(0);
    let { error, earlier } = at;
    this.#floats(error, neurons * batch).fill(0);
    for (let t = Math.max(...this.#read) - 1; t >= 0; t--) {
      const after = this.#floats(error, neurons * batch);
      for (const [r, step] of this.#read.entries()) {
        for (let i = 0, from = r * output.length; i < output.length && step === t + 1; i++, from++) {
          for (let b = 0; b < batch; b++) {
            after[this.#placeOf(output[i]!, b)]! += outputGradient[b * width + from]!;
          }
        }
      }
      // deno-fmt-ignore
      this.#kernels.backward(
        neurons, batch / LINE, at.rowStart, at.pre, at.weight, at.rates + t * state, at.scaled + t * state, at.gain, at.bias,
        at.spread + 4 * t * neurons, Math.fround(this.#floor), leak, t === 0 ? 1 : 0, error, earlier,
        at.slope, at.gainSlope, at.biasSlope,
      );
      [error, earlier] = [earlier, error];
    }
    return {
      theta: slopes.map((each, k) => each * slope[k]!),
      gain: Float64Array.from(gain),
      bias: Float64Array.from(bias),
      blame: new Map(),
    };
  }

  /** Where a neuron's number for a position stands in a state. */
  #placeOf(neuron: number, position: number): number {
    const within = position % LINE;
    return (position - within) * this.#brain.connectome.sign.length + neuron * LINE + within;
  }

  #floats(at: number, length: number): Float32Array {
    return this.#room.floats(at, length);
  }
}
