import { join } from "node:path";
import { digest, type LongWork, writeFileAtomic } from "flychess/common";
import { type Connectome, connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";
import { eyeFor } from "flychess/eye";
import { driveFeatures, judge, type Judged, type Readout, READOUT_COLUMNS } from "flychess/readout";
import { holdRows, loadJudged, RatesCache, saveJudged } from "flychess/training";
import { fitOnSchedule, LONG_FIT } from "./_learning_curve_learn.ts";

/** The same heads straight on the eye's cells, with no brain between. */
export interface DirectInput {
  /** What they did with every HOLD position. */
  readonly judged: Judged;
  /** VAL loss, in nats. */
  readonly valLoss: number;
  /** Cells that they read. */
  readonly cells: number;
  /** The penalty on weights that VAL chose. */
  readonly penalty: number;
}

/** Penalties that VAL chooses from: the one that `learning_curve` chose for all of the development set, and a weaker one. */
const PENALTIES = [3e-4, 1e-4];

/**
 * Fits the heads to the end on what the eye's cells report, or reads again what was fitted before.
 *
 * @param folder Where it is kept.
 * @param blind The blind baseline of the training rows: where the fit starts.
 */
export async function fitDirectInput(
  folder: string,
  { connectome, positions, blind, seed, quick, workers, signal, onProgress }: LongWork & {
    readonly connectome: Connectome;
    readonly positions: Positions;
    readonly blind: Readout;
    readonly seed: number;
    readonly quick: boolean;
    readonly workers?: number | undefined;
  },
): Promise<DirectInput> {
  const eye = eyeFor(connectome, "auto"), cells = eye.cell.length;
  const settings = quick ? { ...LONG_FIT, passes: 2 } : LONG_FIT;
  const eyeDigest = digest([eye.name, eye.cell, eye.square, eye.planes]);
  const key = digest([positions.digest, eyeDigest, JSON.stringify([settings, PENALTIES, seed])]);
  const noted = join(folder, `direct-${key.slice(0, 12)}.json`), kept = noted.replace(/json$/, "safetensors");
  try {
    return { ...JSON.parse(await Deno.readTextFile(noted)), judged: await loadJudged(kept) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const source = driveFeatures(eye, positions);
  using cache = await RatesCache.open(join(folder, "eye"), {
    key: {
      connectome: connectomeDigest(connectome),
      eye: eyeDigest,
      brain: digest(["none"]),
      engine: "none",
      read: "what the eye's cells report",
    },
    columns: cells,
  });
  await cache.fill(positions, (rows) => {
    const seen = new Float32Array(rows.length * cells);
    source.batch(rows, seen);
    return Promise.resolve(Uint8Array.from(seen, (each) => 255 * each));
  }, { signal, onProgress });
  const blocks = cache.blocks.filter((block) => block.positions === positions.digest && !block.held);
  const start = { features: cells, weight: new Float32Array(cells * READOUT_COLUMNS), bias: blind.bias };
  let best: Omit<DirectInput, "judged" | "cells"> & { readonly readout: Readout } | undefined;
  for (const penalty of PENALTIES) {
    const fitted = await fitOnSchedule(
      {
        cache,
        positions,
        blocks,
        combinations: 1,
        penalty,
        contrastPenalty: penalty,
        start,
        settings,
        seed,
        workers,
      },
      {
        signal,
        onProgress: onProgress &&
          ((progress) => onProgress({ ...progress, task: `direct input, penalty ${penalty}` })),
      },
    );
    if (best === undefined || fitted.valLoss < best.valLoss) best = { ...fitted, penalty };
  }
  const { readout, valLoss, penalty } = best!;
  const judged = judge(readout, source, positions, holdRows(positions));
  await saveJudged(kept, judged);
  await writeFileAtomic(noted, JSON.stringify({ valLoss, penalty, cells }));
  return { judged, valLoss, penalty, cells };
}
