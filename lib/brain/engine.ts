import type { Drive } from "../eye/mod.ts";
import type { LongWork } from "../common/mod.ts";

/** The brain as an engine needs it: wiring, strengths and homeostasis. `FlyBrain` owns it; an engine only runs it. */
export interface BrainModel {
  /** Neurons. */
  readonly neurons: number;
  /** Brain steps that a think takes (12). */
  readonly steps: number;
  /** How far a rate moves towards its target each step, lambda (0.5). */
  readonly leak: number;
  /** `[neurons + 1]`, rows are receiving neurons. */
  readonly rowStart: Int32Array;
  /** `[connections]`: sending neuron. */
  readonly pre: Int32Array;
  /** `[connections]`: signed strength, W = sign * softplus(theta). */
  readonly weight: Float64Array | Float32Array;
  /** `[neurons]`: gain alpha. */
  readonly gain: Float64Array;
  /** `[neurons]`: bias beta. */
  readonly bias: Float64Array;
  /** `[steps][neurons]`: usual input mu, or `null` where the brain runs without homeostasis. */
  readonly mean: Float64Array | Float32Array | null;
  /** `[steps][neurons]`: how much the input moves, sigma. */
  readonly spread: Float64Array | Float32Array | null;
}

/** What `calibrate` measured, ready to be put into a `BrainModel`. */
export interface Homeostasis {
  /** `[steps][neurons]`: mean input mu. */
  readonly mean: Float64Array | Float32Array;
  /** `[steps][neurons]`: population standard deviation sigma, after the floor. */
  readonly spread: Float64Array | Float32Array;
}

/** Where a bypass stands. */
export interface BypassMoment {
  /** The step whose rates it is shown, from 1. */
  readonly step: number;
  /** The first of the positions; the others follow it. */
  readonly first: number;
  /** How many there are. */
  readonly count: number;
  /** Numbers in a line, at least `count`; those left over mean nothing. */
  readonly lanes: number;
}

/** A part of a brain that its owner computes between two steps; the engine does the rest. */
export interface Bypass {
  /** Neurons whose rates it is shown. */
  readonly from: Int32Array;
  /** Neurons to whose input it adds, each once. Before the first step, when all rates are 0, it adds nothing. */
  readonly to: Int32Array;
  /**
   * What rates after a step add to the inputs of the next.
   *
   * @param rates `[from][lanes]`: what the neurons fire.
   * @param input `[to][lanes]`: to be filled, all of it.
   * @param moment The step and the positions.
   */
  pass(rates: Float32Array, input: Float32Array, moment: BypassMoment): void;
}

/** How an engine walks back. */
export interface EngineBackwardOptions extends LongWork {
  /** Steps to walk, from 1 to `model.steps`. */
  readonly window: number;
  /** The steps whose mean was read; the last by default. The walk begins at the last of them. */
  readonly steps?: readonly number[];
  /** Whether dL / du is wanted. */
  readonly blame?: boolean;
  /** Whether dL / dx is wanted. */
  readonly drive?: boolean;
}

/** What an engine finds on the way back, summed over the positions and the steps it walked. */
export interface EngineGradients {
  /** `[connections]`: dL / dW. */
  readonly weight: Float32Array | Float64Array;
  /** `[neurons]`: dL / d gain. */
  readonly gain: Float64Array;
  /** `[neurons]`: dL / d bias. */
  readonly bias: Float64Array;
  /** Step to `[positions][neurons]`: dL / du, of the steps walked; empty unless asked for. */
  readonly blame: ReadonlyMap<number, Float32Array | Float64Array>;
  /** For each entry of the drive: dL / dx, not summed over the positions; there only if asked for. */
  readonly drive?: Float64Array;
}

/** Something that runs brains. All engines give the same rates, within the error each one states. */
export interface Engine {
  /** `reference`, `wasm`, ... */
  readonly name: string;
  /** How it runs on this machine, in one line ("2 workers, SIMD"). */
  readonly description: string;
  /** Takes a model in. The model's arrays are not changed; changing them later has no effect. */
  load(model: BrainModel): Promise<LoadedBrain>;
}

/** A brain inside an engine. Ask as often as you like; dispose it when done. */
export interface LoadedBrain extends AsyncDisposable {
  /**
   * Rates of some neurons, averaged over some steps.
   *
   * @param drive What the eye adds, for any number of positions.
   * @param neurons Which neurons, in which order.
   * @param steps Which steps, from 1 to `model.steps`.
   * @returns `[positions][neurons]`, each from 0 to 1.
   */
  read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    options?: LongWork,
  ): Promise<Float32Array | Float64Array>;
  /**
   * Rates of some neurons after each of some steps, from one think: the same bits as one `read` a step. An engine
   * without it is asked for one step after the other.
   *
   * @param drive What the eye adds, for any number of positions.
   * @param neurons Which neurons, in which order.
   * @param steps Which steps, in which order.
   * @returns `[positions][steps][neurons]`, each from 0 to 1.
   */
  readEach?(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    options?: LongWork,
  ): Promise<Float32Array | Float64Array>;
  /**
   * Every rate after every step. For figures, lesions, the mushroom body and tests: it is large.
   *
   * @returns `[steps][positions][neurons]`.
   */
  rates(drive: Drive, options?: LongWork): Promise<Float32Array | Float64Array>;
  /** Measures homeostasis on these positions, each step normalised with its own numbers as soon as they are measured. */
  calibrate(
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis>;
  /**
   * `read` with a part of the brain computed by the caller.
   *
   * @param bypass That part; its connections are not among the model's.
   */
  readAround?(
    bypass: Bypass,
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    options?: LongWork,
  ): Promise<Float32Array | Float64Array>;
  /** `calibrate` with a part of the brain computed by the caller. */
  calibrateAround?(
    bypass: Bypass,
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis>;
  /**
   * Thinks, then walks an error back through the last steps. `FlyBrain.backward` is the way to ask for it.
   *
   * @param drive What the eye adds.
   * @param neurons Which neurons the error belongs to.
   * @param outputGradient `[positions][neurons]`: dL / d mean rate after the steps read.
   */
  backward?(
    drive: Drive,
    neurons: Int32Array,
    outputGradient: Float32Array | Float64Array,
    options: EngineBackwardOptions,
  ): Promise<EngineGradients>;
  /**
   * Takes new weights, gains, biases and homeostasis for the same wiring, in place. Where an engine cannot, the
   * brain is loaded again.
   */
  update?(model: BrainModel): Promise<void>;
}
