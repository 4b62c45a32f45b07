/**
 * How does a run get on that learns from fresh positions? Loss on VAL beside a reader that never looks, for the readout alone
 * and for the brain learning with it on the reference's leash: SGD, every synapse within a fifth of its measured strength.
 *
 *   deno task experiment training_run --connectome FILE --positions FILE
 *
 * @module
 */
import { join } from "node:path";
import { wasmEngine } from "flychess/brain";
import { connectomeDigest } from "flychess/connectome";
import {
  fitBlind,
  type Interval,
  judge,
  type Judged,
  noFeatures,
  pairedDifference,
  summarize,
} from "flychess/readout";
import {
  holdRows,
  openRun,
  readLog,
  streamRunConfig,
  type StreamSettings,
  trainRows,
  trainStream,
} from "flychess/training";
import type { ExperimentOptions } from "./_experiment.ts";
import { joinJudged } from "./shared/join_judged.ts";
import { packJudged, unpackJudged } from "./shared/judged_piece.ts";
import { kept } from "./shared/kept.ts";
import { frontOf } from "./shared/looks.ts";
import { mean } from "./shared/mean.ts";
import { isLarge } from "./shared/precision.ts";

export { figure, tables } from "./training/training_run_figure.ts";

/** The question. */
export const question =
  "Does a run that learns from fresh positions get better, and does it help when the brain learns too?";

/** A check on VAL. */
export interface RunCheck {
  /** Positions learned from after the probe. */
  readonly positions: number;
  /** Loss in nats. */
  readonly valLoss: number;
}

/** One way of running. */
export interface RunWay {
  readonly name: string;
  /** Checks on VAL from the probe to the end; the mean of the seeds. */
  readonly checks: readonly RunCheck[];
  /** Held-out loss of each seed, in nats. */
  readonly losses: readonly number[];
  readonly loss: Interval;
  readonly top1: Interval;
  readonly good: Interval;
  /** Held-out loss minus the readout's alone, position by position; null for itself. */
  readonly againstReadout: Interval | null;
  /** Held-out loss minus that of the probe which it started from, position by position, of each seed. */
  readonly againstProbe: readonly Interval[];
}

/** What `training_run` measures. */
export interface TrainingRunNumbers {
  readonly settings: {
    readonly hold: number;
    readonly val: number;
    readonly train: number;
    /** Of those, positions of the probe. */
    readonly probe: number;
    readonly batch: number;
    readonly seeds: readonly number[];
    readonly ways: Readonly<Record<string, StreamSettings>>;
  };
  readonly blind: { readonly valLoss: number; readonly loss: Interval; readonly top1: Interval };
  readonly ways: readonly RunWay[];
}

/** A run that came to its end. */
interface Finished {
  readonly judged: Judged;
  readonly checks: readonly RunCheck[];
  readonly blindValLoss: number;
  /** Its held-out loss minus its probe's. */
  readonly againstProbe: Interval;
}

const SIZES = { train: 65_536, probe: 16_384, batch: 128, checkEvery: 24 };
/** Of a brain that takes a hundred times as long. */
const SIZES_LARGE = { train: 8192, probe: 2048, batch: 128, checkEvery: 12 };
const VAL_LARGE = 1024;
const SIZES_QUICK = { train: 768, probe: 256, batch: 128, checkEvery: 2 };
const QUICK_ROWS = { hold: 64, val: 32, train: SIZES_QUICK.train };

/** The reference's leash (section 7): synapses within a fifth; a neuron that the board does not reach stays calm. */
const LEASH = { calm: true, maxChange: 0.2 } as const;
/** Step sizes: of 0.001 and 0.01, 0.1 and 1, 1 and 10 with SGD, of 0.001 and 0.003, 0.01 and 0.03 with Adam, VAL's best. */
const WAYS: Readonly<Record<string, StreamSettings>> = {
  "readout only": { calm: true },
  "gains and biases too": { ...LEASH, brainOptimiser: "sgd", neuronStep: 1 },
  "synapses too": { ...LEASH, brainOptimiser: "sgd", neuronStep: 1, synapseStep: 10 },
  "synapses too, by Adam": { ...LEASH, brainOptimiser: "adam", neuronStep: 0.01, synapseStep: 0.03 },
};

/** What a large brain tries: the reference's recipe beside the readout alone. */
const WAYS_LARGE = ["readout only", "synapses too"];

/** Measures; a run that was broken off goes on. */
export async function run(options: ExperimentOptions): Promise<TrainingRunNumbers> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const large = isLarge(connectome);
  const { train: most, ...sizes } = quick ? SIZES_QUICK : large ? SIZES_LARGE : SIZES;
  const tried = Object.entries(WAYS).filter(([name]) => !large || WAYS_LARGE.includes(name));
  const positions = frontOf(
    options.positions,
    quick ? QUICK_ROWS : large ? { train: most, val: VAL_LARGE } : { train: most },
  );
  const train = trainRows(positions), seeds = Array.from({ length: quick ? 1 : 3 }, (_, i) => seed + i);
  const batches = Math.floor((train.length - sizes.probe) / sizes.batch);
  const inputs = { connectome: connectomeDigest(connectome), positions: positions.digest };

  const finish = async (name: string, seed: number): Promise<Finished> => {
    const settings = { ...sizes, batches, seed, ...WAYS[name] };
    const piece = await kept(keep, `${name} seed ${seed}`, { ...inputs, ...settings }, async () => {
      const folder = join(keep, `run-${Object.keys(WAYS).indexOf(name)}-${seed}`);
      await using run = await openRun(folder, { ...streamRunConfig(settings), inputs });
      const outcome = await trainStream(run, connectome, positions, {
        ...settings,
        brain: { engine: wasmEngine(workers === undefined ? {} : { workers }) },
        signal,
        onProgress,
      });
      if (outcome === undefined) throw new Error(`Cannot go on: the run in ${folder} was asked to stop`);
      const checks = (await readLog(folder)).filter(({ event }) => event === "check");
      return packJudged(outcome.judged, {
        checks: checks.map(({ positions, valLoss }) => ({ positions, valLoss })),
        blindValLoss: checks[0]!["blindLoss"],
        againstProbe: outcome.againstProbe.loss,
      });
    });
    return unpackJudged(piece, positions) as Finished;
  };

  const all: Record<string, Finished[]> = {};
  for (const [name] of tried) {
    all[name] = [];
    for (const seed of seeds) all[name].push(await finish(name, seed));
  }
  const intervals = { seed, resamples: quick ? 100 : 1000 };
  const [readout] = Object.keys(all);
  const base = joinJudged(all[readout!]!.map(({ judged }) => judged));
  const ways = Object.entries(all).map(([name, runs]): RunWay => {
    const judged = joinJudged(runs.map(({ judged }) => judged));
    const { loss, top1, good } = summarize(judged, intervals);
    return {
      name,
      checks: runs[0]!.checks.map(({ positions }, i) => ({
        positions,
        valLoss: mean(runs.map(({ checks }) => checks[i]!.valLoss)),
      })),
      losses: runs.map(({ judged }) => mean(judged.loss)),
      loss,
      top1,
      good,
      againstReadout: name === readout ? null : pairedDifference(judged, base, intervals).loss,
      againstProbe: runs.map(({ againstProbe }) => againstProbe),
    };
  });
  const blindly = judge(
    await fitBlind(positions, train, { signal, onProgress }),
    noFeatures(positions.count),
    positions,
    holdRows(positions),
  );
  const { loss, top1 } = summarize(blindly, intervals);
  return {
    settings: {
      hold: positions.hold,
      val: positions.val,
      train: train.length,
      probe: sizes.probe,
      batch: sizes.batch,
      seeds,
      ways: Object.fromEntries(tried),
    },
    blind: { valLoss: all[readout!]![0]!.blindValLoss, loss, top1 },
    ways,
  };
}
