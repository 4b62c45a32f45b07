import type { Connectome } from "../../connectome/mod.ts";
import type { CalyxGate } from "../dopamine_brain_options.ts";

/** How projection neurons hold each other down. */
export interface DivisiveCalyxOptions {
  /** Exponent, above 0 (1.5: Olsen, Bhandawat and Wilson 2010). */
  readonly exponent?: number | undefined;
  /** Rate at which a lone neuron passes half of the most, above 0 (0.07: there 12 of 165 spikes a second). */
  readonly half?: number | undefined;
  /** How much the mean rate of all counts beside a neuron's own, at least 0 (1: an assumption). */
  readonly lateral?: number | undefined;
}

/** Types that reach Kenyon cells but bring them no input from outside: APL and DPM. */
const WITHIN = new Set(["APL", "DPM"]);
/** Regions likewise: other Kenyon cells, their output neurons, dopamine neurons. */
const MUSHROOM_BODY = new Set(["Kenyon cell", "MBON", "DAN"]);

/**
 * The projection neurons of a mushroom body: every neuron that makes a synapse onto a Kenyon cell and does not belong to
 * the mushroom body itself, olfactory or not.
 *
 * @param connectome The wiring.
 * @param kenyon `[kenyon]`: the Kenyon cells.
 * @returns Neurons, ascending.
 */
export function projectionNeurons(connectome: Connectome, kenyon: Int32Array): Int32Array {
  const { rowStart, pre, neurons: { region, type } } = connectome, found = new Set<number>();
  for (const cell of kenyon) {
    for (let at = rowStart[cell]!; at < rowStart[cell + 1]!; at++) {
      const sender = pre[at]!;
      if (MUSHROOM_BODY.has(region.names[region.index[sender]!]!)) continue;
      if (!WITHIN.has(type.names[type.index[sender]!]!)) found.add(sender);
    }
  }
  return Int32Array.from(found).sort();
}

/**
 * Divisive normalisation: what a projection neuron passes on to Kenyon cells is its rate over what all of them fire,
 * r^n / (half^n + r^n + (lateral * mean)^n), as local neurons of the antennal lobe do it (Olsen, Bhandawat and
 * Wilson 2010). A common rise of all is taken out, a neuron that fires alone is left alone.
 *
 * @param senders Projection neurons.
 * @param options The constants.
 * @returns For `DopamineBrain`'s `calyx`.
 * @throws {RangeError} If a constant is out of range.
 *
 * @example The same neuron passes less in company
 * ```ts
 * import { divisiveCalyx } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const { pass } = divisiveCalyx(Int32Array.of(3, 7));
 * const alone = new Float64Array(2), both = new Float64Array(2);
 * pass(Float64Array.of(0.5, 0), alone);
 * pass(Float64Array.of(0.5, 0.9), both);
 * assert.ok(alone[0]! > both[0]!);
 * ```
 */
export function divisiveCalyx(senders: Int32Array, options: DivisiveCalyxOptions = {}): CalyxGate {
  const { exponent = 1.5, half = 0.07, lateral = 1 } = options;
  for (const [name, value] of [["exponent", exponent], ["half", half]] as const) {
    if (!(value > 0 && value < Infinity)) {
      throw new RangeError(`Cannot normalise projection neurons: ${name} is ${value}, above 0 is wanted`);
    }
  }
  if (!(lateral >= 0 && lateral < Infinity)) {
    throw new RangeError(`Cannot normalise projection neurons: lateral is ${lateral}, at least 0 is wanted`);
  }
  return {
    name: `divisive, exponent ${exponent}, half ${half}, lateral ${lateral}`,
    senders,
    pass: (rates, out) => {
      let sum = 0;
      for (let i = 0; i < rates.length; i++) sum += rates[i]!;
      const others = half ** exponent + (lateral * sum / Math.max(1, rates.length)) ** exponent;
      for (let i = 0; i < rates.length; i++) {
        const own = rates[i]! ** exponent;
        out[i] = own / (own + others);
      }
    },
  };
}
