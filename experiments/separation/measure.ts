import {
  fitPairs,
  lessonPairs,
  type PairDifferences,
  pairMargins,
  type SeenPairs,
  type SeparatedFly,
  type SeparatedLook,
  withBefore,
} from "flychess/bio";
import { type LongWork, Random } from "flychess/common";
import { connectomeDigest } from "flychess/connectome";
import { BOARD_BYTES, type Positions } from "flychess/data";
import { holdRows, trainRows, valRows } from "flychess/training";
import { BATCH } from "../dopamine/arms.ts";
import { PENALTIES } from "../dopamine/ceiling.ts";
import { type Arm, flyOf } from "./arms.ts";
import type { ExperimentOptions } from "../_experiment.ts";
import { kept } from "../shared/kept.ts";

/** How much is measured of an arm. */
export interface Amounts {
  /** Lessons, in batches of 64. */
  readonly lessons: number;
  /** Rows of HOLD whose pairs are judged. */
  readonly held: number;
  /** Rows of VAL whose pairs choose the ceiling's penalty. */
  readonly val: number;
  /** Pairs that homeostasis and thresholds are measured on. */
  readonly calibration: number;
  /** Where set, all seeds are of one untrained fly, and HOLD pairs are dealt out into so many parts, one a seed, in turn. */
  readonly parts?: number;
}

/** An outcome that was not asked for: the pair is another seed's. */
export const NOT_JUDGED = 255;

/** One arm with one seed. */
export interface Point {
  /** `[pairs]`: 2 where the better position was preferred, 1 where neither, 0 where the other; before lessons. */
  readonly before: Uint8Array;
  /** `[pairs]`: and after them. */
  readonly after: Uint8Array;
  /** `[pairs]`: and by the logistic regression; `null` where none was fitted. */
  readonly ceiling: Uint8Array | null;
  /** Of Kenyon cells, before lessons, 0 to 1. */
  readonly overlap: number;
  /** Share of Kenyon cells on, 0 to 1. */
  readonly active: number;
  /** The penalty chosen. */
  readonly penalty: number | null;
}

/** One with its ceiling. */
interface Fitted extends Point {
  readonly ceiling: Uint8Array;
  readonly penalty: number;
}

const CHUNK = 256;

/** The pairs that every arm and seed is judged on. */
export function heldPairs(positions: Positions, held: number, seed: number): SeenPairs {
  return pairsOf(positions, holdRows(positions).subarray(0, held), seed);
}

/** Measures an arm with a seed, or takes what is kept of it. */
export async function measure(
  options: ExperimentOptions,
  arm: Arm,
  seed: number,
  amounts: Amounts,
): Promise<Point> {
  const { connectome, positions, keep, seed: drawn } = options;
  const inputs = {
    arm,
    seed,
    drawn,
    amounts,
    brain: connectomeDigest(connectome),
    positions: positions.digest,
  };
  const { tensors } = await kept(keep, `${arm.name} ${seed}`, inputs, async () => {
    const { before, after, ceiling, ...numbers } = await judge(options, arm, seed, amounts);
    const { overlap, active, penalty } = numbers;
    return {
      metadata: {},
      tensors: {
        before: vector(before),
        after: vector(after),
        ceiling: vector(ceiling),
        numbers: vector(Float64Array.of(overlap, active, penalty)),
      },
    };
  });
  const bits = (name: string) => Uint8Array.from(tensors[name]!.data as Uint8Array);
  const [overlap, active, penalty] = tensors["numbers"]!.data as Float64Array;
  return {
    before: bits("before"),
    after: bits("after"),
    ceiling: bits("ceiling"),
    overlap: overlap!,
    active: active!,
    penalty: penalty!,
  };
}

/** Penalties tried on VAL pairs, and the regression that was best there. */
export async function bestFit(
  learned: PairDifferences,
  chosenBy: PairDifferences,
  { signal }: LongWork,
): Promise<{ readonly penalty: number; readonly weight: Float64Array }> {
  let best = { right: -1, penalty: NaN, weight: new Float64Array(0) };
  for (const penalty of PENALTIES) {
    const weight = await fitPairs(learned, { penalty, passes: 200, signal });
    const right = mean(outcomes(pairMargins(chosenBy, weight)));
    if (right > best.right) best = { right, penalty, weight: Float64Array.from(weight) };
  }
  return best;
}

async function judge(
  { connectome, positions, seed: drawn, workers, signal, onProgress }: ExperimentOptions,
  arm: Arm,
  seed: number,
  amounts: Amounts,
): Promise<Fitted> {
  const { fly, rule } = flyOf(connectome, arm, workers), work = { signal };
  await using _ = fly.brain;
  const rows = rowsOf(positions, seed), { calibration, lessons } = amounts;
  await fly.calibrate(pairsOf(positions, rows.subarray(0, calibration), seed), work);
  const held = heldPairs(positions, amounts.held, drawn);
  const val = pairsOf(positions, valRows(positions).subarray(0, amounts.val), drawn);
  const before = await lookAt(fly, held, work), checked = await lookAt(fly, val, work);
  const seen = await teachLessons(
    fly,
    positions,
    { rows: rows.subarray(calibration), lessons, seed, rule },
    { signal, onProgress, task: `${arm.name}, seed ${seed}` },
  );
  const after = await lookAt(fly, held, work);
  const features = fly.brain.body.kenyon.length;
  const best = await bestFit(asPairs(seen, features), asPairs(checked.difference, features), work);
  return {
    before: outcomes(before.margin),
    after: outcomes(after.margin),
    ceiling: outcomes(pairMargins(asPairs(before.difference, features), best.weight)),
    overlap: before.overlap,
    active: before.active,
    penalty: best.penalty,
  };
}

/** Training rows in a seed's order. */
export function rowsOf(positions: Positions, seed: number): Int32Array {
  return new Random(seed, "pattern separation").shuffle(trainRows(positions).slice());
}

/**
 * Gives a fly the lessons of some rows, in batches.
 *
 * @returns `[lessons][kenyon]`: tags of the better less those of the other, as they were when it was taught.
 */
export async function teachLessons(
  fly: SeparatedFly,
  positions: Positions,
  { rows, lessons, seed, rule }: {
    readonly rows: Int32Array;
    readonly lessons: number;
    readonly seed: number;
    readonly rule: ReturnType<typeof flyOf>["rule"];
  },
  { signal, onProgress, task }: LongWork & { readonly task: string },
): Promise<Float32Array> {
  const seen: Float32Array[] = [];
  for (let given = 0; given < lessons; given += BATCH) {
    const batch = rows.subarray(given, Math.min(given + BATCH, lessons));
    const pairs = pairsOf(positions, batch, seed);
    seen.push(differences(await fly.teach(pairs, rule(given / lessons), { signal })));
    onProgress?.({ task, done: given + BATCH, total: lessons, unit: "lessons" });
  }
  return joined(seen);
}

/** Differences of tags as a regression takes them. */
export function asPairs(values: Float32Array, features: number): PairDifferences {
  return { count: values.length / features, features, values };
}

/** A list of numbers as a piece of an experiment keeps it. */
export function vector<Data extends { readonly length: number }>(
  data: Data,
): { readonly shape: number[]; readonly data: Data } {
  return { shape: [data.length], data };
}

/** Pairs of rows, with the positions before the moves. */
export function pairsOf(positions: Positions, rows: ArrayLike<number>, seed: number): SeenPairs {
  return withBefore(positions, lessonPairs(positions, rows, { seed }));
}

/** What a fly made of pairs. */
export interface LookedAt {
  /** `[pairs]`: approach of the better less that of the other. */
  readonly margin: Float64Array;
  /** `[pairs][kenyon]`: tags of the better less those of the other. */
  readonly difference: Float32Array;
  readonly overlap: number;
  readonly active: number;
}

/** Looks at pairs, some at a time. */
export async function lookAt(fly: SeparatedFly, pairs: SeenPairs, work: LongWork): Promise<LookedAt> {
  const margin = new Float64Array(pairs.count), parts: Float32Array[] = [];
  let overlap = 0, active = 0;
  for (let first = 0; first < pairs.count; first += CHUNK) {
    const last = Math.min(first + CHUNK, pairs.count), share = (last - first) / pairs.count;
    const boards = (all: Uint8Array) => all.subarray(first * BOARD_BYTES, last * BOARD_BYTES);
    const look = await fly.look({
      count: last - first,
      good: boards(pairs.good),
      bad: boards(pairs.bad),
      before: boards(pairs.before),
      row: pairs.row.subarray(first, last),
    }, work);
    margin.set(look.good.map((value, b) => value - look.bad[b]!), first);
    parts.push(differences(look));
    overlap += share * look.overlap;
    active += share * look.active;
  }
  return { margin, difference: joined(parts), overlap, active };
}

function differences({ goodPassed, badPassed }: SeparatedLook): Float32Array {
  return Float32Array.from(goodPassed, (value, i) => value - badPassed[i]!);
}

/** One after the other. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** 2 where the better position is preferred, 1 where neither, 0 where the other. */
export function outcomes(margin: Float64Array): Uint8Array {
  return Uint8Array.from(margin, (value) => value > 0 ? 2 : value === 0 ? 1 : 0);
}

function mean(values: Uint8Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
