import type { LongWork } from "../common/mod.ts";
import type { Engine } from "./engine.ts";

/** How a brain is set up. The defaults are the reference's (section 3). */
export interface FlyBrainOptions {
  /**
   * What runs it: an engine or its name (`wasm`). `auto` picks `webgpu` where there is a GPU and `wasm` elsewhere;
   * the brain's `engineDescription` says which and why.
   */
  readonly engine?: "auto" | "wasm" | "webgpu" | "tensorflow" | "reference" | Engine;
  /** Steps of a think. 12: by then the signal has reached the descending neurons. */
  readonly steps?: number;
  /** How far a rate moves towards its target each step, above 0 and at most 1. */
  readonly leak?: number;
  /** Every neuron's gain to start with. */
  readonly gain?: number;
  /** Every neuron's bias to start with. */
  readonly bias?: number;
  /** What the strengths of a neuron's inputs add up to before anything is learned, above 0 (1: reference, section 1). */
  readonly inputTotal?: number;
  /** Workers of the `wasm` engine; 0 runs it in the calling thread. By default one for each core, at most 8. */
  readonly workers?: number;
  /** `none` runs the brain on its raw inputs (mu 0, sigma 1), without being calibrated. */
  readonly homeostasis?: "calibrated" | "none";
}

/** How homeostasis is measured. */
export interface CalibrateOptions extends LongWork {
  /** The smallest sigma a neuron may get, above 0 (0.02). */
  readonly floor?: number;
  /** Whether an input that does not move at all (variance under 1e-10) gets sigma 1 instead of the floor. */
  readonly calm?: boolean;
}

/** What to read from a think. */
export interface ReadOptions extends LongWork {
  /** Which neurons, in which order; by default the connectome's `output`, the descending neurons. */
  readonly neurons?: Int32Array;
  /** Steps to average over, each from 1 to the brain's `steps`; by default the last one. */
  readonly steps?: readonly number[];
}

/** What to read from a think, step by step. */
export interface ReadEachOptions extends LongWork {
  /** Which neurons, in which order; by default the connectome's `output`, the descending neurons. */
  readonly neurons?: Int32Array;
  /** The steps, in which order, each from 1 to the brain's `steps` and once. */
  readonly steps: readonly number[];
}

/** How an error is walked back. */
export interface BackwardOptions extends LongWork {
  /** Which neurons the error belongs to; by default the connectome's `output`. */
  readonly neurons?: Int32Array;
  /** Steps to walk back, from 1 to the brain's `steps`; earlier ones get no blame (6: reference, section 6). */
  readonly window?: number;
  /**
   * The steps whose mean was read, each from 1 to the brain's `steps`; by default the last one. The walk begins at the
   * last of them, and those before where it ends get no share of the error.
   */
  readonly steps?: readonly number[];
  /** Whether the blame of every neuron at every step walked is wanted too: it is large. */
  readonly blame?: boolean;
  /** Whether the gradient of what the eye adds is wanted too. */
  readonly drive?: boolean;
}
