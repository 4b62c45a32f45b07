import type { DopamineReach, PlasticSynapses, Tags } from "../dopamine.ts";

/** How fast synapses change in both directions. */
export interface RetuneOptions {
  /** Share of the measured strength that a full dose on a full tag takes or gives, at least 0 (0.1). */
  readonly rate?: number | undefined;
  /** How much weaker strengthening is than weakening, 0 (no strengthening at all) to 1 (1). */
  readonly strengthening?: number | undefined;
  /** Share of the way back to where it rests after every change, 0 to 1 (0). */
  readonly drift?: number | undefined;
  /** Where synapses rest, as a share of the measured strength, 0 to 1 (0.5). */
  readonly rest?: number | undefined;
}

/**
 * One change by a rule that weakens and strengthens by compartment. Where dopamine reaches an MBON, the tagged Kenyon
 * cells' synapses onto it weaken, as in `weaken`; at the same time the same cells' synapses onto MBONs of the other kind of
 * dopamine, which did not get any, grow back. So sugar turns avoidance down and approach up. In flies aversive learning
 * strengthens the answer of MBONs in reward compartments (Owald et al. 2015; Felsenberg et al. 2018), dopamine rises
 * in some compartments while it falls in others (Cohn et al. 2015), and synapses with active Kenyon cells and no dopamine
 * grow (Cohn et al. 2015; Handler et al. 2019).
 *
 * No synapse leaves [0, measured]: one that is to grow must have been weaker before, which is why they rest at
 * half of what was measured. That the untrained fly stands there, and not at the top, is an assumption.
 *
 * @param synapses Their strength is changed in place.
 * @param reach Which MBONs each kind of dopamine reaches.
 * @param tagged Sugar and shock.
 * @param options How fast.
 * @throws {RangeError} If the sizes do not fit, or an option is out of range.
 *
 * @example Sugar: the avoid MBON (PAM) hears less of the cell, the approach MBON (PPL1) more
 * ```ts
 * import { retune } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const synapses = {
 *   kenyon: 1,
 *   mbon: 2,
 *   measured: Float64Array.of(1, 1),
 *   strength: Float64Array.of(0.5, 0.5),
 * };
 * retune(synapses, { pam: [1, 0], ppl1: [0, 1] }, { sugar: [1], shock: [0] });
 * assert.deepEqual([...synapses.strength], [0.4, 0.6]);
 * ```
 */
export function retune(
  synapses: PlasticSynapses,
  reach: DopamineReach,
  tagged: Tags,
  options: RetuneOptions = {},
): void {
  const { rate = 0.1, strengthening = 1, drift = 0, rest = 0.5 } = options;
  const { kenyon, mbon, measured, strength } = synapses;
  const { pam, ppl1 } = reach, { sugar, shock } = tagged;
  if (sugar.length !== kenyon || shock.length !== kenyon || pam.length !== mbon || ppl1.length !== mbon) {
    throw new RangeError(
      `Cannot retune synapses: there are ${sugar.length} and ${shock.length} tags, ${pam.length} and ` +
        `${ppl1.length} reaches, ${kenyon} and ${mbon} of each are wanted`,
    );
  }
  const shares = [["strengthening", strengthening], ["drift", drift], ["rest", rest]] as const;
  for (const [name, value] of shares) {
    if (!(value >= 0 && value <= 1)) {
      throw new RangeError(`Cannot retune synapses: ${name} is ${value}, a number from 0 to 1 is wanted`);
    }
  }
  if (!(rate >= 0 && rate < Infinity)) {
    throw new RangeError(`Cannot retune synapses: the rate is ${rate}, a number of at least 0 is wanted`);
  }
  for (let k = 0; k < kenyon; k++) {
    // What one kind of dopamine takes in its compartments is given back in those of the other kind.
    const punished = strengthening * sugar[k]! - shock[k]!, rewarded = strengthening * shock[k]! - sugar[k]!;
    for (let n = 0; n < mbon; n++) {
      const at = k * mbon + n, full = measured[at]!;
      const moved = strength[at]! + rate * full * (punished * ppl1[n]! + rewarded * pam[n]!);
      const back = moved + drift * (rest * full - moved);
      strength[at] = back > 0 ? Math.min(back, full) : 0;
    }
  }
}
