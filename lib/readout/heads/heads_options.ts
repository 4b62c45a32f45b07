import type { LongWork } from "../../common/mod.ts";
import type { HeadsArithmetic } from "./_layout.ts";
import type { Deck } from "./deck.ts";
import type { Mixture, Scaling } from "./mixture.ts";

/**
 * What multiplies: `wasm` is our own kernels, on any machine, and `tensorflow` TensorFlow's library where
 * `deno task setup:tensorflow` has linked it, faster on processors with AVX-512.
 */
export type HeadsEngine = "wasm" | "tensorflow";

/** How heads are trained. */
export interface HeadsOptions extends Mixture {
  /** Most positions of a step; 256 by default. */
  readonly batch?: number | undefined;
  /** What multiplies; `wasm` by default. Results depend on it in their last bits. */
  readonly engine?: HeadsEngine | undefined;
  /** Threads of `wasm`; one a core by default, at most 8. Results do not depend on it, to the last bit. */
  readonly workers?: number | undefined;
  /** Of `wasm`: `relaxed` rounds multiply-adds once; by default the best that the machine offers. Results depend on it. */
  readonly arithmetic?: HeadsArithmetic | undefined;
  /** What features are multiplied with and shifted by; nothing by default. */
  readonly scaling?: Scaling | undefined;
  /** Strength of the penalty decay / 2 * weight^2 on every weight but the biases (Hoerl and Kennard 1970); 0 by default. */
  readonly decay?: number | undefined;
  /** The same for the weights of all combinations but the mean; as `decay` by default. */
  readonly contrastDecay?: number | undefined;
}

/** What a trainer has learned and remembers, enough to go on as if it had never stopped. */
export interface HeadsState {
  /** `[columns * combinations + 1][134]`: weights on scaled features, the bias last. */
  readonly weight: Float32Array;
  /** The same shape: Adam's running mean of the gradient. */
  readonly momentum: Float32Array;
  /** The same shape: Adam's running mean of its square. */
  readonly variance: Float32Array;
  /** Steps that Adam has taken. */
  readonly steps: number;
}

/** Mean losses of some positions. */
export interface MeanLoss {
  /** Policy loss, in nats. */
  readonly policy: number;
  /** Squared error of the value. */
  readonly value: number;
}

/** What to learn from, and how fast. */
export interface LearnOptions extends LongWork {
  /** Adam's step size. */
  readonly rate: number;
  /** Positions that are mixed in: row `~number` of it for every number below 0 in the order. */
  readonly extra?: Deck | undefined;
  /** Positions that earlier calls of the same piece of work did, for progress reports. */
  readonly before?: number;
  /** Positions of the whole piece of work, for progress reports. */
  readonly of?: number;
  /** What is being done, for progress reports. */
  readonly task?: string;
}
