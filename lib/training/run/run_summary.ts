import { join } from "node:path";
import { DataError, type JsonValue } from "../../common/mod.ts";
import { type LogEntry, readLog } from "./_run_log.ts";
import type { RunConfig } from "./run_config.ts";
import { RUN_FILES } from "./run_files.ts";

/** What a run's folder says about it. */
export interface RunSummary {
  /** The folder's name. */
  readonly name: string;
  /** All that decides its result. */
  readonly config: RunConfig;
  /** `running`: a process works on it now; `done`; `stopped`: anything else, the same command goes on. */
  readonly state: "running" | "done" | "stopped";
  /** When its log began; `undefined` where it has no line yet. */
  readonly began: string | undefined;
  /** The log's last line. */
  readonly last: LogEntry | undefined;
  /** The lowest VAL loss in the log, in nats. */
  readonly valLoss: number | undefined;
  /** The HOLD numbers it ended with. */
  readonly hold: { readonly loss: number; readonly top1: number; readonly good: number } | undefined;
}

/** Events that end a run for good. */
const ENDS = new Set(["done", "judged"]);

/**
 * What a run's folder says about it, from its config and its log alone. The run may be at work; nothing is changed.
 *
 * @param folder The run's folder.
 * @throws {DataError} If it is no run's folder.
 *
 * @example A run that has only begun
 * ```ts
 * import { openRun, summarizeRun } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * {
 *   await using run = await openRun(folder, { kind: "stream", seed: 1, inputs: {} });
 *   await run.log("check", { valLoss: 3.1 });
 *   assert.equal((await summarizeRun(folder)).state, "running");
 * }
 * const { state, valLoss } = await summarizeRun(folder);
 * assert.deepEqual([state, valLoss], ["stopped", 3.1]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function summarizeRun(folder: string): Promise<RunSummary> {
  const config = await readConfig(folder);
  const log = (await readLog(folder)).filter(({ event }) => event !== "checkpoint");
  const last = log.at(-1), end = log.findLast(({ event }) => ENDS.has(event));
  const numbers = (entry: LogEntry | undefined, ...names: string[]) =>
    names.map((name) => entry?.[name]).find((value): value is number => typeof value === "number");
  const losses = log.map(({ valLoss }) => valLoss).filter((value): value is number =>
    typeof value === "number"
  );
  const loss = numbers(end, "holdLoss", "loss"), top1 = numbers(end, "holdTop1", "top1");
  const good = numbers(end, "holdGood", "good");
  return {
    name: folder.split(/[\\/]/).findLast((part) => part !== "") ?? folder,
    config,
    state: await isTaken(folder)
      ? "running"
      : last !== undefined && ENDS.has(last.event)
      ? "done"
      : "stopped",
    began: log[0]?.time,
    last,
    valLoss: losses.length === 0 ? undefined : Math.min(...losses),
    hold: loss === undefined || top1 === undefined || good === undefined ? undefined : { loss, top1, good },
  };
}

/**
 * Every run in a folder, oldest first.
 *
 * @param folder Where runs are kept.
 * @returns None where there is no such folder; what is no run's folder is left out.
 */
export async function listRuns(folder = "runs"): Promise<RunSummary[]> {
  const runs: RunSummary[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (!isDirectory) continue;
      try {
        runs.push(await summarizeRun(join(folder, name)));
      } catch (error) {
        if (!(error instanceof DataError)) throw error;
      }
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return runs.sort((a, b) => (a.began ?? "9") < (b.began ?? "9") ? -1 : 1);
}

/** One option in which runs differ. */
export interface ConfigDifference {
  /** The option, with dots between: `inputs.positions`. */
  readonly field: string;
  /** What each run has there, as JSON; `nothing` where it has none. */
  readonly values: readonly string[];
}

/** The options in which some runs differ, in the order of the first run that has them. */
export function compareConfigs(configs: readonly RunConfig[]): ConfigDifference[] {
  const flat = configs.map((config) => new Map(flatten(config)));
  const fields = new Set(flat.flatMap((each) => [...each.keys()]));
  return [...fields].map((field) => ({ field, values: flat.map((each) => each.get(field) ?? "nothing") }))
    .filter(({ values }) => new Set(values).size > 1);
}

function flatten(value: JsonValue, under = ""): [string, string][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [[under, JSON.stringify(value)]];
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    flatten(inner, under === "" ? name : `${under}.${name}`)
  );
}

async function readConfig(folder: string): Promise<RunConfig> {
  const path = join(folder, RUN_FILES.config);
  const refuse = (found: string) => {
    throw new DataError(`Cannot look at the run in ${folder}: ${found}, a run's folder is wanted`);
  };
  let text = "";
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound) && !(error instanceof Deno.errors.NotADirectory)) {
      throw error;
    }
    refuse(`it has no ${RUN_FILES.config}`);
  }
  try {
    const config: unknown = JSON.parse(text);
    if (isConfig(config)) return config;
  } catch {
    // Said below.
  }
  return refuse(`its ${RUN_FILES.config} is not what flychess writes`)!;
}

function isConfig(value: unknown): value is RunConfig {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "kind") === "string" &&
    typeof Reflect.get(value, "seed") === "number" && typeof Reflect.get(value, "inputs") === "object";
}

/** Whether a process has the run's lock. */
async function isTaken(folder: string): Promise<boolean> {
  try {
    using file = await Deno.open(join(folder, RUN_FILES.lock));
    return !await file.tryLock(false);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}
