import { Random } from "../common/mod.ts";
import { withReceivers } from "./_control.ts";
import type { Connectome } from "./connectome.ts";
import { receivers } from "./csr.ts";

/**
 * The reference's shuffle: hands the receiving ends of all connections out again in random order (reference,
 * section 1). Every neuron keeps how many connections it sends and with how many synapses, up to those dropped, and
 * how many it receives; whom it talks to is chance.
 *
 * The few connections that land on their own sender are dropped, and where a pair comes up twice both stay as
 * separate connections. `shuffleDegrees` is the stricter control.
 *
 * @param connectome The nervous system; it is not changed.
 * @param seed A whole number from 0 to 2^32 - 1.
 * @returns A new one, named `NAME, shuffled wiring (seed SEED)`.
 * @throws {RangeError} If the seed is out of range.
 *
 * @example As many connections received
 * ```ts
 * import { growModelFly, shuffleWiring } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const fly = growModelFly({ scale: 1 / 64 });
 * const shuffled = shuffleWiring(fly, 1);
 * assert.equal(shuffled.pre.length + Number(shuffled.provenance.selfConnectionsDropped), fly.pre.length);
 * ```
 */
export function shuffleWiring(connectome: Connectome, seed: number): Connectome {
  const post = new Random(seed, "shuffle wiring").shuffle(receivers(connectome.rowStart));
  return withReceivers(
    connectome,
    `${connectome.name}, shuffled wiring (seed ${seed})`,
    { control: "shuffleWiring", seed },
    post,
  );
}
