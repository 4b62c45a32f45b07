import type { BrainModel } from "../brain/mod.ts";
import type { PlasticSynapses } from "./dopamine.ts";

/** A brain taken apart: what can learn, and the rest. */
export interface TakenOut {
  /** The synapses from Kenyon cells onto MBONs; strength is a copy of measured. */
  readonly synapses: PlasticSynapses;
  /** All other connections, `[neurons]` rows of receivers. */
  readonly rest: Pick<BrainModel, "neurons" | "rowStart" | "pre"> & { readonly weight: Float64Array };
}

/**
 * Takes the synapses from Kenyon cells onto MBONs out of a brain (reference, section 9). What is measured is the
 * size of their weight; a pair that is connected twice, as in a shuffled control, counts with the sum.
 *
 * @param model The brain's wiring and weights; it stays as it is.
 * @param kenyon `[kenyon]`: Kenyon cells.
 * @param mbon `[mbon]`: MBONs.
 */
export function takeOutSynapses(
  model: Pick<BrainModel, "neurons" | "rowStart" | "pre" | "weight">,
  kenyon: Int32Array,
  mbon: Int32Array,
): TakenOut {
  const { neurons, rowStart, pre, weight } = model;
  const kenyonPlace = places(neurons, kenyon), mbonPlace = places(neurons, mbon);
  const measured = new Float64Array(kenyon.length * mbon.length);
  const restStart = new Int32Array(neurons + 1), restPre = new Int32Array(pre.length);
  const restWeight = new Float64Array(pre.length);
  let at = 0;
  for (let row = 0; row < neurons; row++) {
    const n = mbonPlace[row]!;
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
      const from = kenyonPlace[pre[k]!]!;
      if (n >= 0 && from >= 0) {
        measured[from * mbon.length + n]! += Math.abs(weight[k]!);
      } else {
        restPre[at] = pre[k]!;
        restWeight[at++] = weight[k]!;
      }
    }
    restStart[row + 1] = at;
  }
  return {
    synapses: { kenyon: kenyon.length, mbon: mbon.length, measured, strength: measured.slice() },
    rest: { neurons, rowStart: restStart, pre: restPre.slice(0, at), weight: restWeight.slice(0, at) },
  };
}

/** `[neurons]`: where each stands in the list, or -1. */
function places(neurons: number, list: Int32Array): Int32Array {
  const place = new Int32Array(neurons).fill(-1);
  list.forEach((neuron, i) => place[neuron] = i);
  return place;
}
