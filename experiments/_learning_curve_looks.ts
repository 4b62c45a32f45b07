import { join } from "node:path";
import type { FlyBrain } from "flychess/brain";
import { digest, type LongWork } from "flychess/common";
import type { Positions } from "flychess/data";
import type { Eye } from "flychess/eye";
import { driveFeatures } from "flychess/readout";
import { type CacheSetup, cacheSetup, RatesCache, showAsBytes, type ShowRows } from "flychess/training";

/** Rows of one cache that are held while another one is made of them. */
const AHEAD = 65_536;

/** What all fits read: every position was looked at once. */
export interface Looks extends Disposable {
  /** Rates of each of the steps, side by side. */
  readonly steps: RatesCache;
  /** Rates of the last of them. */
  readonly last: RatesCache;
  /** What the eye's cells report, with no brain behind them. */
  readonly eye: RatesCache;
}

/** Where looks are kept, and in what pieces. */
export interface LookOptions extends LongWork {
  /** The folder of the three caches. */
  readonly folder: string;
  /** The steps kept. */
  readonly steps: readonly number[];
  /** Positions of a block. */
  readonly blockRows: number;
  /** Training positions that are looked at, from the front. */
  readonly train: number;
}

/**
 * Shows positions to the brain once and keeps all steps; the last step is copied from there, so that the brain does
 * not look again. What is there already is not shown again.
 *
 * @param brain A calibrated brain.
 * @param eye Its eye.
 * @param positions What it looks at.
 * @returns The caches, open; dispose them when done.
 * @throws {DataError} If a cache there is of another brain, or broken.
 */
export async function look(
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  { folder, steps, blockRows, train, signal, onProgress }: LookOptions,
): Promise<Looks> {
  const before = positions.hold + positions.val + train;
  const opened: RatesCache[] = [];
  const dispose = () => opened.forEach((cache) => cache[Symbol.dispose]());
  const fill = async (name: string, task: string, setup: CacheSetup, show: ShowRows) => {
    const cache = await RatesCache.open(join(folder, name), { ...setup, blockRows });
    opened.push(cache);
    await cache.fill(positions, show, {
      before,
      signal,
      onProgress: onProgress && ((progress) => onProgress({ ...progress, task })),
    });
    return cache;
  };
  try {
    const all = { steps, apart: true }, end = { steps: steps.slice(-1), apart: false };
    const apart = await fill(
      "steps",
      "showing positions to the brain",
      cacheSetup(brain, eye, all),
      showAsBytes(brain, eye, positions, all, { signal }),
    );
    const last = await fill(
      "last",
      "copying the last step",
      cacheSetup(brain, eye, end),
      lastStep(apart, positions, Math.max(AHEAD, blockRows), before, { signal }),
    );
    const seen = await fill(
      "eye",
      "keeping what the eye reports",
      eyeSetup(last, eye),
      reports(eye, positions),
    );
    return { steps: apart, last, eye: seen, [Symbol.dispose]: dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Copies the last of the steps that another cache keeps apart. */
function lastStep(
  from: RatesCache,
  positions: Positions,
  ahead: number,
  before: number,
  work: LongWork,
): ShowRows {
  const { columns, kept } = from, own = columns / kept;
  let first = -1, held = new Uint8Array(0);
  return async (rows) => {
    const out = new Uint8Array(rows.length * own);
    for (const [i, row] of rows.entries()) {
      if (row < first || row >= first + held.length / columns || first < 0) {
        first = row;
        const count = Math.min(ahead, before - first);
        held = new Uint8Array(count * columns);
        await from.read(positions.digest, first, count, held, work);
      }
      const end = (row - first + 1) * columns;
      out.set(held.subarray(end - own, end), i * own);
    }
    return out;
  };
}

function eyeSetup(last: RatesCache, eye: Eye): CacheSetup {
  const { connectome, eye: seen } = last.key;
  return {
    key: {
      connectome,
      eye: seen,
      brain: digest(["none"]),
      engine: "none",
      read: "what the eye's cells report",
    },
    columns: eye.cell.length,
  };
}

/** A cell reports 1 (byte 255) or 0: there is one piece a square. */
function reports(eye: Eye, positions: Positions): ShowRows {
  const source = driveFeatures(eye, positions);
  return (rows) => {
    const numbers = new Float32Array(rows.length * source.columns);
    source.batch(rows, numbers);
    return Promise.resolve(Uint8Array.from(numbers, (each) => 255 * each));
  };
}
