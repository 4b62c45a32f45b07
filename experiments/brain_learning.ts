/**
 * Does a brain that learns read better than a readout alone, and better than the same readout straight on its eye? Brains
 * learn with their linear heads through their homeostasis (`learnBrain`), beside heads that learn alone on the brain as it
 * was measured, from the same positions in the same order.
 *
 *   deno task experiment brain_learning --connectome FILE --positions FILE
 *
 * @module
 */
import { join } from "node:path";
import { fitBlind, judge, type Judged, noFeatures, pairedDifference, summarize } from "flychess/readout";
import { eyeFor } from "flychess/eye";
import { coneOf, holdRows, type LearnBrainSettings, trainRows, valRows } from "flychess/training";
import { type Arm, type ArmCheck, learnArm, USUAL_STEPS } from "./wiring/brain_arm.ts";
import { figure } from "./wiring/brain_learning_figure.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import {
  type BrainRecipe,
  BUDGET,
  LARGE_FRONT,
  LARGE_HOURS,
  RECIPES,
  recipesFor,
} from "./wiring/brain_recipes.ts";
import { learningHours } from "./wiring/hours.ts";
import { fitDirectInput, fitLearnedBrain, type FittedHeads } from "./wiring/fitted_heads.ts";
import { joinJudged } from "./shared/join_judged.ts";
import { frontOf, QUICK_ROWS } from "./shared/looks.ts";
import { isLarge } from "./shared/precision.ts";
import { type CurveScores, three } from "./learning_curve/result.ts";
import { mean } from "./shared/mean.ts";

/** A recipe's numbers. */
export interface LearnedRecipe {
  readonly name: string;
  readonly key: string;
  readonly settings: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  /** On HOLD, the mean over seeds, with intervals by game. */
  readonly scores: CurveScores;
  /** HOLD loss of each seed, in nats. */
  readonly seedLosses: readonly number[];
  /** The lowest VAL loss of each seed. */
  readonly valLosses: readonly number[];
  /** Checks on VAL, the mean over seeds. */
  readonly curve: readonly ArmCheck[];
  /** New heads fitted to the end on the brain of the first seed, where that was done; `KEY, again` in differences. */
  readonly again: FittedScores | null;
}

/** Heads fitted to the end. */
export interface FittedScores {
  readonly valLoss: number;
  /** On HOLD. */
  readonly scores: CurveScores;
  /** Numbers that they read. */
  readonly features: number;
  /** The penalty on weights that VAL chose. */
  readonly penalty: number;
}

/** What `brain_learning.json` holds besides its origin. */
export interface BrainLearning {
  /** Training positions, from the front, that everything here learns from, where it is not all of them. */
  readonly front?: number;
  /** What has a part in what is read after as many steps as brains here think; numbers from before have none. */
  readonly cone?: {
    readonly steps: number;
    /** Neurons that are computed. */
    readonly neurons: number;
    /** Connections that can learn. */
    readonly connections: number;
    /** Connections that tell boards apart, step by step, added up; all connections at all steps but the first. */
    readonly products: number;
    readonly allProducts: number;
  };
  readonly recipes: readonly LearnedRecipe[];
  /** What no brain is needed for. */
  readonly marks: {
    readonly blind: { readonly valLoss: number; readonly scores: CurveScores };
    readonly direct: FittedScores;
  };
  /** On HOLD, position by position, of the same seeds. */
  readonly differences: readonly {
    readonly of: string;
    readonly against: string;
    readonly scores: CurveScores;
    readonly seedLosses: readonly number[];
  }[];
}

/** Further options. */
export interface BrainLearningOptions extends ExperimentOptions {
  /** What is tried. */
  readonly recipes?: readonly BrainRecipe[];
}

/** A small budget, for looking. */
const QUICK: LearnBrainSettings = { batches: 24, checkEvery: 8, batch: 64 };

/** Measures, from where it was left. */
export async function run(options: BrainLearningOptions): Promise<BrainLearning> {
  const { connectome, seed, quick, keep, workers, signal, onProgress } = options;
  const large = isLarge(connectome);
  const positions = quick
    ? frontOf(options.positions, QUICK_ROWS)
    : large
    ? frontOf(options.positions, { train: LARGE_FRONT })
    : options.positions;
  const recipes = options.recipes ?? recipesFor(connectome);
  const blind = await fitBlind(positions, trainRows(positions), { signal, onProgress });
  const shared = { connectome, positions, blind, workers, signal, onProgress };
  const arms = new Map<string, Arm[]>();
  // Seed by seed: whoever stops it has as many whole comparisons as there was time for.
  for (let s = seed; s < seed + (quick ? 1 : Math.max(...recipes.map(({ seeds }) => seeds))); s++) {
    for (const { key, name, settings } of recipes.filter(({ seeds }) => s < seed + seeds)) {
      const task = { ...shared, settings: { ...settings, ...quick ? QUICK : {}, seed: s } };
      const arm = await learnArm(join(keep, `${key}-${s}`), { ...task, name: `${name}, seed ${s}` });
      arms.set(key, [...arms.get(key) ?? [], arm]);
    }
  }
  const fits = { ...shared, seed, quick }, again = new Map<string, FittedHeads>();
  const direct = await fitDirectInput(join(keep, "direct"), fits);
  for (const recipe of recipes.filter((each) => each.again)) {
    const { read = [recipe.settings.brainSteps ?? USUAL_STEPS], apart = false } = recipe.settings;
    const at = join(keep, `${recipe.key}-${seed}`);
    again.set(
      recipe.key,
      await fitLearnedBrain(join(keep, `${recipe.key}-again`), at, { steps: read, apart }, fits),
    );
  }
  const blindly = (rows: Int32Array) => judge(blind, noFeatures(positions.count), positions, rows);
  const known = new Map<string, readonly Judged[]>([
    ...[...arms].map(([key, own]) => [key, own.map(({ judged }) => judged)] as const),
    ["blind", [blindly(holdRows(positions))]] as const,
    ["direct", [direct.judged]] as const,
    ...[...again].map(([key, { judged }]) => [`${key}, again`, [judged]] as const),
  ]);
  const compared = [
    ...recipes,
    ...[...again.keys()].map((key) => ({
      key: `${key}, again`,
      against: [
        key,
        "direct",
        ...key !== "frozen" && again.has("frozen") ? ["frozen, again"] : [],
      ],
    })),
  ];
  const differences = compared.flatMap(({ key, against }) =>
    against.map((other) => {
      // What has one judgement for all seeds is repeated; two recipes are compared on the seeds that both have.
      const a = known.get(key)!, found = known.get(other)!;
      const b = found.length === 1 && !arms.has(other) ? a.map(() => found[0]!) : found;
      const count = Math.min(a.length, b.length), one = a.slice(0, count), two = b.slice(0, count);
      return {
        of: key,
        against: other,
        scores: three(pairedDifference(joinJudged(one), joinJudged(two), { seed })),
        seedLosses: one.map(({ loss }, i) => mean(loss) - mean(two[i]!.loss)),
      };
    })
  );
  return {
    ...positions === options.positions ? {} : { front: trainRows(positions).length },
    cone: coneSize(connectome),
    recipes: recipes.map(({ name, key, settings }) => ({
      name,
      key,
      settings: { ...settings } as LearnedRecipe["settings"],
      scores: three(summarize(joinJudged(known.get(key)!), { seed })),
      seedLosses: known.get(key)!.map(({ loss }) => mean(loss)),
      valLosses: arms.get(key)!.map(({ best }) => best),
      curve: arms.get(key)![0]!.curve.map(({ positions }, i) => ({
        positions,
        valLoss: mean(arms.get(key)!.map(({ curve }) => curve[i]!.valLoss)),
      })),
      again: again.has(key) ? fittedScores(again.get(key)!, seed) : null,
    })),
    marks: {
      blind: {
        valLoss: mean(blindly(valRows(positions)).loss),
        scores: three(summarize(known.get("blind")![0]!, { seed })),
      },
      direct: fittedScores(direct, seed),
    },
    differences,
  };
}

function coneSize(connectome: ExperimentOptions["connectome"]): NonNullable<BrainLearning["cone"]> {
  const cone = coneOf(connectome, eyeFor(connectome, "auto").cell, USUAL_STEPS), { rowStart, rowEnd } = cone;
  return {
    steps: USUAL_STEPS,
    neurons: cone.neuron.length,
    connections: cone.connection.length,
    products: rowEnd.reduce(
      (sum, ends) => sum + ends.reduce((each, end, p) => each + end - rowStart[p]!, 0),
      0,
    ),
    allProducts: (USUAL_STEPS - 1) * connectome.pre.length,
  };
}

function fittedScores({ judged, ...numbers }: FittedHeads, seed: number): FittedScores {
  return { ...numbers, scores: three(summarize(judged, { seed })) };
}

export { figure };

/** What each recipe takes, one after the other. */
export const hours: NonNullable<Experiment["hours"]> = (options) => {
  if (options.quick) return 0.1;
  if (isLarge(options.connectome)) return LARGE_HOURS;
  return learningHours(options, {
    brains: RECIPES.reduce((sum, { seeds }) => sum + seeds, 0),
    passes: BUDGET.passes,
  });
};

/** The question. */
export const question: Experiment["question"] =
  "Does a brain that learns read better than a readout alone, and better than its own eye?";
