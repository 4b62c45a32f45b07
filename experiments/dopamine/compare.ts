import { mushroomBody } from "flychess/bio";
import type { Connectome } from "flychess/connectome";
import { holdRows } from "flychess/training";
import { type Ceiling, ceilings } from "./ceiling.ts";
import {
  budgetOf,
  type DopamineArm,
  type DopamineBudget,
  type DopamineWay,
  heldPairs,
  LARGE,
  teach,
} from "./arms.ts";
import { type Taught, taughtOf } from "./_taught.ts";
import type { ExperimentOptions } from "../_experiment.ts";

/** One rule and what it did. */
export interface DopamineRule {
  readonly key: string;
  readonly name: string;
  readonly seeds: number;
  /** VAL pairs right, mean over seeds. */
  readonly curve: DopamineArm["curve"];
  readonly pairs: Taught;
  readonly harder: Taught;
  readonly moves: Taught;
  /** Share of Kenyon cells that the two positions of a pair have in common, before and after. */
  readonly overlap: readonly [number, number];
  /** How far from the untrained fly to the ceiling on Kenyon cells, in HOLD pairs right. */
  readonly wayToCeiling: number;
}

/** Ways of teaching beside each other: what a result file holds besides its origin. */
export interface DopamineRules {
  readonly budget: DopamineBudget;
  readonly mushroomBody: { readonly kenyon: number; readonly mbon: number; readonly assumption: string };
  readonly rules: readonly DopamineRule[];
  readonly ceilings: readonly Ceiling[];
}

/** Flies of the first way, and of each other. */
const SEEDS = { base: 8, other: 1 };
const LARGE_SEEDS = { base: 1, other: 1 };

/** Teaches flies in every way, the default first, from where it was left. */
export async function compareWays(
  options: ExperimentOptions,
  all: readonly DopamineWay[],
  budget: DopamineBudget = budgetOf(options),
): Promise<DopamineRules> {
  const { connectome, positions, seed, quick } = options;
  const body = mushroomBody(connectome), large = connectome.pre.length > LARGE;
  const seeds = quick ? { base: 2, other: 1 } : large ? LARGE_SEEDS : SEEDS;
  const arms = all.map((): DopamineArm[] => []);
  const found = await ceilings(options, {
    ...budget,
    fitPairs: quick ? 64 : large ? 8192 : 16_384,
    valPairs: quick ? 24 : large ? 1024 : 2048,
  }, all[0]!);
  // Seed after seed, so that a run that is stopped has something of everything.
  for (let i = 0; i < seeds.base; i++) {
    for (const [w, way] of all.entries()) {
      if (w > 0 && i >= seeds.other) continue;
      arms[w]!.push(await teach(options, way, budget, seed + i));
    }
  }
  const rows = {
    pairs: heldPairs(positions, budget.holdPairs, seed, "random").row,
    harder: heldPairs(positions, budget.harderPairs, seed, "second").row,
    moves: holdRows(positions).subarray(0, budget.moveRows),
  };
  const ceiling = found.find(({ sees }) => sees === "kenyon")!.hold.value;
  const rules = all.map(({ key, name }, w): DopamineRule => {
    const of = (what: "pairs" | "harder" | "moves") => taughtOf(arms[w]!, what, rows[what], positions, seed);
    const pairs = of("pairs"),
      mean = (get: (arm: DopamineArm) => number) =>
        arms[w]!.reduce((sum, arm) => sum + get(arm), 0) / arms[w]!.length;
    return {
      key,
      name,
      seeds: arms[w]!.length,
      curve: arms[w]![0]!.curve.map(({ lessons }, i) => ({
        lessons,
        right: mean((arm) => arm.curve[i]!.right),
        left: mean((arm) => arm.curve[i]!.left),
      })),
      pairs,
      harder: of("harder"),
      moves: of("moves"),
      overlap: [mean((arm) => arm.before.overlap), mean((arm) => arm.after.overlap)],
      wayToCeiling: pairs.gain.value / (ceiling - pairs.before.value),
    };
  });
  return {
    budget,
    mushroomBody: { kenyon: body.kenyon.length, mbon: body.mbon.length, assumption: body.assumption },
    rules,
    ceilings: found,
  };
}

/** Without a mushroom body there is nothing to teach. */
export function refuses(connectome: Connectome): string | undefined {
  const { region } = connectome.neurons, has = (name: string) => region.names.includes(name);
  return has("Kenyon cell") && has("MBON") ? undefined : "it has no mushroom body";
}
