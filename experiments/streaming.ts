/**
 * Is it better to learn from positions as they stream by, once each, or to keep what the brain said to them and learn from
 * that again and again? A brain that stays as it is, the same positions; then as many as take no longer.
 *
 *   deno task experiment streaming --connectome FILE --positions FILE
 *
 * @module
 */
import { join } from "node:path";
import { type FlyBrain, wasmEngine } from "flychess/brain";
import { removeIfThere } from "flychess/common";
import { connectomeDigest } from "flychess/connectome";
import { eyeFor } from "flychess/eye";
import {
  bestArithmetic,
  fitBlind,
  type Interval,
  judge,
  type Judged,
  noFeatures,
  pairedDifference,
  READOUT_COLUMNS,
  type Scores,
  summarize,
} from "flychess/readout";
import {
  cachedFeatures,
  fitCached,
  holdRows,
  LONG_FIT,
  openRun,
  streamRunConfig,
  trainRows,
  trainStream,
  wake,
} from "flychess/training";
import type { ExperimentOptions } from "./_experiment.ts";
import { joinJudged } from "./shared/join_judged.ts";
import { packJudged, unpackJudged } from "./shared/judged_piece.ts";
import { kept } from "./shared/kept.ts";
import { readDeck } from "./learning_curve/learn.ts";
import { frontOf } from "./shared/looks.ts";
import { mean } from "./shared/mean.ts";
import { isLarge, precisionFor } from "./shared/precision.ts";
import { decideOnce, lookTimed, processorClock } from "./training/timed_looks.ts";

export { figure, tables } from "./training/streaming_figure.ts";

/** The question. */
export const question =
  "Is it better to stream positions once, or to keep rates and learn from them again and again?";

/** Times are among its numbers. */
export const measured = true;

/** One way of learning. */
export interface Way {
  /** `blind`, `streaming`, `cached, same time` or `cached, same positions`. */
  readonly name: string;
  /** Training positions that it learned from; the mean of the seeds. */
  readonly positions: number;
  /** Seconds of processor, all threads together: everything from waking the brain to judging; of each seed. */
  readonly seconds: readonly number[];
  /** Held-out loss of each seed, in nats. */
  readonly losses: readonly number[];
  readonly loss: Interval;
  readonly top1: Interval;
  readonly good: Interval;
  /** Minus streaming, on the same positions; null for streaming itself. */
  readonly against: Pick<Scores, "loss" | "top1" | "good"> | null;
}

/** What `streaming` measures. */
export interface StreamingNumbers {
  readonly settings: {
    readonly hold: number;
    readonly val: number;
    readonly train: number;
    /** Of those, positions of the probe, which streaming starts with. */
    readonly probe: number;
    /** Numbers that the brain thinks in; missing in older results, where it is `float32`. */
    readonly precision?: "float32" | "int8";
    readonly batch: number;
    /** Step sizes of the streaming readout that were tried with the first seed, and what VAL said. */
    readonly steps: readonly { readonly size: number; readonly valLoss: number }[];
    /** The one that it took. */
    readonly step: number;
    readonly passes: number;
    readonly penalty: number;
    readonly arithmetic: string;
    readonly seeds: readonly number[];
  };
  readonly ways: readonly Way[];
}

/** The default of `fly train`, and the step of the cached fit. */
const STEP_SIZES = [3e-4, 2e-3];
const SIZES = { train: 32_768, probe: 8192 };
/** Of a brain that takes a hundred times as long. */
const SIZES_LARGE = { train: 8192, probe: 2048 };
const SIZES_QUICK = { hold: 64, val: 32, train: 768, probe: 256 };
/** What the learning curve's VAL chose for step 12 of the larva, and of the model fly, and so many positions. */
const PENALTY = 1e-3, PENALTY_LARGE = 3e-2;

/** What a way came to with one seed. */
interface Learned {
  readonly judged: Judged;
  readonly seconds: number;
  readonly valLoss: number;
  readonly positions: number;
}

/** Measures; what is finished is kept. */
export async function run(options: ExperimentOptions): Promise<StreamingNumbers> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const large = isLarge(connectome), precision = precisionFor(connectome);
  const { probe, ...parts } = quick ? SIZES_QUICK : large ? SIZES_LARGE : SIZES;
  const positions = frontOf(options.positions, parts), train = trainRows(positions);
  const seeds = Array.from({ length: quick ? 1 : 3 }, (_, i) => seed + i);
  const eye = eyeFor(connectome, "auto"), work = { signal, onProgress };
  const engine = () => ({ engine: wasmEngine({ precision, ...workers === undefined ? {} : { workers } }) });
  const penalty = large ? PENALTY_LARGE : PENALTY;
  const fit = { ...LONG_FIT, ...quick ? { maxPasses: 4 } : {}, decay: penalty };
  const batches = Math.floor((train.length - probe) / fit.batch);
  const inputs = {
    connectome: connectomeDigest(connectome),
    positions: positions.digest,
    eye: eye.name,
    ...large && { precision },
  };
  const piece = async (name: string, settings: object, make: () => Promise<Learned>): Promise<Learned> => {
    const file = await kept(keep, name, { ...inputs, ...settings }, async () => {
      const { judged, ...rest } = await make();
      return packJudged(judged, rest);
    });
    return unpackJudged(file, positions) as Learned;
  };

  const stream = (size: number, seed: number) => {
    const settings = { steps: [12], probe, batch: fit.batch, batches, readoutStep: size, seed };
    return piece(`streaming ${size} seed ${seed}`, settings, async () => {
      const folder = join(keep, `stream-${size}-${seed}`);
      // Its time is that of a run that was not broken off.
      await removeIfThere(folder, { recursive: true });
      const clock = processorClock();
      let valLoss = NaN;
      await using run = await openRun(folder, {
        ...streamRunConfig(settings),
        inputs: { connectome: inputs.connectome, positions: inputs.positions },
      });
      const outcome = await trainStream(run, connectome, positions, {
        ...settings,
        brain: engine(),
        ...work,
        onCheck: (check) => valLoss = check.valLoss,
      });
      if (outcome === undefined) throw new Error("Cannot go on: the run was asked to stop");
      return { judged: outcome.judged, seconds: clock(), valLoss, positions: probe + batches * fit.batch };
    });
  };

  const tried: { size: number; valLoss: number }[] = [];
  for (const size of STEP_SIZES) tried.push({ size, valLoss: (await stream(size, seeds[0]!)).valLoss });
  const step = tried.reduce((best, each) => each.valLoss < best.valLoss ? each : best).size;
  const streamed: Learned[] = [], cachedAll: Learned[] = [], cachedSome: Learned[] = [];
  for (const seed of seeds) streamed.push(await stream(step, seed));

  /** Looks, fits and judges with the first so many positions. */
  const learn = async (brain: FlyBrain, count: number, seed: number, folder: string): Promise<Learned> => {
    const clock = processorClock(), part = frontOf(options.positions, { ...parts, train: count });
    const { cache, seconds } = await lookTimed(brain, eye, part, folder, work);
    using _ = cache;
    const blind = await fitBlind(part, trainRows(part), work);
    const val = await readDeck(cache, part, part.hold, part.val, work);
    const { readout, valLoss } = await fitCached(
      {
        cache,
        blocks: cache.blocks.filter(({ held, positions: of }) => of === part.digest && !held),
        positionsOf: () => part,
        val,
      },
      { ...fit, seed },
      {
        start: {
          features: cache.columns,
          weight: new Float32Array(cache.columns * READOUT_COLUMNS),
          bias: blind.bias,
        },
        // The heads have threads of their own only.
        workers: workers === 0 ? 1 : workers,
        ...work,
      },
    );
    const judged = judge(
      readout,
      await cachedFeatures(cache, part, 0, part.hold, work),
      part,
      holdRows(part),
    );
    return { judged, seconds: clock() + seconds, valLoss, positions: count };
  };
  const awake = processorClock();
  await using brain = await wake(connectome, eye, positions, { ...engine(), ...work });
  const waking = awake();
  const cached = (count: number, seed: number, folder: string) =>
    piece(`cached ${folder} seed ${seed}`, { ...fit, seed, count }, async () => {
      const { seconds, ...rest } = await learn(brain, count, seed, join(keep, folder));
      return { ...rest, seconds: seconds + waking };
    });
  for (const seed of seeds) cachedAll.push(await cached(train.length, seed, "rates"));
  // As many as take as long, once for all seeds, so that all learn from the same ones.
  const ratio = mean(streamed.map(({ seconds }) => seconds)) / mean(cachedAll.map(({ seconds }) => seconds));
  const fewer = await decideOnce(
    join(keep, "same-time.json"),
    Math.max(fit.batch, Math.floor(train.length * ratio / 1024) * 1024),
  );
  const count = Math.min(fewer, trainRows(options.positions).length);
  for (const seed of seeds) {
    cachedSome.push(
      count === train.length ? cachedAll[seeds.indexOf(seed)]! : await cached(count, seed, "rates-same-time"),
    );
  }

  const blind = await fitBlind(positions, train, work);
  const nothing = judge(blind, noFeatures(positions.count), positions, holdRows(positions));
  const intervals = { seed, resamples: quick ? 100 : 1000 };
  const all = joinJudged(streamed.map(({ judged }) => judged));
  const way = (name: string, learned: readonly Learned[]): Way => {
    const own = joinJudged(learned.map(({ judged }) => judged));
    const { loss, top1, good } = summarize(own, intervals);
    const minus = pairedDifference(own, all, intervals);
    return {
      name,
      positions: mean(learned.map(({ positions }) => positions)),
      seconds: learned.map(({ seconds }) => seconds),
      losses: learned.map(({ judged }) => mean(judged.loss)),
      loss,
      top1,
      good,
      against: learned === streamed ? null : { loss: minus.loss, top1: minus.top1, good: minus.good },
    };
  };
  const none = seeds.map(() => ({ judged: nothing, seconds: 0, valLoss: NaN, positions: train.length }));
  return {
    settings: {
      hold: positions.hold,
      val: positions.val,
      train: train.length,
      probe,
      batch: fit.batch,
      steps: tried,
      step,
      passes: fit.maxPasses,
      penalty,
      ...large && { precision },
      arithmetic: bestArithmetic(),
      seeds,
    },
    ways: [
      way("blind", none),
      way("streaming", streamed),
      way("cached, same time", cachedSome),
      way("cached, same positions", cachedAll),
    ],
  };
}
