import { pairMargins, type SeenPairs } from "flychess/bio";
import type { LongWork } from "flychess/common";
import { connectomeDigest } from "flychess/connectome";
import { BOARD_BYTES, type Positions } from "flychess/data";
import { type SafeTensors, valRows } from "flychess/training";
import type { ExperimentOptions } from "../_experiment.ts";
import { kept } from "../shared/kept.ts";
import { type Arm, flyOf } from "./arms.ts";
import {
  type Amounts,
  asPairs,
  bestFit,
  heldPairs,
  joined,
  lookAt,
  NOT_JUDGED,
  outcomes,
  pairsOf,
  type Point,
  rowsOf,
  teachLessons,
  vector,
} from "./measure.ts";

/** Lessons that a ceiling is fitted on, at most: the reference's 16,384 pairs (section 10). */
const MOST_FITTED = 16_384;

type Shared = Amounts & { readonly parts: number };

/** What every piece hangs on. */
function inputsOf({ connectome, positions, seed: drawn }: ExperimentOptions, arm: Arm) {
  return { arm, drawn, brain: connectomeDigest(connectome), positions: positions.digest };
}

/** The untrained fly, calibrated and looked at once: its homeostasis, and what it made of HOLD and VAL pairs. */
async function untrained(
  options: ExperimentOptions,
  arm: Arm,
  { held: heldRows, val: valAmount, calibration }: Amounts,
): Promise<SafeTensors> {
  if (arm.habituated || arm.cut === "own thresholds" || arm.cut === "furthest") {
    throw new RangeError(
      `Cannot share the untrained fly of '${arm.name}': it remembers more than homeostasis`,
    );
  }
  const { connectome, positions, keep, seed: drawn, workers, signal } = options, work: LongWork = { signal };
  const inputs = { ...inputsOf(options, arm), heldRows, valAmount, calibration };
  return await kept(keep, `${arm.name} untrained`, inputs, async () => {
    const { fly } = flyOf(connectome, arm, workers);
    await using _ = fly.brain;
    await fly.calibrate(calibrationPairs(positions, calibration), work);
    const before = await lookAt(fly, heldPairs(positions, heldRows, drawn), work);
    const val = pairsOf(positions, valRows(positions).subarray(0, valAmount), drawn);
    const checked = await lookAt(fly, val, work), { mean, spread } = fly.brain.homeostasis!;
    return {
      metadata: {},
      tensors: {
        mean: vector(Float64Array.from(mean)),
        spread: vector(Float64Array.from(spread)),
        before: vector(outcomes(before.margin)),
        held: vector(before.difference),
        val: vector(checked.difference),
        numbers: vector(Float64Array.of(before.overlap, before.active)),
      },
    };
  });
}

/** What every seed's fly is calibrated on. */
function calibrationPairs(positions: Positions, calibration: number): SeenPairs {
  return pairsOf(positions, rowsOf(positions, 1).subarray(0, calibration), 1);
}

/** A seed's share of the pairs, dealt out in turn. */
function partOf(seed: number, parts: number, pairs: number): Int32Array {
  return Int32Array.from(Array(pairs).keys()).filter((pair) => pair % parts === (seed - 1) % parts);
}

/** Numbers of some pairs among all, the others not judged. */
function amongAll(part: Int32Array, found: Uint8Array, pairs: number): Uint8Array {
  const all = new Uint8Array(pairs).fill(NOT_JUDGED);
  part.forEach((pair, i) => all[pair] = found[i]!);
  return all;
}

/** Teaches the fly a seed's lessons, and asks it about some of the HOLD pairs. */
async function taught(
  options: ExperimentOptions,
  arm: Arm,
  seed: number,
  { calibration, lessons }: Pick<Amounts, "calibration" | "lessons">,
  { tensors: first }: SafeTensors,
  pairs: SeenPairs,
): Promise<SafeTensors> {
  const { connectome, positions, workers, signal, onProgress } = options;
  const { fly, rule } = flyOf(connectome, arm, workers);
  await using _ = fly.brain;
  const [mean, spread] = ["mean", "spread"].map((name) => first[name]!.data as Float64Array);
  await fly.brain.setHomeostasis({ mean: mean!, spread: spread! });
  const seen = await teachLessons(
    fly,
    positions,
    { rows: rowsOf(positions, seed).subarray(calibration), lessons, seed, rule },
    { signal, onProgress, task: `${arm.name}, seed ${seed}, ${lessons} lessons` },
  );
  const { margin } = await lookAt(fly, pairs, { signal });
  return { metadata: {}, tensors: { seen: vector(seen), after: vector(outcomes(margin)) } };
}

/**
 * Measures an arm where a look is long: the untrained fly is calibrated and looked at once, with the first seed's positions, and
 * seeds differ in lessons. After its lessons each is asked about its part of the pairs. The ceiling is one regression on
 * the lessons of all seeds together.
 *
 * @returns One a seed.
 * @throws {RangeError} If the arm has a signal or thresholds, which are more than homeostasis remembers.
 */
export async function measureShared(
  options: ExperimentOptions,
  arm: Arm,
  seeds: number,
  amounts: Shared,
): Promise<Point[]> {
  const { positions, keep, seed: drawn, signal } = options,
    { parts } = amounts,
    inputs = inputsOf(options, arm);
  const held = heldPairs(positions, amounts.held, drawn), first = await untrained(options, arm, amounts);
  const learned: Float32Array[] = [], after: Uint8Array[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const part = partOf(seed, parts, held.count);
    const { tensors } = await kept(
      keep,
      `${arm.name} ${seed}`,
      { ...inputs, seed, amounts },
      () => taught(options, arm, seed, amounts, first, somePairs(held, part)),
    );
    learned.push(tensors["seen"]!.data as Float32Array);
    after.push(amongAll(part, tensors["after"]!.data as Uint8Array, held.count));
  }
  const difference = first.tensors["held"]!.data as Float32Array, features = difference.length / held.count;
  const { tensors: fitted } = await kept(
    keep,
    `${arm.name} ceiling`,
    { ...inputs, amounts, seeds },
    async () => {
      const values = joined(learned).subarray(0, MOST_FITTED * features);
      const val = asPairs(first.tensors["val"]!.data as Float32Array, features);
      const { penalty, weight } = await bestFit(asPairs(values, features), val, { signal });
      const ceiling = outcomes(pairMargins(asPairs(difference, features), weight));
      return {
        metadata: {},
        tensors: { ceiling: vector(ceiling), penalty: vector(Float64Array.of(penalty)) },
      };
    },
  );
  const [overlap, active] = first.tensors["numbers"]!.data as Float64Array;
  const before = first.tensors["before"]!.data as Uint8Array, ceiling = fitted["ceiling"]!.data as Uint8Array;
  return after.map((judged) => {
    const ofThisSeed = (bits: Uint8Array) => judged.map((bit, i) => bit === NOT_JUDGED ? bit : bits[i]!);
    return {
      before: ofThisSeed(before),
      after: judged,
      ceiling: ofThisSeed(ceiling),
      overlap: overlap!,
      active: active!,
      penalty: (fitted["penalty"]!.data as Float64Array)[0]!,
    };
  });
}

/**
 * Measures an arm with a seed where a look is long, and no ceiling: calibrated as in `measureShared`, asked about the
 * seed's part of the pairs before its lessons and after them.
 */
export async function measurePart(
  options: ExperimentOptions,
  arm: Arm,
  seed: number,
  { held: heldRows, calibration, lessons, parts }: Shared,
): Promise<Point> {
  const { connectome, positions, keep, seed: drawn, workers, signal, onProgress } = options;
  const held = heldPairs(positions, heldRows, drawn), part = partOf(seed, parts, held.count);
  const inputs = { ...inputsOf(options, arm), seed, heldRows, calibration, lessons, parts };
  const { tensors } = await kept(keep, `${arm.name} part ${seed}`, inputs, async () => {
    const { fly, rule } = flyOf(connectome, arm, workers), asked = somePairs(held, part);
    await using _ = fly.brain;
    await fly.calibrate(calibrationPairs(positions, calibration), { signal });
    const before = await lookAt(fly, asked, { signal });
    const rows = rowsOf(positions, seed).subarray(calibration);
    const work = { signal, onProgress, task: `${arm.name}, seed ${seed}` };
    await teachLessons(fly, positions, { rows, lessons, seed, rule }, work);
    const after = await lookAt(fly, asked, { signal });
    return {
      metadata: {},
      tensors: {
        before: vector(outcomes(before.margin)),
        after: vector(outcomes(after.margin)),
        numbers: vector(Float64Array.of(before.overlap, before.active)),
      },
    };
  });
  const bits = (name: string) => amongAll(part, tensors[name]!.data as Uint8Array, held.count);
  const [overlap, active] = tensors["numbers"]!.data as Float64Array;
  return {
    before: bits("before"),
    after: bits("after"),
    ceiling: null,
    overlap: overlap!,
    active: active!,
    penalty: null,
  };
}

/**
 * Flies with more lessons, each asked about all pairs, beside the ceiling that `measureShared` has fitted.
 *
 * @param points Of `measureShared`, for the same arm.
 * @param more How many lessons, and how many flies.
 * @returns One a seed.
 */
export async function measureLonger(
  options: ExperimentOptions,
  arm: Arm,
  amounts: Amounts,
  points: readonly Point[],
  { lessons, seeds }: { readonly lessons: number; readonly seeds: number },
): Promise<Point[]> {
  const held = heldPairs(options.positions, amounts.held, options.seed);
  const first = await untrained(options, arm, amounts), longer: Point[] = [];
  const whole = (of: (point: Point) => Uint8Array | null) =>
    Uint8Array.from(
      { length: held.count },
      (_, i) => points.map((point) => of(point)![i]!).find((bit) => bit !== NOT_JUDGED)!,
    );
  for (let seed = 1; seed <= seeds; seed++) {
    const { tensors } = await kept(
      options.keep,
      `${arm.name} longer ${seed}`,
      { ...inputsOf(options, arm), amounts, lessons, seed },
      () => taught(options, arm, seed, { ...amounts, lessons }, first, held),
    );
    longer.push({
      ...points[0]!,
      before: whole(({ before }) => before),
      ceiling: whole(({ ceiling }) => ceiling),
      after: Uint8Array.from(tensors["after"]!.data as Uint8Array),
    });
  }
  return longer;
}

/** Pairs picked out. */
function somePairs(pairs: SeenPairs, which: Int32Array): SeenPairs {
  const boards = (all: Uint8Array) => {
    const some = new Uint8Array(which.length * BOARD_BYTES);
    which.forEach((pair, i) =>
      some.set(all.subarray(pair * BOARD_BYTES, (pair + 1) * BOARD_BYTES), i * BOARD_BYTES)
    );
    return some;
  };
  return {
    count: which.length,
    good: boards(pairs.good),
    bad: boards(pairs.bad),
    before: boards(pairs.before),
    row: Int32Array.from(which, (pair) => pairs.row[pair]!),
  };
}
