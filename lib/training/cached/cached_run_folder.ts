import type { JsonValue } from "../../common/mod.ts";
import type { NamedTensor } from "../run/safetensors.ts";

export type { NamedTensor } from "../run/safetensors.ts";

/** What a run saves to go on from. */
export interface RunCheckpoint {
  /** Arrays by name. */
  readonly tensors: Readonly<Record<string, NamedTensor>>;
  /** What it is, for whoever opens it. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Counters and the like. */
  readonly state: JsonValue;
}

/** The part of a `Run` that a long piece of work needs: tests put in one of their own. */
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
