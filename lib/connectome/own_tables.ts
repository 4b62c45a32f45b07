import type { Region } from "./connectome.ts";

/** One neuron of your own. Everything but `id` may be left out. */
export interface NeuronRecord {
  /** A whole number of up to 2^53 - 1, different for every neuron. */
  readonly id: number;
  /** Cell type. */
  readonly type?: string | null | undefined;
  /** Superclass, for example `cb_intrinsic`. */
  readonly superclass?: string | null | undefined;
  /** Class. */
  readonly class?: string | null | undefined;
  /** What it releases; `acetylcholine` if left out. */
  readonly transmitter?: string | null | undefined;
  /** +1 excites, -1 inhibits; if left out, the transmitter decides (`signOf`). */
  readonly sign?: number | null | undefined;
  /** One of `REGIONS`; if left out, superclass, class and type decide (`regionOf`). */
  readonly region?: Region | null | undefined;
  /** `L`, `R` or `M`. */
  readonly side?: string | null | undefined;
  /** Cell body: x, y, z in voxels of 8 nm. */
  readonly soma?: ArrayLike<number> | null | undefined;
  /** Eye column: hex1, hex2. */
  readonly column?: ArrayLike<number> | null | undefined;
}

/** The same as columns of equal length; `soma` is `[neurons][3]` and `column` `[neurons][2]`, both flat, NaN where unknown. */
export type NeuronColumns =
  & {
    readonly [Name in Exclude<keyof NeuronRecord, "id" | "soma" | "column">]?:
      | ArrayLike<NeuronRecord[Name]>
      | undefined;
  }
  & {
    /** Ids. */
    readonly id: ArrayLike<number>;
    /** Cell bodies. */
    readonly soma?: ArrayLike<number> | undefined;
    /** Eye columns. */
    readonly column?: ArrayLike<number> | undefined;
  };

/** One connection. */
export interface EdgeRecord {
  /** Id of the sender. */
  readonly pre: number;
  /** Id of the receiver. */
  readonly post: number;
  /** A whole number of synapses. */
  readonly synapses: number;
}

/** The same as columns of equal length. */
export interface EdgeColumns {
  /** Ids of the senders. */
  readonly pre: ArrayLike<number>;
  /** Ids of the receivers. */
  readonly post: ArrayLike<number>;
  /** Synapses. */
  readonly synapses: ArrayLike<number>;
}

/** Which neurons receive the board and which are read, by id. */
export interface Roles {
  /** Photoreceptors, or what stands in for them. */
  readonly input: Iterable<number>;
  /** Descending neurons, or what the readout reads. */
  readonly output: Iterable<number>;
}

/** How tables become a connectome. */
export interface TableOptions {
  /** What figures and tables call it. Default `own tables`. */
  readonly name?: string | undefined;
  /** Where it comes from: plain JSON values that are kept with it. */
  readonly provenance?: Readonly<Record<string, unknown>> | undefined;
  /** Connections with fewer synapses are left out. Default 1, which leaves out only those with none. */
  readonly minSynapses?: number | undefined;
}
