import { type LongWork, Random } from "../../common/mod.ts";
import {
  type Deck,
  type HeadsEngine,
  type HeadsState,
  HeadsTrainer,
  measureScaling,
  plainScaling,
  type Readout,
  type Scaling,
} from "../../readout/mod.ts";
import { BlockReader, type PositionsOf } from "./_cached_decks.ts";
import { Lessons, rowsOf } from "./_lesson_mix.ts";

export type { PositionsOf } from "./_cached_decks.ts";
import type { CacheBlock, RatesCache } from "../rates/rates_cache.ts";
import { scheduleFactor } from "../stream/schedule.ts";

/** The settings of a fit on cached rates, all of which decide its result. */
export interface CachedFitSettings {
  /** 1: the mean of the steps. The cache's `kept`: the steps side by side. */
  readonly combinations: number;
  /** Positions of a step. */
  readonly batch: number;
  /**
   * `halving`: after a pass without a new best it goes back to the best weights and halves the step. `cosine`: the step
   * warms up over 3 % of all passes and follows a cosine to 0 at the end of the last (`scheduleFactor`).
   */
  readonly schedule: "halving" | "cosine";
  /** Adam's first step size, or the largest with `cosine`. */
  readonly rate: number;
  /** Passes in a row without a new best after which `halving` stops. */
  readonly patience: number;
  /** The most passes; with `cosine` their number. */
  readonly maxPasses: number;
  /** How much lower than the best a VAL loss must be to be a new best, in nats. */
  readonly minimumGain: number;
  /** Whether every feature is brought to mean 0 and deviation 1 before it is learned from. */
  readonly standardise: boolean;
  /** Strength of the penalty decay / 2 * weight^2. */
  readonly decay: number;
  /** The same for what the steps side by side say beyond their mean. */
  readonly contrastDecay: number;
  /** Share of every batch that comes from the curriculum; 0 without one. */
  readonly curriculumShare: number;
  /** Seed of the order of positions. */
  readonly seed: number;
  /** What multiplies: `wasm`, our own kernels, by default, or `tensorflow` where it is linked. */
  readonly engine?: HeadsEngine;
}

/**
 * The reference's fast way (section 7): step 2e-3, patience 4, at most 60 passes. Its batch of 8,192 is for millions of
 * positions. On 261,851 positions of the larva the VAL loss came down to 3.1420 on rates as they are (batch 256), and on
 * features of mean 0 and deviation 1 to 3.1352 (batch 256, step 5e-4), 3.1323 (1,024, 2e-3) and 3.1349 (4,096, 2e-3).
 */
export const CACHED_FIT: Readonly<CachedFitSettings> = {
  combinations: 1,
  batch: 1024,
  schedule: "halving",
  rate: 2e-3,
  patience: 4,
  maxPasses: 60,
  minimumGain: 1e-4,
  standardise: true,
  decay: 0,
  contrastDecay: 0,
  curriculumShare: 0,
  seed: 1,
};

/**
 * A fit that ends by itself. The loss is convex, but rates of neighbouring neurons are so alike that its valley is long and
 * flat: a fit needs many steps to its end and small ones at it. Larva, step 12, VAL loss at 65,536 positions with a penalty
 * of 0.001: 3.1364 like this, 3.1412 with 8 passes, 3.1396 in 32 passes with batches of 1,024; `CACHED_FIT` stops at 3.1500
 * after 20. At 16,384 positions with 0.01 it is 3.1569, 3.1564 with twice the passes, and `CACHED_FIT` stops at 3.1648.
 */
export const LONG_FIT: Readonly<CachedFitSettings> = {
  ...CACHED_FIT,
  batch: 128,
  schedule: "cosine",
  maxPasses: 16,
};

/** Batches that share a step size with `cosine`. */
const BATCHES_A_STEP_SIZE = 16;

/** What a fit learns from. */
export interface CachedFitData {
  /** The rates. */
  readonly cache: RatesCache;
  /** The blocks to learn from, none of them held out. */
  readonly blocks: readonly CacheBlock[];
  /** Gives the positions of a block. */
  readonly positionsOf: PositionsOf;
  /** The positions to stop by; none of them may be judged later. */
  readonly val: Deck;
  /** Lessons that a share of every batch is taken from. */
  readonly curriculum?: Deck | undefined;
  /** Rows of the positions from this one on are left out; none by default. */
  readonly before?: number | undefined;
  /** Rows of each digest's positions that are not learned from; none by default. */
  readonly leftOut?: ReadonlyMap<string, ReadonlySet<number>> | undefined;
}

/** Where a fit is after a pass: all that is needed to go on as if it had never stopped. */
export interface CachedFitState {
  /** What the trainer has learned and remembers. */
  readonly heads: HeadsState;
  /** The weights with the lowest VAL loss so far. */
  readonly best: Float32Array;
  /** That loss, in nats. */
  readonly bestLoss: number;
  /** Passes made. */
  readonly passes: number;
  /** Passes in a row without a new best. */
  readonly misses: number;
  /** The step size of the next pass. */
  readonly rate: number;
  /** What is done to features. */
  readonly scaling: Scaling;
}

/** A pass, for the log. */
export interface PassReport {
  /** Its number, from 1. */
  readonly pass: number;
  /** Its step size; with `cosine` the one in its middle. */
  readonly rate: number;
  /** Mean policy loss of what it learned from, while it learned, in nats. */
  readonly trainLoss: number;
  /** Policy loss on VAL afterwards, in nats. */
  readonly valLoss: number;
  /** The lowest VAL loss so far, this pass included. */
  readonly bestLoss: number;
  /** Positions learned from. */
  readonly positions: number;
}

/** How a fit is run; none of it changes its result. */
export interface CachedFitOptions extends LongWork {
  /** Where to go on. */
  readonly state?: CachedFitState | undefined;
  /** What to start from, without a state; all weights 0 by default. */
  readonly start?: Readout | undefined;
  /** Told after every pass; a run saves the state there. */
  readonly onPass?: ((report: PassReport, state: CachedFitState) => Promise<void> | void) | undefined;
  /** Threads of our own kernels; one a core by default. */
  readonly workers?: number | undefined;
  /** Blocks are read once where all of them fit so many bytes; 10^9 by default. */
  readonly memoryBytes?: number | undefined;
}

/** What came out of a fit. */
export interface CachedFitResult {
  /** The best readout, of plain rates; never worse on VAL than the one it started from. */
  readonly readout: Readout;
  /** Its VAL loss, in nats. */
  readonly valLoss: number;
  /** Passes made in all. */
  readonly passes: number;
}

/**
 * Fits a readout on cached rates: pass after pass over all blocks, the next one read while this one is learned from; the
 * weights with the lowest VAL loss after a pass are kept. With `halving`, after a pass without a new best it goes back to
 * the best weights, forgets Adam's past and halves the step (reference, section 7). The same settings and data give the same
 * bits, with any number of threads and stops; on TensorFlow, with the same version of it and on the same kind of processor.
 *
 * @param data What it learns from.
 * @param settings What decides the result.
 * @throws {DataError} If a block is missing or changed.
 * @throws {RangeError} If there is nothing to learn from.
 * @throws {Error} If TensorFlow is asked for and is not linked, saying what to do.
 */
export async function fitCached(
  data: CachedFitData,
  settings: CachedFitSettings = CACHED_FIT,
  options: CachedFitOptions = {},
): Promise<CachedFitResult> {
  const { cache, val, curriculum, before = Infinity } = data;
  const blocks = data.blocks.filter(({ first }) => first < before);
  const { signal, onProgress, state, memoryBytes = 1e9 } = options;
  const share = curriculum === undefined ? 0 : settings.curriculumShare;
  if (blocks.length === 0) throw new RangeError("Cannot fit: no blocks, at least one is wanted");
  const reader = new BlockReader(cache, blocks, data.positionsOf, memoryBytes, signal);
  const mixture = {
    columns: cache.columns / cache.kept,
    kept: cache.kept,
    combinations: settings.combinations,
  };
  const scaling = state?.scaling ??
    (settings.standardise ? measureScaling(mixture, await reader.ask(blocks[0]!)) : plainScaling(mixture));
  using trainer = await HeadsTrainer.create({
    ...mixture,
    scaling,
    batch: settings.batch,
    decay: settings.decay,
    contrastDecay: settings.contrastDecay,
    engine: settings.engine,
    workers: options.workers,
  });
  const valRows = Int32Array.from({ length: val.count }, (_, i) => i);
  const check = async () => (await trainer.loss(val, valRows, { signal })).policy;

  if (state !== undefined) trainer.restore(state.heads);
  else if (options.start !== undefined) trainer.start(options.start);
  let best = state?.best ?? trainer.weight;
  let bestLoss = state?.bestLoss ?? await check();
  let { passes, misses, rate } = state ?? { passes: 0, misses: 0, rate: settings.rate };
  const scheduled = settings.schedule === "cosine";
  while (passes < settings.maxPasses && (scheduled || misses < settings.patience)) {
    const order = new Random(settings.seed, `blocks of pass ${passes}`).shuffle([...blocks]);
    const lessons = new Lessons(curriculum, new Random(settings.seed, `curriculum of pass ${passes}`));
    const total = blocks.reduce((sum, { rows }) => sum + rows, 0);
    let done = 0, positions = 0, policy = 0;
    for (const [i, block] of order.entries()) {
      const deck = await reader.take(block);
      if (i + 1 < order.length) void reader.ask(order[i + 1]!);
      const rows = rowsOf(
        deck,
        before - block.first,
        curriculum !== undefined,
        (row) => data.leftOut?.get(block.positions)?.has(block.first + row) ?? false,
      );
      new Random(settings.seed, `pass ${passes} of ${block.file}`).shuffle(rows);
      const mixed = lessons.mixInto(rows, settings.batch, share);
      const most = scheduled ? BATCHES_A_STEP_SIZE * settings.batch : Infinity;
      for (let at = 0; at < mixed.length; at += most) {
        const some = mixed.subarray(at, Math.min(mixed.length, at + most));
        const before = passes * total + done + at / mixed.length * block.rows,
          of = settings.maxPasses * total;
        const middle = before + some.length / mixed.length * block.rows / 2;
        const loss = await trainer.learn(deck, some, {
          rate: scheduled ? rate * scheduleFactor(middle / of) : rate,
          extra: curriculum,
          signal,
          onProgress,
          before: Math.round(before),
          of,
          task: "fitting the readout",
        });
        policy += loss.policy * some.length;
      }
      positions += mixed.length;
      done += block.rows;
    }
    if (positions === 0) throw new RangeError("Cannot fit: every position is decided, others are wanted");
    const valLoss = await check();
    const former = scheduled ? rate * scheduleFactor((passes + 0.5) / settings.maxPasses) : rate;
    passes++;
    if (valLoss < bestLoss - (scheduled ? 0 : settings.minimumGain)) {
      bestLoss = valLoss;
      best = trainer.weight;
      misses = 0;
    } else if (scheduled) {
      misses++;
    } else {
      misses++;
      rate /= 2;
      trainer.weight = best;
      trainer.forget();
    }
    await options.onPass?.(
      { pass: passes, rate: former, trainLoss: policy / positions, valLoss, bestLoss, positions },
      { heads: trainer.state, best, bestLoss, passes, misses, rate, scaling },
    );
  }
  return { readout: trainer.readout(best), valLoss: bestLoss, passes };
}
