import type { FlyBrain } from "../../brain/mod.ts";
import { digest, type LongWork } from "../../common/mod.ts";
import { connectomeDigest } from "../../connectome/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { drive, type Eye } from "../../eye/mod.ts";
import { type CacheSetup, type ShowRows } from "./rates_cache.ts";

/** Positions that go through the brain at once. */
const AT_ONCE = 512;

/** What of a think is kept. */
export interface KeptSteps {
  /** The steps read, from 1 (reference, section 4). */
  readonly steps: readonly number[];
  /** Whether each step's rates are kept apart instead of their mean. */
  readonly apart: boolean;
}

/**
 * What a cache of a brain's rates is for: whatever its rates depend on.
 *
 * @param brain A calibrated brain.
 * @param eye Its eye.
 * @param kept What of a think is kept.
 */
export function cacheSetup(brain: FlyBrain, eye: Eye, { steps, apart }: KeptSteps): CacheSetup {
  const { connectome, theta, gain, bias, homeostasis, engineDescription } = brain;
  const kept = apart ? steps.length : 1;
  return {
    key: {
      connectome: connectomeDigest(connectome),
      eye: digest([eye.name, eye.cell, eye.square, eye.planes]),
      brain: digest([
        `${brain.steps} steps, leak ${brain.leak}`,
        theta,
        gain,
        bias,
        homeostasis?.mean ?? "none",
        homeostasis?.spread ?? "none",
      ]),
      // How many workers there are changes no bit.
      engine: engineDescription.replace(/, (\d+ workers?|calling thread)$/, ""),
      read: `${apart ? "each of" : "mean of"} steps ${steps.join(", ")}`,
    },
    columns: connectome.output.length * kept,
    kept,
  };
}

/**
 * Shows rows of some positions to a brain and gives the rates of its descending neurons as bytes, round(255 r)
 * (reference, section 7).
 *
 * @param brain A calibrated brain.
 * @param eye Its eye.
 * @param positions Where the rows are.
 * @param kept What of a think is kept. Steps kept apart stand one after the other: `[rows][steps][neurons]`.
 */
export function showAsBytes(
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  { steps, apart }: KeptSteps,
  work: LongWork = {},
): ShowRows {
  const neurons = brain.connectome.output.length;
  const columns = neurons * (apart ? steps.length : 1);
  return async (rows) => {
    const bytes = new Uint8Array(rows.length * columns);
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      work.signal?.throwIfAborted();
      const shown = rows.subarray(at, at + AT_ONCE);
      const seen = drive(eye, positions.board, { rows: shown });
      const rates = await brain[apart ? "readEach" : "read"](seen, { steps, signal: work.signal });
      for (let i = 0, to = at * columns; i < rates.length; i++, to++) bytes[to] = Math.round(255 * rates[i]!);
    }
    return bytes;
  };
}
