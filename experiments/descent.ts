/**
 * What would the fly have answered at every moment of its training? The brain stays as it is, so what its descending
 * neurons do for a position never changes: copies of the readout, taken on the way, are asked afterwards.
 *
 * @module
 */
import { movePolicy, moveSan } from "flychess/chess";
import { applyReadout, denseFeatures, type Interval, judge, summarize } from "flychess/readout";
import { holdRows } from "flychess/training";
import type { ExperimentOptions } from "./_experiment.ts";
import { AFTER_E4, ANSWERS, type TrainingSettings, watchTraining } from "./training/snapshots.ts";

export { figure } from "./training/descent_figure.ts";

/** The question. */
export const question = "What would the fly have answered 1.e4 with, at every moment of its training?";

/** A moment of the training. */
export interface DescentMoment {
  readonly lessons: number;
  readonly stage: "probe" | "new positions";
  /** Held-out loss, in nats. */
  readonly loss: Interval;
  /** Held-out top-1, 0 to 1. */
  readonly top1: Interval;
  /** How likely each of `moves` is. */
  readonly chances: readonly number[];
}

/** What `descent` measures. */
export interface DescentNumbers {
  readonly settings: TrainingSettings;
  readonly position: { readonly fen: string; readonly name: string };
  /** Legal moves as people write them, the likeliest at the end first. */
  readonly moves: readonly string[];
  /** Held-out positions of the losses. */
  readonly held: number;
  readonly moments: readonly DescentMoment[];
}

/** Measures. */
export async function run(options: ExperimentOptions): Promise<DescentNumbers> {
  const { snapshots, positions, hold, answering, settings } = await watchTraining(options);
  const seen = denseFeatures(answering, answering.length), rows = holdRows(positions);
  const chances = snapshots.map(({ readout }) =>
    movePolicy(applyReadout(readout, seen, Int32Array.of(0)), ANSWERS)
  );
  const last = chances.at(-1)!;
  const order = Array.from(last.keys()).sort((a, b) => last[b]! - last[a]! || a - b);
  const moments: DescentMoment[] = [];
  for (const [k, { lessons, stage, readout }] of snapshots.entries()) {
    const { loss, top1 } = summarize(judge(readout, hold, positions, rows), {
      seed: options.seed,
      resamples: 200,
    });
    moments.push({ lessons, stage, loss, top1, chances: order.map((i) => round(chances[k]![i]!)) });
    options.onProgress?.({ task: "judging copies", done: k + 1, total: snapshots.length, unit: "copies" });
    options.signal?.throwIfAborted();
  }
  return {
    settings,
    position: { fen: AFTER_E4, name: "after 1.e4" },
    moves: order.map((i) => moveSan(AFTER_E4, ANSWERS[i]!.uci)),
    held: rows.length,
    moments,
  };
}

function round(chance: number): number {
  return Number(chance.toPrecision(6));
}
