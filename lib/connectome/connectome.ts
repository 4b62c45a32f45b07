/** A column of names, stored once each: neuron `i` has the name `names[index[i]]`. */
export interface NameColumn {
  /** The different names, in the order of their first appearance. `""` stands for "not known". */
  readonly names: readonly string[];
  /** For every neuron, which of the names. */
  readonly index: Uint16Array;
}

/** What is known of every neuron. All arrays have one entry a neuron unless said otherwise. */
export interface NeuronTable {
  /** Body id in the source (exact up to 2^53). */
  readonly id: Float64Array;
  /** Cell type, for example `R1-R6`, `MBON01`, `DNp01`; `""` where unknown. */
  readonly type: NameColumn;
  /** Superclass, for example `ol_intrinsic`. */
  readonly superclass: NameColumn;
  /** Class, for example `Kenyon_Cell`; `""` where there is none. */
  readonly class: NameColumn;
  /** Transmitter that decided the sign, for example `acetylcholine`. */
  readonly transmitter: NameColumn;
  /** One of the regions in `REGIONS`. */
  readonly region: NameColumn;
  /** `L`, `R`, `M` or `""`. */
  readonly side: NameColumn;
  /** Cell body, `[neurons][3]`, in voxels of 8 nm; NaN where unknown. */
  readonly soma: Float32Array;
  /** Eye column, `[neurons][2]` as hex1, hex2; `NO_COLUMN` in both where there is none. */
  readonly column: Int16Array;
}

/** The value of both column coordinates where a neuron has no eye column. */
export const NO_COLUMN: number = -32768;

/**
 * A nervous system: who connects to whom, with how many synapses, and whether a sender excites.
 *
 * Connections are stored by receiving neuron (CSR): those that neuron `i` receives are the entries from
 * `rowStart[i]` up to `rowStart[i + 1]` of `pre` and `synapses`, sorted by sender. A control may hold the same
 * pair twice (the reference's shuffle keeps such duplicates).
 */
export interface Connectome {
  /** What it is, as figures and tables name it: `MaleCNS v1.0`, `larva`, `model fly (scale 1/8, seed 1)`, ... */
  readonly name: string;
  /** How it was made: sources with their digests, options, seeds, what was cut. Plain JSON values. */
  readonly provenance: Readonly<Record<string, unknown>>;
  /** One row a neuron. */
  readonly neurons: NeuronTable;
  /** `[neurons + 1]`: where every neuron's received connections start. */
  readonly rowStart: Int32Array;
  /** `[connections]`: the sending neuron. */
  readonly pre: Int32Array;
  /** `[connections]`: the number of synapses, at least 1. */
  readonly synapses: Uint16Array | Uint32Array;
  /** `[neurons]`: what a neuron does to those it sends to: +1 excites, -1 inhibits. */
  readonly sign: Int8Array;
  /** Neurons that may receive the board: photoreceptors, or what stands in for them; ascending. */
  readonly input: Int32Array;
  /** Neurons that the readout reads: descending neurons; ascending. */
  readonly output: Int32Array;
}

/** The regions of a nervous system, in the order in which tables and figures list them. */
export const REGIONS = [
  "photoreceptor",
  "optic lobe",
  "visual projection",
  "central brain",
  "central complex",
  "Kenyon cell",
  "MBON",
  "DAN",
  "sensory",
  "descending",
  "ascending",
  "nerve cord",
  "motor",
  "other",
] as const;

/** The name of a region. */
export type Region = typeof REGIONS[number];
