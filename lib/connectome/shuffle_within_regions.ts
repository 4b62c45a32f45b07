import { Random } from "../common/mod.ts";
import { withReceivers } from "./_control.ts";
import type { Connectome } from "./connectome.ts";
import { receivers } from "./csr.ts";

/**
 * Shuffles wiring but keeps which region talks to which: receiving ends are handed out again in random order among
 * the connections with the same sender region and the same receiver region.
 *
 * Whatever a shuffle of everything changes by letting the eye talk to every neuron stays as it is here; what is
 * lost is who talks to whom inside. Self-connections that come up are dropped, duplicate pairs stay, as in
 * `shuffleWiring`.
 *
 * @param connectome The nervous system; it is not changed.
 * @param seed A whole number from 0 to 2^32 - 1.
 * @returns A new one, named `NAME, shuffled within regions (seed SEED)`.
 * @throws {RangeError} If the seed is out of range.
 */
export function shuffleWithinRegions(connectome: Connectome, seed: number): Connectome {
  const { names, index } = connectome.neurons.region;
  const old = receivers(connectome.rowStart);
  const { pre } = connectome;
  // Connections by pair of regions: a counting sort, so that each pair's ends lie in a row and can be shuffled.
  const keyOf = (e: number) => index[pre[e]!]! * names.length + index[old[e]!]!;
  const start = new Int32Array(names.length * names.length + 1);
  for (let e = 0; e < pre.length; e++) start[keyOf(e) + 1]!++;
  for (let k = 0; k + 1 < start.length; k++) start[k + 1]! += start[k]!;
  const next = start.slice();
  const place = new Int32Array(pre.length);
  const ends = new Int32Array(pre.length);
  for (let e = 0; e < pre.length; e++) {
    place[e] = next[keyOf(e)]!++;
    ends[place[e]!] = old[e]!;
  }
  const random = new Random(seed, "shuffle within regions");
  for (let k = 0; k + 1 < start.length; k++) random.shuffle(ends.subarray(start[k]!, start[k + 1]!));
  return withReceivers(
    connectome,
    `${connectome.name}, shuffled within regions (seed ${seed})`,
    { control: "shuffleWithinRegions", seed },
    Int32Array.from(place, (k) => ends[k]!),
  );
}
