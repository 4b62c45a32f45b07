import { join } from "node:path";
import type { FlyBrain } from "flychess/brain";
import { digest, type LongWork } from "flychess/common";
import { heldOutElsewhere, type Positions } from "flychess/data";
import type { Eye } from "flychess/eye";
import {
  fitBlind,
  judge,
  type Judged,
  loadReadout,
  type Readout,
  READOUT_COLUMNS,
  saveReadout,
} from "flychess/readout";
import {
  cachedFeatures,
  type CachedFitSettings,
  cacheSetup,
  fitCached,
  RatesCache,
  showAsBytes,
  trainRows,
  valRows,
} from "flychess/training";
import { readDeck } from "../learning_curve/learn.ts";

/** What a fly is taught besides the main positions. */
export interface Course {
  /** What it is called. */
  readonly name: string;
  /** Its lessons; none for the fly that has none. */
  readonly lessons: Positions | undefined;
  /** Share of a batch that is lessons. */
  readonly share: number;
  /** How many of its lessons, from the front; all by default. */
  readonly most?: number;
}

/** A fly with a fitted readout, and what it does with positions that nobody learned from. */
export interface TaughtFly {
  readonly course: string;
  readonly seed: number;
  readonly readout: Readout;
  /** Policy loss on VAL, in nats. */
  readonly valLoss: number;
  /** HOLD of the main positions. */
  readonly main: Judged;
  /** HOLD of each set of lessons that is tested on. */
  readonly lessons: readonly Judged[];
}

/** What all flies share. */
export interface TeachingPlan extends LongWork {
  readonly brain: FlyBrain;
  readonly eye: Eye;
  readonly positions: Positions;
  /** The sets of lessons that are tested on. */
  readonly tested: readonly Positions[];
  /** The steps whose mean is read. */
  readonly steps: readonly number[];
  readonly settings: CachedFitSettings;
  readonly seeds: readonly number[];
  /** The folder of what is finished. */
  readonly keep: string;
  readonly workers: number | undefined;
}

/**
 * Fits a readout for every course with every seed on rates that the brain gave once, from where it was left, and judges it.
 * No fly learns from positions that a lesson is tested on; with lessons, main positions whose best move wins 99.5 % or more
 * are left out, as `fitCached` does.
 */
export async function* teachFlies(
  courses: readonly Course[],
  plan: TeachingPlan,
): AsyncGenerator<TaughtFly, void> {
  const { brain, eye, positions, tested, steps, settings, workers, signal, onProgress } = plan;
  const work = { signal, onProgress }, kept = { steps, apart: false }, setup = cacheSetup(brain, eye, kept);
  using cache = await RatesCache.open(join(plan.keep, "rates"), setup);
  for (const source of [positions, ...tested]) {
    await cache.fill(source, showAsBytes(brain, eye, source, kept, work), work);
  }
  const val = await readDeck(cache, positions, positions.hold, positions.val, work);
  const leftOut = new Set(heldOutElsewhere(positions, tested));
  const blind = await fitBlind(positions, trainRows(positions).filter((row) => !leftOut.has(row)), work);
  const start = {
    features: cache.columns,
    weight: new Float32Array(cache.columns * READOUT_COLUMNS),
    bias: blind.bias,
  };
  for (const seed of plan.seeds) {
    for (const [index, { name, lessons, share, most }] of courses.entries()) {
      const own = { ...settings, curriculumShare: share };
      const all = {
        ...setup.key,
        ...own,
        ...most === undefined ? {} : { most },
        seed,
        tested: tested.map(({ digest }) => digest),
      };
      const key = digest([JSON.stringify({ ...all, lessons: lessons?.digest }), positions.digest]);
      const path = join(plan.keep, `fly-${index}-${seed}.arrow`);
      let readout = await finished(path, key);
      if (readout === undefined) {
        const first = lessons === undefined ? 0 : lessons.hold + lessons.val;
        const count = lessons === undefined ? 0 : Math.min(most ?? Infinity, lessons.count - first);
        ({ readout } = await fitCached(
          {
            cache,
            blocks: cache.blocks.filter(({ positions: of, held }) => of === positions.digest && !held),
            positionsOf: () => positions,
            leftOut: new Map([[positions.digest, leftOut]]),
            val,
            curriculum: lessons && await readDeck(cache, lessons, first, count, work),
          },
          { ...own, seed },
          {
            start,
            workers,
            signal,
            onProgress: onProgress &&
              ((progress) => onProgress({ ...progress, task: `fitting with ${name}, seed ${seed}` })),
          },
        ));
        await saveReadout(path, readout, { key });
      }
      const judged = async (of: Positions, first: number, count: number) =>
        judge(
          readout,
          await cachedFeatures(cache, of, first, count, work),
          of,
          Int32Array.from({ length: count }, (_, i) => first + i),
        );
      const ofLessons: Judged[] = [];
      for (const each of tested) ofLessons.push(await judged(each, 0, each.hold));
      const { loss } = await judged(positions, positions.hold, valRows(positions).length);
      yield {
        course: name,
        seed,
        readout,
        valLoss: loss.reduce((sum, each) => sum + each, 0) / loss.length,
        main: await judged(positions, 0, positions.hold),
        lessons: ofLessons,
      };
    }
  }
}

/** A readout that was fitted before, by all that decided it; undefined where there is none. */
async function finished(path: string, key: string): Promise<Readout | undefined> {
  try {
    const { readout, metadata } = await loadReadout(path);
    return metadata["key"] === key ? readout : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
