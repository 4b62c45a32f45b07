import { join } from "node:path";
import type { FlyBrainOptions } from "../../brain/mod.ts";
import type { JsonValue, LongWork } from "../../common/mod.ts";
import type { Connectome } from "../../connectome/mod.ts";
import { heldOutElsewhere } from "../../data/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { type Eye, eyeFor, type EyeName } from "../../eye/mod.ts";
import {
  fitBlind,
  headsArithmetic,
  judge,
  type Judged,
  noFeatures,
  pairedDifference,
  type Readout,
  saveReadout,
  type Scores,
  summarize,
} from "../../readout/mod.ts";
import { type CachedRunState, type FitOutcome, fromCheckpoint } from "./_cached_checkpoint.ts";
import { cacheSetup, type KeptSteps, showAsBytes } from "../rates/cache_rates.ts";
import type { CachedFitSettings, PassReport } from "./cached_fit.ts";
import { cachedFeatures } from "./cached_features.ts";
import { CONTRAST_DECAYS, decaysOf, fitAll, fitSettings } from "./_cached_fits.ts";
import type { RunFolder } from "./cached_run_folder.ts";
import { type CacheLimits, RatesCache } from "../rates/rates_cache.ts";
import { trainRows, valRows, wake } from "../read_rows.ts";

export type { FitOutcome } from "./_cached_checkpoint.ts";

/** What decides the result of a cached run. */
export interface CachedRunSettings {
  /** Which eye; by default the fair eye where there are columns, else the larva's. */
  readonly eye?: EyeName | undefined;
  /** The steps read; the last by default. */
  readonly steps?: readonly number[] | undefined;
  /** Whether each step's rates are read on their own instead of their mean; false by default. */
  readonly sideBySide?: boolean | undefined;
  /** Penalties to try; the lowest VAL loss decides. */
  readonly decays?: readonly number[] | undefined;
  /** Penalties to try on what the steps side by side say beyond their mean. */
  readonly contrastDecays?: readonly number[] | undefined;
  /** Share of every batch that comes from the curriculum; 0.1 by default where there is one. */
  readonly curriculumShare?: number | undefined;
  /** Training rows at most, from the front; all by default. */
  readonly train?: number | undefined;
  /** Seed of the order of positions and of the intervals; 1 by default. */
  readonly seed?: number | undefined;
  /** Further settings of the fits. */
  readonly fit?: Partial<CachedFitSettings> | undefined;
}

/** How a cached run is done; nothing here changes its result, but for the engine's precision. */
export interface CachedRunOptions extends CachedRunSettings, CacheLimits, LongWork {
  /** Where the rates are kept; `cache` in the run's folder by default. */
  readonly cacheFolder?: string | undefined;
  /** Positions of a block; 262,144 by default. */
  readonly blockRows?: number | undefined;
  /** Lessons in finishing, with held-out rows of their own. */
  readonly curriculum?: Positions | undefined;
  /** How the brain runs. */
  readonly brain?: FlyBrainOptions | undefined;
  /** Threads of the fit's own kernels; one a core by default. */
  readonly workers?: number | undefined;
  /** Told after every pass of a fit, with the blind baseline's VAL loss. */
  readonly onPass?: ((fit: string, report: PassReport, blindLoss: number) => void) | undefined;
}

/** What a cached run came to. */
export interface CachedOutcome {
  /** The readout with the lowest VAL loss. */
  readonly readout: Readout;
  /** Every fit. */
  readonly fits: readonly FitOutcome[];
  /** The one that it comes from. */
  readonly chosen: string;
  /** The blind baseline's loss on VAL, where every fit starts. */
  readonly blindValLoss: number;
  /** Its eye. */
  readonly eye: Eye;
  /** How the brain ran. */
  readonly engine: string;
  /** Training positions in the cache. */
  readonly trained: number;
  /** What it did with every HOLD position. */
  readonly judged: Judged;
  /** HOLD, with intervals by game. */
  readonly scores: Scores;
  /** The same of the blind baseline. */
  readonly blind: Scores;
  /** By how much it differs from the blind baseline, position by position. */
  readonly againstBlind: Scores;
  /** HOLD of the curriculum: top-1 is the share of fastest wins. */
  readonly curriculum?: Scores | undefined;
}

/**
 * What a cached run writes into its `config.json` besides the digests of its inputs.
 *
 * @param options The run's options.
 * @throws {Error} If the fit is to use TensorFlow, which is not linked, saying what to do.
 */
export function cachedRunConfig(options: CachedRunOptions = {}): Record<string, JsonValue> {
  const { eye = "auto", steps = [12], sideBySide = false, curriculum, train = null } = options;
  const fit = fitSettings(options);
  return {
    kind: "cached",
    eye,
    steps: [...steps],
    sideBySide,
    decays: [...decaysOf(options)],
    contrastDecays: sideBySide ? [...options.contrastDecays ?? CONTRAST_DECAYS] : [],
    curriculumShare: curriculum === undefined ? 0 : fit.curriculumShare,
    train,
    seed: fit.seed,
    batch: fit.batch,
    schedule: fit.schedule,
    rate: fit.rate,
    patience: fit.patience,
    maxPasses: fit.maxPasses,
    minimumGain: fit.minimumGain,
    standardise: fit.standardise,
    blockRows: options.blockRows ?? null,
    arithmetic: headsArithmetic(fit.engine),
  };
}

/**
 * The fast way (reference, section 7): the brain runs once over every position, its rates are kept as bytes, and a readout
 * is fitted on them to the end. It goes on where the run's checkpoint and the cache left off, and ends with the same bits.
 *
 * With `sideBySide`, first the mean of the steps is fitted, and then, from there, all steps: what they say beyond
 * their mean is held to 0 by a penalty, and the lowest VAL loss decides, so that it never ends worse than the mean there.
 *
 * The readout is saved as `readout.arrow` in the run's folder.
 *
 * @param run Its folder.
 * @param connectome The wiring.
 * @param positions Positions with a teacher's opinion, HOLD and VAL in front.
 * @param options What decides the result, and how it is done.
 * @returns What came out, or `undefined` where the run was asked to stop.
 * @throws {DataError} If the cache is broken or another brain's.
 * @throws {RangeError} If there are too few positions.
 */
export async function trainCached(
  run: RunFolder,
  connectome: Connectome,
  positions: Positions,
  options: CachedRunOptions = {},
): Promise<CachedOutcome | undefined> {
  const { signal, onProgress, curriculum, sideBySide = false, steps = [12] } = options;
  const work = { signal, onProgress };
  const eye = eyeFor(connectome, options.eye ?? "auto");
  const kept: KeptSteps = { steps, apart: sideBySide };
  await using brain = await wake(connectome, eye, positions, { ...options.brain, ...work });
  const train = trainRows(positions).subarray(0, options.train ?? Infinity);
  using cache = await RatesCache.open(options.cacheFolder ?? join(run.folder, "cache"), {
    ...cacheSetup(brain, eye, kept),
    ...(options.blockRows === undefined ? {} : { blockRows: options.blockRows }),
  });
  for (const source of curriculum === undefined ? [positions] : [positions, curriculum]) {
    await cache.fill(source, showAsBytes(brain, eye, source, kept, work), {
      ...options,
      onRetire: async (block) => {
        await run.log("retired", { file: block.file, rows: block.rows, reason: block.reason });
        await options.onRetire?.(block);
      },
    });
  }

  // What the lessons are tested on is not learned from; nor, in `fitCached`, what they take the place of.
  const leftOut = new Set(curriculum === undefined ? [] : heldOutElsewhere(positions, [curriculum]));
  const blind = await fitBlind(positions, train.filter((row) => !leftOut.has(row)), work);
  const blindLoss = meanLoss(judge(blind, noFeatures(positions.count), positions, valRows(positions)));
  const checkpoint = await run.checkpoint();
  const state: CachedRunState = checkpoint === undefined
    ? { ended: [], mean: undefined, best: undefined, fit: undefined }
    : fromCheckpoint(checkpoint);
  if (checkpoint === undefined) await run.log("cache", { positions: positions.count, bytes: cache.bytes });
  const ended = await fitAll(
    run,
    { cache, positions, curriculum, train: train.length, leftOut, blindLoss, blind },
    options,
    state,
  );
  if (ended === undefined) return undefined;
  const { best, fits } = ended;
  await saveReadout(join(run.folder, "readout.arrow"), best, {
    connectome: cache.key.connectome,
    positions: positions.digest,
    eye: eye.name,
    engine: brain.engineDescription,
    read: cache.key.read,
  });
  const judged = await judgeHold(cache, best, positions, work);
  const blindJudged = judge(blind, noFeatures(positions.count), positions, judged.rows);
  const seed = options.seed ?? 1;
  const lessons = curriculum !== undefined && curriculum.hold > 0
    ? summarize(await judgeHold(cache, best, curriculum, work), { seed })
    : undefined;
  const outcome: CachedOutcome = {
    readout: best,
    fits,
    chosen: fits.reduce((a, b) => b.valLoss < a.valLoss ? b : a).name,
    blindValLoss: blindLoss,
    eye,
    engine: brain.engineDescription,
    trained: train.length,
    judged,
    scores: summarize(judged, { seed }),
    blind: summarize(blindJudged, { seed }),
    againstBlind: pairedDifference(judged, blindJudged, { seed }),
    curriculum: lessons,
  };
  const numbers = (of: Scores) => ({ top1: of.top1.value, good: of.good.value, loss: of.loss.value });
  await run.log("judged", {
    chosen: outcome.chosen,
    hold: judged.rows.length,
    ...numbers(outcome.scores),
    lossLow: outcome.scores.loss.low,
    lossHigh: outcome.scores.loss.high,
    blindLoss: outcome.blind.loss.value,
    againstBlind: outcome.againstBlind.loss.value,
    againstBlindLow: outcome.againstBlind.loss.low,
    againstBlindHigh: outcome.againstBlind.loss.high,
    ...lessons === undefined ? {} : { fastestWins: lessons.top1.value },
  });
  return outcome;
}

/** Judges a readout on the HOLD rows, as bytes. */
async function judgeHold(
  cache: RatesCache,
  readout: Readout,
  positions: Positions,
  work: LongWork,
): Promise<Judged> {
  const rows = Int32Array.from({ length: positions.hold }, (_, i) => i);
  return judge(readout, await cachedFeatures(cache, positions, 0, positions.hold, work), positions, rows);
}

function meanLoss({ loss }: Judged): number {
  return loss.reduce((sum, each) => sum + each, 0) / loss.length;
}
