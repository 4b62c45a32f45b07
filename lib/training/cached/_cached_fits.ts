import type { Positions } from "../../data/positions.ts";
import { type Readout, READOUT_COLUMNS } from "../../readout/mod.ts";
import { type CachedRunState, type FitOutcome, toCheckpoint } from "./_cached_checkpoint.ts";
import { readDeck } from "./_cached_decks.ts";
import { CACHED_FIT, type CachedFitSettings, fitCached, LONG_FIT } from "./cached_fit.ts";
import type { CachedRunOptions, CachedRunSettings } from "./cached_run.ts";
import type { RunFolder } from "./cached_run_folder.ts";
import type { RatesCache } from "../rates/rates_cache.ts";

/**
 * Penalties tried by default on all weights. 30,000 positions of a model fly at scale 1/8 want one (VAL 3.050 with 0.01, 3.061
 * without), 261,851 of the larva do not (3.1375 with 0.001, 3.1352 without).
 */
export const DECAYS: readonly number[] = [1e-2, 0];

/**
 * Penalties tried by default on the contrasts of the steps: 30,000 positions of a model fly at scale 1/8 came down to a VAL loss
 * of 3.0522 with 0.01 and 3.0524 with 0.001, 261,851 of the larva to 3.0986 and 3.0932, and to 3.0928 with 0.0001 or none.
 */
export const CONTRAST_DECAYS: readonly number[] = [1e-2, 1e-4];

/** The penalties that are tried on the mean of the steps. */
export function decaysOf({ decays, fit }: CachedRunSettings): readonly number[] {
  return decays ?? (fit?.decay === undefined ? DECAYS : [fit.decay]);
}

/** The settings that all fits of a run share. */
export function fitSettings(options: CachedRunOptions): CachedFitSettings {
  const { seed = 1, curriculumShare = 0.1 } = options;
  const { schedule = LONG_FIT.schedule } = options.fit ?? {};
  return { ...(schedule === "halving" ? CACHED_FIT : LONG_FIT), curriculumShare, ...options.fit, seed };
}

/** What the fits of a run share. */
export interface FitMaterial {
  readonly cache: RatesCache;
  readonly positions: Positions;
  readonly curriculum: Positions | undefined;
  readonly train: number;
  /** Training rows that are not learned from. */
  readonly leftOut: ReadonlySet<number>;
  readonly blindLoss: number;
  /** What the blind baseline knows: fits start from there. */
  readonly blind: Readout;
}

/** Does all fits that a run has to do, from where it is; `undefined` where it was asked to stop. */
export async function fitAll(
  run: RunFolder,
  { cache, positions, curriculum, train, leftOut, blindLoss, blind }: FitMaterial,
  options: CachedRunOptions,
  state: CachedRunState,
): Promise<{ best: Readout; fits: readonly FitOutcome[] } | undefined> {
  const settings = fitSettings(options), { signal, onProgress } = options;
  const data = {
    cache,
    blocks: cache.blocks.filter(({ positions: of, held }) => of === positions.digest && !held),
    positionsOf: () => positions,
    before: positions.hold + positions.val + train,
    leftOut: new Map([[positions.digest, leftOut]]),
    val: await readDeck(cache, positions, positions.hold, positions.val, { signal }),
    curriculum: curriculum === undefined ? undefined : await lessonsOf(cache, curriculum, signal),
  };
  const fits = [
    ...decaysOf(options).map((decay) => ({ name: `mean, penalty ${decay}`, combinations: 1, decay })),
    ...options.sideBySide
      ? (options.contrastDecays ?? CONTRAST_DECAYS).map((contrastDecay) => ({
        name: `side by side, penalty ${contrastDecay}`,
        combinations: cache.kept,
        contrastDecay,
      }))
      : [],
  ];
  let { ended, mean, best, fit: going } = state;
  for (const { name, ...own } of fits.slice(ended.length)) {
    const isMean = own.combinations === 1;
    // Penalties: that of the mean's best fit stays.
    const chosen = fits.slice(0, ended.length).reduce<{ decay: number; loss: number }>(
      (a, each, i) =>
        "decay" in each && ended[i]!.valLoss < a.loss ? { decay: each.decay, loss: ended[i]!.valLoss } : a,
      { decay: settings.decay, loss: Infinity },
    );
    let stop = false;
    const stopping = new AbortController();
    const both = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
    try {
      const result = await fitCached(data, { ...settings, decay: chosen.decay, ...own }, {
        signal: both,
        onProgress,
        workers: options.workers,
        state: going,
        start: isMean ? startOf(blind, cache.columns / cache.kept) : mean,
        onPass: async (report, fit) => {
          await run.log("pass", { fit: name, ...report, blindLoss });
          await run.save(toCheckpoint({ ended, mean, best, fit }));
          options.onPass?.(name, report, blindLoss);
          if (await run.stopAsked()) {
            stop = true;
            stopping.abort();
          }
        },
      });
      const lowest = Math.min(Infinity, ...ended.map(({ valLoss }) => valLoss));
      if (result.valLoss < lowest) best = result.readout;
      const lowestMean = Math.min(
        Infinity,
        ...ended.filter((_, i) => fits[i]!.combinations === 1).map(({ valLoss }) => valLoss),
      );
      if (isMean && result.valLoss < lowestMean) mean = result.readout;
      ended = [...ended, { name, valLoss: result.valLoss, passes: result.passes }];
      going = undefined;
      await run.log("fitted", { fit: name, valLoss: result.valLoss, passes: result.passes, blindLoss });
      await run.save(toCheckpoint({ ended, mean, best, fit: undefined }));
    } catch (error) {
      if (stop) {
        await run.log("stopped", { fit: name });
        return undefined;
      }
      throw error;
    }
  }
  if (cache.kept > 1 && best!.features !== cache.columns) best = repeatMean(best!, cache.kept);
  return { best: best!, fits: ended };
}

/** What the blind baseline knows, as a readout that sees and makes nothing of it. */
function startOf({ bias }: Readout, features: number): Readout {
  return { features, weight: new Float32Array(features * READOUT_COLUMNS), bias };
}

/** A readout of the mean as one of the steps side by side, where the mean won: the same moves from the same rates. */
function repeatMean({ features, weight, bias }: Readout, kept: number): Readout {
  const repeated = new Float32Array(kept * weight.length);
  for (let s = 0; s < kept; s++) repeated.set(weight.map((each) => each / kept), s * weight.length);
  return { features: kept * features, weight: repeated, bias };
}

/** The curriculum's rows that may be learned from. */
async function lessonsOf(cache: RatesCache, curriculum: Positions, signal: AbortSignal | undefined) {
  const first = curriculum.hold + curriculum.val;
  return await readDeck(cache, curriculum, first, curriculum.count - first, { signal });
}
