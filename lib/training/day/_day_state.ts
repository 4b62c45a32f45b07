import { DataError, type JsonValue } from "../../common/mod.ts";
import type { RunCheckpoint } from "../cached/cached_run_folder.ts";

/** Where a long run is between two pieces of work. */
export interface DayState {
  /** What it does next. */
  readonly stage: "ready" | "fill" | "fit" | "rate" | "done";
  /** Shards that were taken: the number of the next one. */
  readonly shard: number;
  /** Shards filled since the last fit. */
  readonly sinceFit: number;
  /** Shards that could not be used, by their number. */
  readonly skipped: readonly number[];
  /** Positions in all filled shards. */
  readonly positions: number;
  /** Fits made. */
  readonly fits: number;
  /** Shards between two fits; 0 until it is known. */
  readonly shardsPerFit: number;
  /** The lowest VAL loss so far, in nats. */
  readonly bestLoss: number | null;
}

/** Where every long run starts. */
export const DAY_START: DayState = {
  stage: "fill",
  shard: 0,
  sinceFit: 0,
  skipped: [],
  positions: 0,
  fits: 0,
  shardsPerFit: 0,
  bestLoss: null,
};

/** What a fit keeps of itself, to go on after a stop and to start the next one from. */
export type FitMemory = Pick<RunCheckpoint, "tensors" | "state">;

/** The checkpoint of a long run. */
export function dayCheckpoint(state: DayState, memory: FitMemory | undefined): RunCheckpoint {
  return {
    tensors: memory?.tensors ?? {},
    metadata: {
      about:
        "a long run of flychess; its readout is in readout.arrow, tensors are what the next fit goes on from",
    },
    state: { day: { ...state }, fit: memory?.state ?? null },
  };
}

/**
 * What a checkpoint of a long run says.
 *
 * @throws {DataError} If it is of another kind of run.
 */
export function readDayCheckpoint(
  checkpoint: RunCheckpoint | undefined,
): { state: DayState; memory: FitMemory | undefined } {
  if (checkpoint === undefined) return { state: DAY_START, memory: undefined };
  const { day, fit } = checkpoint.state as Readonly<Record<string, JsonValue | undefined>>;
  if (!isState(day)) {
    throw new DataError(
      "Cannot go on with the long run: its checkpoint is of another kind of run, or an older one",
    );
  }
  const memory = fit === null || fit === undefined ? undefined : { tensors: checkpoint.tensors, state: fit };
  return { state: day, memory };
}

function isState(value: JsonValue | undefined): value is JsonValue & DayState {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(DAY_START).every(([name, start]) => {
    const found: unknown = Reflect.get(value, name);
    if (name === "bestLoss") return found === null || typeof found === "number";
    return Array.isArray(start) ? Array.isArray(found) : typeof found === typeof start;
  });
}
