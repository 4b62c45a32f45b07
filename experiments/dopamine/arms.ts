import { join } from "node:path";
import {
  bestMovesFound,
  DopamineBrain,
  type DopamineBrainOptions,
  favouriteMoves,
  type LessonPairs,
  lessonPairs,
  mushroomBody,
  type MushroomBodyOptions,
  scorePairs,
  tutor,
  type TutorOptions,
} from "flychess/bio";
import { digest, type LongWork, Random, readText, writeFileAtomic } from "flychess/common";
import { connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";
import { drive, type Eye, eyeFor } from "flychess/eye";
import { CALIBRATION_POSITIONS, holdRows, trainRows, valRows } from "flychess/training";
import type { ExperimentOptions } from "../_experiment.ts";

/** One way to teach a fly. */
export interface DopamineWay {
  /** Its name in files. */
  readonly key: string;
  /** Its name in pictures. */
  readonly name: string;
  readonly body?: MushroomBodyOptions | undefined;
  readonly brain?: DopamineBrainOptions | undefined;
  readonly tutor?: Pick<TutorOptions, "rate" | "drift" | "tagged" | "temperature" | "dose" | "silent">;
  /** From this share of the lessons on the other move is the teacher's second best; never by default. */
  readonly harderFrom?: number;
}

/** How much is measured. */
export interface DopamineBudget {
  readonly lessons: number;
  /** Lessons between checks on VAL. */
  readonly every: number;
  /** VAL pairs of a check. */
  readonly checkPairs: number;
  readonly holdPairs: number;
  /** HOLD pairs against the teacher's second best move. */
  readonly harderPairs: number;
  /** HOLD positions in which it looks at every move. */
  readonly moveRows: number;
  /** Positions that calibrate. */
  readonly calibration: number;
}

/** What a fly did with held-out positions; one letter a pair or position: 0, 1, or h for a tie. */
export interface DopamineMarks {
  readonly pairs: string;
  readonly harder: string;
  readonly moves: string;
  /** Mean share of Kenyon cells in common. */
  readonly overlap: number;
}

/** One fly, taught. */
export interface DopamineArm {
  /** VAL pairs right as lessons went on. */
  readonly curve: readonly { readonly lessons: number; readonly right: number; readonly left: number }[];
  readonly before: DopamineMarks;
  readonly after: DopamineMarks;
}

/** Lessons that change synapses once (reference, section 10). */
export const BATCH = 64;

/** Brains of more connections than this think about a hundred times as long as a larva. */
export const LARGE = 500_000;

/**
 * What fits the brain: 32,000 lessons as in the reference, where an hour suffices for them.
 *
 * @param lessons So many lessons instead, checked as often.
 */
export function budgetOf(
  options: Pick<ExperimentOptions, "connectome" | "positions" | "quick">,
  lessons?: number,
): DopamineBudget {
  const budget = fittingBudget(options);
  if (lessons === undefined) return budget;
  return { ...budget, lessons, every: budget.every * lessons / budget.lessons };
}

function fittingBudget(
  { connectome, positions, quick }: Pick<ExperimentOptions, "connectome" | "positions" | "quick">,
): DopamineBudget {
  const calibration = Math.min(CALIBRATION_POSITIONS, trainRows(positions).length);
  if (quick) {
    return {
      lessons: 128,
      every: 64,
      checkPairs: 24,
      holdPairs: 48,
      harderPairs: 16,
      moveRows: 6,
      calibration: 32,
    };
  }
  return connectome.pre.length > LARGE
    ? {
      lessons: 4096,
      every: 1024,
      checkPairs: 256,
      holdPairs: 2048,
      harderPairs: 512,
      moveRows: 96,
      calibration,
    }
    : {
      lessons: 32_000,
      every: 8000,
      checkPairs: 512,
      holdPairs: 4096,
      harderPairs: 1024,
      moveRows: 256,
      calibration,
    };
}

/** Makes and calibrates a dopamine fly as measured. */
export async function awakeFly(
  { connectome, positions, workers, signal, onProgress }: ExperimentOptions,
  { calibration }: Pick<DopamineBudget, "calibration">,
  { body, brain: options }: Pick<DopamineWay, "body" | "brain"> = {},
): Promise<{ brain: DopamineBrain; eye: Eye }> {
  const eye = eyeFor(connectome), large = connectome.pre.length > LARGE;
  const brain = new DopamineBrain(connectome, mushroomBody(connectome, body), {
    precision: large ? "int16" : "float32",
    // A small brain thinks faster than threads talk to each other.
    workers: large ? workers : 0,
    ...options,
  });
  const rows = trainRows(positions).subarray(0, calibration);
  await brain.calibrate(drive(eye, positions.board, { rows }), { signal, onProgress });
  return { brain, eye };
}

/** Makes a fly as measured, and teaches it by the default rule. */
export async function taughtFly(
  options: ExperimentOptions,
  budget: Pick<DopamineBudget, "calibration">,
  lessons: number,
): Promise<{ brain: DopamineBrain; eye: Eye }> {
  const { positions, seed, signal, onProgress } = options, fly = await awakeFly(options, budget);
  const rows = new Random(seed, "dopamine lessons").shuffle(trainRows(positions).slice());
  for (let given = 0; given < lessons; given += BATCH) {
    const pairs = lessonPairs(positions, rows.subarray(given, given + BATCH), { seed });
    await tutor(fly.brain, fly.eye, pairs, { signal });
    onProgress?.({ task: "lessons", done: given + BATCH, total: lessons, unit: "lessons" });
  }
  return fly;
}

/** Teaches a fly one way, or reads what came of it before. */
export async function teach(
  options: ExperimentOptions,
  way: DopamineWay,
  budget: DopamineBudget,
  seed: number,
): Promise<DopamineArm> {
  const { connectome, positions, keep, signal, onProgress } = options;
  const path = join(keep, `${way.key}-${seed}.json`);
  const { name, ...how } = way;
  const key = JSON.stringify([connectomeDigest(connectome), positions.digest, options.seed, how, budget]);
  const known = await readText(path);
  if (known !== undefined) {
    const found = JSON.parse(known);
    if (found.key === key) return found.arm;
  }
  const { brain, eye } = await awakeFly(options, budget, way);
  await using _brain = brain;
  const { lessons, every, checkPairs } = budget;
  const val = lessonPairs(positions, valRows(positions).subarray(0, checkPairs), { seed: options.seed });
  const curve: { lessons: number; right: number; left: number }[] = [];
  const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
  const check = async (given: number) => {
    const { right } = await scorePairs(brain, eye, val, { signal });
    const { strength, measured } = brain.synapses;
    curve.push({ lessons: given, right, left: sum(strength) / sum(measured) });
  };
  const before = await untrained(options, way, budget, brain, eye);
  await check(0);
  const rows = new Random(seed, "dopamine lessons").shuffle(trainRows(positions).slice());
  for (let given = 0; given < lessons;) {
    signal?.throwIfAborted();
    const batch = rows.subarray(given, Math.min(given + BATCH, lessons));
    const against = given >= (way.harderFrom ?? Infinity) * lessons ? "second" : "random";
    const pairs = lessonPairs(positions, batch, { seed, against });
    await tutor(brain, eye, pairs, { ...way.tutor, signal });
    given += batch.length;
    if (given % every === 0 || given === lessons) await check(given);
    onProgress?.({ task: `${name}, seed ${seed}`, done: given, total: lessons, unit: "lessons" });
  }
  const arm: DopamineArm = { curve, before, after: await marksOf(options, brain, eye, budget) };
  await writeFileAtomic(path, JSON.stringify({ key, arm }));
  return arm;
}

/** What a fly does with HOLD before the first lesson: the same for all that differ in how they learn. */
async function untrained(
  options: ExperimentOptions,
  { body, brain: brainOptions }: DopamineWay,
  budget: DopamineBudget,
  brain: DopamineBrain,
  eye: Eye,
): Promise<DopamineMarks> {
  const { connectome, positions, keep, seed } = options;
  const key = JSON.stringify([
    connectomeDigest(connectome),
    positions.digest,
    seed,
    body,
    brainOptions,
    budget.holdPairs,
    budget.harderPairs,
    budget.moveRows,
    budget.calibration,
  ]);
  const path = join(keep, `untrained-${(await digest([new TextEncoder().encode(key)])).slice(0, 12)}.json`);
  const known = await readText(path);
  if (known !== undefined) return JSON.parse(known);
  const marks = await marksOf(options, brain, eye, budget);
  await writeFileAtomic(path, JSON.stringify(marks));
  return marks;
}

/** What a fly does with HOLD as it is. */
export async function marksOf(
  { positions, seed, signal }: Pick<ExperimentOptions, "positions" | "seed" | "signal">,
  brain: DopamineBrain,
  eye: Eye,
  { holdPairs, harderPairs, moveRows }: Pick<DopamineBudget, "holdPairs" | "harderPairs" | "moveRows">,
): Promise<DopamineMarks> {
  const work = { signal };
  const pairs = await pairMarks(brain, eye, heldPairs(positions, holdPairs, seed, "random"), work);
  const harder = await pairMarks(brain, eye, heldPairs(positions, harderPairs, seed, "second"), work);
  const moved = holdRows(positions).subarray(0, moveRows);
  const moves = bestMovesFound(positions, moved, await favouriteMoves(brain, eye, positions, moved, work));
  return { pairs: pairs.marks, harder: harder.marks, moves: moves.join(""), overlap: pairs.overlap };
}

/** The HOLD pairs of an experiment. */
export function heldPairs(
  positions: Positions,
  count: number,
  seed: number,
  against: "random" | "second",
): LessonPairs {
  return lessonPairs(positions, holdRows(positions).subarray(0, count), { seed, against });
}

/** Pairs that go through a brain at once. */
const AT_ONCE = 256;

/** A part of pairs. */
export function somePairs({ count, good, bad, row }: LessonPairs, from: number, most: number): LessonPairs {
  const to = Math.min(from + most, count), bytes = good.length / count;
  return {
    count: to - from,
    good: good.subarray(from * bytes, to * bytes),
    bad: bad.subarray(from * bytes, to * bytes),
    row: row.subarray(from, to),
  };
}

/** A letter for each pair, and how much of their Kenyon cells they share. */
export async function pairMarks(
  brain: DopamineBrain,
  eye: Eye,
  pairs: LessonPairs,
  work: LongWork,
): Promise<{ marks: string; overlap: number }> {
  let marks = "", overlap = 0;
  for (let from = 0; from < pairs.count; from += AT_ONCE) {
    const part = somePairs(pairs, from, AT_ONCE), scores = await scorePairs(brain, eye, part, work);
    overlap += scores.overlap * part.count;
    scores.good.forEach((value, b) => {
      const other = scores.bad[b]!;
      marks += value > other ? "1" : value === other ? "h" : "0";
    });
  }
  return { marks, overlap: overlap / pairs.count };
}
