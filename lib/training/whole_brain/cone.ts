import { firstSteps } from "../../brain/engines/wasm/_plan.ts";
import type { Connectome } from "../../connectome/mod.ts";

/**
 * What of a brain has a part in what is read, step by step. A neuron's place is its number here: those that are needed
 * longest come first, so that a step computes the first `rows` of them.
 */
export interface Cone {
  /** `[places]`: which neuron. */
  readonly neuron: Int32Array;
  /** `[neurons]`: its place, or -1. */
  readonly place: Int32Array;
  /** `[steps]`: how many places are computed at step 1, 2, ... */
  readonly rows: readonly number[];
  /** `[places + 1]`. */
  readonly rowStart: Int32Array;
  /** Step by step, `[rows]`: where the connections end that tell boards apart at that step. */
  readonly rowEnd: readonly Int32Array[];
  /** `[connections of the cone]`: the sender's place. */
  readonly pre: Int32Array;
  /** `[connections of the cone]`: which connection of the connectome. */
  readonly connection: Int32Array;
}

/**
 * Finds what has a part in what is read. A sender that no board has reached yet says the same to all of them, and a batch's
 * homeostasis takes that away again; a neuron that cannot reach what is read in the steps that remain is not heard. Both
 * follow from the wiring, and what is left out has a gradient of 0.
 *
 * @param lit Neurons that the eye may light.
 * @param steps The last step that is read.
 *
 * @example A chain, and a neuron that nobody hears
 * ```ts
 * import { connectomeFromTables } from "flychess/connectome";
 * import { coneOf } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const chain = [{ pre: 1, post: 2, synapses: 5 }, { pre: 2, post: 3, synapses: 5 }, { pre: 1, post: 4, synapses: 5 }];
 * const wiring = connectomeFromTables([1, 2, 3, 4].map((id) => ({ id })), chain, { input: [1], output: [3] });
 * const { neuron, rows, connection } = coneOf(wiring, wiring.input, 3);
 * assert.deepEqual([...neuron], [2, 1, 0]); // the last of the chain is needed longest
 * assert.deepEqual(rows, [3, 2, 1]);
 * assert.equal(connection.length, 2);
 * ```
 */
export function coneOf(connectome: Connectome, lit: ArrayLike<number>, steps: number): Cone {
  const { rowStart: start, pre, output, sign } = connectome, neurons = sign.length;
  const driven = new Uint8Array(neurons);
  for (let i = 0; i < lit.length; i++) driven[lit[i]!] = 1;
  const first = firstSteps(connectome, driven, steps), last = new Int32Array(neurons);
  for (const j of output) last[j] = steps;
  for (let step = steps; step > 1; step--) {
    for (let j = 0; j < neurons; j++) {
      if (last[j]! < step) continue;
      for (let k = start[j]!; k < start[j + 1]!; k++) {
        const i = pre[k]!;
        if (first[i]! < step && last[i]! < step - 1) last[i] = step - 1;
      }
    }
  }
  const neuron = Int32Array.from(
    Array.from(last.keys()).filter((j) => last[j]! > 0).sort((a, b) => last[b]! - last[a]! || a - b),
  );
  const place = new Int32Array(neurons).fill(-1);
  neuron.forEach((j, p) => place[j] = p);
  const rows = Array.from({ length: steps }, (_, t) => neuron.filter((j) => last[j]! > t).length);
  const rowStart = new Int32Array(neuron.length + 1), rowEnd = rows.map((count) => new Int32Array(count));
  const connection: number[] = [];
  neuron.forEach((j, p) => {
    rowStart[p] = connection.length;
    // Senders that boards reach early first: then those of a step are the first of the row.
    for (let t = 0; t < last[j]!; t++) {
      for (let k = start[j]!; t > 0 && k < start[j + 1]!; k++) if (first[pre[k]!] === t) connection.push(k);
      rowEnd[t]![p] = connection.length;
    }
  });
  rowStart[neuron.length] = connection.length;
  return {
    neuron,
    place,
    rows,
    rowStart,
    rowEnd,
    pre: Int32Array.from(connection, (k) => place[pre[k]!]!),
    connection: Int32Array.from(connection),
  };
}
