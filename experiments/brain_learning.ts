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
import { type Arm, type ArmCheck, LARGE_STEPS, learnArm } from "./wiring/brain_arm.ts";
import { figure } from "./wiring/brain_learning_figure.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import { learningHours } from "./wiring/hours.ts";
import { fitDirectInput, fitLearnedBrain, type FittedHeads } from "./wiring/fitted_heads.ts";
import { joinJudged } from "./shared/join_judged.ts";
import { frontOf, QUICK_ROWS } from "./shared/looks.ts";
import { isLarge } from "./shared/precision.ts";
import { type CurveScores, three } from "./learning_curve/result.ts";
import { mean } from "./shared/mean.ts";

/** A way to learn. */
export interface BrainRecipe {
  /** What its line is called. */
  readonly name: string;
  /** Its folder's name. */
  readonly key: string;
  /** How. */
  readonly settings: LearnBrainSettings;
  /** What it is set beside, by key. */
  readonly against: readonly string[];
  /** How many of the seeds. */
  readonly seeds: number;
  /** Whether new heads are fitted to the end on what it learned with the first seed. */
  readonly again?: boolean;
}

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

/** Steps of a think of a brain that learns (`learnBrain`'s default). */
const STEPS = 4;

const FROZEN = { synapseStep: 0, neuronStep: 0 } as const;
/** Half a pass; the frozen and the trained larva of `wiring` are the same runs. */
const BUDGET = { ...LARGE_STEPS, passes: 0.5, checkEvery: 256 } as const;

/** As long as the set allows before VAL stops falling. */
const LONG = { ...LARGE_STEPS, passes: 5, checkEvery: 511 } as const;

/** So that many passes do not learn by heart: cells left dark, weights pulled to 0, and less said of the value. */
const CALM = { echo: 0.1, dark: 0.1, readoutDecay: 0.1, valueWeight: 0.1 } as const;

/** What is tried by default. */
export const RECIPES: readonly BrainRecipe[] = [
  { name: "readout only", key: "frozen", settings: { ...BUDGET, ...FROZEN }, against: ["blind"], seeds: 3 },
  { name: "brain learns", key: "learns", settings: BUDGET, against: ["frozen", "direct"], seeds: 3 },
  {
    name: "with echo",
    key: "echo",
    settings: { ...BUDGET, echo: 0.1 },
    against: ["learns", "frozen", "direct"],
    seeds: 3,
  },
  { name: "five passes", key: "long", settings: LONG, against: ["direct"], seeds: 1, again: true },
  {
    name: "five passes, echo",
    key: "long-echo",
    settings: { ...LONG, echo: 0.1 },
    against: ["long", "direct"],
    seeds: 1,
    again: true,
  },
  {
    name: "steps 3 and 4",
    key: "long-apart",
    settings: { ...LONG, read: [3, 4], apart: true },
    against: ["long", "direct"],
    seeds: 1,
    again: true,
  },
  {
    name: "16 passes, calm",
    key: "calm",
    settings: { ...LONG, ...CALM, passes: 16, checkEvery: 1022, read: [2, 3, 4], apart: true },
    against: ["long-echo", "direct"],
    seeds: 1,
    again: true,
  },
];

/** Training positions of a large brain: what reads its eye directly has a thousand more numbers to fit than on the larva. */
const LARGE_FRONT = 65_536;

/** Two passes over them are as many positions as half a pass over the larva's. */
const LARGE_BUDGET = { ...LARGE_STEPS, passes: 2, checkEvery: 128, calibration: 1024 } as const;

/** What the large recipes take on one core, fits of heads included: few of its connections have a part in four steps. */
const LARGE_HOURS = 1;

/** What is tried with a large brain. */
export const LARGE_RECIPES: readonly BrainRecipe[] = [
  {
    name: "readout only",
    key: "frozen",
    settings: { ...LARGE_BUDGET, ...FROZEN },
    against: ["blind", "direct"],
    seeds: 3,
    again: true,
  },
  {
    name: "brain learns",
    key: "learns",
    settings: LARGE_BUDGET,
    against: ["frozen", "direct"],
    seeds: 3,
  },
  {
    name: "with echo",
    key: "echo",
    settings: { ...LARGE_BUDGET, echo: 0.1 },
    against: ["learns", "frozen", "direct"],
    seeds: 3,
    again: true,
  },
  {
    name: "SGD and leash",
    key: "leash",
    settings: { ...LARGE_BUDGET, synapseStep: 1, neuronStep: 0.1, brainOpt: "sgd", maxChange: 0.2 },
    against: ["frozen", "learns"],
    seeds: 1,
  },
];

/** What is tried with a brain by default. */
export function recipesFor(connectome: ExperimentOptions["connectome"]): readonly BrainRecipe[] {
  return isLarge(connectome) ? LARGE_RECIPES : RECIPES;
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
    const { read = [recipe.settings.brainSteps ?? STEPS], apart = false } = recipe.settings;
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
  const cone = coneOf(connectome, eyeFor(connectome, "auto").cell, STEPS), { rowStart, rowEnd } = cone;
  return {
    steps: STEPS,
    neurons: cone.neuron.length,
    connections: cone.connection.length,
    products: rowEnd.reduce(
      (sum, ends) => sum + ends.reduce((each, end, p) => each + end - rowStart[p]!, 0),
      0,
    ),
    allProducts: (STEPS - 1) * connectome.pre.length,
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
