import { DataError, type LongWork } from "../common/mod.ts";
import { type Connectome, NO_COLUMN, type Region, REGIONS } from "./connectome.ts";
import { MALECNS_FILES } from "./connectome_files.ts";
import { csrFromEdges } from "./csr.ts";
import { hashFiles, type SourceFile } from "./_hash_files.ts";
import { IdIndex } from "./_id_index.ts";
import { readAnnotations, readTransmitters, readWeights } from "./_male_cns_tables.ts";
import { nameColumn } from "./_name_column.ts";
import { isPhotoreceptor, regionOf } from "./region_rules.ts";
import { signOf } from "./transmitters.ts";

export type { SourceFile };

/** Where the tables are and what to keep of them. */
export interface MaleCnsOptions extends LongWork {
  /** Path of the body annotations (Feather V2). */
  readonly annotations: string;
  /** Path of the transmitter predictions. */
  readonly neurotransmitters: string;
  /** Path of the connection weights; the traced-only table is enough. */
  readonly weights: string;
  /** Connections with fewer synapses are left out: a single one is often a tracing error. Default 5. */
  readonly minSynapses?: number | undefined;
  /** What the connectome is called. Default `MaleCNS v1.0` for the published tables, else `tables like MaleCNS`. */
  readonly name?: string | undefined;
}

/** What became of the rows of the annotations; all but `rows` add up to `rows`. */
export interface AnnotationCuts {
  /** Rows read. */
  readonly rows: number;
  /** Left out: glia, by status, superclass or class. */
  readonly glia: number;
  /** Left out: any other status than `Traced`, or none. */
  readonly notTraced: number;
  /** Left out: traced, but without a superclass. */
  readonly noSuperclass: number;
  /** Left out: a second row of the same body; the first counts. */
  readonly repeated: number;
  /** Neurons kept. */
  readonly kept: number;
}

/** What decided the neurons' transmitters; consensus, cellType, own, unclear and absent add up to the neurons. */
export interface TransmitterSources {
  /** Rows read. */
  readonly rows: number;
  /** The consensus call. */
  readonly consensus: number;
  /** The prediction for the cell type, where there is no consensus. */
  readonly cellType: number;
  /** The neuron's own prediction, where neither says. */
  readonly own: number;
  /** None of them says: acetylcholine is assumed. */
  readonly unclear: number;
  /** The neuron is not in the table: acetylcholine is assumed. */
  readonly absent: number;
  /** A second row of the same body, left out; the first counts. */
  readonly repeated: number;
}

/** What became of the rows of the weights; belowMinimum to kept add up to `rows`. */
export interface WeightCuts {
  /** Rows read. */
  readonly rows: number;
  /** Left out: fewer synapses than the minimum. */
  readonly belowMinimum: number;
  /** Left out: one of the ends is not a neuron that was kept. */
  readonly endsNotKept: number;
  /** Left out: a kept neuron onto itself. */
  readonly selfConnections: number;
  /** Added to an earlier row of the same pair. */
  readonly repeated: number;
  /** Connections kept. */
  readonly kept: number;
  /** Their synapses. */
  readonly synapses: number;
}

/** What a build read, cut and kept. */
export interface MaleCnsReport {
  /** The files, with their SHA-256. */
  readonly sources: readonly SourceFile[];
  /** Whether the annotations are those that were published as v1.0, byte for byte. */
  readonly published: boolean;
  /** The minimum that was asked for. */
  readonly minSynapses: number;
  /** Bodies. */
  readonly annotations: AnnotationCuts;
  /** Transmitters. */
  readonly transmitters: TransmitterSources;
  /** Connections. */
  readonly weights: WeightCuts;
  /** Photoreceptors, and how many of them have a column of the eye. */
  readonly photoreceptors: { readonly all: number; readonly placed: number };
  /** Neurons that carry a column label of their own, and the different columns among them. */
  readonly columns: { readonly labelled: number; readonly different: number };
  /** Neurons of every region. */
  readonly regions: Readonly<Record<Region, number>>;
}

/**
 * Builds a nervous system from the three tables of MaleCNS (or tables of the same schema).
 *
 * Kept are traced neurons with a known superclass, in the order of the annotations, and the connections between
 * them with at least `minSynapses` synapses, but for those of a neuron onto itself; should a pair stand in several rows,
 * those that reach the minimum are added up. A neuron's transmitter is
 * the consensus call, else its cell type's prediction, else its own, else acetylcholine (`unclear`, null and
 * unknown words say nothing); it decides the sign, but photoreceptors excite. Each photoreceptor takes the eye
 * column of the labelled cell it makes the most synapses onto among the kept connections; of several with equally
 * many, the one with the lowest body id. `input` are the photoreceptors, `output` the cells of superclass
 * `descending_neuron`. (Reference, "The connectome" and section 1.)
 *
 * The tables are streamed: memory holds what is kept, not what is read.
 *
 * @returns The nervous system, and a report that counts every cut (it is in the provenance, too).
 * @throws {DataError} If a table is broken, cut off, lacks a column or holds another type.
 * @throws {RangeError} If `minSynapses` is not a whole number of at least 1.
 *
 * @example The small tables that this project is tested on
 * ```ts
 * import { buildMaleCns } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const folder = "tests/golden/malecns";
 * const { connectome, report } = await buildMaleCns({
 *   annotations: `${folder}/body-annotations-male-cns-v1.0-minconf-0.5.feather`,
 *   neurotransmitters: `${folder}/body-neurotransmitters-male-cns-v1.0.feather`,
 *   weights: `${folder}/connectome-weights-male-cns-v1.0-minconf-0.5-traced-only.feather`,
 * });
 * assert.equal(connectome.sign.length, 483);
 * assert.equal(report.weights.selfConnections, 17);
 * ```
 */
export async function buildMaleCns(
  options: MaleCnsOptions,
): Promise<{ connectome: Connectome; report: MaleCnsReport }> {
  const { minSynapses = 5 } = options;
  if (!Number.isInteger(minSynapses) || minSynapses < 1) {
    throw new RangeError(
      `Cannot build a connectome: the minimum is ${minSynapses} synapses, a whole number of at least 1 is wanted`,
    );
  }
  const kept = await readAnnotations(options.annotations, options);
  const neurons = kept.id.length;
  if (neurons === 0) {
    throw new DataError(
      `Cannot build a connectome: ${options.annotations} has no traced neuron with a superclass, at least one is wanted`,
    );
  }
  const index = new IdIndex(kept.id);
  const { transmitter, sources } = await readTransmitters(options.neurotransmitters, neurons, index, options);
  const connections = await readWeights(options.weights, minSynapses, index, options);
  const rows = csrFromEdges(neurons, connections.pre, connections.post, connections.synapses, {
    merge: true,
  });

  const sign = new Int8Array(neurons);
  const region: Region[] = [];
  const input: number[] = [];
  const output: number[] = [];
  const column = new Int16Array(2 * neurons).fill(NO_COLUMN);
  for (let i = 0; i < neurons; i++) {
    const cell = { superclass: kept.superclass[i]!, class: kept.class[i]!, type: kept.type[i]! };
    const eye = isPhotoreceptor(cell);
    region.push(regionOf(cell));
    sign[i] = signOf(transmitter[i]!, eye);
    if (eye) input.push(i);
    else if (!Number.isNaN(kept.hex[2 * i]!)) column.set(kept.hex.slice(2 * i, 2 * i + 2), 2 * i);
    if (cell.superclass === "descending_neuron") output.push(i);
  }
  const labels = new Set<number>();
  let labelled = 0;
  for (let i = 0; i < neurons; i++) {
    if (column[2 * i] === NO_COLUMN) continue;
    labelled++;
    labels.add(column[2 * i]! * 0x10000 + column[2 * i + 1]!);
  }
  const placed = placePhotoreceptors(kept.id, rows, input, column);

  let synapses = 0;
  for (const count of rows.synapses) synapses += count;
  const files = await hashFiles([options.annotations, options.neurotransmitters, options.weights], options);
  const published = files[0]!.sha256 === MALECNS_FILES[0]!.sha256;
  const counts = Object.fromEntries(REGIONS.map((name) => [name, 0])) as Record<Region, number>;
  for (const name of region) counts[name]++;
  const report: MaleCnsReport = {
    sources: files,
    published,
    minSynapses,
    annotations: kept.cuts,
    transmitters: sources,
    weights: {
      ...connections.cuts,
      repeated: connections.pre.length - rows.pre.length,
      kept: rows.pre.length,
      synapses,
    },
    photoreceptors: { all: input.length, placed },
    columns: { labelled, different: labels.size },
    regions: counts,
  };
  const connectome: Connectome = {
    name: options.name ?? (published ? "MaleCNS v1.0" : "tables like MaleCNS"),
    provenance: {
      source: "MaleCNS tables",
      selfConnectionsDropped: connections.cuts.selfConnections,
      report,
    },
    neurons: {
      id: Float64Array.from(kept.id),
      type: nameColumn("type", kept.type),
      superclass: nameColumn("superclass", kept.superclass),
      class: nameColumn("class", kept.class),
      transmitter: nameColumn("transmitter", transmitter),
      region: nameColumn("region", region),
      side: nameColumn("side", kept.side),
      soma: Float32Array.from(kept.soma),
      column,
    },
    ...rows,
    sign,
    input: Int32Array.from(input),
    output: Int32Array.from(output),
  };
  return { connectome, report };
}

/** Gives every photoreceptor the column of its strongest labelled partner; returns how many got one. */
function placePhotoreceptors(
  id: readonly number[],
  rows: Pick<Connectome, "rowStart" | "pre" | "synapses">,
  input: readonly number[],
  column: Int16Array,
): number {
  const eye = new Uint8Array(id.length);
  for (const cell of input) eye[cell] = 1;
  const most = new Float64Array(id.length);
  const partner = new Int32Array(id.length).fill(-1);
  for (let to = 0; to < id.length; to++) {
    // Photoreceptors have no column yet, so none of them is taken for a labelled cell.
    if (column[2 * to] === NO_COLUMN) continue;
    for (let e = rows.rowStart[to]!; e < rows.rowStart[to + 1]!; e++) {
      const from = rows.pre[e]!;
      if (!eye[from]) continue;
      const count = rows.synapses[e]!;
      const best = partner[from]!;
      if (count > most[from]! || (count === most[from] && id[to]! < id[best]!)) {
        most[from] = count;
        partner[from] = to;
      }
    }
  }
  let placed = 0;
  for (const cell of input) {
    const to = partner[cell]!;
    if (to < 0) continue;
    column[2 * cell] = column[2 * to]!;
    column[2 * cell + 1] = column[2 * to + 1]!;
    placed++;
  }
  return placed;
}
