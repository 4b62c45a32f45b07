import { type LongWork, Random } from "../common/mod.ts";
import { withReceivers } from "./_control.ts";
import { PairSet } from "./_pair_set.ts";
import type { Connectome } from "./connectome.ts";
import { receivers } from "./csr.ts";

/** How thoroughly `shuffleDegrees` shuffles. */
export interface ShuffleDegreesOptions extends LongWork {
  /** Rounds in which every connection swaps its receiving end with another's; a whole number, 1 by default. */
  readonly rounds?: number | undefined;
  /**
   * `[neurons]`: whole numbers from 0 that put neurons into groups. A connection then swaps only with one from the same
   * group into the same group, so that every neuron also keeps how many connections it has with each. By default all
   * neurons are one group.
   */
  readonly groups?: ArrayLike<number> | undefined;
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
 * With neurons in groups by their distance from the eye (`hopsFrom`), every neuron also stays as far from it as it was:
 * one that is two connections away goes on hearing neurons that are one away, only others.
 *
 * @param connectome The nervous system; it is not changed. Pairs it holds twice are never made more.
 * @param seed A whole number from 0 to 2^32 - 1.
 * @returns A new one, named `NAME, shuffled keeping degrees (seed SEED)`; with groups `... degrees and groups ...`.
 * @throws {RangeError} If the seed or the number of rounds is out of range, or there are not as many groups as neurons.
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
  const { rounds = 1, groups, signal, onProgress } = options;
  if (!(Number.isInteger(rounds) && rounds >= 0 && rounds <= 1_000)) {
    throw new RangeError(`Cannot shuffle: ${rounds} rounds, a whole number from 0 to 1,000 is wanted`);
  }
  const { pre } = connectome;
  const edges = pre.length;
  const old = receivers(connectome.rowStart);
  const { order, start } = byGroups(pre, old, connectome.sign.length, groups);
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
  let group = 0;
  for (let k = 0; k < total; k++) {
    if (k % REPORT === 0) {
      signal?.throwIfAborted();
      onProgress?.({ task: "shuffling", done: k, total, unit: "connections" });
    }
    const last = edges - 1 - k % edges;
    if (last === edges - 1) group = start.length - 1;
    while (start[group]! > last) group--;
    const from = start[group]!, to = start[group + 1] ?? edges;
    for (let partner = 0; partner < PARTNERS; partner++) {
      // The last few have hardly any partner left before them: they may take any.
      const other = from + random.int(partner < PARTNERS / 2 ? last - from + 1 : to - from);
      if (other === last && partner < PARTNERS / 2) break;
      if (swap(order[last]!, order[other]!)) break;
    }
  }
  onProgress?.({ task: "shuffling", done: total, total, unit: "connections" });
  let changed = 0;
  for (let e = 0; e < edges; e++) if (post[e] !== old[e]) changed++;
  return withReceivers(
    connectome,
    `${connectome.name}, shuffled keeping degrees${groups === undefined ? "" : " and groups"} (seed ${seed})`,
    {
      control: "shuffleDegrees",
      seed,
      rounds,
      ...groups === undefined ? {} : { groups: new Set(Array.from(groups)).size },
      swapsTried: tried,
      swapsDone: done,
      shareChanged: edges === 0 ? 0 : changed / edges,
    },
    post,
  );
}

/** Connections in the order of their groups' pairs, and where each pair's begin. */
function byGroups(
  pre: Int32Array,
  post: Int32Array,
  neurons: number,
  groups: ArrayLike<number> | undefined,
): { readonly order: Int32Array; readonly start: readonly number[] } {
  const order = Int32Array.from(pre, (_, e) => e);
  if (groups === undefined) return { order, start: [0] };
  let count = 0;
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i]!;
    if (!Number.isInteger(group) || group < 0) {
      throw new RangeError(
        `Cannot shuffle: the group of neuron ${i} is ${group}, a whole number from 0 is wanted`,
      );
    }
    count = Math.max(count, group + 1);
  }
  if (groups.length !== neurons) {
    throw new RangeError(
      `Cannot shuffle: there are groups of ${groups.length} neurons, ${neurons} are wanted`,
    );
  }
  const pair = (e: number) => groups[pre[e]!]! * count + groups[post[e]!]!;
  order.sort((a, b) => pair(a) - pair(b) || a - b);
  const start: number[] = [];
  for (let k = 0; k < order.length; k++) {
    if (k === 0 || pair(order[k]!) !== pair(order[k - 1]!)) start.push(k);
  }
  return { order, start };
}
