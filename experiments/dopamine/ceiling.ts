import { join } from "node:path";
import { type DopamineBrain, fitPairs, type LessonPairs, lessonPairs, pairMargins } from "flychess/bio";
import { Random, readText, writeFileAtomic } from "flychess/common";
import { connectomeDigest } from "flychess/connectome";
import { drive, type Eye } from "flychess/eye";
import { bootstrapMeans, type Interval } from "flychess/readout";
import { trainRows, valRows } from "flychess/training";
import { awakeFly, type DopamineBudget, type DopamineWay, heldPairs, somePairs } from "./arms.ts";
import type { ExperimentOptions } from "../_experiment.ts";

/** What a reader sees of a position. */
export type Sight = "kenyon" | "descending" | "mbon" | "board";

/** The best linear reader of pairs that sees one thing. */
export interface Ceiling {
  readonly sees: Sight;
  /** Numbers a position. */
  readonly features: number;
  /** Pairs that it was fitted on. */
  readonly pairs: number;
  /** Of three, the one that was best on VAL. */
  readonly penalty: number;
  /** VAL pairs right, one a penalty. */
  readonly val: readonly number[];
  /** HOLD pairs right. */
  readonly hold: Interval;
}

/** The reference's three (section 10). */
export const PENALTIES = [1e-4, 1e-3, 1e-2] as const;

/** Squares and pieces of a board. */
const BITS = 768;
const SIGHTS: readonly Sight[] = ["kenyon", "descending", "mbon", "board"];

/** Pairs to fit on (reference: 16,384), and to choose by. */
export interface CeilingBudget extends DopamineBudget {
  readonly fitPairs: number;
  readonly valPairs: number;
}

/** Fits a logistic regression on pairs as each sight has them, from the fly as measured. */
export async function ceilings(
  options: ExperimentOptions,
  budget: CeilingBudget,
  { key: name, body, brain: brainOptions }: Pick<DopamineWay, "key" | "body" | "brain">,
): Promise<Ceiling[]> {
  const way = { body, brain: brainOptions };
  const { connectome, positions, seed, keep, signal, onProgress } = options;
  const path = join(keep, `ceilings-${name}.json`);
  const key = JSON.stringify([connectomeDigest(connectome), positions.digest, seed, way, budget]);
  const known = await readText(path);
  if (known !== undefined) {
    const found = JSON.parse(known);
    if (found.key === key) return found.ceilings;
  }
  const { brain, eye } = await awakeFly(options, budget, way);
  await using _brain = brain;
  const rows = new Random(seed, "ceiling pairs").shuffle(trainRows(positions).slice());
  const sets = [
    lessonPairs(positions, rows.subarray(0, budget.fitPairs), { seed }),
    lessonPairs(positions, valRows(positions).subarray(0, budget.valPairs), { seed }),
    heldPairs(positions, budget.holdPairs, seed, "random"),
  ];
  const seen: Record<Sight, Float32Array>[] = [];
  for (const set of sets) seen.push(await look(brain, eye, set, options));
  const fit = sets[0]!, hold = sets[2]!;
  const result: Ceiling[] = [];
  for (const sees of SIGHTS) {
    const features = seen[0]![sees].length / fit.count;
    const of = (set: number) => ({ count: sets[set]!.count, features, values: seen[set]![sees] });
    const weights: Float64Array[] = [], right: number[] = [];
    for (const penalty of PENALTIES) {
      const weight = await fitPairs(of(0), {
        penalty,
        signal,
        onProgress: onProgress && ((progress) => onProgress({ ...progress, task: `fitting on ${sees}` })),
      });
      weights.push(weight);
      right.push(mean(rights(pairMargins(of(1), weight))));
    }
    const best = right.indexOf(Math.max(...right));
    const game = Int32Array.from(hold.row, (row) => positions.game[row]!);
    const marks = rights(pairMargins(of(2), weights[best]!));
    result.push({
      sees,
      features,
      pairs: fit.count,
      penalty: PENALTIES[best]!,
      val: right,
      hold: bootstrapMeans([marks], game, { seed })[0]!,
    });
  }
  await writeFileAtomic(path, JSON.stringify({ key, ceilings: result }));
  return result;
}

/** Pairs that go through a brain at once. */
const AT_ONCE = 128;

/** Differences of pairs as each sight has them. */
async function look(
  brain: DopamineBrain,
  eye: Eye,
  pairs: LessonPairs,
  { signal, onProgress }: Pick<ExperimentOptions, "signal" | "onProgress">,
): Promise<Record<Sight, Float32Array>> {
  const { kenyon, mbon } = brain.body, { output } = brain.connectome;
  const neurons = Int32Array.from([...kenyon, ...mbon, ...output]);
  const seen = {
    kenyon: new Float32Array(pairs.count * kenyon.length),
    mbon: new Float32Array(pairs.count * mbon.length),
    descending: new Float32Array(pairs.count * output.length),
    board: new Float32Array(pairs.count * BITS),
  };
  for (let from = 0; from < pairs.count; from += AT_ONCE) {
    const part = somePairs(pairs, from, AT_ONCE);
    const boards = new Uint8Array(part.good.length * 2);
    boards.set(part.good);
    boards.set(part.bad, part.good.length);
    const rates = await brain.read(drive(eye, boards), neurons, { signal });
    for (let b = 0; b < part.count; b++) {
      for (const [sign, position] of [[1, b], [-1, part.count + b]] as const) {
        const own = rates.subarray(position * neurons.length, (position + 1) * neurons.length);
        const cells = own.subarray(0, kenyon.length);
        brain.gate.pass(cells, cells, { step: brain.steps, position });
        let at = 0;
        for (
          const [sight, count] of [["kenyon", kenyon.length], ["mbon", mbon.length], [
            "descending",
            output.length,
          ]] as const
        ) {
          const to = seen[sight], into = (from + b) * count;
          for (let i = 0; i < count; i++) to[into + i]! += sign * own[at + i]!;
          at += count;
        }
        const bytes = (sign === 1 ? part.good : part.bad).subarray(b * BITS / 8, (b + 1) * BITS / 8);
        for (let bit = 0; bit < BITS; bit++) {
          if ((bytes[bit >> 3]! >> (bit & 7) & 1) !== 0) seen.board[(from + b) * BITS + bit]! += sign;
        }
      }
    }
    onProgress?.({
      task: "looking at pairs",
      done: from + part.count,
      total: pairs.count,
      unit: "pairs",
    });
  }
  return seen;
}

function rights(margins: Float64Array): Float64Array {
  return margins.map((margin) => margin > 0 ? 1 : margin === 0 ? 0.5 : 0);
}

function mean(list: Float64Array): number {
  return list.reduce((a, b) => a + b) / list.length;
}
