import { outgoing, type Rows } from "./csr.ts";

/**
 * The median distance between the two neurons of a connection, in places of a list of all neurons: how far
 * apart in memory a step of the brain has to reach. (Reference, "A day on a laptop, measured first": 31,770 in
 * MaleCNS as it comes and 19,314 after reverse Cuthill-McKee.)
 *
 * @param connectome Who connects to whom.
 * @param order `[neurons]`: the neuron at every place; the order in which they come if left out.
 * @returns The median over connections; NaN if there are none.
 * @throws {RangeError} If `order` does not name every neuron.
 *
 * @example Two neighbours
 * ```ts
 * import { medianDistance } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const pair = { rowStart: Int32Array.of(0, 0, 0, 1), pre: Int32Array.of(0) };
 * assert.equal(medianDistance(pair), 2);
 * assert.equal(medianDistance(pair, Int32Array.of(1, 0, 2)), 1);
 * ```
 */
export function medianDistance(connectome: Rows, order?: Int32Array): number {
  const { rowStart, pre } = connectome;
  const neurons = rowStart.length - 1;
  const place = order ? placesOf(order, neurons) : undefined;
  const counts = new Int32Array(Math.max(1, neurons));
  for (let j = 0; j < neurons; j++) {
    const here = place ? place[j]! : j;
    for (let e = rowStart[j]!; e < rowStart[j + 1]!; e++) {
      const there = place ? place[pre[e]!]! : pre[e]!;
      counts[Math.abs(here - there)]!++;
    }
  }
  if (pre.length === 0) return NaN;
  const low = atPlace(counts, Math.floor((pre.length - 1) / 2));
  const high = atPlace(counts, Math.floor(pre.length / 2));
  return (low + high) / 2;
}

function placesOf(order: Int32Array, neurons: number): Int32Array {
  const place = new Int32Array(neurons).fill(-1);
  for (let k = 0; k < order.length; k++) if (order[k]! >= 0 && order[k]! < neurons) place[order[k]!] = k;
  if (order.length !== neurons || place.includes(-1)) {
    throw new RangeError(
      `Cannot measure distances: the order has ${order.length} entries, ` +
        `each of ${neurons} neurons is wanted once`,
    );
  }
  return place;
}

function atPlace(counts: Int32Array, place: number): number {
  let before = 0;
  for (let d = 0; d < counts.length; d++) {
    before += counts[d]!;
    if (before > place) return d;
  }
  return NaN;
}

/**
 * An order of the neurons that brings connected ones close together: reverse Cuthill-McKee (Cuthill and McKee
 * 1969, reversed by George 1971) on the connections taken without direction.
 *
 * Every connected piece is walked breadth first from its neuron with the fewest connections, and newly met
 * neurons are taken by ascending number of connections, ties by index.
 *
 * @param connectome Who connects to whom.
 * @returns `[neurons]`: the neuron at every place.
 */
export function reverseCuthillMcKee(connectome: Rows): Int32Array {
  const { rowStart, pre } = connectome;
  const neurons = rowStart.length - 1;
  const { start, post } = outgoing(connectome);
  const degree = new Int32Array(neurons);
  let most = 0;
  for (let i = 0; i < neurons; i++) {
    degree[i] = rowStart[i + 1]! - rowStart[i]! + start[i + 1]! - start[i]!;
    most = Math.max(most, degree[i]!);
  }
  // Rank by degree, ties by index, by counting: comparing ranks is then comparing both at once.
  const next = new Int32Array(most + 2);
  for (const d of degree) next[d + 1]!++;
  for (let d = 0; d <= most; d++) next[d + 1]! += next[d]!;
  const byDegree = new Int32Array(neurons);
  const rank = new Int32Array(neurons);
  for (let i = 0; i < neurons; i++) {
    const place = next[degree[i]!]!++;
    byDegree[place] = i;
    rank[i] = place;
  }
  const seen = new Uint8Array(neurons);
  // Holds ranks while a batch of new neurons is sorted, and neurons after that.
  const order = new Int32Array(neurons);
  let end = 0;
  for (const root of byDegree) {
    if (seen[root]) continue;
    seen[root] = 1;
    let at = end;
    order[end++] = root;
    for (; at < end; at++) {
      const i = order[at]!;
      const first = end;
      for (let e = rowStart[i]!; e < rowStart[i + 1]!; e++) {
        const other = pre[e]!;
        if (seen[other]) continue;
        seen[other] = 1;
        order[end++] = rank[other]!;
      }
      for (let e = start[i]!; e < start[i + 1]!; e++) {
        const other = post[e]!;
        if (seen[other]) continue;
        seen[other] = 1;
        order[end++] = rank[other]!;
      }
      order.subarray(first, end).sort();
      for (let k = first; k < end; k++) order[k] = byDegree[order[k]!]!;
    }
  }
  return order.reverse();
}
