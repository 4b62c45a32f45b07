import { type DopamineReach, type PlasticSynapses, RATE, type Tags } from "./dopamine.ts";

/** How fast silent cells' synapses grow. */
export interface SilentOptions {
  /** Share of the measured strength that a full dose gives a cell that is wholly silent, at least 0 (0.1). */
  readonly rate?: number | undefined;
}

/**
 * Strengthens where dopamine meets no activity: synapses of Kenyon cells that are silent while dopamine reaches an MBON
 * come back towards the strength that was measured (after Berry et al. 2018; the reference names the idea, its section
 * "what I tried"; how much is an assumption). It is the other half of `weaken`, and no synapse grows beyond measured.
 *
 * @param synapses Their strength is changed in place.
 * @param reach Which MBONs the dopamine reaches.
 * @param silent `[kenyon]` each: how silent the cells were when sugar and shock came, a mean of dose times 1 - activity.
 * @param options How fast.
 * @throws {RangeError} If the sizes do not fit or the rate is out of range.
 *
 * @example The silent cell's synapse grows, the measured strength is the end
 * ```ts
 * import { strengthenSilent } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const synapses = {
 *   kenyon: 2,
 *   mbon: 1,
 *   measured: Float64Array.of(0.5, 0.5),
 *   strength: Float64Array.of(0.25, 0.49),
 * };
 * strengthenSilent(synapses, { pam: [1], ppl1: [0] }, { sugar: [1, 1], shock: [0, 0] });
 * assert.deepEqual([...synapses.strength], [0.3, 0.5]);
 * ```
 */
export function strengthenSilent(
  synapses: PlasticSynapses,
  { pam, ppl1 }: DopamineReach,
  { sugar, shock }: Tags,
  options: SilentOptions = {},
): void {
  const { rate = RATE } = options, { kenyon, mbon, measured, strength } = synapses;
  if (sugar.length !== kenyon || shock.length !== kenyon || pam.length !== mbon || ppl1.length !== mbon) {
    throw new RangeError(
      `Cannot strengthen silent cells' synapses: there are ${sugar.length} and ${shock.length} tags, ${pam.length} ` +
        `and ${ppl1.length} reaches, ${kenyon} and ${mbon} of each are wanted`,
    );
  }
  if (!(rate >= 0 && rate < Infinity)) {
    throw new RangeError(
      `Cannot strengthen silent cells' synapses: the rate is ${rate}, a number of at least 0 is wanted`,
    );
  }
  for (let k = 0; k < kenyon; k++) {
    for (let n = 0; n < mbon; n++) {
      const at = k * mbon + n, full = measured[at]!;
      strength[at] = Math.min(
        full,
        strength[at]! + rate * full * (sugar[k]! * pam[n]! + shock[k]! * ppl1[n]!),
      );
    }
  }
}
