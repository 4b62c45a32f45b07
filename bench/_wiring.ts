import { Random } from "flychess/common";
import type { Connectome } from "flychess/connectome";

/**
 * The worst case for an engine: as many neurons and connections as a connectome has, every connection between two
 * neurons drawn uniformly. No order of the neurons brings such connections closer together in memory.
 *
 * @param connectome Whose neurons, synapse counts, inputs and outputs are kept.
 * @param seed Which wiring.
 */
export function uniformWiring(connectome: Connectome, seed: number): Connectome {
  const random = new Random(seed, "uniform wiring");
  const neurons = connectome.sign.length, connections = connectome.pre.length;
  const rowStart = new Int32Array(neurons + 1);
  for (let k = 0; k < connections; k++) rowStart[random.int(neurons) + 1]! += 1;
  for (let row = 0; row < neurons; row++) rowStart[row + 1]! += rowStart[row]!;
  const pre = Int32Array.from({ length: connections }, () => random.int(neurons));
  for (let row = 0; row < neurons; row++) pre.subarray(rowStart[row]!, rowStart[row + 1]!).sort();
  return {
    ...connectome,
    name: `uniform random wiring as large as the ${connectome.name}`,
    provenance: { wiring: "uniform", seed, like: connectome.name },
    rowStart,
    pre,
  };
}
