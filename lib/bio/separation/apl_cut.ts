import { initialStrengths } from "../../brain/mod.ts";
import type { Connectome } from "../../connectome/mod.ts";
import { gateOf, kenyonCut } from "../kenyon_gate.ts";
import type { CellCut } from "./separating_gate.ts";

/** How strongly the APL neurons hold every Kenyon cell down. */
export interface AplWeights {
  /** `[kenyon]`: each above 0, 1 on average over the cells that APL reaches. */
  readonly weight: Float64Array;
  /** APL neurons in the connectome. */
  readonly neurons: number;
  /** Kenyon cells that APL reaches; the others are given the average. */
  readonly reached: number;
}

/**
 * Reads from a connectome how strongly its APL neurons reach each Kenyon cell: the strengths of their synapses, those of
 * both sides added. APL releases GABA and inhibits Kenyon cells in adult (Liu and Davis 2009; Lin et al. 2014) and larva
 * (Masuda-Nakagawa et al. 2014), so its effect is inhibition whatever sign the connectome assumes. A cell that it does
 * not reach (a larva's youngest have no claws yet; Eichler et al. 2017) is held down like the average cell, which is the
 * fallback for a connectome without APL as well.
 *
 * @param connectome The wiring; APL neurons are those of type `APL`.
 * @param kenyon `[kenyon]`: the Kenyon cells.
 *
 * @example A grown fly has two, which reach every Kenyon cell
 * ```ts
 * import { aplWeights, mushroomBody } from "flychess/bio";
 * import { growModelFly } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const fly = await growModelFly({ scale: 1 / 32 }), { kenyon } = mushroomBody(fly);
 * const apl = aplWeights(fly, kenyon);
 * assert.equal(apl.neurons, 2);
 * assert.equal(apl.reached, kenyon.length);
 * ```
 */
export function aplWeights(connectome: Connectome, kenyon: Int32Array): AplWeights {
  const { neurons: { type }, rowStart, pre } = connectome;
  const apl = type.names.indexOf("APL"), strength = initialStrengths(connectome);
  const weight = new Float64Array(kenyon.length);
  kenyon.forEach((cell, k) => {
    for (let at = rowStart[cell]!; at < rowStart[cell + 1]!; at++) {
      if (apl >= 0 && type.index[pre[at]!] === apl) weight[k]! += strength[at]!;
    }
  });
  const reached = weight.reduce((count, each) => count + Number(each > 0), 0);
  const mean = reached === 0 ? 1 : weight.reduce((a, b) => a + b, 0) / reached;
  for (let k = 0; k < weight.length; k++) weight[k] = weight[k] === 0 ? 1 : weight[k]! / mean;
  return { weight, neurons: type.index.reduce((count, each) => count + Number(each === apl), 0), reached };
}

/**
 * Inhibition by APL with the weights measured: at each moment it is as active as keeps a share of the cells going,
 * and it holds each down by its own weight. So the cells that pass are those with the most signal for their weight.
 *
 * @param apl The weights.
 * @param share The share of Kenyon cells that passes, above 0 and at most 1 (0.05).
 * @throws {RangeError} If the share or a weight is out of range.
 */
export function aplCut({ weight }: Pick<AplWeights, "weight">, share = 0.05): CellCut {
  gateOf({ share });
  if (!weight.every((each) => each > 0 && each < Infinity)) {
    throw new RangeError("Cannot inhibit Kenyon cells: a weight of APL is not above 0");
  }
  const relative = new Float64Array(weight.length);
  return {
    name: `APL's own weights, ${100 * share} %`,
    place: (signal, cut) => {
      if (signal.length !== weight.length) {
        throw new RangeError(
          `Cannot inhibit Kenyon cells: there are ${signal.length}, ${weight.length} are wanted`,
        );
      }
      for (let k = 0; k < weight.length; k++) relative[k] = signal[k]! / weight[k]!;
      const active = kenyonCut(relative, share);
      for (let k = 0; k < weight.length; k++) cut[k] = active * weight[k]!;
    },
  };
}
