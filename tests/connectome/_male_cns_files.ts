import * as arrow from "apache-arrow";
import { join } from "node:path";
import { type Connectome, MALECNS_FILES, type NameColumn, NO_COLUMN } from "../../lib/connectome/mod.ts";
import { float64, int64, utf8, writeTable } from "./_tables.ts";

/**
 * Writes a nervous system as the three tables of MaleCNS, in their schema and under their names: neurons of a model fly with
 * ids of their own, every one traced.
 *
 * @returns The files, in the order of `MALECNS_FILES`.
 */
export async function writeAsMaleCns(folder: string, connectome: Connectome): Promise<string[]> {
  const { neurons, rowStart, pre, synapses, input } = connectome;
  const names = ({ names, index }: NameColumn) => Array.from(index, (i) => names[i] || null);
  const id = Array.from(neurons.id, (own) => 10_000 + own);
  const eye = new Set(input);
  // A photoreceptor has no column of its own: the reader finds it by what it connects to.
  const hex = (axis: 0 | 1) =>
    id.map((_, i) => {
      const value = neurons.column[2 * i + axis]!;
      return eye.has(i) || value === NO_COLUMN ? null : value;
    });
  const receiver: number[] = [];
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let k = rowStart[i]!; k < rowStart[i + 1]!; k++) receiver.push(id[i]!);
  }
  const files = MALECNS_FILES.map(({ name }) => join(folder, name)) as [string, string, string];
  await writeTable(files[0], {
    bodyId: int64(id),
    status: utf8(id.map(() => "Traced")),
    superclass: utf8(names(neurons.superclass)),
    class: utf8(names(neurons.class)),
    type: utf8(names(neurons.type)),
    somaSide: utf8(names(neurons.side)),
    somaLocation: {
      type: new arrow.List(new arrow.Field("item", new arrow.Int64())),
      values: id.map((_, i) =>
        Number.isNaN(neurons.soma[3 * i]) ? null : Array.from(
          neurons.soma.subarray(3 * i, 3 * i + 3),
          (axis) => BigInt(Math.round(axis)),
        )
      ),
    },
    assignedOlHex1: float64(hex(0)),
    assignedOlHex2: float64(hex(1)),
  });
  const transmitter = names(neurons.transmitter);
  await writeTable(files[1], {
    body: int64(id),
    predicted_nt: utf8(id.map(() => null)),
    celltype_predicted_nt: utf8(id.map(() => null)),
    consensus_nt: utf8(transmitter),
  });
  await writeTable(files[2], {
    body_pre: int64(Array.from(pre, (from) => id[from]!)),
    body_post: int64(receiver),
    weight: int64(Array.from(synapses)),
  }, { packing: "lz4" });
  return files;
}
