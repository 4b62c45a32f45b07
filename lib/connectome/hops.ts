import type { Connectome } from "./connectome.ts";
import { outgoing, type Rows } from "./csr.ts";

/**
 * How many connections every neuron is away from the nearest of some sources, going from sender to receiver.
 *
 * @param connectome Who connects to whom.
 * @param sources Where the walks start; they are 0 hops away.
 * @returns `[neurons]`: hops, or -1 where no walk leads.
 * @throws {RangeError} If a source is not one of the neurons.
 *
 * @example A chain of three neurons
 * ```ts
 * import { hopsFrom, hopsTo } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const chain = { rowStart: Int32Array.of(0, 0, 1, 2), pre: Int32Array.of(0, 1) };
 * assert.deepEqual([...hopsFrom(chain, Int32Array.of(0))], [0, 1, 2]);
 * assert.deepEqual([...hopsTo(chain, Int32Array.of(1))], [1, 0, -1]);
 * ```
 */
export function hopsFrom(connectome: Rows, sources: Int32Array): Int32Array {
  const { start, post } = outgoing(connectome);
  return breadthFirst(start, post, sources);
}

/**
 * How many connections every neuron is away from the nearest of some targets, going from sender to receiver.
 *
 * @param connectome Who connects to whom.
 * @param targets Where the walks end; they are 0 hops away.
 * @returns `[neurons]`: hops, or -1 where no walk leads.
 * @throws {RangeError} If a target is not one of the neurons.
 */
export function hopsTo(connectome: Rows, targets: Int32Array): Int32Array {
  return breadthFirst(connectome.rowStart, connectome.pre, targets);
}

function breadthFirst(start: Int32Array, neighbour: Int32Array, roots: Int32Array): Int32Array {
  const neurons = start.length - 1;
  const hops = new Int32Array(neurons).fill(-1);
  const queue = new Int32Array(neurons);
  let end = 0;
  for (const root of roots) {
    if (root < 0 || root >= neurons) {
      throw new RangeError(`Cannot count hops: there is no neuron ${root}, 0 to ${neurons - 1} are wanted`);
    }
    if (hops[root] === -1) {
      hops[root] = 0;
      queue[end++] = root;
    }
  }
  for (let at = 0; at < end; at++) {
    const i = queue[at]!;
    for (let e = start[i]!; e < start[i + 1]!; e++) {
      const next = neighbour[e]!;
      if (hops[next] !== -1) continue;
      hops[next] = hops[i]! + 1;
      queue[end++] = next;
    }
  }
  return hops;
}

/** How many neurons lie how many hops away. */
export interface HopHistogram {
  /** `counts[h]`: neurons that are `h` hops away. */
  readonly counts: readonly number[];
  /** Neurons that no walk reaches. */
  readonly unreachable: number;
  /** The median over the neurons that a walk reaches; NaN if there are none. */
  readonly median: number;
}

/**
 * Counts the neurons at every distance.
 *
 * @param hops `[neurons]`, from `hopsFrom` or `hopsTo`.
 * @param among Which neurons count; all of them if left out.
 */
export function hopHistogram(hops: Int32Array, among?: Int32Array): HopHistogram {
  const counts: number[] = [];
  let unreachable = 0;
  let reached = 0;
  const count = (h: number) => {
    if (h < 0) {
      unreachable++;
      return;
    }
    while (counts.length <= h) counts.push(0);
    counts[h]!++;
    reached++;
  };
  if (among) { for (const i of among) count(hops[i]!); }
  else for (const h of hops) count(h);
  const at = (place: number): number => {
    let before = 0;
    for (let h = 0; h < counts.length; h++) {
      before += counts[h]!;
      if (before > place) return h;
    }
    return NaN;
  };
  const median = (at(Math.floor((reached - 1) / 2)) + at(Math.floor(reached / 2))) / 2;
  return { counts, unreachable, median: reached === 0 ? NaN : median };
}

/**
 * The share of connections that can carry something from an input to an output neuron in time: those that lie
 * on at least one walk of at most `steps` connections that starts at an input neuron and ends at an output
 * neuron. A walk may pass a neuron more than once. (Reference, "The connectome": 98 % in MaleCNS.)
 *
 * A connection from `i` to `j` does if hops from the nearest input to `i`, plus 1, plus hops from `j` to the
 * nearest output are at most `steps`.
 *
 * @param connectome The nervous system.
 * @param steps The longest walk, in connections.
 * @returns From 0 to 1; NaN if there are no connections.
 */
export function pathShare(connectome: Connectome, steps = 12): number {
  const from = hopsFrom(connectome, connectome.input);
  const to = hopsTo(connectome, connectome.output);
  const { rowStart, pre } = connectome;
  let on = 0;
  for (let j = 0; j + 1 < rowStart.length; j++) {
    if (to[j]! < 0) continue;
    const left = steps - 1 - to[j]!;
    for (let e = rowStart[j]!; e < rowStart[j + 1]!; e++) {
      const before = from[pre[e]!]!;
      if (before >= 0 && before <= left) on++;
    }
  }
  return on / pre.length;
}
