import { type LongWork, Random } from "../common/mod.ts";
import { withReceivers } from "./_control.ts";
import { PairSet } from "./_pair_set.ts";
import type { Connectome } from "./connectome.ts";
import { receivers } from "./csr.ts";

/** How thoroughly `shuffleDegrees` shuffles. */
export interface ShuffleDegreesOptions extends LongWork {
  /** Rounds in which every connection swaps its receiving end with another's; a whole number, 1 by default. */
  readonly rounds?: number | undefined;
}

/** Swaps between two progress reports. */
const REPORT = 1 << 19;
/** Partners that a connection tries before it stays as it is in this round. */
const PARTNERS = 50;

/**
 * A control that keeps every neuron's number of sent and of received connections and changes everything else: again
 * and again two connections, a to b and c to d, become a to d and c to b, unless that would connect a neuron to
 * itself or a pair twice (Maslov and Sneppen 2002). Synapse counts stay with the sender.
 *
 * Partners are drawn as in a fair shuffle of all receiving ends (Fisher and Yates), so that one round is enough to
 * forget the wiring; a connection whose swap is refused tries other partners. The provenance says how many swaps
 * were tried and done (`swapsTried`, `swapsDone`) and which share of the connections ends elsewhere than before
 * (`shareChanged`). Where most swaps are refused, in small or dense wiring, more of it stays.
 *
 * @param connectome The nervous system; it is not changed. Pairs it holds twice are never made more.
 * @param seed A whole number from 0 to 2^32 - 1.
 * @returns A new one, named `NAME, shuffled keeping degrees (seed SEED)`.
 * @throws {RangeError} If the seed or the number of rounds is out of range.
 *
 * @example Degrees stay
 * ```ts
 * import { growModelFly, shuffleDegrees } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const fly = growModelFly({ scale: 1 / 64 });
 * const shuffled = shuffleDegrees(fly, 1);
 * assert.deepEqual(shuffled.rowStart, fly.rowStart);
 * assert.ok(Number(shuffled.provenance.shareChanged) > 0.9);
 * ```
 */
export function shuffleDegrees(
  connectome: Connectome,
  seed: number,
  options: ShuffleDegreesOptions = {},
): Connectome {
  const { rounds = 1, signal, onProgress } = options;
  if (!(Number.isInteger(rounds) && rounds >= 0 && rounds <= 1_000)) {
    throw new RangeError(`Cannot shuffle: ${rounds} rounds, a whole number from 0 to 1,000 is wanted`);
  }
  const { pre } = connectome;
  const edges = pre.length;
  const old = receivers(connectome.rowStart);
  const post = old.slice();
  const random = new Random(seed, "shuffle degrees");
  const pairs = new PairSet(edges);
  for (let e = 0; e < edges; e++) pairs.add(pre[e]!, post[e]!);
  let tried = 0;
  let done = 0;
  const swap = (first: number, second: number): boolean => {
    tried++;
    const [a, b, c, d] = [pre[first]!, post[first]!, pre[second]!, post[second]!];
    if (a === c || b === d || a === d || c === b || pairs.has(a, d) || pairs.has(c, b)) return false;
    pairs.remove(a, b);
    pairs.remove(c, d);
    pairs.add(a, d);
    pairs.add(c, b);
    post[first] = d;
    post[second] = b;
    done++;
    return true;
  };
  const total = rounds * edges;
  for (let k = 0; k < total; k++) {
    if (k % REPORT === 0) {
      signal?.throwIfAborted();
      onProgress?.({ task: "shuffling", done: k, total, unit: "connections" });
    }
    const last = edges - 1 - k % edges;
    for (let partner = 0; partner < PARTNERS; partner++) {
      // The last few have hardly any partner left before them: they may take any.
      const other = random.int(partner < PARTNERS / 2 ? last + 1 : edges);
      if (other === last && partner < PARTNERS / 2) break;
      if (swap(last, other)) break;
    }
  }
  onProgress?.({ task: "shuffling", done: total, total, unit: "connections" });
  let changed = 0;
  for (let e = 0; e < edges; e++) if (post[e] !== old[e]) changed++;
  return withReceivers(
    connectome,
    `${connectome.name}, shuffled keeping degrees (seed ${seed})`,
    {
      control: "shuffleDegrees",
      seed,
      rounds,
      swapsTried: tried,
      swapsDone: done,
      shareChanged: edges === 0 ? 0 : changed / edges,
    },
    post,
  );
}
