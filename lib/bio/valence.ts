/** What decides whether an MBON means approach or avoid; all arrays are `[mbon]`. */
export interface MbonInputs {
  /** Synapses that PAM neurons, the reward, make onto it. */
  readonly pam: ArrayLike<number>;
  /** Synapses that PPL1 neurons, the punishment, make onto it. */
  readonly ppl1: ArrayLike<number>;
  /** What it releases, for example `acetylcholine`. */
  readonly transmitter: readonly string[];
}

/**
 * Whether MBONs mean approach or avoid: the opposite of the dopamine that reaches them (Aso et al. 2014; reference,
 * section 9). More PPL1 than PAM synapses: approach, because punishment works by turning it down; more PAM: avoid.
 * Where both are equal, acetylcholine means approach and everything else avoid.
 *
 * @returns `[mbon]`: +1 approach, -1 avoid.
 * @throws {RangeError} If the three lists differ in length.
 *
 * @example Punishment reaches the first, reward the second, nothing the third
 * ```ts
 * import { mbonValence } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const valence = mbonValence({
 *   pam: [0, 9, 0],
 *   ppl1: [7, 2, 0],
 *   transmitter: ["gaba", "acetylcholine", "acetylcholine"],
 * });
 * assert.deepEqual([...valence], [1, -1, 1]);
 * ```
 */
export function mbonValence({ pam, ppl1, transmitter }: MbonInputs): Int8Array {
  if (pam.length !== transmitter.length || ppl1.length !== transmitter.length) {
    throw new RangeError(
      `Cannot tell valence: there are ${pam.length} PAM and ${ppl1.length} PPL1 counts, ` +
        `${transmitter.length} are wanted, one for each MBON`,
    );
  }
  return Int8Array.from(transmitter, (name, n) => {
    const punished = ppl1[n]! - pam[n]!;
    if (punished !== 0) return Math.sign(punished);
    return name === "acetylcholine" ? 1 : -1;
  });
}

/**
 * Valence by transmitter alone, as the reference first had it: acetylcholine approach, everything else avoid. With
 * it the fly learned backwards.
 *
 * @param transmitter `[mbon]`.
 * @returns `[mbon]`: +1 or -1.
 */
export function transmitterValence(transmitter: readonly string[]): Int8Array {
  return Int8Array.from(transmitter, (name) => name === "acetylcholine" ? 1 : -1);
}

/**
 * How much of one kind of dopamine reaches each MBON: its synapses over those of the MBON that gets most
 * (reference, section 9).
 *
 * @param synapses `[mbon]`: synapses from that kind of dopamine neuron, at least 0.
 * @returns `[mbon]`: 0 to 1; all 0 where there is no such synapse.
 */
export function dopamineReach(synapses: ArrayLike<number>): Float64Array {
  const reach = Float64Array.from(synapses);
  const most = reach.reduce((a, b) => Math.max(a, b), 0);
  if (most > 0) { for (let n = 0; n < reach.length; n++) reach[n]! /= most; }
  return reach;
}

/**
 * How much the fly is drawn to positions: its MBONs' rates, those that mean avoid counting against (reference, section 9).
 *
 * @param rates `[positions][mbon]`: rates at the last step.
 * @param valence `[mbon]`: +1 approach, -1 avoid, 0 neither.
 * @returns `[positions]`.
 * @throws {RangeError} If the rates are no whole number of positions.
 */
export function approach(rates: ArrayLike<number>, valence: Int8Array): Float64Array {
  const positions = valence.length === 0 ? NaN : rates.length / valence.length;
  if (!Number.isInteger(positions)) {
    throw new RangeError(
      `Cannot add up MBONs: there are ${rates.length} rates, a multiple of ${valence.length} is wanted`,
    );
  }
  const sum = new Float64Array(positions);
  for (let position = 0; position < positions; position++) {
    for (let n = 0; n < valence.length; n++) {
      sum[position]! += valence[n]! * rates[position * valence.length + n]!;
    }
  }
  return sum;
}
