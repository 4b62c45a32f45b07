/**
 * Does a large brain cost more than its size? Model flies of every scale, in all of the engine's arithmetics.
 *
 * @module
 */
import type { Connectome } from "flychess/connectome";
import { BATCH, drawScales, measureScales, type ScaleRow } from "../bench/_scales.ts";
import type { ExperimentOptions, Result } from "./_experiment.ts";
import { machineName } from "./shared/machine.ts";

/** The question, one line. */
export const question = "Does a position cost more than in proportion on a larger brain?";

/** Times are in it. */
export const measured = true;

/** The largest scale, and how long every arithmetic is measured there, in seconds. */
const MOST = { full: { scale: 1, seconds: 1 }, quick: { scale: 1 / 32, seconds: 0.1 } } as const;

/** What was measured. */
export interface CostOfScale {
  readonly machine: string;
  /** When, as a date. */
  readonly date: string;
  /** Positions at once. */
  readonly batch: number;
  readonly rows: readonly ScaleRow[];
}

/** It grows its brains itself. */
export function refuses({ name }: Connectome): string | undefined {
  return name.startsWith("model fly") ? undefined : "it grows model flies of every size and measures those";
}

/** Measures; nothing else should run on the machine. */
export async function run({ quick, onProgress, signal }: ExperimentOptions): Promise<CostOfScale> {
  const { scale, seconds } = quick ? MOST.quick : MOST.full;
  signal?.throwIfAborted();
  onProgress?.({ task: "measuring brains", done: 0, total: 1, unit: "sets" });
  const rows = await measureScales(scale, seconds);
  onProgress?.({ task: "measuring brains", done: 1, total: 1, unit: "sets" });
  return { machine: machineName(), date: new Date().toISOString().slice(0, 10), batch: BATCH, rows };
}

/** Draws it. */
export function figure(result: Result<CostOfScale>): string {
  return drawScales(result);
}
