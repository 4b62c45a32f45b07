import type { Connectome } from "flychess/connectome";
import { eyeFor } from "flychess/eye";
import { firstSteps, lastSteps, planThink } from "../lib/brain/engines/wasm/_plan.ts";

/** What the `wasm` engine computes in one step. */
export interface ConeStep {
  /** Which step, from 1. */
  readonly step: number;
  /** Rows that the light cone asks for: neurons that a board may have reached and that reach what is read. */
  readonly rows: number;
  /** Connections onto these rows. */
  readonly connections: number;
  /** Whether that is so many that the step computes all rows, by tiles. */
  readonly tiled: boolean;
}

/**
 * Counts what a think has to compute, step by step, when the descending neurons are read and any board may be shown.
 *
 * @param connectome Whose wiring and eye.
 * @param read The steps that are read.
 */
export function coneOf(connectome: Connectome, read: readonly number[]): ConeStep[] {
  const { rowStart, output, sign } = connectome, last = Math.max(...read);
  const driven = new Uint8Array(sign.length);
  for (const neuron of eyeFor(connectome).cell) driven[neuron] = 1;
  const { steps } = planThink(
    connectome,
    driven,
    firstSteps(connectome, driven, last),
    lastSteps(connectome, output, last),
    last,
  );
  return steps.map(({ plain, driven, tiled }, i) => {
    let connections = 0;
    for (const rows of [plain, driven]) {
      for (const row of rows) connections += rowStart[row + 1]! - rowStart[row]!;
    }
    return { step: i + 1, rows: plain.length + driven.length, connections, tiled };
  });
}
