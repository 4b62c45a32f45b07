import type { JsonValue, LongWork } from "../../common/mod.ts";
import type { DayState, FitMemory } from "./_day_state.ts";
import type { GuardLimits, MachineRoom } from "./machine_guard.ts";

export type { DayState, FitMemory } from "./_day_state.ts";

/** Values that go into the log. */
export type LogValues = Readonly<Record<string, JsonValue>>;

/**
 * What a long run does, piece by piece. Every piece may be broken off at any moment and called again, and must then go on
 * or find that it is done: that is all the run needs to lose nothing and do nothing twice.
 */
export interface DaySteps {
  /** The shards, in the order they are taken. */
  readonly shards: readonly string[];
  /**
   * Does what comes before all shards: shows the positions to the brain that are here from the start. A fit follows.
   *
   * @returns How many positions there are.
   */
  readonly ready?: ((work: LongWork) => Promise<number>) | undefined;
  /**
   * Brings a shard here; does nothing where it is here already.
   *
   * @throws {DataError} If there is no such shard: the run goes on without it. After any other error it tries again.
   */
  download(shard: string, work: LongWork): Promise<void>;
  /**
   * Shows a shard's positions to the brain; does nothing where they are in the cache already.
   *
   * @returns How many positions the shard has.
   * @throws {DataError} If the shard is no good: the run goes on without it.
   */
  fill(shard: string, work: LongWork): Promise<number>;
  /** Throws a shard away that was filled; does nothing where it is gone. */
  discard(shard: string): Promise<void>;
  /**
   * Fits the readout on all that is in the cache.
   *
   * @param memory What the last fit, or this one before it was stopped, has kept.
   * @param keep Keeps how far it is: what it gives is what `memory` is after a stop. `values` go into the log.
   * @returns The VAL loss in nats, further values for the log, and what the next fit gets as `memory`.
   */
  fit(
    fits: number,
    memory: FitMemory | undefined,
    keep: (memory: FitMemory, values?: LogValues) => Promise<void>,
    work: LongWork,
  ): Promise<{ valLoss: number; values: LogValues; memory: FitMemory }>;
  /** Lets the fly play for a rating after a fit; what it gives goes into the log. An error is logged and forgotten. */
  readonly rate?: ((fits: number, work: LongWork) => Promise<LogValues>) | undefined;
}

/** The machine that a long run lives on. */
export interface DayMachine {
  /** The temperature in degrees Celsius, if there is a sensor. */
  temperature(): Promise<number | undefined>;
  /** The share of the time that is worked, 0 to 1. */
  share(): number;
  /** What is left of disk and memory. */
  room(): Promise<MachineRoom>;
}

/** What decides how a long run goes. */
export interface DaySettings {
  /** Shards between two fits. By default `fitEveryHours` says. */
  readonly shardsPerFit?: number | undefined;
  /** Hours between two fits, 6 by default (reference, "A day on a laptop"): turned into shards once, after the first. */
  readonly fitEveryHours?: number | undefined;
  /** Fits after which it is done; by default it goes on until no shard is left. */
  readonly fits?: number | undefined;
}

/** How a long run is watched over. */
export interface DayOptions extends LongWork {
  /** The machine. */
  readonly machine: DayMachine;
  /** What must be left of it; 10 GB of disk and 1 GB of memory by default. */
  readonly limits?: GuardLimits | undefined;
  /** Seconds between two looks at memory, disk and the wish to stop; 2 by default. */
  readonly pollSeconds?: number | undefined;
  /** Seconds between two lines in the log about how far it is; 60 by default. */
  readonly statusSeconds?: number | undefined;
  /** Seconds to wait after a download failed, or memory or disk ran short; 300 by default. */
  readonly waitSeconds?: number | undefined;
  /** Waits for memory or disk, in a row, after which it gives up; 12 by default: an hour. */
  readonly patience?: number | undefined;
}

/** How a long run ended. */
export interface DayOutcome {
  /** `done`: all fits or shards; `stopped`: somebody asked. */
  readonly ended: "done" | "stopped";
  /** Where it is. */
  readonly state: DayState;
}
