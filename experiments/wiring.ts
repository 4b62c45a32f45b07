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
import { fitBlind, judge, type Judged, noFeatures, pairedDifference, summarize } from "flychess/readout";
import { holdRows, type LearnBrainSettings, trainRows } from "flychess/training";
import { type Arm, type ArmTask, LARGE_STEPS, learnArm } from "./wiring/brain_arm.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import { joinJudged } from "./shared/join_judged.ts";
import { frontOf, QUICK_ROWS } from "./shared/looks.ts";
import { type CurveScores, three } from "./learning_curve/result.ts";
import { type AmongShuffles, amongShuffles } from "./shared/rank.ts";
import { OTHER_KINDS, reachOfKind, WIRINGS } from "./wiring/other_wirings.ts";
import { type Reach, reachOf } from "./wiring/reach.ts";
import { learningHours } from "./wiring/hours.ts";
import { figure, tables } from "./wiring/figure.ts";
import { mean } from "./shared/mean.ts";

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
  readonly kind: typeof OTHER_KINDS[number];
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
/** Of each other kind. */
const EACH_OTHER = 5;
/** Seeds of the order of positions with the measured wiring: how much chance in learning alone does. */
const SEEDS = 3;
/** Half a pass over the training positions, with the steps of `brain_learning`. */
const PASSES = 0.5;
const BUDGET: LearnBrainSettings = { ...LARGE_STEPS, passes: PASSES, checkEvery: 256 };
const QUICK: LearnBrainSettings = { batches: 24, checkEvery: 12, batch: 64 };
const FROZEN: LearnBrainSettings = { synapseStep: 0, neuronStep: 0 };

type Way = WiringArm["way"];
type Kind = "measured" | keyof typeof WIRINGS;

/** What a brain of each kind is called. */
const NAMES: Readonly<Record<Kind, string>> = {
  measured: "as measured",
  degrees: "shuffle",
  distances: "distances",
  reference: "reference",
  random: "random",
};

/** Measures, from where it was left. */
export async function run(options: WiringOptions): Promise<Wiring> {
  const { connectome, seed, quick, keep, workers, signal, onProgress } = options;
  const positions = quick ? frontOf(options.positions, QUICK_ROWS) : options.positions;
  const { frozen = quick ? 2 : SHUFFLES, trained = Math.min(frozen, quick ? 2 : TRAINED) } = options;
  const { others = quick ? 1 : EACH_OTHER } = options;
  const settings = { ...options.settings ?? BUDGET, ...quick ? QUICK : {} };
  const blind = await fitBlind(positions, trainRows(positions), { signal, onProgress });
  const seeds = Array.from({ length: quick ? 1 : SEEDS }, (_, i) => seed + i), shares: number[] = [];
  const settingsOf = (way: Way) => way === "frozen" ? { ...settings, ...FROZEN } : settings;
  /** A brain of a kind, or as measured, learned one way. */
  const learn = async (way: Way, kind: Kind, graph: number, seed: number): Promise<Learned> => {
    const own = kind === "measured" ? connectome : WIRINGS[kind](connectome, graph);
    if (kind === "degrees") shares[graph - 1] = Number(own.provenance["shareChanged"]);
    const name = `${NAMES[kind]}${kind === "measured" ? "" : ` ${graph}`}, ${way}, seed ${seed}`;
    const folder = kind === "measured" ? kind : kind === "degrees" ? `${graph}` : `${kind}-${graph}`;
    const task: ArmTask = {
      name,
      connectome: own,
      positions,
      settings: { ...settingsOf(way), seed },
      blind,
      workers,
      signal,
      onProgress,
    };
    const arm = await learnArm(join(keep, way, `${folder}-${seed}`), task);
    return { arm, brain: brainOf(arm, name, kind === "measured" ? null : graph, seed) };
  };
  const some = async (way: Way, kind: Exclude<Kind, "measured">, count: number) => {
    const learned: Learned[] = [];
    for (let graph = 1; graph <= count; graph++) learned.push(await learn(way, kind, graph, seed));
    return learned;
  };
  const measure = async (way: Way, count: number) => {
    const measured: Learned[] = [];
    for (const each of seeds) measured.push(await learn(way, "measured", 0, each));
    return { way, own: settingsOf(way), measured, shuffles: await some(way, "degrees", count) };
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
  const otherWirings: OtherWiring[] = [];
  for (const kind of OTHER_KINDS) {
    const own = { frozen: await some("frozen", kind, others), trained: await some("trained", kind, others) };
    // With the one order of positions that they had, too.
    const against = ({ way, measured: [first] }: typeof all[number]) =>
      difference([first!.arm.judged], own[way].map(({ arm }) => arm.judged), seed);
    otherWirings.push({
      kind,
      frozen: own.frozen.map(({ brain }) => brain),
      trained: own.trained.map(({ brain }) => brain),
      difference: { frozen: against(still!), trained: against(whole!) },
      reach: reachOfKind(kind, connectome, others),
    });
  }
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
    reach: {
      measured: reachOf(connectome),
      shuffled: reachOfKind("degrees", connectome, Math.max(frozen, trained)),
    },
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
  options.quick ? 0.1 : learningHours(options, {
    brains: SHUFFLES + TRAINED + 2 * (SEEDS + OTHER_KINDS.length * EACH_OTHER),
    passes: PASSES,
  });

/** The question. */
export const question: Experiment["question"] =
  "Does the measured wiring matter once the brain itself learns?";
