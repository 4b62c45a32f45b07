import { digest } from "../common/mod.ts";
import type { Connectome, NameColumn } from "./connectome.ts";

/**
 * The SHA-256 of a nervous system, as 64 hex digits: of every array in it, but not of its name and provenance.
 * It names the nervous system in every result. Whether synapses are stored in 16 or 32 bits changes nothing.
 *
 * @example A changed sign gives another digest
 * ```ts
 * import { connectomeDigest, connectomeFromTables } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const pair = connectomeFromTables([{ id: 1 }, { id: 2 }], [{ pre: 1, post: 2, synapses: 5 }], {
 *   input: [1],
 *   output: [2],
 * });
 * const changed = { ...pair, sign: Int8Array.of(-1, 1) };
 * assert.notEqual(connectomeDigest(pair), connectomeDigest(changed));
 * ```
 */
export function connectomeDigest(connectome: Connectome): string {
  const { neurons, rowStart, pre, synapses, sign, input, output } = connectome;
  const names = (column: NameColumn) => [JSON.stringify(column.names), column.index];
  return digest([
    "flychess connectome 1",
    neurons.id,
    ...names(neurons.type),
    ...names(neurons.superclass),
    ...names(neurons.class),
    ...names(neurons.transmitter),
    ...names(neurons.region),
    ...names(neurons.side),
    plainNaN(neurons.soma),
    neurons.column,
    rowStart,
    pre,
    synapses instanceof Uint32Array ? synapses : Uint32Array.from(synapses),
    sign,
    input,
    output,
  ]);
}

/** The bits of some floats, with one and the same NaN everywhere: processors write several. */
function plainNaN(values: Float32Array): Uint32Array {
  const bits = new Uint32Array(values.slice().buffer);
  for (let i = 0; i < bits.length; i++) if (Number.isNaN(values[i]!)) bits[i] = 0x7fc00000;
  return bits;
}
