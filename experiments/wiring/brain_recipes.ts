import type { LearnBrainSettings } from "flychess/training";
import type { ExperimentOptions } from "../_experiment.ts";
import { isLarge } from "../shared/precision.ts";
import { LARGE_STEPS } from "./brain_arm.ts";

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

const FROZEN = { synapseStep: 0, neuronStep: 0 } as const;
/** Half a pass; the frozen and the trained larva of `wiring` are the same runs. */
export const BUDGET = { ...LARGE_STEPS, passes: 0.5, checkEvery: 256 } as const;

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
export const LARGE_FRONT = 65_536;

/** Two passes over them are as many positions as half a pass over the larva's. */
const LARGE_BUDGET = { ...LARGE_STEPS, passes: 2, checkEvery: 128, calibration: 1024 } as const;

/** What the large recipes take on one core, fits of heads included: few of its connections have a part in four steps. */
export const LARGE_HOURS = 1;

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
