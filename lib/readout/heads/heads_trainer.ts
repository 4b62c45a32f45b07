import { availableParallelism } from "node:os";
import type { LongWork } from "../../common/mod.ts";
import { type Readout, READOUT_COLUMNS } from "../readout.ts";
import type { Deck } from "./deck.ts";
import { bestArithmetic } from "./_layout.ts";
import type { HeadsMachine } from "./_machine.ts";
import { plainScaling, scaleReadout, type Scaling, unscaleReadout } from "./mixture.ts";
import { tensorflowArithmetic, TensorflowMachine } from "./_tensorflow_machine.ts";
import { WasmMachine } from "./_wasm_machine.ts";
import type { HeadsJob } from "./_work.ts";
import type { HeadsEngine, HeadsOptions, HeadsState, LearnOptions, MeanLoss } from "./heads_options.ts";

export type { HeadsEngine, HeadsOptions, HeadsState, LearnOptions, MeanLoss } from "./heads_options.ts";

/** More workers than this only wait for each other. */
const MOST_WORKERS = 8;

/**
 * What the last bits of a fit depend on: `relaxed` or `plain` with our own kernels, else TensorFlow's version.
 *
 * @throws {Error} If TensorFlow is asked for and is not linked, saying what to do.
 */
export function headsArithmetic(engine: HeadsEngine = "wasm"): string {
  return engine === "tensorflow" ? tensorflowArithmetic() : bestArithmetic();
}

/**
 * Trains the four linear heads on rates kept as bytes, fast: its own WebAssembly arithmetic on several threads. Every
 * position's scores and every weight's gradient are summed in one order, so the result does not depend on how many
 * threads there are. With `engine: "tensorflow"` TensorFlow's library multiplies in its place.
 *
 * A position of 1,314 neurons takes 21 to 24 microseconds of one core (Xeon of 2023), where the operations of TensorFlow.js
 * take 43.
 *
 * @example A neuron that tells which of two moves is best
 * ```ts
 * import { dealDeck, HeadsTrainer } from "flychess/readout";
 * import assert from "node:assert/strict";
 *
 * const move = new Uint16Array(2 * 96);
 * move.set([12 | 20 << 6, 12 | 28 << 6], 0); // e2e3, e2e4
 * move.set([12 | 20 << 6, 12 | 28 << 6], 96);
 * const best = new Uint8Array(2 * 8);
 * best[8] = 1; // the second position's best move is e2e4
 * const deck = dealDeck({
 *   count: 2, hold: 0, val: 0,
 *   board: new Uint8Array(2 * 96),
 *   moveCount: Uint8Array.of(2, 2), move,
 *   bestCount: Uint8Array.of(1, 1), best, win: new Uint16Array(2 * 8).fill(500),
 *   game: Int32Array.of(-1, -1), provenance: {}, digest: "",
 * }, 0, 2, 1);
 * deck.rates.set([0, 255]);
 * using trainer = await HeadsTrainer.create({ columns: 1, kept: 1, combinations: 1, workers: 1 });
 * for (let i = 0; i < 20; i++) await trainer.learn(deck, Int32Array.of(0, 1), { rate: 0.1 });
 * const { policy } = await trainer.loss(deck, Int32Array.of(0, 1));
 * assert.ok(policy < 0.3);
 * ```
 */
export class HeadsTrainer implements Disposable {
  /** How it was made. */
  readonly options: HeadsOptions;
  /** Positions of a step. */
  readonly batch: number;
  /** Which arithmetic it runs, as `headsArithmetic` says. */
  readonly arithmetic: string;
  /** What is done to features. */
  readonly scaling: Scaling;
  readonly #machine: HeadsMachine;
  #steps = 0;
  #disposed = false;

  private constructor(options: HeadsOptions, batch: number, scaling: Scaling, machine: HeadsMachine) {
    this.options = options;
    this.batch = batch;
    this.arithmetic = machine.arithmetic;
    this.scaling = scaling;
    this.#machine = machine;
  }

  /**
   * Makes a trainer whose weights are all 0.
   *
   * @throws {RangeError} If a size is not a whole number from 1, or the scaling is for other features.
   * @throws {Error} If TensorFlow is asked for and is not linked, saying what to do.
   */
  static async create(options: HeadsOptions): Promise<HeadsTrainer> {
    const workers = options.workers ?? Math.min(availableParallelism(), MOST_WORKERS);
    const { columns, kept, combinations, batch = 256, decay = 0, contrastDecay = decay } = options;
    for (const [what, value] of Object.entries({ columns, kept, combinations, batch, workers })) {
      if (!Number.isInteger(value) || value < 1) {
        throw new RangeError(`Cannot train heads: ${what} is ${value}, a whole number from 1 is wanted`);
      }
    }
    if (combinations !== 1 && combinations !== kept) {
      throw new RangeError(
        `Cannot train heads: ${combinations} combinations of ${kept} steps, 1 or ${kept} is wanted`,
      );
    }
    const features = columns * combinations, { scaling = plainScaling(options) } = options;
    if (scaling.scale.length !== features || scaling.shift.length !== features) {
      throw new RangeError(
        `Cannot train heads: the scaling is for ${scaling.scale.length} features, one for ${features} is wanted`,
      );
    }
    const settings = { columns, kept, combinations, scaling, decay, contrastDecay };
    const { engine = "wasm", arithmetic = bestArithmetic() } = options;
    const machine = engine === "tensorflow"
      ? await TensorflowMachine.create(settings, batch)
      : await WasmMachine.create(arithmetic, settings, batch, workers);
    return new HeadsTrainer(options, batch, scaling, machine);
  }

  /**
   * Learns from positions, one step of Adam a batch.
   *
   * @param deck The positions.
   * @param order Which, in which order.
   * @returns Their mean losses, each taken just before it was learned from.
   * @throws {RangeError} If a row is not in its deck.
   * @throws The signal's reason, if it is aborted: the weights are then somewhere on the way.
   */
  async learn(deck: Deck, order: Int32Array, options: LearnOptions): Promise<MeanLoss> {
    const { rate, extra } = options;
    const result = await this.#run({ learn: true, deck, extra, order, rate }, options);
    this.#steps += Math.ceil(order.length / this.batch);
    return result;
  }

  /**
   * Mean losses of positions that are not learned from.
   *
   * @param deck The positions.
   * @param rows Which.
   * @throws {RangeError} If a row is not in the deck.
   */
  loss(deck: Deck, rows: Int32Array, work: LongWork = {}): Promise<MeanLoss> {
    return this.#run({ learn: false, deck, extra: undefined, order: rows, rate: 0 }, work);
  }

  async #run(
    { learn, deck, extra, order, rate }: Pick<HeadsJob, "learn" | "deck" | "extra" | "rate"> & {
      order: Int32Array;
    },
    { signal, onProgress, before = 0, of, task = "fitting the readout" }: Partial<LearnOptions>,
  ): Promise<MeanLoss> {
    signal?.throwIfAborted();
    this.#check(deck, extra, order);
    const shared = new Int32Array(new SharedArrayBuffer(4 * order.length));
    shared.set(order);
    const losses = new Float64Array(new SharedArrayBuffer(16 * order.length));
    const job: HeadsJob = {
      learn,
      deck,
      extra,
      order: shared,
      losses,
      batch: this.batch,
      rate,
      steps: this.#steps,
    };
    const report = (done: number) =>
      onProgress?.({ task, done: before + done, total: of ?? order.length, unit: "positions" });
    await this.#machine.run(job, signal, report);
    signal?.throwIfAborted();
    report(order.length);
    let policy = 0, value = 0;
    for (let i = 0; i < order.length; i++) {
      policy += losses[2 * i]!;
      value += losses[2 * i + 1]!;
    }
    return { policy: policy / order.length, value: value / order.length };
  }

  #check(deck: Deck, extra: Deck | undefined, order: Int32Array): void {
    if (this.#disposed) throw new Error("Cannot train heads: the trainer has been disposed");
    const bytes = this.options.columns * this.options.kept;
    for (const each of extra === undefined ? [deck] : [deck, extra]) {
      if (each.columns !== bytes) {
        throw new RangeError(
          `Cannot train heads: ${each.columns} bytes a position, ${bytes} are wanted`,
        );
      }
    }
    if (order.length === 0) throw new RangeError("Cannot train heads: no rows, at least one is wanted");
    for (const row of order) {
      const from = row < 0 ? extra : deck, at = row < 0 ? ~row : row;
      if (from === undefined || at >= from.count) {
        throw new RangeError(
          `Cannot train heads: row ${row} is not in the deck, one that is there is wanted`,
        );
      }
    }
  }

  /** Forgets Adam's past: its moments belong to a path that was given up. */
  forget(): void {
    const { columns, combinations } = this.options;
    const nothing = new Float32Array((columns * combinations + 1) * READOUT_COLUMNS);
    this.#machine.put("momentum", nothing);
    this.#machine.put("variance", nothing);
    this.#steps = 0;
  }

  /** All that it has learned and remembers, copied. */
  get state(): HeadsState {
    return {
      weight: this.#machine.take("weights"),
      momentum: this.#machine.take("momentum"),
      variance: this.#machine.take("variance"),
      steps: this.#steps,
    };
  }

  /** `[columns * combinations + 1][134]`: the weights on scaled features, copied, the bias last. */
  get weight(): Float32Array {
    return this.#machine.take("weights");
  }

  /**
   * Puts weights in; Adam's past stays.
   *
   * @throws {RangeError} If there are more or fewer of them.
   */
  set weight(weight: Float32Array) {
    this.#machine.put("weights", weight);
  }

  /**
   * Goes on from a state of a trainer like this one.
   *
   * @throws {RangeError} If it is for other features.
   */
  restore({ weight, momentum, variance, steps }: HeadsState): void {
    this.#machine.put("weights", weight);
    this.#machine.put("momentum", momentum);
    this.#machine.put("variance", variance);
    this.#steps = steps;
  }

  /**
   * Starts from a readout of plain rates.
   *
   * @throws {RangeError} If it is for other features.
   */
  start(readout: Readout): void {
    this.weight = scaleReadout(this.options, this.scaling, readout);
  }

  /** What weights (by default its own) are as a readout of plain rates: of the mean, or of the steps side by side. */
  readout(weight: Float32Array = this.weight): Readout {
    return unscaleReadout(this.options, this.scaling, weight);
  }

  /** Ends its threads and lets its memory go. */
  [Symbol.dispose](): void {
    if (!this.#disposed) this.#machine[Symbol.dispose]();
    this.#disposed = true;
  }
}
