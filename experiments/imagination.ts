/**
 * Does a look at the board after each of its moves help a fly? A readout is fitted on the brain as it is, and the fly
 * chooses by log(probability) + w x value after the move (`imagine`). VAL decides w, HOLD says what it is worth.
 *
 *   deno task experiment imagination --connectome FILE
 *
 * @module
 */
import { join } from "node:path";
import { connectomeDigest } from "flychess/connectome";
import { type Interval, pairedDifference, type Scores, summarize } from "flychess/readout";
import {
  cachedRunConfig,
  type CachedRunSettings,
  holdRows,
  LONG_FIT,
  openRun,
  trainCached,
  valRows,
  wake,
} from "flychess/training";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import { figure } from "./choosing/imagination_figure.ts";
import { imagineRows, judgeChoices, matesPlayed } from "./choosing/imagined_choices.ts";
import { frontOf, QUICK_ROWS } from "./shared/looks.ts";

/** What of scores a choice has. */
export type ChoiceScores = Pick<Scores, "top1" | "good">;

/** One weight's numbers on VAL. */
export interface Weighed {
  /** How far the value is trusted; `null` stands for infinity, which JSON cannot write. */
  readonly weight: number | null;
  readonly scores: ChoiceScores;
}

/** What `imagination.json` holds besides its origin. */
export interface Imagination {
  /** The steps whose mean is read. */
  readonly steps: readonly number[];
  /** Boards that the brain looked at. */
  readonly boards: number;
  /** Rows left out: their moves could not be told from what is stored. */
  readonly leftOut: number;
  readonly val: {
    readonly positions: number;
    readonly favourite: ChoiceScores;
    readonly weights: readonly Weighed[];
  };
  /** The weight with the most good moves on VAL, then the best top-1; `null` is infinity. */
  readonly chosen: number | null;
  readonly hold: {
    readonly positions: number;
    readonly favourite: ChoiceScores;
    readonly imagination: ChoiceScores;
    /** Imagination minus favourite, on the same positions. */
    readonly difference: ChoiceScores;
    /** The same of the rules alone, weight 0. */
    readonly rulesDifference: ChoiceScores;
    /** Positions with a mate in one, and how many of those mates were played. */
    readonly mates: { readonly positions: number; readonly favourite: number; readonly imagination: number };
  };
}

/** What is tried (reference, section 11). */
export const WEIGHTS: readonly number[] = [0, 0.25, 0.5, 1, 2, 4, 8, 16, Infinity];

const STEPS = [9, 10, 11, 12];
const json = (weight: number) => weight === Infinity ? null : weight;
const choice = ({ top1, good }: { top1: Interval; good: Interval }): ChoiceScores => ({ top1, good });

/** Measures; the readout is kept. */
export async function run(options: ExperimentOptions): Promise<Imagination> {
  const { connectome, seed, quick, keep, workers, signal, onProgress } = options;
  const positions = quick ? frontOf(options.positions, QUICK_ROWS) : options.positions;
  const work = { signal, onProgress };
  const engine = workers === undefined ? {} : { workers };
  const settings: CachedRunSettings = {
    steps: STEPS,
    seed,
    decays: [0.01, 0],
    fit: { ...LONG_FIT, ...quick ? { maxPasses: 2 } : {} },
  };
  let fitted;
  {
    await using folder = await openRun(join(keep, "readout"), {
      ...cachedRunConfig(settings),
      kind: "cached",
      seed,
      inputs: { connectome: connectomeDigest(connectome), positions: positions.digest },
    });
    fitted = await trainCached(folder, connectome, positions, {
      ...settings,
      ...work,
      // The fit knows no calling thread.
      workers: workers === 0 ? 1 : workers,
      brain: engine,
    });
  }
  if (fitted === undefined) throw new Error("The readout's fit was asked to stop");
  const { eye, readout } = fitted;
  await using brain = await wake(connectome, eye, positions, { ...engine, ...work });
  const fly = { eye, brain, readout, steps: STEPS };
  const val = valRows(positions).subarray(0, quick ? 64 : undefined);
  const hold = holdRows(positions).subarray(0, quick ? 128 : undefined);
  const valSeen = await imagineRows(fly, positions, val, { ...work, task: "imagining VAL" });
  const holdSeen = await imagineRows(fly, positions, hold, { ...work, task: "imagining HOLD" });
  const on = (rows: typeof valSeen, weight: number | undefined) => judgeChoices(positions, rows, weight);
  const weights = WEIGHTS.map((weight) => ({
    weight,
    scores: choice(summarize(on(valSeen, weight), { seed })),
  }));
  const chosen = weights.reduce((best, each) => {
    const more = each.scores.good.value - best.scores.good.value;
    return more > 0 || more === 0 && each.scores.top1.value > best.scores.top1.value ? each : best;
  }).weight;
  const favourite = on(holdSeen, undefined), imagined = on(holdSeen, chosen);
  const mates = matesPlayed(holdSeen, undefined);
  return {
    steps: STEPS,
    boards: [...valSeen, ...holdSeen].reduce((sum, { place }) => sum + 1 + place.length, 0),
    leftOut: val.length + hold.length - valSeen.length - holdSeen.length,
    val: {
      positions: valSeen.length,
      favourite: choice(summarize(on(valSeen, undefined), { seed })),
      weights: weights.map(({ weight, scores }) => ({ weight: json(weight), scores })),
    },
    chosen: json(chosen),
    hold: {
      positions: holdSeen.length,
      favourite: choice(summarize(favourite, { seed })),
      imagination: choice(summarize(imagined, { seed })),
      difference: choice(pairedDifference(imagined, favourite, { seed })),
      rulesDifference: choice(pairedDifference(on(holdSeen, 0), favourite, { seed })),
      mates: {
        positions: mates.positions,
        favourite: mates.played,
        imagination: matesPlayed(holdSeen, chosen).played,
      },
    },
  };
}

export { figure };

/** The question. */
export const question: Experiment["question"] =
  "Does a look at the board after each of its moves help a fly?";
