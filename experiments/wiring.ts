/**
 * Does the measured wiring matter once the brain itself learns? The brain against shuffles that keep every neuron's number
 * of sent and received connections, each of them frozen (only its heads learn) and trained whole, with the same recipe from
 * the same positions in the same order. The shuffle is the unit of replication.
 *
 *   deno task experiment wiring --connectome FILE --positions FILE
 *
 * @module
 */
import { join } from "node:path";
import {
  type Connectome,
  randomWiring,
  shuffleDegrees,
  shuffleDistances,
  shuffleWiring,
} from "flychess/connectome";
import { eyeFor } from "flychess/eye";
import { fitBlind, judge, type Judged, noFeatures, pairedDifference, summarize } from "flychess/readout";
import { holdRows, type LearnBrainSettings, trainRows } from "flychess/training";
import { type Arm, type ArmTask, LARGE_STEPS, learnArm } from "./_brain_arm.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import { joinJudged } from "./_join_judged.ts";
import { frontOf, QUICK_ROWS } from "./_looks.ts";
import { type CurveScores, three } from "./_learning_curve_result.ts";
import { type AmongShuffles, amongShuffles } from "./_rank.ts";
import { meanReach, type Reach, reachOf } from "./_reach.ts";
import { learningHours } from "./_hours.ts";
import { figure, tables } from "./_wiring_figure.ts";
import { mean } from "./_mean.ts";

/** One brain, learned with one seed. */
export interface WiredBrain {
  readonly name: string;
  /** Seed of the shuffle; null where the wiring is as measured. */
  readonly shuffle: number | null;
  /** Seed of the order of positions. */
  readonly seed: number;
  /** HOLD loss, in nats. */
  readonly loss: number;
  readonly top1: number;
  readonly good: number;
  /** The lowest VAL loss. */
  readonly valLoss: number;
}

/** All brains that learned in one way. */
export interface WiringArm {
  /** `frozen`: only heads learn. `trained`: synapses, gains and biases too. */
  readonly way: "frozen" | "trained";
  readonly settings: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  /** As measured, one a seed. */
  readonly measured: readonly WiredBrain[];
  /** One a shuffle. */
  readonly shuffles: readonly WiredBrain[];
  /** The measured wiring's scores on HOLD, mean over seeds, with intervals by game. */
  readonly scores: CurveScores;
  /** The mean over shuffles. */
  readonly shuffledScores: CurveScores;
  /** The measured wiring minus the mean over shuffles, position by position: other games, not other shuffles. */
  readonly difference: CurveScores;
  /** Where its HOLD loss stands among the shuffles'. */
  readonly among: AmongShuffles;
}

/** Brains of another kind than the degree-preserving shuffles: too few for a rank, so an effect size is all they tell. */
export interface OtherWiring {
  /** `distances`: also as far from the eye; `reference`: the reference's shuffle; `random`: a random graph of equal size. */
  readonly kind: keyof typeof OTHERS;
  readonly frozen: readonly WiredBrain[];
  readonly trained: readonly WiredBrain[];
  /** The measured wiring minus their mean, position by position, with intervals by game. */
  readonly difference: { readonly frozen: CurveScores; readonly trained: CurveScores };
  readonly reach: Reach;
}

/** What `wiring.json` holds besides its origin. */
export interface Wiring {
  readonly arms: readonly WiringArm[];
  readonly blind: CurveScores;
  /** Trained minus frozen, position by position. */
  readonly learning: { readonly measured: CurveScores; readonly shuffled: CurveScores };
  /** Share of connections that end elsewhere, the mean over shuffles. */
  readonly shareChanged: number;
  /** How near the eye is to the neurons that are read; of the shuffles the mean. */
  readonly reach: { readonly measured: Reach; readonly shuffled: Reach };
  readonly others: readonly OtherWiring[];
}

/** Further options. */
export interface WiringOptions extends ExperimentOptions {
  /** Shuffles whose heads alone learn. */
  readonly frozen?: number;
  /** How many of them are trained whole. */
  readonly trained?: number;
  /** Brains of each other kind. */
  readonly others?: number;
  /** How they learn. */
  readonly settings?: LearnBrainSettings;
}

/** 19: the smallest number of which the measured wiring can be the best with a chance of one in twenty. */
const SHUFFLES = 19;
/** How many of them are trained whole by default: what there was time for, two to four minutes each on a busy machine. */
const TRAINED = 19;
/** Other wirings, which no rank is told of. */
const OTHERS = {
  distances: (connectome: Connectome, seed: number) =>
    shuffleDistances(connectome, seed, { sources: Int32Array.from(eyeFor(connectome, "auto").cell) }),
  reference: shuffleWiring,
  random: randomWiring,
} as const;
/** Of each of them. */
const EACH_OTHER = 5;
/** Seeds of the order of positions with the measured wiring: how much chance in learning alone does. */
const SEEDS = 3;
/** Half a pass over the training positions, with the steps of `brain_learning`. */
const PASSES = 0.5;
const BUDGET: LearnBrainSettings = { ...LARGE_STEPS, passes: PASSES, checkEvery: 256 };
const QUICK: LearnBrainSettings = { batches: 24, checkEvery: 12, batch: 64 };
const FROZEN: LearnBrainSettings = { synapseStep: 0, neuronStep: 0 };

/** Measures, from where it was left. */
export async function run(options: WiringOptions): Promise<Wiring> {
  const { connectome, seed, quick, keep, workers, signal, onProgress } = options;
  const positions = quick ? frontOf(options.positions, QUICK_ROWS) : options.positions;
  const { frozen = quick ? 2 : SHUFFLES, trained = Math.min(frozen, quick ? 2 : TRAINED) } = options;
  const { others = quick ? 1 : EACH_OTHER } = options;
  const settings = { ...options.settings ?? BUDGET, ...quick ? QUICK : {} };
  const blind = await fitBlind(positions, trainRows(positions), { signal, onProgress });
  const shares: number[] = [], reaches: Reach[] = [];
  const wired = (shuffle: number | null): Connectome => {
    if (shuffle === null) return connectome;
    const shuffled = shuffleDegrees(connectome, shuffle, { signal });
    shares[shuffle - 1] = Number(shuffled.provenance["shareChanged"]);
    reaches[shuffle - 1] ??= reachOf(shuffled);
    return shuffled;
  };
  const seeds = Array.from({ length: quick ? 1 : SEEDS }, (_, i) => seed + i);
  const settingsOf = (way: WiringArm["way"]) => way === "frozen" ? { ...settings, ...FROZEN } : settings;
  const learnOne = async (
    way: WiringArm["way"],
    { name, connectome, folder, shuffle, seed }: {
      readonly name: string;
      readonly connectome: Connectome;
      readonly folder: string;
      readonly shuffle: number | null;
      readonly seed: number;
    },
  ): Promise<Learned> => {
    const full = `${name}, ${way}, seed ${seed}`;
    const task: ArmTask = {
      name: full,
      connectome,
      positions,
      settings: { ...settingsOf(way), seed },
      blind,
      workers,
      signal,
      onProgress,
    };
    const arm = await learnArm(join(keep, way, `${folder}-${seed}`), task);
    return { arm, brain: brainOf(arm, full, shuffle, seed) };
  };
  const measure = async (way: WiringArm["way"], count: number) => {
    const own = settingsOf(way);
    const learn = (shuffle: number | null, seed: number) =>
      learnOne(way, {
        name: shuffle === null ? "as measured" : `shuffle ${shuffle}`,
        connectome: wired(shuffle),
        folder: `${shuffle ?? "measured"}`,
        shuffle,
        seed,
      });
    const measured: Learned[] = [], shuffles: Learned[] = [];
    for (const each of seeds) measured.push(await learn(null, each));
    for (let shuffle = 1; shuffle <= count; shuffle++) shuffles.push(await learn(shuffle, seed));
    return { way, own, measured, shuffles };
  };
  const all = [await measure("frozen", frozen), await measure("trained", trained)];
  const arms = all.map(({ way, own, measured, shuffles }): WiringArm => {
    const one = measured.map(({ arm }) => arm.judged), others = shuffles.map(({ arm }) => arm.judged);
    const losses = shuffles.map(({ brain }) => brain.loss);
    return {
      way,
      settings: { ...own } as WiringArm["settings"],
      measured: measured.map(({ brain }) => brain),
      shuffles: shuffles.map(({ brain }) => brain),
      scores: three(summarize(joinJudged(one), { seed })),
      shuffledScores: three(summarize(joinJudged(others), { seed })),
      difference: difference(one, others, seed),
      // The same seed as the shuffles: a mean of seeds would vary less than they do.
      among: amongShuffles(measured[0]!.brain.loss, losses),
    };
  });
  const [still, whole] = all;
  const other = async (kind: keyof typeof OTHERS): Promise<OtherWiring> => {
    const graphs = Array.from({ length: others }, (_, i) => OTHERS[kind](connectome, i + 1));
    const learn = async (way: WiringArm["way"]) => {
      const learned: Learned[] = [];
      for (const [i, graph] of graphs.entries()) {
        const name = `${kind} ${i + 1}`;
        learned.push(
          await learnOne(way, {
            name,
            connectome: graph,
            folder: `${kind}-${i + 1}`,
            shuffle: i + 1,
            seed,
          }),
        );
      }
      return learned;
    };
    const own = { frozen: await learn("frozen"), trained: await learn("trained") };
    const against = (way: WiringArm["way"], one: number) =>
      difference(
        all[one]!.measured.slice(0, 1).map(({ arm }) => arm.judged),
        own[way].map(({ arm }) => arm.judged),
        seed,
      );
    return {
      kind,
      frozen: own.frozen.map(({ brain }) => brain),
      trained: own.trained.map(({ brain }) => brain),
      difference: { frozen: against("frozen", 0), trained: against("trained", 1) },
      reach: meanReach(graphs.map(reachOf)),
    };
  };
  const otherWirings: OtherWiring[] = [];
  for (const kind of Object.keys(OTHERS) as (keyof typeof OTHERS)[]) otherWirings.push(await other(kind));
  const pair = (of: "measured" | "shuffles") => {
    const count = Math.min(still![of].length, whole![of].length);
    const judged = (learned: readonly Learned[]) => learned.slice(0, count).map(({ arm }) => arm.judged);
    return difference(judged(whole![of]), judged(still![of]), seed);
  };
  return {
    arms,
    blind: three(
      summarize(judge(blind, noFeatures(positions.count), positions, holdRows(positions)), { seed }),
    ),
    learning: { measured: pair("measured"), shuffled: pair("shuffles") },
    shareChanged: mean(shares),
    reach: { measured: reachOf(connectome), shuffled: meanReach(reaches) },
    others: otherWirings,
  };
}

/** A brain with its judgements. */
interface Learned {
  readonly arm: Arm;
  readonly brain: WiredBrain;
}

function brainOf({ judged, best }: Arm, name: string, shuffle: number | null, seed: number): WiredBrain {
  const { loss, top1, good } = judged;
  return { name, shuffle, seed, loss: mean(loss), top1: mean(top1), good: mean(good), valLoss: best };
}

/** The mean of some judgements minus the mean of others, position by position. */
function difference(some: readonly Judged[], others: readonly Judged[], seed: number): CurveScores {
  // Each of one side stands beside each of the other: their differences have the difference of the means as theirs.
  const one = some.flatMap((judged) => others.map(() => judged)), two = some.flatMap(() => others);
  return three(pairedDifference(joinJudged(one), joinJudged(two), { seed }));
}

export { figure, tables };

/** Frozen brains, of which only heads learn, are counted like the others: at most so long. */
export const hours: NonNullable<Experiment["hours"]> = (options) =>
  options.quick ? 0.1 : learningHours(options, { brains: SHUFFLES + TRAINED + 2 * SEEDS, passes: PASSES });

/** The question. */
export const question: Experiment["question"] =
  "Does the measured wiring matter once the brain itself learns?";
