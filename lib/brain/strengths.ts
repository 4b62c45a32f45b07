import type { Connectome } from "../connectome/mod.ts";
import { bulkSoftplus } from "./_bulk_softplus.ts";
import { inverseSoftplus } from "./softplus.ts";

/** No connection starts weaker than this (reference, section 1). */
const WEAKEST = 1e-4;

/** How strong connections are before anything is learned. */
export interface StrengthOptions {
  /** What the strengths of a neuron's inputs add up to, above 0; 1, as in the reference, section 1. */
  readonly inputTotal?: number | undefined;
}

/**
 * How strong every connection is before anything is learned: its share of the log synapse counts that its
 * receiver gets, log(1 + n) / sum of log(1 + n), and at least 1e-4 (reference, section 1). So the strengths of a
 * neuron's inputs add up to 1, and 100 synapses count about twice as much as 10.
 *
 * A pair that stands twice in the connectome (the reference's shuffle makes such pairs) is two connections.
 *
 * @param connectome The wiring; only `rowStart` and `synapses` matter.
 * @param options What they add up to.
 * @returns `[connections]`, each above 0 and at most `inputTotal`, in the connectome's order.
 * @throws {RangeError} If `inputTotal` is not a finite number above 0.
 *
 * @example One neuron that hears two others
 * ```ts
 * import { initialStrengths } from "flychess/brain";
 * import assert from "node:assert/strict";
 *
 * const [weak, strong] = initialStrengths({
 *   rowStart: Int32Array.of(0, 2),
 *   synapses: Uint16Array.of(5, 100),
 * });
 * assert.equal(weak!.toFixed(2), "0.28");
 * assert.equal(strong!.toFixed(2), "0.72");
 * ```
 */
export function initialStrengths(
  connectome: Pick<Connectome, "rowStart" | "synapses">,
  options: StrengthOptions = {},
): Float64Array {
  const { rowStart, synapses } = connectome, { inputTotal = 1 } = options;
  if (!(inputTotal > 0 && inputTotal < Infinity)) {
    throw new RangeError(
      `Cannot set strengths: a neuron's inputs add up to ${inputTotal}, a number above 0 is wanted`,
    );
  }
  const strength = Float64Array.from(synapses, Math.log1p);
  for (let row = 0; row + 1 < rowStart.length; row++) {
    const from = rowStart[row]!, to = rowStart[row + 1]!;
    let sum = 0;
    for (let k = from; k < to; k++) sum += strength[k]!;
    for (let k = from; k < to; k++) strength[k] = Math.max(inputTotal * strength[k]! / sum, WEAKEST);
  }
  return strength;
}

/**
 * The learnable number behind every initial strength: softplus(theta) is the strength.
 *
 * @param connectome The wiring; only `rowStart` and `synapses` matter.
 * @param options As for `initialStrengths`.
 * @returns `[connections]`.
 * @throws As `initialStrengths`.
 */
export function initialTheta(
  connectome: Pick<Connectome, "rowStart" | "synapses">,
  options: StrengthOptions = {},
): Float64Array {
  const theta = initialStrengths(connectome, options);
  for (let k = 0; k < theta.length; k++) theta[k] = inverseSoftplus(theta[k]!);
  return theta;
}

/**
 * The signed weights W = sign * softplus(theta) (reference, section 1). The sign is the sender's and never learned.
 *
 * @param connectome The wiring; `pre` and `sign` matter.
 * @param theta `[connections]`.
 * @param slopes `[connections]`, written if given: dW / d theta = sign * sigmoid(theta).
 * @param weight `[connections]`, where to write the weights; a new array if left out.
 * @returns `[connections]`: `weight`.
 */
export function signedWeights(
  connectome: Pick<Connectome, "pre" | "sign">,
  theta: Float64Array,
  slopes?: Float64Array,
  weight: Float64Array = new Float64Array(theta.length),
): Float64Array {
  const { pre, sign } = connectome;
  bulkSoftplus(theta, (from, strength, slope) => {
    for (let i = 0; i < strength.length; i++) {
      const direction = sign[pre[from + i]!]!;
      weight[from + i] = direction * strength[i]!;
      if (slopes !== undefined) slopes[from + i] = direction * slope[i]!;
    }
  });
  return weight;
}

/** `[connections]`: dW / d theta, how fast each signed weight grows with its own number. */
export function slopesOf(connectome: Connectome, theta: Float64Array): Float64Array {
  const slopes = new Float64Array(theta.length);
  signedWeights(connectome, theta, slopes);
  return slopes;
}
