import { DataError, type LongWork, Random } from "../common/mod.ts";
import type { Connectome, Region } from "./connectome.ts";
import { connectomeFromTables } from "./connectome_from_tables.ts";
import { parseCsv } from "./_csv.ts";
import { hashFiles, type SourceFile } from "./_hash_files.ts";
import type { NeuronRecord } from "./own_tables.ts";

/**
 * What the neurons of the larva are assumed to release; the tables do not say.
 *
 * - `acetylcholine`: every neuron, so that all excite.
 * - `class`: local neurons release GABA and inhibit, dopaminergic and other modulatory neurons of the mushroom body
 *   release dopamine, everything else (sensory, projection, Kenyon cells, ...) acetylcholine. A guess by class.
 * - a share: so many of the neurons that are not sensory, drawn by seed, release GABA, the rest acetylcholine.
 */
export type LarvaTransmitters =
  | "acetylcholine"
  | "class"
  | {
    /** From 0 to 1. */
    readonly inhibitory: number;
    /** A whole number from 0 to 2^32 - 1. */
    readonly seed: number;
  };

/** Where the tables are and what to make of them. */
export interface LarvaOptions extends LongWork {
  /** Path of the connections, lines of `pre post weight` (`G_edgelist.txt`). */
  readonly edges: string;
  /** Path of the neurons, comma-separated with a header (`meta_data.csv`). */
  readonly neurons: string;
  /** Connections with fewer synapses are left out. Default 1: the published brain was traced by hand. */
  readonly minSynapses?: number | undefined;
  /** The assumption about transmitters. Default `acetylcholine`. */
  readonly transmitters?: LarvaTransmitters | undefined;
}

/** What a build read, cut and kept. */
export interface LarvaReport {
  /** The files, with their SHA-256. */
  readonly sources: readonly SourceFile[];
  /** Whether neurons, rows and synapses are as many as were published (`LARVA_COUNTS`). */
  readonly published: boolean;
  /** The minimum that was asked for. */
  readonly minSynapses: number;
  /** The assumption about transmitters. */
  readonly transmitters: LarvaTransmitters;
  /** Rows of the neuron table: those that the connections do not mention are left out. */
  readonly neurons: { readonly rows: number; readonly withoutConnections: number; readonly kept: number };
  /** Rows of the connection table; belowMinimum to kept add up to `rows`. */
  readonly connections: {
    readonly rows: number;
    readonly belowMinimum: number;
    readonly endsNotKept: number;
    readonly selfConnections: number;
    readonly repeated: number;
    readonly kept: number;
    /** Synapses of all rows, kept or not. */
    readonly synapsesRead: number;
    readonly synapses: number;
  };
}

/** What the published tables hold (Winding et al. 2023): the files have no checksums, so these are the check. */
export const LARVA_COUNTS: { readonly neurons: number; readonly rows: number; readonly synapses: number } = {
  neurons: 3_554,
  rows: 119_010,
  synapses: 376_091,
};

const REGION_OF_GROUP: ReadonlyMap<string, Region> = new Map([
  ["KCs", "Kenyon cell"],
  ["MBONs", "MBON"],
  ["MBINs", "DAN"],
  ["sensories", "sensory"],
  ["dVNCs", "descending"],
  ["dSEZs", "descending"],
  ["ascendings", "ascending"],
  // Ring gland neurons: endocrine.
  ["RGNs", "other"],
]);

/**
 * Builds the larval brain (Winding et al. 2023) from a list of connections and a table of neurons.
 *
 * Kept are the neurons that the connections mention, in the order of the table, and all connections but those of
 * a neuron onto itself. Roles come from `simple_group`: sensory neurons (`sensories`) are the input, descending ones
 * (`dVNCs`, `dSEZs`) the output. In the neuron table superclass is `simple_group`, class is `class1`, type is
 * `merge_class`; there are no cell bodies and no eye columns. Regions: Kenyon cell, MBON, DAN (`MBINs`), sensory,
 * descending, ascending, other (`RGNs`), and central brain for the rest.
 *
 * @returns The nervous system, and a report that counts every cut (it is in the provenance, too).
 * @throws {DataError} If a file is missing or a line makes no sense; the message names file and line.
 * @throws {RangeError} If an option is out of range.
 *
 * @example Three neurons: a sensory one, a local one that inhibits, a descending one
 * ```ts
 * import { buildLarva } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * const edges = `${folder}/edges.txt`;
 * const neurons = `${folder}/neurons.csv`;
 * await Deno.writeTextFile(edges, "1 2 7\n2 3 4\n2 2 1\n");
 * await Deno.writeTextFile(neurons, "skid,simple_group,hemisphere\n1,sensories,L\n2,LNs,L\n3,dVNCs,R\n");
 * const { connectome, report } = await buildLarva({ edges, neurons, transmitters: "class" });
 * assert.deepEqual([...connectome.sign], [1, -1, 1]);
 * assert.equal(report.connections.selfConnections, 1);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function buildLarva(
  options: LarvaOptions,
): Promise<{ connectome: Connectome; report: LarvaReport }> {
  const { minSynapses = 1, transmitters = "acetylcholine" } = options;
  options.signal?.throwIfAborted();
  const edges = parseEdges(await readText(options.edges, "a list of connections"), options.edges);
  const listed = parseNeurons(await readText(options.neurons, "a table of neurons"), options.neurons);
  const mentioned = new Set<number>();
  for (const { pre, post } of edges) mentioned.add(pre).add(post);
  const kept = listed.filter(({ id }) => mentioned.has(id));
  if (kept.length === 0) {
    throw new DataError(
      `Cannot build the larva: none of the ids in ${options.neurons} is in ${options.edges}, some are wanted`,
    );
  }
  const known = new Set(kept.map(({ id }) => id));
  const within = edges.filter(({ pre, post }) => known.has(pre) && known.has(post));
  const group = (...names: string[]) =>
    kept.filter(({ superclass }) => names.includes(superclass!)).map(({ id }) => id);
  const connectome = connectomeFromTables(
    assume(kept, transmitters),
    within,
    { input: group("sensories"), output: group("dVNCs", "dSEZs") },
    { name: "larva", minSynapses },
  );
  const synapsesRead = edges.reduce((sum, { synapses }) => sum + synapses, 0);
  let synapses = 0;
  for (const count of connectome.synapses) synapses += count;
  const counts = connectome.provenance as Readonly<Record<string, number>>;
  const report: LarvaReport = {
    sources: await hashFiles([options.edges, options.neurons], options),
    published: kept.length === LARVA_COUNTS.neurons && edges.length === LARVA_COUNTS.rows &&
      synapsesRead === LARVA_COUNTS.synapses,
    minSynapses,
    transmitters,
    neurons: { rows: listed.length, withoutConnections: listed.length - kept.length, kept: kept.length },
    connections: {
      rows: edges.length,
      belowMinimum: counts["belowMinimum"]!,
      endsNotKept: edges.length - within.length,
      selfConnections: counts["selfConnectionsDropped"]!,
      repeated: counts["repeatedPairs"]!,
      kept: connectome.pre.length,
      synapsesRead,
      synapses,
    },
  };
  options.onProgress?.({
    task: "building the larva",
    done: connectome.pre.length,
    total: connectome.pre.length,
    unit: "connections",
  });
  const provenance = {
    source: "larva (Winding et al. 2023)",
    selfConnectionsDropped: report.connections.selfConnections,
    assumption: describe(transmitters),
    report,
  };
  return { connectome: { ...connectome, provenance }, report };
}

function describe(transmitters: LarvaTransmitters): string {
  if (transmitters === "acetylcholine") return "the tables name no transmitters: every neuron excites";
  if (transmitters === "class") {
    return "the tables name no transmitters: local neurons inhibit (GABA), all others excite";
  }
  return `the tables name no transmitters: a share of ${transmitters.inhibitory} of the neurons that are not ` +
    `sensory inhibits (GABA), drawn with seed ${transmitters.seed}`;
}

/** Gives every neuron the transmitter it is assumed to release. */
function assume(neurons: readonly NeuronRecord[], transmitters: LarvaTransmitters): NeuronRecord[] {
  if (transmitters === "acetylcholine") {
    return neurons.map((neuron) => ({ ...neuron, transmitter: "acetylcholine" }));
  }
  if (transmitters === "class") {
    const byGroup = new Map([["LNs", "gaba"], ["MBINs", "dopamine"]]);
    return neurons.map((neuron) => ({
      ...neuron,
      transmitter: byGroup.get(neuron.superclass!) ?? "acetylcholine",
    }));
  }
  const { inhibitory, seed } = transmitters;
  if (!(inhibitory >= 0 && inhibitory <= 1)) {
    throw new RangeError(
      `Cannot build the larva: the inhibitory share is ${inhibitory}, a number from 0 to 1 is wanted`,
    );
  }
  const drawn = neurons.flatMap(({ superclass }, i) => superclass === "sensories" ? [] : [i]);
  new Random(seed, "larva transmitters").shuffle(drawn);
  const inhibits = new Set(drawn.slice(0, Math.round(inhibitory * drawn.length)));
  return neurons.map((neuron, i) => ({ ...neuron, transmitter: inhibits.has(i) ? "gaba" : "acetylcholine" }));
}

async function readText(path: string, wanted: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new DataError(`Cannot read ${path}: there is no such file, ${wanted} is wanted`);
  }
}

function parseEdges(text: string, path: string): { pre: number; post: number; synapses: number }[] {
  const edges: { pre: number; post: number; synapses: number }[] = [];
  for (const [number, line] of text.split("\n").entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    const words = trimmed.split(/\s+/);
    const [pre, post, synapses] = words.map(Number) as [number, number, number];
    if (
      words.length !== 3 || !Number.isSafeInteger(pre) || !Number.isSafeInteger(post) ||
      !Number.isInteger(synapses) || synapses < 0
    ) {
      throw new DataError(
        `Cannot read ${path}: line ${number + 1} is '${trimmed.slice(0, 60)}', ` +
          "'sender receiver synapses' in whole numbers is wanted",
      );
    }
    edges.push({ pre, post, synapses });
  }
  return edges;
}

/** The names that the first column goes by: a saved index often has none. */
const ID_NAMES = ["skid", "id", "", "Unnamed: 0"];

function parseNeurons(text: string, path: string): NeuronRecord[] {
  const [header, ...rows] = parseCsv(text, path);
  const names = header?.cells.map((name) => name.trim()) ?? [];
  const place = (name: string, wanted: boolean): number => {
    const at = names.indexOf(name);
    if (at < 0 && wanted) {
      throw new DataError(
        `Cannot read ${path}: it has no column '${name}', one with a name for every neuron is wanted`,
      );
    }
    return at;
  };
  const idAt = ID_NAMES.map((name) => names.indexOf(name)).find((at) => at >= 0);
  if (idAt === undefined) {
    throw new DataError(`Cannot read ${path}: it has no column 'skid', one with the neurons' ids is wanted`);
  }
  const groupAt = place("simple_group", true);
  const classAt = place("class1", false);
  const typeAt = place("merge_class", false);
  const sideAt = place("hemisphere", true);
  return rows.map(({ line, cells }) => {
    const id = Number(cells[idAt]);
    if (cells.length !== names.length || cells[idAt]!.trim() === "" || !Number.isSafeInteger(id)) {
      throw new DataError(
        `Cannot read ${path}: line ${line} has ${cells.length} cells and the id '${cells[idAt] ?? ""}', ` +
          `${names.length} cells and a whole number are wanted`,
      );
    }
    const group = cells[groupAt]!.trim();
    const hemisphere = cells[sideAt]!.trim();
    return {
      id,
      type: cells[typeAt]?.trim() ?? "",
      superclass: group,
      class: cells[classAt]?.trim() ?? "",
      region: REGION_OF_GROUP.get(group) ?? "central brain",
      // The two neurons of the midline are marked C.
      side: hemisphere === "C" ? "M" : hemisphere,
    };
  });
}
