/** A value that JSON can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Numbers with a shape, in a checkpoint. */
export interface NamedTensor {
  /** Its sizes, the slowest first. */
  readonly shape: readonly number[];
  /** The numbers. */
  readonly data:
    | Float32Array
    | Float64Array
    | Int32Array
    | Uint8Array
    | Int8Array
    | Uint16Array
    | BigInt64Array;
}

/** What a run saves to go on from. */
export interface RunCheckpoint {
  /** Arrays by name. */
  readonly tensors: Readonly<Record<string, NamedTensor>>;
  /** What it is, for whoever opens it. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Counters and the like. */
  readonly state: JsonValue;
}

/** The part of a run's folder that a cached run works with. */
export interface RunFolder {
  /** Where it is. */
  readonly folder: string;
  /** The last good checkpoint, if there is one. */
  checkpoint(): Promise<RunCheckpoint | undefined>;
  /** Saves a checkpoint; it is there whole or not at all. */
  save(checkpoint: RunCheckpoint): Promise<void>;
  /** Adds a line to the log. */
  log(event: string, values?: Readonly<Record<string, JsonValue>>): Promise<void>;
  /** Whether somebody asked it to stop. */
  stopAsked(): Promise<boolean>;
}
