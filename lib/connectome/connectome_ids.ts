import { type Connectome, type NameColumn, NO_COLUMN } from "./connectome.ts";

/** A nervous system spelled out by body id, as plain JSON: what `fly connectome show --json --ids` prints. */
export interface ConnectomeIds {
  /** Neurons. */
  readonly neurons: number;
  /** Connections. */
  readonly connections: number;
  /** Connections of a kept neuron onto itself that the build left out; 0 where the source says nothing of them. */
  readonly self_connections_dropped: number;
  /** Synapses of all connections. */
  readonly synapses: number;
  /** +1 or -1 by id. */
  readonly sign: Readonly<Record<string, number>>;
  /** The transmitter that decided the sign, by id. */
  readonly transmitter: Readonly<Record<string, string | null>>;
  /** By id. */
  readonly superclass: Readonly<Record<string, string | null>>;
  /** By id; `null` where unknown. */
  readonly side: Readonly<Record<string, string | null>>;
  /** Cell body in voxels by id; `null` where unknown. */
  readonly soma: Readonly<Record<string, readonly [number, number, number] | null>>;
  /** Ids of the input neurons, ascending. */
  readonly photoreceptors: readonly number[];
  /** hex1 and hex2 of those input neurons that have a column, by id. */
  readonly column: Readonly<Record<string, readonly [number, number]>>;
  /** Ids of the output neurons, ascending. */
  readonly descending: readonly number[];
  /** Ids of the Kenyon cells, ascending. */
  readonly kenyon: readonly number[];
  /** Sender, receiver, synapses; sorted by sender, then receiver. */
  readonly edges: readonly (readonly [number, number, number])[];
}

/**
 * Spells a nervous system out by body id, so that others can compare a build with theirs.
 *
 * It makes an object for every connection: for MaleCNS that is some gigabytes of JSON.
 */
export function connectomeIds(connectome: Connectome): ConnectomeIds {
  const { neurons, rowStart, pre, synapses } = connectome;
  const id = neurons.id;
  const byId = <T>(value: (i: number) => T): Record<string, T> => {
    const entries: Record<string, T> = {};
    for (let i = 0; i < id.length; i++) entries[String(id[i])] = value(i);
    return entries;
  };
  const named = (column: NameColumn) => byId((i) => column.names[column.index[i]!] || null);
  const ids = (list: Iterable<number>) => [...list].map((i) => id[i]!).sort((a, b) => a - b);

  // Receivers in the order of their ids, each handing its connections to the senders' lists: both ends come out
  // sorted in linear time.
  const byIdOrder = Int32Array.from(id.keys()).sort((a, b) => id[a]! - id[b]!);
  const sent: [number, number, number][][] = Array.from({ length: id.length }, () => []);
  let total = 0;
  for (const post of byIdOrder) {
    for (let e = rowStart[post]!; e < rowStart[post + 1]!; e++) {
      total += synapses[e]!;
      sent[pre[e]!]!.push([id[pre[e]!]!, id[post]!, synapses[e]!]);
    }
  }
  const edges: [number, number, number][] = [];
  for (const from of byIdOrder) for (const edge of sent[from]!) edges.push(edge);
  const column: Record<string, [number, number]> = {};
  for (const i of connectome.input) {
    const hex1 = neurons.column[2 * i]!;
    if (hex1 !== NO_COLUMN) column[String(id[i])] = [hex1, neurons.column[2 * i + 1]!];
  }
  const kenyon = neurons.region.names.indexOf("Kenyon cell");
  const dropped = connectome.provenance["selfConnectionsDropped"];
  return {
    neurons: id.length,
    connections: pre.length,
    self_connections_dropped: typeof dropped === "number" ? dropped : 0,
    synapses: total,
    sign: byId((i) => connectome.sign[i]!),
    transmitter: named(neurons.transmitter),
    superclass: named(neurons.superclass),
    side: named(neurons.side),
    soma: byId((i) => {
      const at = (axis: number) => neurons.soma[3 * i + axis]!;
      return Number.isNaN(at(0)) ? null : [at(0), at(1), at(2)];
    }),
    photoreceptors: ids(connectome.input),
    column,
    descending: ids(connectome.output),
    kenyon: ids([...id.keys()].filter((i) => neurons.region.index[i] === kenyon)),
    edges,
  };
}
