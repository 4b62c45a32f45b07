import type { Connectome } from "./connectome.ts";

/**
 * The nervous system with its photoreceptors as biology has them: every neuron that releases histamine inhibits.
 *
 * Elsewhere photoreceptors excite, because a neuron of the model starts at rate 0 and cannot be pushed below it: with
 * this wiring nothing behind the eye ever hears of the board (reference, "The fly was brain dead").
 *
 * @param connectome The nervous system; it is not changed.
 * @returns A new one, named `NAME, histamine inhibits`.
 * @throws {RangeError} If no neuron that excites releases histamine: there would be nothing to change.
 *
 * @example Only photoreceptors change their sign
 * ```ts
 * import { growModelFly, histamineInhibits } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const fly = growModelFly({ scale: 1 / 64 });
 * const shy = histamineInhibits(fly);
 * const changed = [...shy.sign.keys()].filter((neuron) => shy.sign[neuron] !== fly.sign[neuron]);
 * assert.deepEqual(changed, [...fly.input]);
 * ```
 */
export function histamineInhibits(connectome: Connectome): Connectome {
  const { names, index } = connectome.neurons.transmitter;
  const histamine = names.indexOf("histamine");
  const sign = connectome.sign.slice();
  let turned = 0;
  for (let neuron = 0; neuron < sign.length; neuron++) {
    if (index[neuron] !== histamine || sign[neuron] === -1) continue;
    sign[neuron] = -1;
    turned++;
  }
  if (turned === 0) {
    throw new RangeError(
      `Cannot let histamine inhibit in ${connectome.name}: no neuron that excites releases it, at least one is wanted`,
    );
  }
  return {
    ...connectome,
    name: `${connectome.name}, histamine inhibits`,
    provenance: {
      control: "histamineInhibits",
      signsChanged: turned,
      of: { name: connectome.name, provenance: connectome.provenance },
    },
    sign,
  };
}
