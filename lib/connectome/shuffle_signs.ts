import { Random } from "../common/mod.ts";
import type { Connectome, NameColumn } from "./connectome.ts";

/**
 * Deals transmitters, and with them signs, out again among neurons; who talks to whom stays as it is.
 *
 * Input neurons keep theirs: that photoreceptors excite is a choice of the model (reference, "The fly was brain
 * dead"), not something measured that this control could take away. As many neurons excite as before.
 *
 * @param connectome The nervous system; it is not changed.
 * @param seed A whole number from 0 to 2^32 - 1.
 * @returns A new one, named `NAME, shuffled signs (seed SEED)`.
 * @throws {RangeError} If the seed is out of range.
 */
export function shuffleSigns(connectome: Connectome, seed: number): Connectome {
  const random = new Random(seed, "shuffle signs");
  const keeps = new Uint8Array(connectome.sign.length);
  for (const i of connectome.input) keeps[i] = 1;
  const open = Int32Array.from(connectome.sign.keys()).filter((i) => !keeps[i]);
  const from = random.shuffle(open.slice());
  const sign = connectome.sign.slice();
  const index = connectome.neurons.transmitter.index.slice();
  let changed = 0;
  for (let k = 0; k < open.length; k++) {
    const [to, source] = [open[k]!, from[k]!];
    sign[to] = connectome.sign[source]!;
    index[to] = connectome.neurons.transmitter.index[source]!;
    if (sign[to] !== connectome.sign[to]) changed++;
  }
  const transmitter: NameColumn = { names: connectome.neurons.transmitter.names, index };
  return {
    ...connectome,
    name: `${connectome.name}, shuffled signs (seed ${seed})`,
    provenance: {
      control: "shuffleSigns",
      seed,
      neuronsDealt: open.length,
      signsChanged: changed,
      of: { name: connectome.name, provenance: connectome.provenance },
    },
    neurons: { ...connectome.neurons, transmitter },
    sign,
  };
}
