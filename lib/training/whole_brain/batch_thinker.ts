import type { BrainGradients } from "../../brain/mod.ts";
import { signedWeights } from "../../brain/strengths.ts";
import type { Drive } from "../../eye/mod.ts";
import { type BatchKernels, KernelRoom } from "./batch/kernels.ts";
import { type BatchBrain, type BatchThink, type BatchThinkOptions, stepsRead } from "./batch_homeostasis.ts";
import { type Cone, coneOf } from "./cone.ts";

/** Positions of a line in kernels.as. */
const LINE = 32;

/** How batches are thought about. */
export interface BatchThinkerOptions extends BatchThinkOptions {
  /** Neurons that a drive may light; the connectome's `input` by default. The fewer there are, the less is to be done. */
  readonly lit?: ArrayLike<number>;
}

/**
 * `thinkInBatch` in float32 with SIMD, on the calling thread, for one brain and one size of batch: same equations, same
 * gradients, many times faster. Only what has a part in what is read is computed: in four steps from the eye of a model fly
 * to its descending neurons that is one connection of sixty. It keeps the rates and inputs of all steps: 8 bytes a
 * neuron, position and step.
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
  readonly #cone: Cone;
  /** `[neurons]`: 1 where a drive may light it. */
  readonly #lit: Uint8Array;
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
  /** The gradient of every connection, overwritten batch after batch: of a large brain it takes long to make. */
  #theta: Float64Array | undefined;
  /** Where the ends of each step's rows stand. */
  readonly #rowEnd: readonly number[];
  #thought = 0;

  /**
   * Reserves memory for a batch.
   *
   * @param brain Its `theta`, `gain` and `bias` are read anew at every `think`.
   * @param batch Positions a batch: a multiple of 32.
   * @throws {RangeError} If the batch is no multiple of 32, the floor is not above 0, a step read or a neuron lit is not
   * there or it needs over 4 GiB.
   */
  constructor(brain: BatchBrain, batch: number, options: BatchThinkerOptions = {}) {
    const { floor = 0.02, lit = brain.connectome.input } = options;
    if (!(batch >= LINE && batch % LINE === 0) || !(floor > 0)) {
      throw new RangeError(
        `Cannot think in a batch: ${batch} positions and a floor of ${floor}, a multiple of 32 and above 0 are wanted`,
      );
    }
    const neurons = brain.connectome.sign.length;
    this.#lit = new Uint8Array(neurons);
    for (let i = 0; i < lit.length; i++) {
      if (!(lit[i]! in this.#lit)) {
        throw new RangeError(
          `Cannot think in a batch: neuron ${lit[i]} is to be lit, 0 to ${neurons - 1} are wanted`,
        );
      }
      this.#lit[lit[i]!] = 1;
    }
    this.#read = stepsRead(brain, options.read);
    const steps = Math.max(...this.#read), cone = this.#cone = coneOf(brain.connectome, lit, steps);
    const places = cone.neuron.length, state = places * batch, connections = cone.connection.length;
    const take = (numbers: number) => this.#room.take(numbers);
    const rowEnd = cone.rowEnd.map(({ length }) => take(length));
    this.#at = {
      rowStart: take(places + 1),
      pre: take(connections),
      weight: take(connections),
      gain: take(places),
      bias: take(places),
      seen: take(state),
      mean: take(places * steps),
      spread: take(places * steps),
      slope: take(connections),
      gainSlope: take(places),
      biasSlope: take(places),
      error: take(state),
      earlier: take(state),
      rates: take(state * (steps + 1)),
      scaled: take(state * steps),
    };
    this.#rowEnd = rowEnd;
    this.#kernels = this.#room.open();
    this.#brain = brain;
    this.#batch = batch;
    this.#floor = floor;
    this.#room.whole(this.#at.rowStart, places + 1).set(cone.rowStart);
    this.#room.whole(this.#at.pre, connections).set(cone.pre);
    cone.rowEnd.forEach((ends, t) => this.#room.whole(rowEnd[t]!, ends.length).set(ends));
  }

  /** The connections that have a part in what is read: the slopes of all others are always 0. */
  get connections(): Int32Array {
    return this.#cone.connection;
  }

  /**
   * Thinks about a batch with homeostasis measured on it. The next call overwrites what `backward` needs.
   *
   * @param drive As many positions as the batch has.
   * @throws {RangeError} If it has another number of positions, or lights what it may not.
   */
  think(drive: Drive): Omit<BatchThink, "homeostasis"> {
    const { connectome: { pre, sign, output }, theta, gain, bias, leak } = this.#brain;
    const { neuron, place, rows, connection } = this.#cone, places = neuron.length;
    const batch = this.#batch, at = this.#at, state = 4 * places * batch;
    if (drive.positions !== batch) {
      throw new RangeError(`Cannot think in a batch: ${drive.positions} positions, ${batch} are wanted`);
    }
    const thought = ++this.#thought;
    const own = { pre: Int32Array.from(connection, (k) => pre[k]!), sign };
    const slopes = new Float64Array(connection.length);
    this.#floats(at.weight, connection.length)
      .set(signedWeights(own, Float64Array.from(connection, (k) => theta[k]!), slopes));
    this.#floats(at.gain, places).set(Float32Array.from(neuron, (j) => gain[j]!));
    this.#floats(at.bias, places).set(Float32Array.from(neuron, (j) => bias[j]!));
    const seen = this.#floats(at.seen, places * batch).fill(0);
    for (let b = 0; b < batch; b++) {
      for (let k = drive.start[b]!; k < drive.start[b + 1]!; k++) {
        const j = drive.neuron[k]!;
        if (this.#lit[j] !== 1) {
          throw new RangeError(
            `Cannot think in a batch: neuron ${j} is lit, one of those that may be is wanted`,
          );
        }
        if (place[j] !== -1) seen[this.#placeOf(j, b)]! += drive.value?.[k] ?? 1;
      }
    }
    // deno-fmt-ignore
    for (const [t, count] of rows.entries()) {
      this.#kernels.forward(
        places, count, batch / LINE, at.rowStart, this.#rowEnd[t]!, at.pre, at.weight, at.seen,
        at.rates + t * state, at.rates + (t + 1) * state, at.scaled + t * state, at.gain, at.bias,
        at.mean + 4 * t * places, at.spread + 4 * t * places, this.#floor, leak,
      );
    }
    const width = this.#read.length * output.length, rates = new Float64Array(batch * width);
    this.#read.forEach((t, r) => {
      const after = this.#floats(at.rates + t * state, places * batch);
      for (let i = 0, to = r * output.length; i < output.length; i++, to++) {
        for (let b = 0; b < batch; b++) rates[b * width + to] = after[this.#placeOf(output[i]!, b)]!;
      }
    });
    return {
      rates,
      backward: (outputGradient) => {
        if (thought !== this.#thought) {
          throw new RangeError("Cannot walk back: a later batch was thought about");
        }
        return this.#walkBack(outputGradient, slopes);
      },
    };
  }

  #walkBack(outputGradient: Float32Array | Float64Array, slopes: Float64Array): BrainGradients {
    const { connectome: { output }, theta, leak } = this.#brain;
    const { neuron, rows, connection } = this.#cone, places = neuron.length, connections = connection.length;
    const batch = this.#batch, at = this.#at, state = 4 * places * batch;
    const width = this.#read.length * output.length;
    if (outputGradient.length !== batch * width) {
      throw new RangeError(
        `Cannot walk back: the error has ${outputGradient.length} numbers, ${batch * width} are wanted`,
      );
    }
    const slope = this.#floats(at.slope, connections).fill(0);
    const gain = this.#floats(at.gainSlope, places).fill(0),
      bias = this.#floats(at.biasSlope, places).fill(0);
    let { error, earlier } = at;
    this.#floats(error, places * batch).fill(0);
    for (let t = rows.length - 1; t >= 0; t--) {
      const after = this.#floats(error, places * batch), count = rows[t]!;
      for (const [r, step] of this.#read.entries()) {
        for (let i = 0, from = r * output.length; i < output.length && step === t + 1; i++, from++) {
          for (let b = 0; b < batch; b++) {
            after[this.#placeOf(output[i]!, b)]! += outputGradient[b * width + from]!;
          }
        }
      }
      // Rows that the step before computes and this one does not.
      const before = this.#floats(earlier, places * batch);
      for (let block = 0; t > 0 && block < batch / LINE; block++) {
        before.fill(0, (block * places + count) * LINE, (block * places + rows[t - 1]!) * LINE);
      }
      // deno-fmt-ignore
      this.#kernels.backward(
        places, count, batch / LINE, at.rowStart, this.#rowEnd[t]!, at.pre, at.weight, at.rates + t * state,
        at.scaled + t * state, at.gain, at.bias, at.spread + 4 * t * places, Math.fround(this.#floor), leak,
        t === 0 ? 1 : 0, error, earlier, at.slope, at.gainSlope, at.biasSlope,
      );
      [error, earlier] = [earlier, error];
    }
    const found = {
      // Only the cone's are ever written.
      theta: this.#theta ??= new Float64Array(theta.length),
      gain: new Float64Array(this.#lit.length),
      bias: new Float64Array(this.#lit.length),
      blame: new Map(),
    };
    for (let k = 0; k < connections; k++) found.theta[connection[k]!] = slopes[k]! * slope[k]!;
    neuron.forEach((j, p) => {
      found.gain[j] = gain[p]!;
      found.bias[j] = bias[p]!;
    });
    return found;
  }

  /** Where a neuron's number for a position stands in a state. */
  #placeOf(neuron: number, position: number): number {
    const within = position % LINE;
    return (position - within) * this.#cone.neuron.length + this.#cone.place[neuron]! * LINE + within;
  }

  #floats(at: number, length: number): Float32Array {
    return this.#room.floats(at, length);
  }
}
