import { type LongWork, Random } from "flychess/common";
import type { Positions } from "flychess/data";
import {
  dealDeck,
  type Deck,
  type HeadsEngine,
  HeadsTrainer,
  measureScaling,
  type Readout,
} from "flychess/readout";
import { type CacheBlock, type RatesCache, scheduleFactor } from "flychess/training";

/** How every readout of the experiment is fitted. */
export interface FitSettings {
  /** Positions of a step. */
  readonly batch: number;
  /** Adam's largest step size; 3 % warm-up, then a cosine to 0. */
  readonly rate: number;
  /** Times every position is seen. */
  readonly passes: number;
  /** What multiplies; our own kernels by default. */
  readonly engine?: HeadsEngine;
}

/** The numbers of `LONG_FIT` in flychess/training, which says why. */
export const LONG_FIT: Readonly<FitSettings> = { batch: 128, rate: 2e-3, passes: 16 };

/** Rows that share a step size. */
const PIECE = 2048;

/** What is fitted. */
export interface FitTask {
  readonly cache: RatesCache;
  readonly positions: Positions;
  readonly blocks: readonly CacheBlock[];
  /** 1: the mean of the cache's steps. The cache's `kept`: the steps side by side. */
  readonly combinations: number;
  /** Penalty on weights. */
  readonly penalty: number;
  /** Penalty on what steps side by side say beyond their mean. */
  readonly contrastPenalty: number;
  /** Where it starts. */
  readonly start: Readout;
  readonly settings: FitSettings;
  readonly seed: number;
  readonly workers: number | undefined;
}

/** A fitted readout and how good it is on positions that it did not learn from. */
export interface Fitted {
  readonly readout: Readout;
  /** Policy loss on VAL, in nats. */
  readonly valLoss: number;
}

/**
 * Fits the four heads on cached rates with a schedule that ends by itself: VAL chooses no moment to stop.
 *
 * @throws {DataError} If the cache is broken.
 */
export async function fitOnSchedule(task: FitTask, { signal, onProgress }: LongWork): Promise<Fitted> {
  const { cache, positions, settings, seed } = task;
  const { kept } = cache;
  const decks: Deck[] = [];
  for (const { first, rows } of task.blocks) {
    decks.push(await readDeck(cache, positions, first, rows, { signal }));
  }
  const val = await readDeck(cache, positions, positions.hold, positions.val, { signal });
  const mixture = { columns: cache.columns / kept, kept, combinations: task.combinations };
  using trainer = await HeadsTrainer.create({
    ...mixture,
    scaling: measureScaling(mixture, decks[0]!),
    batch: settings.batch,
    decay: task.penalty,
    contrastDecay: task.contrastPenalty,
    engine: settings.engine,
    workers: task.workers,
  });
  trainer.start(task.start);
  const total = settings.passes * decks.reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  for (let pass = 0; pass < settings.passes; pass++) {
    const random = new Random(seed, `pass ${pass}`);
    for (const deck of random.shuffle([...decks])) {
      const rows = random.shuffle(Int32Array.from({ length: deck.count }, (_, i) => i));
      for (let at = 0; at < rows.length; at += PIECE) {
        const piece = rows.subarray(at, at + PIECE);
        await trainer.learn(deck, piece, {
          rate: settings.rate * scheduleFactor((done + piece.length / 2) / total),
          signal,
        });
        done += piece.length;
        onProgress?.({ task: "fitting the readout", done, total, unit: "positions" });
      }
    }
  }
  const { policy } = await trainer.loss(val, Int32Array.from({ length: val.count }, (_, i) => i), { signal });
  return { readout: trainer.readout(), valLoss: policy };
}

/** Rows of some positions with their rates. */
export async function readDeck(
  cache: RatesCache,
  positions: Positions,
  first: number,
  rows: number,
  work: LongWork,
) {
  const deck = dealDeck(positions, first, rows, cache.columns);
  await cache.read(positions.digest, first, rows, deck.rates, work);
  return deck;
}
