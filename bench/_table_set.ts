import { Random } from "flychess/common";
import { type Connectome, type NameColumn, NO_COLUMN } from "flychess/connectome";
import { type Batch, float64, int32, int64, lists, texts, writeFeather } from "./_feather.ts";

/** Rows of the published tables of MaleCNS v1.0, whose neurons are 163,803. */
const PUBLISHED = { neurons: 163_803, bodies: 211_577, transmitters: 1_835_518, weights: 25_563_197 };
/** The fewest synapses of a connection that a build keeps. */
const MINIMUM = 5;

/** Where the tables are. */
export interface TableSet {
  /** Body annotations. */
  readonly annotations: string;
  /** Transmitter predictions. */
  readonly neurotransmitters: string;
  /** Connection weights. */
  readonly weights: string;
  /** Rows of the weights. */
  readonly rows: number;
}

const encoder = new TextEncoder();
const encode = (names: readonly string[]) => names.map((name) => encoder.encode(name));

/**
 * Writes tables like those of MaleCNS (Feather V2, LZ4, 65,536 rows a batch) from which a build makes the wiring of a
 * connectome again: its neurons among fragments, its connections before four times as many weaker ones, sorted by weight.
 * At scale 1 every table has as many rows as the published one. Of the annotations' and predictions' columns only
 * those that a build reads are there; the weights have all five.
 *
 * @param folder Where they go; it must exist.
 * @param connectome Whose wiring, all connections with at least 5 synapses.
 * @param seed Which weaker connections.
 */
export async function writeTableSet(folder: string, connectome: Connectome, seed: number): Promise<TableSet> {
  const { neurons } = connectome, count = connectome.sign.length, share = count / PUBLISHED.neurons;
  const bodies = Math.round(PUBLISHED.bodies * share);
  const rows = Math.max(connectome.pre.length, Math.round(PUBLISHED.weights * share));
  // Fragments have ids above those of all neurons.
  const largest = neurons.id.reduce((most, id) => Math.max(most, id));
  const idOf = (row: number) => row < count ? neurons.id[row]! : largest + 1 + row - count;
  const set = {
    annotations: `${folder}/annotations.feather`,
    neurotransmitters: `${folder}/neurotransmitters.feather`,
    weights: `${folder}/weights.feather`,
    rows,
  };
  await writeFeather(set.annotations, bodies, annotationBatch(connectome, idOf));
  await writeFeather(
    set.neurotransmitters,
    Math.round(PUBLISHED.transmitters * share),
    transmitterBatch(connectome, idOf),
  );
  await writeFeather(set.weights, rows, weightBatch(connectome, rows, seed));
  return set;
}

type MakeBatch = (first: number, length: number) => Batch;

function annotationBatch({ neurons, sign, input }: Connectome, idOf: (row: number) => number): MakeBatch {
  const count = sign.length, eyes = new Set(input), { soma, column } = neurons;
  return (first, length) => {
    /** A neuron's name, the empty one for a fragment. */
    const named = ({ names, index }: NameColumn) =>
      texts(
        length,
        encode([...names, ""]),
        (row) => first + row < count ? index[first + row]! : names.length,
      );
    // Photoreceptors carry no column of their own in the published table.
    const hex = (axis: number) =>
      float64(length, (row) => {
        const at = first + row;
        return at >= count || eyes.has(at) || column[2 * at] === NO_COLUMN ? NaN : column[2 * at + axis]!;
      });
    return {
      bodyId: int64(length, (row) => idOf(first + row)),
      status: texts(length, encode(["Traced", "Orphan"]), (row) => Number(first + row >= count)),
      superclass: named(neurons.superclass),
      class: named(neurons.class),
      type: named(neurons.type),
      somaSide: named(neurons.side),
      somaLocation: lists(length, (row) => {
        const at = 3 * (first + row);
        return first + row >= count || Number.isNaN(soma[at]!)
          ? []
          : Array.from(soma.subarray(at, at + 3), Math.round);
      }),
      assignedOlHex1: hex(0),
      assignedOlHex2: hex(1),
    };
  };
}

function transmitterBatch({ neurons, sign }: Connectome, idOf: (row: number) => number): MakeBatch {
  const count = sign.length, { names, index } = neurons.transmitter, words = encode([...names, "unclear"]);
  return (first, length) => {
    const call = () =>
      texts(length, words, (row) => first + row < count ? index[first + row]! : names.length);
    return {
      body: int64(length, (row) => idOf(first + row)),
      total_nt_predictions: int32(length, (row) => (first + row) % 997),
      predicted_nt: call(),
      predicted_nt_confidence: float64(length, (row) => ((first + row) % 1009) / 1009),
      celltype_predicted_nt: call(),
      celltype_predicted_nt_confidence: float64(length, (row) => ((first + row) % 1013) / 1013),
      consensus_nt: call(),
    };
  };
}

function weightBatch(
  { neurons, rowStart, pre, synapses }: Connectome,
  rows: number,
  seed: number,
): MakeBatch {
  const receiver = new Int32Array(pre.length), count = rowStart.length - 1;
  for (let row = 0; row < count; row++) receiver.fill(row, rowStart[row], rowStart[row + 1]);
  const sorted = bySynapses(synapses), random = new Random(seed, "weak connections");
  const words = encode(neurons.type.names), type = neurons.type.index;
  return (first, length) => {
    const from = new Int32Array(length), to = new Int32Array(length), weight = new Int32Array(length);
    for (let i = 0; i < length; i++) {
      const row = first + i, edge = sorted[row];
      from[i] = edge === undefined ? random.int(count) : pre[edge]!;
      to[i] = edge === undefined ? random.int(count) : receiver[edge]!;
      // As many of 4 synapses as of 3, 2 and 1.
      const weak = (row - pre.length) / (rows - pre.length) * (MINIMUM - 1);
      weight[i] = edge === undefined ? MINIMUM - 1 - Math.floor(weak) : synapses[edge]!;
    }
    return {
      body_pre: int64(length, (i) => neurons.id[from[i]!]!),
      body_post: int64(length, (i) => neurons.id[to[i]!]!),
      weight: int64(length, (i) => weight[i]!),
      type_pre: texts(length, words, (i) => type[from[i]!]!),
      type_post: texts(length, words, (i) => type[to[i]!]!),
    };
  };
}

/** Connections, those of most synapses first. */
function bySynapses(synapses: Connectome["synapses"]): Int32Array {
  let most = 0;
  for (const count of synapses) most = Math.max(most, count);
  const next = new Int32Array(most + 2);
  for (const count of synapses) next[most - count + 1]! += 1;
  for (let i = 1; i < next.length; i++) next[i]! += next[i - 1]!;
  const sorted = new Int32Array(synapses.length);
  for (let k = 0; k < synapses.length; k++) sorted[next[most - synapses[k]!]!++] = k;
  return sorted;
}
