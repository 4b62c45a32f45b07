/**
 * How does the difference between a brain's own wiring and its shuffles move with the positions that they learn from? The
 * brain and some degree-preserving shuffles, frozen (only heads learn) and trained whole, each from nothing for every number
 * of positions, with the recipe of `wiring` run to its end: a point is a finished training, no stop on the way of a longer
 * one. The shuffle is the unit of replication, and these are few: an effect size, no rank.
 *
 *   deno task experiment wiring_curve --connectome FILE --positions FILE
 *
 * @module
 */
import { join } from "node:path";
import { fitBlind, type Interval, type Judged, pairedDifference, summarize } from "flychess/readout";
import { type LearnBrainSettings, trainRows } from "flychess/training";
import { type Arm, LARGE_STEPS, learnArm } from "./wiring/brain_arm.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import { learningHours } from "./wiring/hours.ts";
import { joinJudged } from "./shared/join_judged.ts";
import { type CurveScores, three } from "./learning_curve/result.ts";
import { frontOf, QUICK_ROWS } from "./shared/looks.ts";
import { mean } from "./shared/mean.ts";
import { WIRINGS } from "./wiring/other_wirings.ts";
import { type AmongShuffles, amongShuffles } from "./shared/rank.ts";
import { figure, tables } from "./wiring/curve_figure.ts";

/** Brains that learned from one number of positions. */
export interface WiringPoint {
  readonly passes: number;
  /** Positions seen, repeats counted. */
  readonly positions: number;
  /** HOLD loss of the wiring as measured, in nats. */
  readonly loss: number;
  /** The same of each shuffle. */
  readonly shuffles: readonly number[];
  /** The lowest VAL loss of the measured wiring, and of each shuffle. */
  readonly valLosses: { readonly measured: number; readonly shuffles: readonly number[] };
  /** The measured wiring on HOLD, with intervals by game. */
  readonly scores: CurveScores;
  /** The mean over shuffles. */
  readonly shuffledScores: CurveScores;
  /** The measured wiring minus the mean over shuffles, position by position. */
  readonly difference: CurveScores;
  /** Where it stands among them. */
  readonly among: AmongShuffles;
}

/** All brains that learned in one way. */
export interface WiringWay {
  /** `frozen`: only heads learn. `trained`: synapses, gains and biases too. */
  readonly way: "frozen" | "trained";
  /** By number of positions. */
  readonly points: readonly WiringPoint[];
  /** The difference in loss at the most positions minus that at the fewest, position by position. */
  readonly change: Interval;
}

/** What `wiring_curve_BRAIN.json` holds besides its origin. */
export interface WiringCurve {
  readonly settings: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  readonly ways: readonly WiringWay[];
  /** How much more the difference in loss is trained than frozen, at each number of positions. */
  readonly learning: readonly { readonly positions: number; readonly change: Interval }[];
}

/** Passes over the training positions, each twice the one before; half a pass is what `wiring` has. */
const PASSES = [0.125, 0.25, 0.5, 1], PASSES_QUICK = [0.5, 1];
/** Shuffles: what there is time for. */
const SHUFFLES = 5, SHUFFLES_QUICK = 2;
const BUDGET: LearnBrainSettings = { ...LARGE_STEPS, checkEvery: 256 };
const QUICK: LearnBrainSettings = { checkEvery: 12, batch: 64 };
const FROZEN: LearnBrainSettings = { synapseStep: 0, neuronStep: 0 };

/** Measures, from where it was left. */
export async function run(options: ExperimentOptions): Promise<WiringCurve> {
  const { connectome, seed, quick, keep, workers, signal, onProgress } = options;
  const positions = quick ? frontOf(options.positions, QUICK_ROWS) : options.positions;
  const settings = { ...BUDGET, ...quick ? QUICK : {} };
  const blind = await fitBlind(positions, trainRows(positions), { signal, onProgress });
  const learn = async (way: WiringWay["way"], passes: number, shuffle: number): Promise<Arm> =>
    await learnArm(join(keep, `${passes}`, way, shuffle === 0 ? "measured" : `${shuffle}`), {
      name: `${shuffle === 0 ? "as measured" : `shuffle ${shuffle}`}, ${way}, ${passes} passes`,
      connectome: shuffle === 0 ? connectome : WIRINGS.degrees(connectome, shuffle),
      positions,
      settings: { ...settings, ...way === "frozen" ? FROZEN : {}, passes, seed },
      blind,
      workers,
      signal,
      onProgress,
    });
  const all = { frozen: [] as Learned[], trained: [] as Learned[] };
  // The cheap points first.
  for (const passes of quick ? PASSES_QUICK : PASSES) {
    for (const way of ["frozen", "trained"] as const) {
      const measured = await learn(way, passes, 0), shuffles: Arm[] = [];
      for (let i = 1; i <= (quick ? SHUFFLES_QUICK : SHUFFLES); i++) {
        shuffles.push(await learn(way, passes, i));
      }
      all[way].push({ passes, measured, shuffles });
    }
  }
  const ways = (["frozen", "trained"] as const).map((way): WiringWay => ({
    way,
    points: all[way].map((learned) => pointOf(learned, seed)),
    change: changeOf(all[way].at(-1)!, all[way][0]!, seed),
  }));
  return {
    settings: { ...settings } as WiringCurve["settings"],
    ways,
    learning: all.trained.map((trained, i) => ({
      positions: seen(trained.measured),
      change: changeOf(trained, all.frozen[i]!, seed),
    })),
  };
}

/** The brains of one number of positions, one way. */
interface Learned {
  readonly passes: number;
  readonly measured: Arm;
  readonly shuffles: readonly Arm[];
}

/** Positions that a brain saw. */
function seen({ curve }: Arm): number {
  return curve.at(-1)!.positions;
}

function pointOf({ passes, measured, shuffles }: Learned, seed: number): WiringPoint {
  const loss = mean(measured.judged.loss), losses = shuffles.map(({ judged }) => mean(judged.loss));
  const others = joinJudged(shuffles.map(({ judged }) => judged));
  const own = joinJudged(shuffles.map(() => measured.judged));
  return {
    passes,
    positions: seen(measured),
    loss,
    shuffles: losses,
    valLosses: { measured: measured.best, shuffles: shuffles.map(({ best }) => best) },
    scores: three(summarize(measured.judged, { seed })),
    shuffledScores: three(summarize(others, { seed })),
    difference: three(pairedDifference(own, others, { seed })),
    among: amongShuffles(loss, losses),
  };
}

/** How the loss of the measured wiring minus the mean of the shuffles' differs from one to the other. */
function changeOf(to: Learned, from: Learned, seed: number): Interval {
  const minus = ({ measured, shuffles }: Learned): Judged => ({
    ...measured.judged,
    loss: measured.judged.loss.map((loss, i) => loss - mean(shuffles.map(({ judged }) => judged.loss[i]!))),
  });
  return pairedDifference(minus(to), minus(from), { seed }).loss;
}

export { figure, tables };

/** Frozen brains, of which only heads learn, are counted like the others: at most so long. */
export const hours: NonNullable<Experiment["hours"]> = (options) =>
  options.quick ? 0.1 : learningHours(options, {
    brains: 2 * (1 + SHUFFLES),
    passes: PASSES.reduce((sum, each) => sum + each, 0),
  });

/** The question. */
export const question: Experiment["question"] =
  "Does more to learn from change what the measured wiring costs?";
