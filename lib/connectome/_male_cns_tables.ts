import { DataError, type LongWork } from "../common/mod.ts";
import { readArrowBatches } from "./arrow_batches.ts";
import type { IdIndex } from "./_id_index.ts";
import type { AnnotationCuts, TransmitterSources, WeightCuts } from "./male_cns.ts";
import { TRANSMITTER_SIGNS } from "./transmitters.ts";

/** The neurons that a build keeps, in the order of the annotations. */
export interface KeptNeurons {
  readonly id: number[];
  readonly type: string[];
  readonly superclass: string[];
  readonly class: string[];
  readonly side: string[];
  /** Flat, 3 a neuron, NaN where unknown. */
  readonly soma: number[];
  /** Flat, 2 a neuron, NaN where the cell carries no label. */
  readonly hex: number[];
  readonly cuts: AnnotationCuts;
}

/** `glia`, `cb_glia`, `glial`; not "ganglia". */
const GLIA = /(^|_)glial?($|_)/i;

/** Reads the annotations and keeps traced neurons with a known superclass. */
export async function readAnnotations(path: string, work: LongWork): Promise<KeptNeurons> {
  const cuts = { rows: 0, glia: 0, notTraced: 0, noSuperclass: 0, repeated: 0, kept: 0 };
  const kept = { id: [], type: [], superclass: [], class: [], side: [], soma: [], hex: [] } as {
    [Column in keyof Omit<KeptNeurons, "cuts">]: KeptNeurons[Column];
  };
  const seen = new Set<number>();
  const batches = readArrowBatches(path, {
    bodyId: "integer",
    status: "text",
    superclass: "text",
    class: "text",
    type: "text",
    somaSide: "text",
    somaLocation: "numbers",
    assignedOlHex1: "number",
    assignedOlHex2: "number",
  });
  for await (const batch of batches) {
    work.signal?.throwIfAborted();
    const ids = batch.numbers("bodyId");
    const status = batch.texts("status");
    const superclass = batch.texts("superclass");
    const cellClass = batch.texts("class");
    const type = batch.texts("type");
    const side = batch.texts("somaSide");
    const soma = batch.lists("somaLocation");
    const hex1 = batch.numbers("assignedOlHex1");
    const hex2 = batch.numbers("assignedOlHex2");
    for (let row = 0; row < batch.rows; row++) {
      cuts.rows++;
      const state = status.at(row);
      const family = superclass.at(row) ?? "";
      const group = cellClass.at(row) ?? "";
      if (state === "Glia") cuts.glia++;
      else if (state !== "Traced") cuts.notTraced++;
      else if (family === "") cuts.noSuperclass++;
      else if (GLIA.test(family) || GLIA.test(group)) cuts.glia++;
      else {
        const id = ids[row]!;
        if (Number.isNaN(id)) {
          throw new DataError(
            `Cannot read ${path}: column 'bodyId' is null in row ${batch.first + row}, an id is wanted`,
          );
        }
        if (seen.has(id)) {
          cuts.repeated++;
          continue;
        }
        seen.add(id);
        cuts.kept++;
        kept.id.push(id);
        kept.superclass.push(family);
        kept.class.push(group);
        kept.type.push(type.at(row) ?? "");
        kept.side.push(side.at(row) ?? "");
        const place = soma.at(row);
        const known = place !== null && place.length === 3 && place.every((axis) => !Number.isNaN(axis));
        for (let axis = 0; axis < 3; axis++) kept.soma.push(known ? place[axis]! : NaN);
        pushColumn(path, kept.hex, hex1[row]!, hex2[row]!, batch.first + row);
      }
    }
    work.onProgress?.({
      task: "reading annotations",
      done: batch.first + batch.rows,
      total: batch.total,
      unit: "bodies",
    });
  }
  return { ...kept, cuts };
}

/** Adds an eye column; half a label is none. */
function pushColumn(path: string, hex: number[], hex1: number, hex2: number, row: number): void {
  if (Number.isNaN(hex1) || Number.isNaN(hex2)) {
    hex.push(NaN, NaN);
    return;
  }
  for (const [name, value] of [["assignedOlHex1", hex1], ["assignedOlHex2", hex2]] as const) {
    // -32768 is left out: it stands for "no column".
    if (!Number.isInteger(value) || Math.abs(value) > 32767) {
      throw new DataError(
        `Cannot read ${path}: column '${name}' is ${value} in row ${row}, a whole column number is wanted`,
      );
    }
  }
  hex.push(hex1, hex2);
}

/** The columns that may name a transmitter, the one that counts most first. */
const CHAIN = ["consensus_nt", "celltype_predicted_nt", "predicted_nt"] as const;

/** Reads what each kept neuron releases. */
export async function readTransmitters(
  path: string,
  neurons: number,
  index: IdIndex,
  work: LongWork,
): Promise<{ transmitter: string[]; sources: TransmitterSources }> {
  const transmitter = new Array<string>(neurons).fill("");
  const seen = new Uint8Array(neurons);
  const sources = { rows: 0, consensus: 0, cellType: 0, own: 0, unclear: 0, absent: 0, repeated: 0 };
  const batches = readArrowBatches(path, {
    body: "integer",
    consensus_nt: "text",
    celltype_predicted_nt: "text",
    predicted_nt: "text",
  });
  for await (const batch of batches) {
    work.signal?.throwIfAborted();
    const bodies = batch.numbers("body");
    const chain = CHAIN.map((name) => batch.texts(name));
    for (let row = 0; row < batch.rows; row++) {
      const neuron = index.of(bodies[row]!);
      if (neuron < 0) continue;
      if (seen[neuron]) {
        sources.repeated++;
        continue;
      }
      seen[neuron] = 1;
      const step = chain.findIndex((column) => TRANSMITTER_SIGNS.has(column.at(row) ?? ""));
      if (step >= 0) transmitter[neuron] = chain[step]!.at(row)!;
      sources[(["consensus", "cellType", "own"] as const)[step] ?? "unclear"]++;
    }
    sources.rows += batch.rows;
    work.onProgress?.({
      task: "reading transmitters",
      done: sources.rows,
      total: batch.total,
      unit: "bodies",
    });
  }
  for (let i = 0; i < neurons; i++) {
    if (!seen[i]) sources.absent++;
    if (transmitter[i] === "") transmitter[i] = "acetylcholine";
  }
  return { transmitter, sources };
}

/** Connections between kept neurons, in the order of the table. */
export interface KeptConnections {
  readonly pre: Int32Array;
  readonly post: Int32Array;
  readonly synapses: Uint32Array;
  readonly cuts: Omit<WeightCuts, "repeated" | "kept" | "synapses">;
}

/** Reads the connections; the ids of a batch are not even unpacked where no row reaches the minimum. */
export async function readWeights(
  path: string,
  minSynapses: number,
  index: IdIndex,
  work: LongWork,
): Promise<KeptConnections> {
  const cuts = { rows: 0, belowMinimum: 0, endsNotKept: 0, selfConnections: 0 };
  let pre = new Int32Array(1 << 16);
  let post = new Int32Array(1 << 16);
  let synapses = new Uint32Array(1 << 16);
  let count = 0;
  const batches = readArrowBatches(path, { body_pre: "integer", body_post: "integer", weight: "integer" });
  for await (const batch of batches) {
    work.signal?.throwIfAborted();
    const weight = batch.numbers("weight");
    if (count + batch.rows > pre.length) {
      const size = Math.max(2 * pre.length, count + batch.rows);
      pre = grown(pre, new Int32Array(size));
      post = grown(post, new Int32Array(size));
      synapses = grown(synapses, new Uint32Array(size));
    }
    let ids: { from: Float64Array; to: Float64Array } | undefined;
    for (let row = 0; row < batch.rows; row++) {
      const n = weight[row]!;
      if (!(n >= 0 && n <= 0xffffffff)) {
        throw new DataError(
          `Cannot read ${path}: column 'weight' is ${Number.isNaN(n) ? "null" : n} in row ${
            batch.first + row
          }, ` +
            "a count from 0 to 2^32 - 1 is wanted",
        );
      }
      if (n < minSynapses) {
        cuts.belowMinimum++;
        continue;
      }
      ids ??= { from: batch.numbers("body_pre"), to: batch.numbers("body_post") };
      const from = index.of(ids.from[row]!);
      const to = index.of(ids.to[row]!);
      if (from < 0 || to < 0) cuts.endsNotKept++;
      else if (from === to) cuts.selfConnections++;
      else {
        pre[count] = from;
        post[count] = to;
        synapses[count++] = n;
      }
    }
    cuts.rows += batch.rows;
    work.onProgress?.({ task: "reading connections", done: cuts.rows, total: batch.total, unit: "rows" });
  }
  return {
    pre: pre.subarray(0, count),
    post: post.subarray(0, count),
    synapses: synapses.subarray(0, count),
    cuts,
  };
}

function grown<T extends Int32Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
