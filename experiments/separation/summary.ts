import { Random } from "flychess/common";
import type { Interval } from "flychess/readout";
import type { Arm } from "./arms.ts";
import { NOT_JUDGED, type Point } from "./measure.ts";

/** What an arm came to. */
export interface ArmNumbers {
  readonly arm: Arm;
  /** Seeds: draws of calibration positions and lessons. */
  readonly seeds: number;
  /** Mean share of Kenyon cells on that the two boards of a pair have in common, and the seeds' extremes; 0 to 1. */
  readonly overlap: Interval;
  /** Mean share of Kenyon cells on, 0 to 1. */
  readonly active: number;
  /** Share of held-out pairs right, 0 to 1: before lessons, after them, and by the logistic regression. */
  readonly before: Interval;
  readonly after: Interval;
  /** `null` where none was fitted. */
  readonly ceiling: Interval | null;
  /** After less before. */
  readonly gain: Interval;
  /** (after - before) / (ceiling - before), of the means; `null` without a ceiling. */
  readonly way: Interval | null;
  /** After, less the base's after, on the same pairs with the same seeds; `null` for the base, and where it had other lessons. */
  readonly againstBase: Interval | null;
  /**
   * After, less that of the fly with everything together, on the same pairs with the same seeds; `null` for it and the base,
   * and where it had other lessons.
   */
  readonly againstTogether: Interval | null;
  /** `ceiling` less the base's, as `againstBase`. */
  readonly ceilingAgainstBase: Interval | null;
}

const RESAMPLES = 2000;

/**
 * Sums an arm up. Intervals are 95 % percentiles of a bootstrap that draws seeds and games again, both with replacement:
 * they hold for other lessons and for other games.
 *
 * @param points One a seed.
 * @param base The base's, of the same seeds in the same order; `null` for the base itself.
 * @param game `[pairs]`: the game of each pair.
 * @param together Those of everything together, likewise; for arms besides it.
 */
export function summarizeArm(
  arm: Arm,
  points: readonly Point[],
  base: readonly Point[] | null,
  game: Int32Array,
  together: readonly Point[] | null = null,
): ArmNumbers {
  const afterOf = (list: readonly Point[] | null) => list?.map(({ after }) => after);
  // Where there is no ceiling, something of the same shape stands in; nothing is said of it.
  const ceilingOf = (list: readonly Point[] | null) => list?.map(({ ceiling, after }) => ceiling ?? after);
  const fitted = points.every(({ ceiling }) => ceiling !== null);
  const after = afterOf(points)!;
  const columns = [
    points.map(({ before }) => before),
    after,
    ceilingOf(points)!,
    afterOf(base) ?? after,
    ceilingOf(base) ?? after,
    afterOf(together) ?? after,
  ];
  const sums = columns.map((seeds) => seeds.map((bits) => byGame(bits, game)));
  // Where every seed has pairs of its own, a game weighs in each seed what the seed has judged of it.
  const sizes = columns[0]!.map((bits) => byGame(bits.map((bit) => bit === NOT_JUDGED ? 0 : 2), game));
  const games = sizes[0]!.length;
  const means = (seeds: readonly number[], drawn: ArrayLike<number>): number[] => {
    let size = 0;
    for (const s of seeds) for (let g = 0; g < games; g++) size += sizes[s]![drawn[g]!]!;
    return sums.map((column) => {
      let sum = 0;
      for (const s of seeds) for (let g = 0; g < games; g++) sum += column[s]![drawn[g]!]!;
      return sum / size;
    });
  };
  const metrics = (
    [before, after, ceiling, baseAfter, baseCeiling, togetherAfter]: readonly number[],
  ): number[] => [
    before!,
    after!,
    ceiling!,
    after! - before!,
    (after! - before!) / (ceiling! - before!),
    after! - baseAfter!,
    ceiling! - baseCeiling!,
    after! - togetherAfter!,
  ];
  const all = points.map((_, s) => s), random = new Random(1, "pattern separation");
  const value = metrics(means(all, [...sizes[0]!.keys()]));
  const drawn = new Int32Array(games), draws = value.map(() => new Float64Array(RESAMPLES));
  for (let r = 0; r < RESAMPLES; r++) {
    for (let g = 0; g < games; g++) drawn[g] = random.int(games);
    const seeds = all.map(() => random.int(all.length));
    metrics(means(seeds, drawn)).forEach((each, i) => draws[i]![r] = each);
  }
  const interval = (i: number): Interval => {
    const sorted = draws[i]!.sort();
    return {
      value: value[i]!,
      low: sorted[Math.floor(0.025 * RESAMPLES)]!,
      high: sorted[Math.ceil(0.975 * RESAMPLES) - 1]!,
    };
  };
  const overlaps = points.map(({ overlap }) => overlap),
    average = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
  return {
    arm,
    seeds: points.length,
    overlap: { value: average(overlaps), low: Math.min(...overlaps), high: Math.max(...overlaps) },
    active: average(points.map(({ active }) => active)),
    before: interval(0),
    after: interval(1),
    ceiling: fitted ? interval(2) : null,
    gain: interval(3),
    way: fitted ? interval(4) : null,
    againstBase: base === null ? null : interval(5),
    againstTogether: together === null ? null : interval(7),
    ceilingAgainstBase: base === null || !fitted ? null : interval(6),
  };
}

/** Sums of each game; a pair whose game is -1 is a game of its own. */
function byGame(bits: Uint8Array, game: Int32Array): Float64Array {
  const place = new Map<number, number>(), sums: number[] = [];
  bits.forEach((bit, i) => {
    const own = game[i]! < 0 ? -1 - i : game[i]!;
    let at = place.get(own);
    if (at === undefined) place.set(own, at = sums.push(0) - 1);
    if (bit !== NOT_JUDGED) sums[at]! += bit;
  });
  return Float64Array.from(sums);
}
