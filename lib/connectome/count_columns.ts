import { type Connectome, NO_COLUMN } from "./connectome.ts";

/**
 * Counts the eye columns that neurons of each side have (MaleCNS: 879 on the left and 892 on the right). The two
 * eyes use the same coordinates, so a column is a side and a place.
 *
 * @param connectome The nervous system.
 * @returns Different columns by side, `L`, `R`, `M` or `""` where a neuron's side is not known; sides without any are
 * absent.
 *
 * @example Both eyes have columns
 * ```ts
 * import { countColumns, growModelFly } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(Object.keys(countColumns(growModelFly({ scale: 1 / 64 }))).sort(), ["L", "R"]);
 * ```
 */
export function countColumns({ neurons }: Connectome): Readonly<Record<string, number>> {
  const { names, index } = neurons.side;
  const seen = new Map<string, Set<number>>();
  for (let i = 0; i < index.length; i++) {
    const hex1 = neurons.column[2 * i]!;
    if (hex1 === NO_COLUMN) continue;
    const side = names[index[i]!]!;
    let columns = seen.get(side);
    if (columns === undefined) seen.set(side, columns = new Set());
    columns.add(hex1 * 0x10000 + neurons.column[2 * i + 1]!);
  }
  return Object.fromEntries(Array.from(seen, ([side, columns]) => [side, columns.size]));
}
