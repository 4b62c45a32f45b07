import { DataError } from "../common/mod.ts";
import { type Connectome, NO_COLUMN, type Region, REGIONS } from "./connectome.ts";
import { csrFromEdges } from "./csr.ts";
import { IdIndex } from "./_id_index.ts";
import { nameColumn } from "./_name_column.ts";
import type {
  EdgeColumns,
  EdgeRecord,
  NeuronColumns,
  NeuronRecord,
  Roles,
  TableOptions,
} from "./own_tables.ts";
import { regionOf } from "./region_rules.ts";
import { checkColumns, checkRecords, EDGE_NAMES, NEURON_NAMES, shown } from "./_table_names.ts";
import { signOf, transmitterName } from "./transmitters.ts";

/**
 * Makes a nervous system of your own tables: plain records, or columns (typed arrays, or what Arrow gives).
 *
 * Neurons keep their order. Connections of the same pair become one with all their synapses; those of a neuron
 * onto itself are left out. The provenance counts what was left out.
 *
 * @param neurons One record a neuron, or columns.
 * @param edges One record a connection, or columns.
 * @param roles Which neurons are input and output.
 * @throws {DataError} If an id is unknown, no whole number or there twice, a count is negative or no whole number, a sign
 * is not +1 or -1, a region or a transmitter does not exist (and no sign is given), a column has another name than those
 * of `NeuronRecord` and `EdgeRecord`, or columns differ in length; the message names the row.
 * @throws {RangeError} If `minSynapses` is not a whole number of at least 1.
 *
 * @example Six neurons, written out by hand
 * ```ts
 * import { connectomeFromTables } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * const six = connectomeFromTables(
 *   [
 *     { id: 11, type: "R1-R6", superclass: "ol_sensory", transmitter: "histamine", sign: 1, column: [4, 7] },
 *     { id: 12, type: "R7p", superclass: "ol_sensory", transmitter: "histamine", sign: 1, column: [4, 7] },
 *     { id: 21, type: "L1", superclass: "ol_intrinsic", transmitter: "glutamate" },
 *     { id: 31, type: "LC4", superclass: "visual_projection" },
 *     { id: 41, superclass: "cb_intrinsic", transmitter: "gaba", side: "L", soma: [10, 20, 30] },
 *     { id: 51, type: "DNp01", superclass: "descending_neuron" },
 *   ],
 *   [
 *     { pre: 11, post: 21, synapses: 40 },
 *     { pre: 12, post: 21, synapses: 9 },
 *     { pre: 21, post: 31, synapses: 12 },
 *     { pre: 31, post: 41, synapses: 7 },
 *     { pre: 31, post: 51, synapses: 30 },
 *     { pre: 41, post: 51, synapses: 5 },
 *   ],
 *   { input: [11, 12], output: [51] },
 *   { name: "six neurons" },
 * );
 * assert.deepEqual([...six.sign], [1, 1, -1, 1, -1, 1]);
 * assert.deepEqual([...six.rowStart], [0, 0, 0, 2, 3, 4, 6]);
 * assert.deepEqual([...six.output], [5]);
 * ```
 */
export function connectomeFromTables(
  neurons: readonly NeuronRecord[] | NeuronColumns,
  edges: readonly EdgeRecord[] | EdgeColumns,
  roles: Roles,
  options: TableOptions = {},
): Connectome {
  const { minSynapses = 1 } = options;
  if (!Number.isInteger(minSynapses) || minSynapses < 1) {
    throw new RangeError(
      `Cannot make a connectome: the minimum is ${minSynapses} synapses, a whole number of at least 1 is wanted`,
    );
  }
  const list = Array.isArray(neurons)
    ? checkRecords("neuron", neurons as readonly NeuronRecord[], NEURON_NAMES, ["id"])
    : records(neurons as NeuronColumns);
  const ids = list.map(({ id }) => id);
  checkIds(ids);
  const index = new IdIndex(ids);
  const table = neuronTable(list);
  const kept = keptEdges(edges, index, minSynapses);
  const rows = csrFromEdges(ids.length, kept.pre, kept.post, kept.synapses, { merge: true });
  return {
    name: options.name ?? "own tables",
    provenance: {
      source: "own tables",
      ...options.provenance,
      minSynapses,
      selfConnectionsDropped: kept.selfConnections,
      belowMinimum: kept.belowMinimum,
      repeatedPairs: kept.pre.length - rows.pre.length,
    },
    neurons: table.neurons,
    ...rows,
    sign: table.sign,
    input: roleIndex("input", roles.input, index),
    output: roleIndex("output", roles.output, index),
  };
}

function refuse(found: string, wanted: string): never {
  throw new DataError(`Cannot make a connectome: ${found}, ${wanted} is wanted`);
}

function records(columns: NeuronColumns): NeuronRecord[] {
  checkColumns("neurons", columns, NEURON_NAMES, ["id"]);
  const rows = columns.id.length;
  for (const [name, column] of Object.entries(columns)) {
    const wanted = rows * (name === "soma" ? 3 : name === "column" ? 2 : 1);
    if (column !== undefined && column.length !== wanted) {
      refuse(`column '${name}' of the neurons has ${column.length} entries`, `${wanted} for ${rows} neurons`);
    }
  }
  const part = (flat: ArrayLike<number> | undefined, size: number, row: number) =>
    flat === undefined || !Number.isFinite(flat[row * size]) || flat[row * size] === NO_COLUMN
      ? null
      : Array.from({ length: size }, (_, i) => flat[row * size + i]!);
  return Array.from({ length: rows }, (_, row) => ({
    id: columns.id[row]!,
    type: columns.type?.[row],
    superclass: columns.superclass?.[row],
    class: columns.class?.[row],
    transmitter: columns.transmitter?.[row],
    sign: columns.sign?.[row],
    region: columns.region?.[row],
    side: columns.side?.[row],
    soma: part(columns.soma, 3, row),
    column: part(columns.column, 2, row),
  }));
}

function checkIds(ids: readonly number[]): void {
  if (ids.length === 0) refuse("there are no neurons", "at least one");
  const first = new Map<number, number>();
  for (const [row, id] of ids.entries()) {
    if (!Number.isSafeInteger(id)) {
      refuse(`neuron ${row} has the id ${shown(id)}`, "a whole number of up to 2^53 - 1");
    }
    const before = first.get(id);
    if (before !== undefined) {
      refuse(`neurons ${before} and ${row} have the same id ${id}`, "an id of its own for each");
    }
    first.set(id, row);
  }
}

function neuronTable(list: readonly NeuronRecord[]): { neurons: Connectome["neurons"]; sign: Int8Array } {
  const soma = new Float32Array(3 * list.length).fill(NaN);
  const column = new Int16Array(2 * list.length).fill(NO_COLUMN);
  const sign = new Int8Array(list.length);
  const region: Region[] = [];
  for (const [row, neuron] of list.entries()) {
    const kind = {
      superclass: neuron.superclass ?? "",
      class: neuron.class ?? "",
      type: neuron.type ?? "",
    };
    if (neuron.soma) {
      if (neuron.soma.length !== 3) {
        refuse(`the soma of neuron ${row} has ${neuron.soma.length} numbers`, "3");
      }
      soma.set(neuron.soma, 3 * row);
    }
    if (neuron.column) {
      for (let axis = 0; axis < 2; axis++) {
        const hex = neuron.column[axis];
        if (neuron.column.length !== 2 || !Number.isInteger(hex) || Math.abs(hex!) > 32767) {
          refuse(
            `the column of neuron ${row} is ${Array.from(neuron.column).join(", ")}`,
            "a pair of column numbers",
          );
        }
      }
      column.set(neuron.column, 2 * row);
    }
    const does = neuron.sign ?? transmitterSign(neuron.transmitter ?? "", row);
    if (does !== 1 && does !== -1) refuse(`the sign of neuron ${row} is ${shown(does)}`, "+1 or -1");
    sign[row] = does;
    const place = neuron.region ?? regionOf(kind);
    if (!REGIONS.includes(place)) {
      refuse(`neuron ${row} is in the region '${place}'`, `one of ${REGIONS.join(", ")}`);
    }
    region.push(place);
  }
  const names = (what: "type" | "superclass" | "class" | "side") =>
    nameColumn(what, list.map((neuron) => neuron[what] ?? ""));
  return {
    sign,
    neurons: {
      id: Float64Array.from(list, ({ id }) => id),
      type: names("type"),
      superclass: names("superclass"),
      class: names("class"),
      transmitter: nameColumn(
        "transmitter",
        list.map(({ transmitter }) =>
          transmitter ? transmitterName(transmitter) ?? transmitter : "acetylcholine"
        ),
      ),
      region: nameColumn("region", region),
      side: names("side"),
      soma,
      column,
    },
  };
}

/** The sign that a transmitter gives, or an error that names the neuron. */
function transmitterSign(transmitter: string, row: number): 1 | -1 {
  if (typeof transmitter !== "string") refuse(`the transmitter of neuron ${row} is ${transmitter}`, "a word");
  try {
    return signOf(transmitter);
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    throw new DataError(error.message.replace(/^.*?: its/, `Cannot make a connectome: neuron ${row}'s`), {
      cause: error,
    });
  }
}

function keptEdges(edges: readonly EdgeRecord[] | EdgeColumns, index: IdIndex, minSynapses: number) {
  if (Array.isArray(edges)) checkRecords("edge", edges, EDGE_NAMES, EDGE_NAMES);
  else checkColumns("edges", edges, EDGE_NAMES, EDGE_NAMES);
  const columns: EdgeColumns = Array.isArray(edges)
    ? {
      pre: edges.map(({ pre }) => pre),
      post: edges.map(({ post }) => post),
      synapses: edges.map(({ synapses }) => synapses),
    }
    : edges as EdgeColumns;
  const count = columns.pre.length;
  if (columns.post.length !== count || columns.synapses.length !== count) {
    refuse(
      `the edges have ${count} senders, ${columns.post.length} receivers and ${columns.synapses.length} counts`,
      "the same number of each",
    );
  }
  const pre = new Int32Array(count);
  const post = new Int32Array(count);
  const synapses = new Uint32Array(count);
  let kept = 0;
  let selfConnections = 0;
  let belowMinimum = 0;
  for (let row = 0; row < count; row++) {
    const from = index.of(columns.pre[row]!);
    const to = index.of(columns.post[row]!);
    if (from < 0) refuse(`edge ${row} comes from ${shown(columns.pre[row])}`, "the id of one of the neurons");
    if (to < 0) refuse(`edge ${row} goes to ${shown(columns.post[row])}`, "the id of one of the neurons");
    const n = columns.synapses[row]!;
    if (!Number.isInteger(n) || n < 0 || n > 0xffffffff) {
      refuse(`edge ${row} has ${shown(n)} synapses`, "a whole number from 0 to 2^32 - 1");
    }
    if (n < minSynapses) belowMinimum++;
    else if (from === to) selfConnections++;
    else {
      pre[kept] = from;
      post[kept] = to;
      synapses[kept++] = n;
    }
  }
  return {
    pre: pre.subarray(0, kept),
    post: post.subarray(0, kept),
    synapses: synapses.subarray(0, kept),
    selfConnections,
    belowMinimum,
  };
}

function roleIndex(role: string, ids: Iterable<number>, index: IdIndex): Int32Array {
  const places = new Set<number>();
  for (const id of ids) {
    const place = index.of(id);
    if (place < 0) {
      refuse(`the ${role} neuron ${shown(id)} is not in the table`, "the id of one of the neurons");
    }
    places.add(place);
  }
  return Int32Array.from(places).sort();
}
