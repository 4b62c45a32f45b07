import { join } from "node:path";
import type { FlyBrain } from "flychess/brain";
import { digest, type LongWork } from "flychess/common";
import type { Positions } from "flychess/data";
import type { Eye } from "flychess/eye";
import { driveFeatures } from "flychess/readout";
import {
  type CacheSetup,
  cacheSetup,
  type KeptSteps,
  RatesCache,
  showAsBytes,
  type ShowRows,
} from "flychess/training";

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
  /** Rates of each of the other steps that are read, one cache a list of them. */
  readonly also: readonly RatesCache[];
}

/** Where looks are kept, and in what pieces. */
export interface LookOptions extends LongWork {
  /** The folder of the caches. */
  readonly folder: string;
  /** The steps kept. */
  readonly steps: readonly number[];
  /** Other lists of steps to keep. */
  readonly also: readonly (readonly number[])[];
  /** Positions of a block. */
  readonly blockRows: number;
  /** Training positions that are looked at, from the front. */
  readonly train: number;
}

/**
 * Shows positions to the brain once and keeps all steps; the last step is copied from there, so that the brain does
 * not look again. What is there already is not shown again. Other steps are a look of their own, if no longer list has
 * them.
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
  { folder, steps, also, blockRows, train, signal, onProgress }: LookOptions,
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
    const show = (name: string, kept: KeptSteps) =>
      fill(
        name,
        "showing positions to the brain",
        cacheSetup(brain, eye, kept),
        showAsBytes(brain, eye, positions, kept, { signal }),
      );
    const copy = (name: string, kept: KeptSteps, from: RatesCache, places: readonly number[]) =>
      fill(
        name,
        `copying ${kept.steps.length === 1 ? "step" : "steps"} ${kept.steps.join(", ")}`,
        cacheSetup(brain, eye, kept),
        copySteps(from, places, positions, Math.max(AHEAD, blockRows), before, { signal }),
      );
    const apart = await show("steps", all);
    const last = await copy("last", end, apart, [steps.length - 1]);
    const sources = [{ steps, cache: apart }], others = new Map<readonly number[], RatesCache>();
    for (const list of also.toSorted((a, b) => b.length - a.length)) {
      const kept = { steps: list, apart: true }, name = `steps-${list.join("-")}`;
      const from = sources.find((source) => list.every((step) => source.steps.includes(step)));
      const cache = from === undefined
        ? await show(name, kept)
        : await copy(name, kept, from.cache, list.map((step) => from.steps.indexOf(step)));
      sources.push({ steps: list, cache });
      others.set(list, cache);
    }
    const seen = await fill(
      "eye",
      "keeping what the eye reports",
      eyeSetup(last, eye),
      reports(eye, positions),
    );
    return {
      steps: apart,
      last,
      eye: seen,
      also: also.map((list) => others.get(list)!),
      [Symbol.dispose]: dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Copies some of the steps that another cache keeps apart. */
function copySteps(
  from: RatesCache,
  places: readonly number[],
  positions: Positions,
  ahead: number,
  before: number,
  work: LongWork,
): ShowRows {
  const { columns, kept } = from, one = columns / kept, own = places.length * one;
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
      for (const [to, place] of places.entries()) {
        const at = (row - first) * columns + place * one;
        out.set(held.subarray(at, at + one), i * own + to * one);
      }
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
