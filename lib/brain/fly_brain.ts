import type { LongWork } from "../common/mod.ts";
import type { Connectome } from "../connectome/mod.ts";
import type { Drive } from "../eye/mod.ts";
import { checkDrive, checkHomeostasis, checkRead } from "./_checks.ts";
import { asFloat32, readEachStep } from "./_read_each_step.ts";
import { chooseEngine, type ChosenEngine } from "./choose_engine.ts";
import type { BrainModel, Engine, Homeostasis, LoadedBrain } from "./engine.ts";
import type {
  BackwardOptions,
  CalibrateOptions,
  FlyBrainOptions,
  ReadEachOptions,
  ReadOptions,
} from "./fly_brain_options.ts";
import type { BrainGradients } from "./gradients.ts";
import { initialTheta, signedWeights, slopesOf } from "./strengths.ts";

/**
 * A fly's nervous system that thinks: wiring from a connectome, strengths from its synapse counts, homeostasis
 * measured on boards, twelve steps a position (reference, sections 1 and 3).
 *
 * It owns what can be learned (`theta`, `gain`, `bias`) and its homeostasis; an engine does the arithmetic.
 * Dispose it when done (`await using`): the `wasm` engine keeps workers and memory.
 *
 * @example Two neurons: one sees, one answers
 * ```ts
 * import { FlyBrain } from "flychess/brain";
 * import assert from "node:assert/strict";
 *
 * const names = { names: [""], index: new Uint16Array(2) };
 * await using brain = await FlyBrain.create({
 *   name: "two neurons",
 *   provenance: {},
 *   neurons: {
 *     id: Float64Array.of(1, 2),
 *     type: names,
 *     superclass: names,
 *     class: names,
 *     transmitter: names,
 *     region: names,
 *     side: names,
 *     soma: new Float32Array(6),
 *     column: new Int16Array(4),
 *   },
 *   rowStart: Int32Array.of(0, 0, 1),
 *   pre: Int32Array.of(0),
 *   synapses: Uint16Array.of(5),
 *   sign: Int8Array.of(1, 1),
 *   input: Int32Array.of(0),
 *   output: Int32Array.of(1),
 * }, { engine: "reference" });
 *
 * // Two boards: one lights the first neuron, one does not.
 * const drive = { positions: 2, start: Int32Array.of(0, 1, 1), neuron: Int32Array.of(0) };
 * await brain.calibrate(drive);
 * const [light, dark] = await brain.read(drive);
 * assert.ok(light! > dark!);
 * ```
 */
export class FlyBrain implements AsyncDisposable {
  /** The wiring. */
  readonly connectome: Connectome;
  /** Steps of a think. */
  readonly steps: number;
  /** How far a rate moves towards its target each step, lambda. */
  readonly leak: number;
  /** What runs it. */
  readonly engine: Engine;
  /** The engine's name and how it runs, in one line; where `auto` picked it, also why. */
  readonly engineDescription: string;
  /** `[connections]`: a connection's strength is softplus(theta). Call `update` after changing it. */
  readonly theta: Float64Array;
  /** `[neurons]`: gain alpha. Call `update` after changing it. */
  readonly gain: Float64Array;
  /** `[neurons]`: bias beta. Call `update` after changing it. */
  readonly bias: Float64Array;
  #homeostasis: Homeostasis | null = null;
  readonly #needsHomeostasis: boolean;
  #loaded: LoadedBrain | null = null;
  /** `[connections]`: dW / d theta as of the last update, once the brain has walked back. */
  #slopes: Float64Array | undefined;
  /** `[connections]`: room for weights on their way to the engine, used again, unless an update is under way. */
  #spare: Float64Array | undefined;

  private constructor(
    connectome: Connectome,
    { engine, description }: ChosenEngine,
    options: FlyBrainOptions,
  ) {
    const { steps = 12, leak = 0.5, gain = 0.5, bias = 0.3, inputTotal = 1, homeostasis = "calibrated" } =
      options;
    this.connectome = connectome;
    this.engine = engine;
    this.engineDescription = description;
    this.steps = steps;
    this.leak = leak;
    this.theta = initialTheta(connectome, { inputTotal });
    this.gain = new Float64Array(connectome.sign.length).fill(gain);
    this.bias = new Float64Array(connectome.sign.length).fill(bias);
    this.#needsHomeostasis = homeostasis === "calibrated";
  }

  /**
   * Makes a brain with its strengths as measured and loads it into an engine. It must be calibrated before it can
   * be read, unless made with `homeostasis: "none"`.
   *
   * @param connectome The wiring.
   * @param options Engine and constants.
   * @throws {RangeError} If the connectome's arrays do not fit each other or a constant is out of range.
   * @throws {TypeError} If there is no engine of that name.
   * @throws {Error} If the engine cannot run on this machine.
   */
  static async create(connectome: Connectome, options: FlyBrainOptions = {}): Promise<FlyBrain> {
    const brain = new FlyBrain(connectome, await chooseEngine(options), options);
    await brain.update();
    return brain;
  }

  /** The brain as engines take it: weights made from `theta` now, the other arrays shared with this brain. */
  get model(): BrainModel {
    return this.#model();
  }

  #model(slopes?: Float64Array, spare?: Float64Array): BrainModel {
    const { rowStart, pre } = this.connectome;
    return {
      neurons: this.connectome.sign.length,
      steps: this.steps,
      leak: this.leak,
      rowStart,
      pre,
      weight: signedWeights(this.connectome, this.theta, slopes, spare),
      gain: this.gain,
      bias: this.bias,
      mean: this.#homeostasis?.mean ?? null,
      spread: this.#homeostasis?.spread ?? null,
    };
  }

  /** What `calibrate` measured or `setHomeostasis` was given; `null` before. */
  get homeostasis(): Homeostasis | null {
    return this.#homeostasis;
  }

  /**
   * Gives the brain homeostasis measured before, for example with the checkpoint it comes from.
   *
   * It belongs to the engine that measured it: neurons that no board reaches answer a difference of rounding with
   * up to 11 times as much at every step, because the floor on sigma is small (reference, section 6). Rates of the
   * `wasm` engine with the homeostasis of `reference` were up to 3e-4 off on a model fly of 4,078 neurons; with its
   * own they were within 5e-6.
   *
   * @param homeostasis `[steps][neurons]` each; `null` takes it away.
   * @throws {RangeError} If it is for another brain or holds a number that cannot be used.
   */
  async setHomeostasis(homeostasis: Homeostasis | null): Promise<void> {
    if (homeostasis !== null) checkHomeostasis(homeostasis, this.steps, this.connectome.sign.length);
    this.#homeostasis = homeostasis;
    await this.update();
  }

  /**
   * Measures homeostasis: these positions go through the brain, and at every step each neuron's input is averaged
   * over them and its population standard deviation taken, at least `floor`. Each step is normalised with its own
   * numbers before the next is measured (reference, section 3, which uses 256 positions).
   *
   * @param drive What the eye adds for each position.
   * @returns What was measured; the brain uses it from now on.
   * @throws {RangeError} If the drive is for another brain or the floor is not above 0.
   */
  async calibrate(drive: Drive, options: CalibrateOptions = {}): Promise<Homeostasis> {
    const { floor = 0.02, calm = false, signal, onProgress } = options;
    checkDrive("calibrate", drive, this.connectome.sign.length);
    if (!(floor > 0 && floor < Infinity)) {
      throw new RangeError(`Cannot calibrate: the floor is ${floor}, a number above 0 is wanted`);
    }
    const measured = await this.#brain("calibrate").calibrate(drive, { floor, calm, signal, onProgress });
    await this.setHomeostasis(measured);
    return measured;
  }

  /**
   * Thinks about positions and reads some neurons' rates, averaged over some steps.
   *
   * @param drive What the eye adds for each position; any number of positions.
   * @returns `[positions][neurons]`, each from 0 to 1.
   * @throws {RangeError} If the drive is for another brain, or a neuron or step is not there.
   * @throws {Error} If the brain has not been calibrated.
   */
  async read(drive: Drive, options: ReadOptions = {}): Promise<Float32Array> {
    const { neurons = this.connectome.output, steps = [this.steps], signal, onProgress } = options;
    const brain = this.#ready("read rates", drive);
    checkRead(neurons, steps, { neurons: this.connectome.sign.length, steps: this.steps });
    return asFloat32(await brain.read(drive, neurons, steps, { signal, onProgress }));
  }

  /**
   * Thinks about positions once and reads some neurons' rates after each of some steps.
   *
   * @param drive What the eye adds for each position; any number of positions.
   * @returns `[positions][steps][neurons]`, each from 0 to 1: the bits of one `read` a step.
   * @throws {RangeError} If the drive is for another brain, or a neuron or step is not there.
   * @throws {Error} If the brain has not been calibrated.
   */
  async readEach(drive: Drive, options: ReadEachOptions): Promise<Float32Array> {
    const { neurons = this.connectome.output, steps, signal, onProgress } = options;
    const brain = this.#ready("read rates", drive);
    checkRead(neurons, steps, { neurons: this.connectome.sign.length, steps: this.steps });
    return await readEachStep(brain, drive, neurons, steps, { signal, onProgress });
  }

  /**
   * Thinks about positions and gives every rate after every step: for figures, lesions and tests.
   *
   * @param drive What the eye adds for each position.
   * @returns `[steps][positions][neurons]`, each from 0 to 1, in the engine's own precision.
   * @throws {RangeError} If the drive is for another brain.
   * @throws {Error} If the brain has not been calibrated.
   */
  async rates(drive: Drive, options: LongWork = {}): Promise<Float32Array | Float64Array> {
    return await this.#ready("read rates", drive).rates(drive, options);
  }

  /**
   * Thinks about positions and walks an error back through the last steps: how much the loss changes with every
   * strength, gain and bias, summed over the positions (reference, section 6). The error belongs to rates after the
   * last step, or to their mean over `steps`. The gradient of half the positions plus that of the other half is the gradient of all of them.
   *
   * @param drive What the eye adds for each position.
   * @param outputGradient `[positions][neurons]`: dL / d rate of the neurons read, after the last step or as the mean over
   * `steps`.
   * @throws {RangeError} If a size does not fit, the window is out of range or the error holds no finite number.
   * @throws {Error} If the brain has not been calibrated, or its engine cannot walk back.
   */
  async backward(
    drive: Drive,
    outputGradient: Float32Array | Float64Array,
    options: BackwardOptions = {},
  ): Promise<BrainGradients> {
    const { neurons = this.connectome.output, window = 6, steps = [this.steps], signal, onProgress } =
      options;
    const wanted = { window, steps, blame: options.blame ?? false, drive: options.drive ?? false };
    const brain = this.#ready("walk back", drive);
    if (brain.backward === undefined) {
      throw new Error(
        `Cannot walk back: the ${this.engine.name} engine does not do it, wasm, webgpu and reference do`,
      );
    }
    this.#slopes ??= slopesOf(this.connectome, this.theta);
    const found = await brain.backward(drive, neurons, outputGradient, { ...wanted, signal, onProgress });
    const { weight: theta, ...others } = found, slopes = this.#slopes;
    for (let k = 0; k < slopes.length; k++) theta[k]! *= slopes[k]!;
    return { theta, ...others };
  }

  /**
   * Hands the engine the brain as it is now. Call it after changing `theta`, `gain` or `bias`.
   *
   * @throws {RangeError} If a number is not finite.
   */
  async update(): Promise<void> {
    const spare = this.#spare;
    this.#spare = undefined;
    const model = this.#model(this.#slopes, spare);
    if (this.#loaded?.update !== undefined) {
      const weight = model.weight;
      await this.#loaded.update(model);
      // Engines keep no array of a model.
      if (weight instanceof Float64Array) this.#spare = weight;
      return;
    }
    const former = this.#loaded;
    this.#loaded = await this.engine.load(model);
    await former?.[Symbol.asyncDispose]();
  }

  /** Frees what the engine holds. The brain cannot think afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    const loaded = this.#loaded;
    this.#loaded = null;
    await loaded?.[Symbol.asyncDispose]();
  }

  #brain(action: string): LoadedBrain {
    if (this.#loaded === null) {
      throw new Error(`Cannot ${action}: the brain was disposed, a living one is wanted`);
    }
    return this.#loaded;
  }

  #ready(action: string, drive: Drive): LoadedBrain {
    if (this.#needsHomeostasis && this.#homeostasis === null) {
      throw new Error(
        `Cannot ${action}: the brain is not calibrated, call calibrate() or setHomeostasis() first`,
      );
    }
    checkDrive(action, drive, this.connectome.sign.length);
    return this.#brain(action);
  }
}
