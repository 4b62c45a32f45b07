import { Random } from "../common/mod.ts";
import { withReceivers } from "./_control.ts";
import { PairSet } from "./_pair_set.ts";
import type { Connectome } from "./connectome.ts";

/**
 * A random graph of equal size (Erdős and Rényi 1959): as many connections between as many neurons, every pair of two
 * neurons equally likely and none twice. Only the size is kept, and each neuron's sign and region and which ones are eye and
 * read out; synapse counts are dealt out to the new connections.
 *
 * @param connectome The nervous system; it is not changed.
 * @param seed A whole number from 0 to 2^32 - 1.
 * @returns A new one, named `NAME, random wiring (seed SEED)`.
 * @throws {RangeError} If the seed is out of range, or more than half of all pairs are connected.
 *
 * @example As many connections, everybody's degree by chance
 * ```ts
 * import { growModelFly, randomWiring } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const fly = growModelFly({ scale: 1 / 64 });
 * const random = randomWiring(fly, 1);
 * assert.equal(random.pre.length, fly.pre.length);
 * assert.notDeepEqual(random.rowStart, fly.rowStart);
 * ```
 */
export function randomWiring(connectome: Connectome, seed: number): Connectome {
  const neurons = connectome.sign.length, edges = connectome.pre.length;
  if (edges > neurons * (neurons - 1) / 2) {
    throw new RangeError(
      `Cannot draw a random graph: there are ${edges} connections between ${neurons} neurons, at most half of all pairs ` +
        "is wanted",
    );
  }
  const random = new Random(seed, "random wiring");
  const pre = new Int32Array(edges), post = new Int32Array(edges), pairs = new PairSet(edges);
  for (let e = 0; e < edges;) {
    const from = random.int(neurons), to = random.int(neurons);
    if (from === to || pairs.has(from, to)) continue;
    pairs.add(from, to);
    pre[e] = from;
    post[e++] = to;
  }
  const synapses = random.shuffle(connectome.synapses.slice());
  return withReceivers(
    { ...connectome, pre, synapses },
    `${connectome.name}, random wiring (seed ${seed})`,
    { control: "randomWiring", seed },
    post,
  );
}
