/** Who connects to whom, by receiving neuron: the part of a `Connectome` that walks along connections need. */
export interface Rows {
  /** `[neurons + 1]`: where every neuron's received connections start. */
  readonly rowStart: Int32Array;
  /** `[connections]`: the sending neuron, ascending within a row. */
  readonly pre: Int32Array;
}

/** Connections stored by receiving neuron, as in `Connectome`. */
export interface Csr extends Rows {
  /** `[connections]`: synapses; 16 bits wide where every count fits. */
  readonly synapses: Uint16Array | Uint32Array;
}

/** What `csrFromEdges` does with connections that a caller may not want. */
export interface CsrOptions {
  /** Leaves out connections of a neuron onto itself. Default `false`. */
  readonly dropSelf?: boolean | undefined;
  /** Makes one connection of those with the same sender and receiver, with all their synapses. Default `false`. */
  readonly merge?: boolean | undefined;
}

/**
 * Sorts a list of connections by receiver, then by sender, in time linear in neurons and connections.
 *
 * The sort is stable: connections of the same pair stay in the order in which they came.
 *
 * @param neurons How many neurons there are.
 * @param pre `[connections]`: senders, from 0 to `neurons - 1`.
 * @param post `[connections]`: receivers.
 * @param synapses `[connections]`: counts, from 1 to 2^32 - 1.
 * @returns The same connections by row; `synapses` is a `Uint16Array` if no count is above 65,535.
 * @throws {RangeError} If the lists differ in length, or an entry is out of range.
 *
 * @example Three connections of three neurons
 * ```ts
 * import { csrFromEdges } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const { rowStart, pre, synapses } = csrFromEdges(3, [2, 0, 1], [1, 1, 0], [7, 5, 6]);
 * assert.deepEqual([...rowStart], [0, 1, 3, 3]);
 * assert.deepEqual([...pre], [1, 0, 2]);
 * assert.deepEqual([...synapses], [6, 5, 7]);
 * ```
 */
export function csrFromEdges(
  neurons: number,
  pre: ArrayLike<number>,
  post: ArrayLike<number>,
  synapses: ArrayLike<number>,
  options: CsrOptions = {},
): Csr {
  const { dropSelf = false, merge = false } = options;
  checkEdges(neurons, pre, post, synapses);
  const edges = pre.length;
  // Least significant key first: a stable counting sort by sender, then one by receiver.
  const bySender = countingOrder(neurons, pre, edges);
  const fill = new Int32Array(neurons + 1);
  for (let e = 0; e < edges; e++) {
    if (!(dropSelf && pre[e] === post[e])) fill[post[e]! + 1]!++;
  }
  for (let i = 0; i < neurons; i++) fill[i + 1]! += fill[i]!;
  const rowStart = fill.slice();
  const kept = rowStart[neurons]!;
  const sortedPre = new Int32Array(kept);
  const sortedSynapses = new Uint32Array(kept);
  for (let k = 0; k < edges; k++) {
    const e = bySender[k]!;
    const receiver = post[e]!;
    if (dropSelf && pre[e] === receiver) continue;
    const place = fill[receiver]!++;
    sortedPre[place] = pre[e]!;
    sortedSynapses[place] = synapses[e]!;
  }
  if (!merge) return { rowStart, pre: sortedPre, synapses: narrowSynapses(sortedSynapses) };
  return mergePairs(rowStart, sortedPre, sortedSynapses);
}

function checkEdges(
  neurons: number,
  pre: ArrayLike<number>,
  post: ArrayLike<number>,
  synapses: ArrayLike<number>,
): void {
  if (!Number.isInteger(neurons) || neurons < 0) {
    throw new RangeError(`Cannot sort connections: there are ${neurons} neurons, a whole number is wanted`);
  }
  if (pre.length !== post.length || pre.length !== synapses.length) {
    throw new RangeError(
      `Cannot sort connections: there are ${pre.length} senders, ${post.length} receivers and ` +
        `${synapses.length} counts, as many of each are wanted`,
    );
  }
  for (let e = 0; e < pre.length; e++) {
    const from = pre[e]!;
    const to = post[e]!;
    const count = synapses[e]!;
    // The comparison with the truncated value refuses fractions and NaN in one go.
    if (!(from >= 0 && from < neurons && to >= 0 && to < neurons && (from | 0) === from && (to | 0) === to)) {
      throw new RangeError(
        `Cannot sort connections: number ${e} goes from ${from} to ${to}, ` +
          `neurons from 0 to ${neurons - 1} are wanted`,
      );
    }
    if (!(count >= 1 && (count >>> 0) === count)) {
      throw new RangeError(
        `Cannot sort connections: number ${e} has ${count} synapses, a whole number from 1 to 2^32 - 1 is wanted`,
      );
    }
  }
}

/** The numbers of the entries, sorted by key; equal keys keep their order. */
function countingOrder(keys: number, key: ArrayLike<number>, length: number): Int32Array {
  const next = new Int32Array(keys + 1);
  for (let e = 0; e < length; e++) next[key[e]! + 1]!++;
  for (let i = 0; i < keys; i++) next[i + 1]! += next[i]!;
  const order = new Int32Array(length);
  for (let e = 0; e < length; e++) order[next[key[e]!]!++] = e;
  return order;
}

function mergePairs(rowStart: Int32Array, pre: Int32Array, synapses: Uint32Array): Csr {
  const neurons = rowStart.length - 1;
  const start = new Int32Array(neurons + 1);
  let kept = 0;
  for (let i = 0; i < neurons; i++) {
    const first = kept;
    for (let e = rowStart[i]!; e < rowStart[i + 1]!; e++) {
      if (kept > first && pre[kept - 1] === pre[e]) {
        synapses[kept - 1] = Math.min(synapses[kept - 1]! + synapses[e]!, 0xffffffff);
      } else {
        pre[kept] = pre[e]!;
        synapses[kept] = synapses[e]!;
        kept++;
      }
    }
    start[i + 1] = kept;
  }
  return {
    rowStart: start,
    pre: pre.slice(0, kept),
    synapses: narrowSynapses(synapses.slice(0, kept)),
  };
}

/** Counts in 16 bits if all of them fit, else in 32. */
export function narrowSynapses(synapses: Uint32Array): Uint16Array | Uint32Array {
  for (let e = 0; e < synapses.length; e++) if (synapses[e]! > 0xffff) return synapses;
  return Uint16Array.from(synapses);
}

/**
 * The receiver of every connection: row `i` spelled out once for each of its entries.
 *
 * @param rowStart `[neurons + 1]`.
 * @returns `[connections]`, ascending.
 */
export function receivers(rowStart: Int32Array): Int32Array {
  const post = new Int32Array(rowStart[rowStart.length - 1] ?? 0);
  for (let i = 0; i + 1 < rowStart.length; i++) post.fill(i, rowStart[i]!, rowStart[i + 1]!);
  return post;
}

/** Connections by sending neuron: those of neuron `i` are the entries from `start[i]` up to `start[i + 1]`. */
export interface Outgoing {
  /** `[neurons + 1]`. */
  readonly start: Int32Array;
  /** `[connections]`: the receiver, ascending within a sender. */
  readonly post: Int32Array;
  /** `[connections]`: which entry of the rows it is. */
  readonly edge: Int32Array;
}

/**
 * Turns rows of received connections into lists of sent ones.
 *
 * @param rows Anything with `rowStart` and `pre`, such as a `Connectome`.
 */
export function outgoing(rows: Rows): Outgoing {
  const { rowStart, pre } = rows;
  const neurons = rowStart.length - 1;
  const next = new Int32Array(neurons + 1);
  for (let e = 0; e < pre.length; e++) next[pre[e]! + 1]!++;
  for (let i = 0; i < neurons; i++) next[i + 1]! += next[i]!;
  const start = next.slice();
  const post = new Int32Array(pre.length);
  const edge = new Int32Array(pre.length);
  for (let i = 0; i < neurons; i++) {
    for (let e = rowStart[i]!; e < rowStart[i + 1]!; e++) {
      const place = next[pre[e]!]!++;
      post[place] = i;
      edge[place] = e;
    }
  }
  return { start, post, edge };
}
