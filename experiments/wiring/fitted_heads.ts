import { join } from "node:path";
import { digest, type LongWork, writeFileAtomic } from "flychess/common";
import { type Connectome, connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";
import { eyeFor } from "flychess/eye";
import { driveFeatures, judge, type Judged, type Readout, READOUT_COLUMNS } from "flychess/readout";
import {
  cachedFeatures,
  cacheSetup,
  holdRows,
  LEARNED_BRAIN,
  loadBrain,
  loadJudged,
  RatesCache,
  saveJudged,
  showAsBytes,
} from "flychess/training";
import { fitOnSchedule, LONG_FIT } from "../learning_curve/learn.ts";
import { isLarge } from "../shared/precision.ts";
import { PointStore } from "../learning_curve/points.ts";

/** Heads that were fitted to the end on something that stays as it is. */
export interface FittedHeads {
  /** What they did with every HOLD position. */
  readonly judged: Judged;
  /** VAL loss, in nats. */
  readonly valLoss: number;
  /** Numbers that they read. */
  readonly features: number;
  /** The penalty on weights that VAL chose. */
  readonly penalty: number;
}

/** What every fit needs to know. */
export interface HeadsTask extends LongWork {
  readonly connectome: Connectome;
  readonly positions: Positions;
  /** The blind baseline of the training rows: where fits start. */
  readonly blind: Readout;
  readonly seed: number;
  readonly quick: boolean;
  readonly workers?: number | undefined;
}

/** Penalties that VAL chooses from: the one that `learning_curve` chose for all of the development set, and a weaker one. */
const PENALTIES = [3e-4, 1e-4];

/** Those of large brains, which learn from fewer positions with more numbers. */
const LARGE_PENALTIES = [3e-2, 1e-2];

/**
 * Fits the heads straight on what the eye's cells report, with no brain between. Where `learning_curve` has done so with
 * all training positions, that is taken.
 *
 * @param curves The folder with learning curves' points.
 */
export async function fitDirectInput(
  folder: string,
  task: HeadsTask,
  curves: string = "figures",
): Promise<FittedHeads> {
  const { connectome, positions, quick } = task, eye = eyeFor(connectome, "auto"), columns = eye.cell.length;
  const known = quick ? undefined : await directInputOf(curves, connectome, positions);
  if (known !== undefined) return { ...known, features: columns };
  const source = driveFeatures(eye, positions);
  const key = {
    connectome: connectomeDigest(connectome),
    eye: digest([eye.name, eye.cell, eye.square, eye.planes]),
    brain: digest(["none"]),
    engine: "none",
    read: "what the eye's cells report",
  };
  return await fitHeads(folder, "direct input", task, () =>
    Promise.resolve({
      setup: { key, columns },
      show: (rows: Int32Array) => {
        const seen = new Float32Array(rows.length * columns);
        source.batch(rows, seen);
        return Promise.resolve(Uint8Array.from(seen, (each) => 255 * each));
      },
    }));
}

/** Direct input of a learning curve of the same eye and positions, if there is one. */
async function directInputOf(folder: string, connectome: Connectome, positions: Positions) {
  const train = positions.count - positions.hold - positions.val, of = connectomeDigest(connectome);
  for await (const { name } of Deno.readDir(folder)) {
    if (!/^learning_curve.*\.points\.json$/.test(name)) continue;
    const { config, points } = await PointStore.read(join(folder, name));
    if (config["connectome"] !== of || config["positions"] !== positions.digest) continue;
    const found = points.find((each) => each.reading === "direct input" && each.positions === train);
    if (found !== undefined) {
      return { judged: found.judged, valLoss: found.valLoss, penalty: found.penalty ?? 0 };
    }
  }
  return undefined;
}

/**
 * Fits new heads on a brain that has learned: heads that learned beside it have seen it change until the end.
 *
 * @param run The folder of its run.
 */
export async function fitLearnedBrain(
  folder: string,
  run: string,
  read: { readonly steps: readonly number[]; readonly apart: boolean },
  task: HeadsTask,
): Promise<FittedHeads> {
  const { connectome, positions, workers, signal } = task;
  return await fitHeads(folder, "heads fitted again", task, async (owned) => {
    const brain = owned.use(
      await loadBrain(join(run, LEARNED_BRAIN.brain), connectome, { workers: workers ?? 1 }),
    );
    const eye = eyeFor(connectome, "auto"), { key, columns } = cacheSetup(brain, eye, read);
    return { setup: { key, columns }, show: showAsBytes(brain, eye, positions, read, { signal }) };
  });
}

/** Fits heads, or reads again what was fitted before. */
async function fitHeads(
  folder: string,
  name: string,
  { connectome, positions, blind, seed, quick, workers, signal, onProgress }: HeadsTask,
  open: (owned: AsyncDisposableStack) => Promise<Pick<Parameters<typeof shown>[1], "setup" | "show">>,
): Promise<FittedHeads> {
  const settings = quick ? { ...LONG_FIT, passes: 2 } : LONG_FIT;
  const penalties = isLarge(connectome) ? LARGE_PENALTIES : PENALTIES;
  const noted = join(folder, "heads.json"), kept = join(folder, "heads.safetensors");
  const of = digest([positions.digest, JSON.stringify([settings, penalties, seed])]);
  try {
    const { of: found, ...numbers } = JSON.parse(await Deno.readTextFile(noted));
    if (found === of) return { ...numbers, judged: await loadJudged(kept) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  await using owned = new AsyncDisposableStack();
  const cache = owned.use(
    await shown(join(folder, "rates"), { ...await open(owned), positions, signal, onProgress }),
  );
  const { columns } = cache;
  const blocks = cache.blocks.filter((block) => block.positions === positions.digest && !block.held);
  const start = { features: columns, weight: new Float32Array(columns * READOUT_COLUMNS), bias: blind.bias };
  let best: { readonly readout: Readout; readonly valLoss: number; readonly penalty: number } | undefined;
  for (const penalty of penalties) {
    const fit = { cache, positions, blocks, combinations: 1, penalty, contrastPenalty: penalty, start };
    const fitted = await fitOnSchedule({ ...fit, settings, seed, workers }, {
      signal,
      onProgress: onProgress &&
        ((progress) => onProgress({ ...progress, task: `${name}, penalty ${penalty}` })),
    });
    if (best === undefined || fitted.valLoss < best.valLoss) best = { ...fitted, penalty };
  }
  const { readout, valLoss, penalty } = best!;
  const features = await cachedFeatures(cache, positions, 0, positions.hold, { signal });
  const judged = judge(readout, features, positions, holdRows(positions));
  await saveJudged(kept, judged);
  await writeFileAtomic(noted, JSON.stringify({ of, valLoss, penalty, features: columns }));
  return { judged, valLoss, penalty, features: columns };
}

/** Shows every position once. */
async function shown(
  folder: string,
  { setup, show, positions, signal, onProgress }: LongWork & {
    readonly setup: Parameters<typeof RatesCache.open>[1];
    readonly show: Parameters<RatesCache["fill"]>[1];
    readonly positions: Positions;
  },
): Promise<RatesCache> {
  const cache = await RatesCache.open(folder, setup);
  try {
    await cache.fill(positions, show, { signal, onProgress });
    return cache;
  } catch (error) {
    cache[Symbol.dispose]();
    throw error;
  }
}
