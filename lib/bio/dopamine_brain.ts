import type { LongWork } from "../common/mod.ts";
import type { Connectome } from "../connectome/mod.ts";
import type { Drive } from "../eye/mod.ts";
import { type CalibrateOptions, type Homeostasis, wasmEngine } from "../brain/mod.ts";
import { DoubleThinker } from "./_double_thinker.ts";
import { EngineThinker } from "./_engine_thinker.ts";
import { calyxEngine } from "./separation/_calyx_engine.ts";
import type { Thinker } from "./_thinker.ts";
import { type DopamineBrainOptions, settledOptions } from "./dopamine_brain_options.ts";
import type { KenyonGate } from "./kenyon_gate.ts";
import type { MushroomBody } from "./mushroom_body.ts";
import type { PlasticSynapses } from "./dopamine.ts";
import { approach } from "./valence.ts";

/** What a look at positions gives, after the last step. */
export interface DopamineLook {
  /** `[positions]`: how much the fly is drawn to each. */
  readonly approach: Float64Array;
  /** `[positions][mbon]`: rates of the MBONs. */
  readonly mbon: Float64Array;
  /** `[positions][kenyon]`: rates of the Kenyon cells. */
  readonly kenyon: Float64Array;
  /** `[positions][kenyon]`: what they pass on after the cut; the tag of a lesson. */
  readonly passed: Float64Array;
  /** `[positions][also]`: rates of the neurons that were asked for besides. */
  readonly also: Float64Array;
}

/** How a look at positions goes. */
export interface DopamineLookOptions extends LongWork {
  /** Neurons whose rates are wanted besides, in which order; none by default. */
  readonly also?: Int32Array | undefined;
}

/**
 * The dopamine fly's brain (reference, section 9): the same neurons and steps as `FlyBrain`, but the synapses from
 * Kenyon cells onto MBONs are a matrix of their own that can learn, and only the strongest Kenyon cells reach it, at
 * every step and while homeostasis is measured.
 *
 * A position gets the same numbers, bit for bit, whenever and in whatever company it is looked at, in any precision
 * and on any number of threads, so scoring a pair twice never gives two answers.
 *
 * @example Weaker synapses, another answer
 * ```ts
 * import { DopamineBrain, mushroomBody } from "flychess/bio";
 * import { boardBits, START_FEN } from "flychess/chess";
 * import { growModelFly } from "flychess/connectome";
 * import { drive, eyeFor } from "flychess/eye";
 * import assert from "node:assert/strict";
 *
 * const fly = await growModelFly({ scale: 1 / 32 });
 * const brain = new DopamineBrain(fly, mushroomBody(fly));
 * const after = (moves: string) => `rnbqkbnr/pppppppp/8/8/${moves}/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1`;
 * const boards = [START_FEN, after("4P3"), after("8")].flatMap((fen) => [...boardBits(fen)]);
 * const seen = drive(eyeFor(fly), Uint8Array.from(boards));
 * await brain.calibrate(seen);
 * const before = await brain.look(seen);
 * brain.synapses.strength.fill(0);
 * assert.notDeepEqual((await brain.look(seen)).approach, before.approach);
 * ```
 */
export class DopamineBrain implements AsyncDisposable {
  /** The wiring. */
  readonly connectome: Connectome;
  /** Its mushroom body. */
  readonly body: MushroomBody;
  /** How the cut is made. */
  readonly gate: KenyonGate;
  /** Where the cut acts. */
  readonly gated: "mbon" | "all";
  /** Steps of a think. */
  readonly steps: number;
  /** Which arithmetic it thinks in. */
  readonly precision: "float64" | "float32" | "int16";
  readonly #thinker: Thinker;
  #homeostasis: Homeostasis | null = null;

  /**
   * Makes a brain with its strengths as measured. It must be calibrated before it can look.
   *
   * @param connectome The wiring.
   * @param body Its mushroom body.
   * @param options Cut and constants.
   * @throws {RangeError} If an option is out of range.
   * @throws {TypeError} If there is no such version of the cut or place for it.
   */
  constructor(connectome: Connectome, body: MushroomBody, options: DopamineBrainOptions = {}) {
    const { gate, gated, steps, leak, gain, bias, precision, workers, calyx } = settledOptions(options);
    this.connectome = connectome;
    this.body = body;
    this.gate = gate;
    this.gated = gated;
    this.steps = steps;
    this.precision = precision;
    const parts = { connectome, body, gate, gated, steps, gain, bias, leak };
    if (precision === "float64") {
      this.#thinker = new DoubleThinker(parts);
    } else {
      const engine = wasmEngine({ precision, ...(workers === undefined ? {} : { workers }) });
      this.#thinker = new EngineThinker(
        parts,
        calyx === undefined ? engine : calyxEngine(engine, calyx, body.kenyon),
      );
    }
  }

  /** What can learn. Change `strength` and look again; nothing else has to be told. */
  get synapses(): PlasticSynapses {
    return this.#thinker.synapses;
  }

  /** What `calibrate` measured or `setHomeostasis` was given; `null` before. */
  get homeostasis(): Homeostasis | null {
    return this.#homeostasis;
  }

  /**
   * Gives the brain homeostasis measured before, in the same precision.
   *
   * @param homeostasis `[steps][neurons]` each.
   * @throws {RangeError} If it is for another brain or holds a number that cannot be used.
   */
  async setHomeostasis(homeostasis: Homeostasis): Promise<void> {
    const wanted = this.steps * this.connectome.sign.length;
    for (const name of ["mean", "spread"] as const) {
      const values = homeostasis[name];
      const usable = (value: number) => Number.isFinite(value) && (name === "mean" || value > 0);
      if (values.length !== wanted || !values.every(usable)) {
        throw new RangeError(
          `Cannot use this homeostasis: ${name} has ${values.length} values, ${wanted} finite ones ` +
            "(spread above 0) are wanted",
        );
      }
    }
    await this.#thinker.use(homeostasis);
    this.#homeostasis = homeostasis;
  }

  /**
   * Measures homeostasis on positions, with the cut in place (reference, sections 3 and 9).
   *
   * @param drive What the eye adds for each position; the reference shows 256.
   * @returns What was measured; the brain uses it from now on.
   * @throws {RangeError} If the drive is empty or for another brain, or the floor is not above 0.
   */
  async calibrate(drive: Drive, options: CalibrateOptions = {}): Promise<Homeostasis> {
    const { floor = 0.02, calm = false, signal, onProgress } = options;
    if (!(floor > 0 && floor < Infinity)) {
      throw new RangeError(`Cannot calibrate: the floor is ${floor}, a number above 0 is wanted`);
    }
    this.#checkDrive("calibrate", drive);
    const measured = await this.#thinker.calibrate(drive, { floor, calm, signal, onProgress });
    await this.#thinker.use(measured);
    this.#homeostasis = measured;
    return measured;
  }

  /**
   * Looks at positions, which are to be shown from the side of the fly that has just moved.
   *
   * @param drive What the eye adds for each position.
   * @param options `also`: neurons whose rates are wanted besides.
   * @throws {RangeError} If the drive is empty or for another brain.
   * @throws {Error} If the brain has not been calibrated.
   */
  async look(drive: Drive, options: DopamineLookOptions = {}): Promise<DopamineLook> {
    const { also = new Int32Array(0), ...work } = options, { positions } = drive;
    const { kenyon, mbon, valence } = this.body, own = mbon.length + kenyon.length, all = own + also.length;
    const rates = await this.#read(drive, Int32Array.from([...mbon, ...kenyon, ...also]), [this.steps], work);
    const seen = {
      mbon: new Float64Array(positions * mbon.length),
      kenyon: new Float64Array(positions * kenyon.length),
      passed: new Float64Array(positions * kenyon.length),
      also: new Float64Array(positions * also.length),
    };
    for (let position = 0; position < positions; position++) {
      const at = position * all, cells = position * kenyon.length;
      seen.mbon.set(rates.subarray(at, at + mbon.length), position * mbon.length);
      seen.kenyon.set(rates.subarray(at + mbon.length, at + own), cells);
      seen.also.set(rates.subarray(at + own, at + all), position * also.length);
      const [from, to] = [seen.kenyon, seen.passed].map((part) =>
        part.subarray(cells, cells + kenyon.length)
      );
      this.gate.pass(from!, to!, { step: this.steps, position });
    }
    return { ...seen, approach: approach(seen.mbon, valence) };
  }

  /**
   * Every rate after every step; it is large.
   *
   * @param drive What the eye adds for each position.
   * @returns `[steps][positions][neurons]`, each from 0 to 1.
   * @throws {RangeError} If the drive is empty or for another brain.
   * @throws {Error} If the brain has not been calibrated.
   */
  async rates(drive: Drive, options: LongWork = {}): Promise<Float64Array> {
    const neurons = Int32Array.from(this.connectome.sign.keys());
    return await this.#read(drive, neurons, Array.from({ length: this.steps }, (_, i) => i + 1), options);
  }

  /**
   * Rates of some neurons after the last step, for example of descending neurons.
   *
   * @param drive What the eye adds for each position.
   * @param neurons Which, in which order.
   * @returns `[positions][neurons]`, each from 0 to 1.
   * @throws {RangeError} If the drive is empty or for another brain.
   * @throws {Error} If the brain has not been calibrated.
   */
  async read(drive: Drive, neurons: Int32Array, options: LongWork = {}): Promise<Float64Array> {
    return await this.#read(drive, neurons, [this.steps], options);
  }

  /** Frees what an engine holds; it comes back if the brain is asked again. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thinker[Symbol.asyncDispose]();
  }

  async #read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    options: LongWork,
  ): Promise<Float64Array> {
    this.#checkDrive("look at positions", drive);
    if (this.#homeostasis === null) {
      throw new Error("Cannot look at positions: the brain is not calibrated, call calibrate() first");
    }
    return await this.#thinker.read(drive, neurons, steps, options);
  }

  #checkDrive(action: string, { positions, neuron, start }: Drive): void {
    if (!(positions >= 1) || start.length !== positions + 1) {
      throw new RangeError(
        `Cannot ${action}: the drive has ${positions} positions and ${start.length} starts, ` +
          "at least 1 and one start more are wanted",
      );
    }
    const neurons = this.connectome.sign.length;
    if (neuron.some((j) => j < 0 || j >= neurons)) {
      throw new RangeError(
        `Cannot ${action}: the drive is for another brain, neurons 0 to ${neurons - 1} are wanted`,
      );
    }
  }
}
