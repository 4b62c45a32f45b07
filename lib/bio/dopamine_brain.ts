import type { LongWork } from "../common/mod.ts";
import type { Connectome } from "../connectome/mod.ts";
import type { Drive } from "../eye/mod.ts";
import { type CalibrateOptions, type Homeostasis, initialStrengths } from "../brain/mod.ts";
import { addPlastic, addRest, LANES, moveLanes, setLaneDrive } from "./_lanes.ts";
import { measure } from "./_measure.ts";
import { type Gate, gateOf, type GateOptions, kenyonGate } from "./kenyon_gate.ts";
import type { MushroomBody } from "./mushroom_body.ts";
import { type TakenOut, takeOutSynapses } from "./plastic_synapses.ts";
import type { PlasticSynapses } from "./dopamine.ts";
import { approach } from "./valence.ts";

/** How a dopamine fly's brain is set up; the defaults are the reference's. */
export interface DopamineBrainOptions {
  /** How the cut among Kenyon cells is made. */
  readonly gate?: GateOptions | undefined;
  /** Where the cut acts: on what MBONs receive from Kenyon cells (`mbon`), or on all that Kenyon cells send (`all`). */
  readonly gated?: "mbon" | "all" | undefined;
  /** Steps of a think (12). */
  readonly steps?: number | undefined;
  /** How far a rate moves towards its target each step, above 0 and at most 1 (0.5). */
  readonly leak?: number | undefined;
  /** Every neuron's gain (0.5). */
  readonly gain?: number | undefined;
  /** Every neuron's bias (0.3). */
  readonly bias?: number | undefined;
}

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
}

/**
 * The dopamine fly's brain (reference, section 9): the same neurons and steps as `FlyBrain`, but the synapses from
 * Kenyon cells onto MBONs are a matrix of their own that can learn, and only the strongest Kenyon cells reach it, at
 * every step and while homeostasis is measured.
 *
 * Plain float64 in the calling thread. A position gets the same numbers, bit for bit, whenever and in whatever company
 * it is looked at, so scoring a pair twice never gives two answers.
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
export class DopamineBrain {
  /** The wiring. */
  readonly connectome: Connectome;
  /** Its mushroom body. */
  readonly body: MushroomBody;
  /** How the cut is made. */
  readonly gate: Gate;
  /** Where the cut acts. */
  readonly gated: "mbon" | "all";
  /** Steps of a think. */
  readonly steps: number;
  /** What can learn. Change `strength` and look again; nothing else has to be told. */
  readonly synapses: PlasticSynapses;
  readonly #rest: TakenOut["rest"];
  readonly #constants: { readonly gain: number; readonly bias: number; readonly leak: number };
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
    const { gated = "mbon", steps = 12, leak = 0.5, gain = 0.5, bias = 0.3 } = options;
    const wrong = (found: string): never => {
      throw new RangeError(`Cannot make a dopamine fly's brain: ${found}`);
    };
    if (!Number.isInteger(steps) || steps < 1) wrong(`it takes ${steps} steps, at least 1 is wanted`);
    if (!(leak > 0 && leak <= 1)) wrong(`its leak is ${leak}, a number above 0 and at most 1 is wanted`);
    if (!Number.isFinite(gain)) wrong(`its gain is ${gain}, a finite number is wanted`);
    if (!Number.isFinite(bias)) wrong(`its bias is ${bias}, a finite number is wanted`);
    if (gated !== "mbon" && gated !== "all") {
      throw new TypeError(
        `Cannot make a dopamine fly's brain: the cut acts on '${gated}', mbon or all is wanted`,
      );
    }
    this.connectome = connectome;
    this.body = body;
    this.gate = gateOf(options.gate);
    this.gated = gated;
    this.steps = steps;
    this.#constants = { gain, bias, leak };
    const { rowStart, pre, sign } = connectome;
    const weight = initialStrengths(connectome);
    for (let k = 0; k < weight.length; k++) weight[k]! *= sign[pre[k]!]!;
    const { synapses, rest } = takeOutSynapses(
      { neurons: sign.length, rowStart, pre, weight },
      body.kenyon,
      body.mbon,
    );
    this.synapses = synapses;
    this.#rest = rest;
  }

  /** What `calibrate` measured or `setHomeostasis` was given; `null` before. */
  get homeostasis(): Homeostasis | null {
    return this.#homeostasis;
  }

  /**
   * Gives the brain homeostasis measured before.
   *
   * @param homeostasis `[steps][neurons]` each.
   * @throws {RangeError} If it is for another brain or holds a number that cannot be used.
   */
  setHomeostasis(homeostasis: Homeostasis): void {
    const wanted = this.steps * this.#rest.neurons;
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
    const { neurons } = this.#rest, { positions } = drive;
    const blocks = Array.from(
      { length: Math.ceil(positions / LANES) },
      () => new Float64Array(neurons * LANES),
    );
    const inputs = blocks.map((block) => new Float64Array(block.length));
    const mean = new Float64Array(this.steps * neurons), spread = new Float64Array(this.steps * neurons);
    for (let step = 0; step < this.steps; step++) {
      for (const [i, rates] of blocks.entries()) {
        await turn(signal);
        this.#inputs(drive, i * LANES, rates, inputs[i]!);
      }
      const mu = mean.subarray(step * neurons, (step + 1) * neurons);
      const sigma = spread.subarray(step * neurons, (step + 1) * neurons);
      measure(inputs, positions, mu, sigma, { floor, calm });
      blocks.forEach((rates, i) => moveLanes(rates, inputs[i]!, mu, sigma, this.#constants));
      onProgress?.({ task: "calibrating", done: step + 1, total: this.steps, unit: "steps" });
    }
    this.#homeostasis = { mean, spread };
    return this.#homeostasis;
  }

  /**
   * Looks at positions, which are to be shown from the side of the fly that has just moved.
   *
   * @param drive What the eye adds for each position.
   * @throws {RangeError} If the drive is empty or for another brain.
   * @throws {Error} If the brain has not been calibrated.
   */
  async look(drive: Drive, options: LongWork = {}): Promise<DopamineLook> {
    const { positions } = drive, { kenyon, mbon, valence } = this.body;
    const seen = {
      mbon: new Float64Array(positions * mbon.length),
      kenyon: new Float64Array(positions * kenyon.length),
    };
    await this.#think(drive, options, (step, position, lane, rates) => {
      if (step < this.steps) return;
      mbon.forEach((j, n) => seen.mbon[position * mbon.length + n] = rates[j * LANES + lane]!);
      kenyon.forEach((j, k) => seen.kenyon[position * kenyon.length + k] = rates[j * LANES + lane]!);
    });
    const passed = new Float64Array(seen.kenyon.length);
    for (let position = 0; position < positions; position++) {
      const part = [position * kenyon.length, (position + 1) * kenyon.length] as const;
      kenyonGate(seen.kenyon.subarray(...part), this.gate, passed.subarray(...part));
    }
    return { ...seen, passed, approach: approach(seen.mbon, valence) };
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
    const { neurons } = this.#rest;
    const all = new Float64Array(this.steps * drive.positions * neurons);
    await this.#think(drive, options, (step, position, lane, rates) => {
      const at = ((step - 1) * drive.positions + position) * neurons;
      for (let j = 0; j < neurons; j++) all[at + j] = rates[j * LANES + lane]!;
    });
    return all;
  }

  async #think(
    drive: Drive,
    { signal, onProgress }: LongWork,
    keep: (step: number, position: number, lane: number, rates: Float64Array) => void,
  ): Promise<void> {
    this.#checkDrive("look at positions", drive);
    const homeostasis = this.#homeostasis;
    if (homeostasis === null) {
      throw new Error("Cannot look at positions: the brain is not calibrated, call calibrate() first");
    }
    const { neurons } = this.#rest, { positions } = drive;
    const rates = new Float64Array(neurons * LANES), input = new Float64Array(neurons * LANES);
    for (let first = 0; first < positions; first += LANES) {
      await turn(signal);
      rates.fill(0);
      const lanes = Math.min(LANES, positions - first);
      for (let step = 1; step <= this.steps; step++) {
        this.#inputs(drive, first, rates, input);
        const part = [(step - 1) * neurons, step * neurons] as const;
        const mean = homeostasis.mean.subarray(...part), spread = homeostasis.spread.subarray(...part);
        moveLanes(rates, input, mean, spread, this.#constants);
        for (let lane = 0; lane < lanes; lane++) keep(step, first + lane, lane, rates);
      }
      onProgress?.({ task: "looking", done: first + lanes, total: positions, unit: "positions" });
    }
  }

  /** u of a block of positions: the eye, the rest of the brain, and the Kenyon cells through the cut. */
  #inputs(drive: Drive, first: number, rates: Float64Array, input: Float64Array): void {
    const { kenyon, mbon } = this.body;
    const passed = new Float64Array(kenyon.length * LANES), lane = new Float64Array(kenyon.length);
    for (let l = 0; l < LANES; l++) {
      kenyon.forEach((j, k) => lane[k] = rates[j * LANES + l]!);
      kenyonGate(lane, this.gate, lane);
      for (let k = 0; k < lane.length; k++) passed[k * LANES + l] = lane[k]!;
    }
    let sent = rates;
    if (this.gated === "all") {
      sent = rates.slice();
      kenyon.forEach((j, k) => sent.set(passed.subarray(k * LANES, (k + 1) * LANES), j * LANES));
    }
    setLaneDrive(drive, first, input);
    addRest(this.#rest, sent, input);
    addPlastic(this.synapses, mbon, passed, input);
  }

  #checkDrive(action: string, { positions, neuron, start }: Drive): void {
    if (!(positions >= 1) || start.length !== positions + 1) {
      throw new RangeError(
        `Cannot ${action}: the drive has ${positions} positions and ${start.length} starts, ` +
          "at least 1 and one start more are wanted",
      );
    }
    const { neurons } = this.#rest;
    if (neuron.some((j) => j < 0 || j >= neurons)) {
      throw new RangeError(
        `Cannot ${action}: the drive is for another brain, neurons 0 to ${neurons - 1} are wanted`,
      );
    }
  }
}

/** Lets everything else on this thread run, and stops where that is asked for. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise((resolve) => setTimeout(resolve, 0));
  signal?.throwIfAborted();
}
