import { type Interval, pairedDifference, type Scores, summarize } from "flychess/readout";
import { drawsOf, type ReadingNames } from "./plan.ts";
import { joinJudged } from "../shared/join_judged.ts";
import type { FittedPoint } from "./points.ts";
import { mean } from "../shared/mean.ts";

/** Top-1 and good moves, 0 to 1, and loss in nats, with 95 % intervals: whole games drawn again. */
export type CurveScores = Pick<Scores, "top1" | "good" | "loss">;

/** A reading at some number of training positions: the mean over the seeds that there are. */
export interface CurveRow {
  readonly reading: string;
  readonly positions: number;
  /** On HOLD. */
  readonly scores: CurveScores;
  /** The same minus the blind baseline's, position by position. */
  readonly againstBlind: CurveScores;
  /** HOLD loss of each seed, in nats. */
  readonly seedLosses: readonly number[];
  /** VAL loss of each seed. */
  readonly valLosses: readonly number[];
  /** Penalty of each seed; null for the blind baseline. */
  readonly penalties: readonly (number | null)[];
  /** Penalty on what the steps say beyond their mean; null for all but side by side. */
  readonly contrastPenalties: readonly (number | null)[];
  /** Passes of each seed's fit. */
  readonly passes: readonly number[];
}

/** By how much one reading differs from another, position by position. */
export interface ReadingDifference {
  readonly of: string;
  readonly against: string;
  /** At so many positions, the most that both have. */
  readonly positions: number;
  readonly scores: CurveScores;
  /** Difference in loss of each seed. */
  readonly seedLosses: readonly number[];
}

/** What a doubling of the training positions changed: divided by the number of doublings from one size to the next. */
export interface Doubling {
  readonly reading: string;
  readonly from: number;
  readonly to: number;
  /** Difference a doubling, on the same HOLD positions. */
  readonly loss: Interval;
  /** The same of each seed. */
  readonly seedLosses: readonly number[];
}

/** The slope of the loss over the last doublings. */
export interface Slope {
  readonly reading: string;
  /** From this size on. */
  readonly from: number;
  /** Nats a doubling, least squares; the mean over seeds. */
  readonly value: number;
  /** The slope of each seed. */
  readonly seeds: readonly number[];
}

/** The numbers of a learning curve. */
export interface CurveNumbers {
  readonly rows: readonly CurveRow[];
  readonly differences: readonly ReadingDifference[];
  readonly doublings: readonly Doubling[];
  readonly slopes: readonly Slope[];
}

/** How the points become numbers. */
export interface SummaryOptions {
  readonly names: ReadingNames;
  /** Readings of other steps. */
  readonly also: readonly string[];
  readonly sizes: readonly number[];
  /** Training positions there are: of these there is one draw, the first seed's. */
  readonly train: number;
  readonly seeds: readonly number[];
  readonly resamples: number;
}

/** Sizes that a slope is taken over: two doublings. */
const SLOPE_SIZES = 3;

/**
 * Turns fitted points into means over seeds with intervals by game. The seeds' judgements stand one after the other, so
 * that a game drawn again brings its positions of every seed: intervals say what other games would have changed, the
 * seeds' own numbers what another draw of training positions would.
 *
 * @param points Every reading at every size with every seed, or those that are finished: what is missing is left out, and
 * numbers are compared over the seeds that both have.
 */
export function summarizeCurve(points: readonly FittedPoint[], options: SummaryOptions): CurveNumbers {
  const { names, also, sizes, train, seeds, resamples } = options;
  const readings = [names.blind, names.last, names.mean, names.apart, ...also, names.eye];
  /** The points of a reading at a size, by seed; all positions have one draw, which stands for every seed's. */
  const at = (reading: string, size: number): ReadonlyMap<number, FittedPoint> => {
    const found = new Map<number, FittedPoint>();
    for (const seed of seeds) {
      const drawn = drawsOf({ seeds, train }, size), own = drawn.includes(seed) ? seed : drawn[0];
      const point = points.find((each) =>
        each.reading === reading && each.positions === size && each.seed === own
      );
      if (point !== undefined) found.set(seed, point);
    }
    return found;
  };
  const is = (reading: string, size: number) => at(reading, size).size > 0;
  /** Two readings over the seeds that both have: the judgements of each, seed by seed. */
  const both = (...places: readonly [reading: string, size: number][]): FittedPoint[][] => {
    const found = places.map(([reading, size]) => at(reading, size));
    const common = seeds.filter((seed) => found.every((each) => each.has(seed)));
    return found.map((each) => common.map((seed) => each.get(seed)!));
  };
  const judged = (of: readonly FittedPoint[]) => joinJudged(of.map((point) => point.judged));
  const lossOf = (point: FittedPoint) => mean(point.judged.loss);
  const paired = (a: [string, number], b: [string, number]) => {
    const [one, other] = both(a, b) as [FittedPoint[], FittedPoint[]];
    return {
      scores: three(pairedDifference(judged(one), judged(other), { resamples })),
      seedLosses: one.map((point, i) => lossOf(point) - lossOf(other[i]!)),
    };
  };

  const rows = readings.flatMap((reading) =>
    sizes.filter((size) => is(reading, size)).map((size) => {
      const own = [...new Set(at(reading, size).values())];
      return {
        reading,
        positions: size,
        scores: three(summarize(judged(own), { resamples })),
        againstBlind: paired([reading, size], [names.blind, size]).scores,
        seedLosses: own.map(lossOf),
        valLosses: own.map(({ valLoss }) => valLoss),
        penalties: own.map(({ penalty }) => penalty),
        contrastPenalties: own.map(({ contrastPenalty }) => contrastPenalty),
        passes: own.map(({ passes }) => passes),
      };
    })
  );
  const pairs = [
    [names.mean, names.last],
    [names.apart, names.last],
    [names.apart, names.mean],
    [names.last, names.blind],
    [names.apart, names.eye],
    ...also.flatMap((other) => [[other, names.last], [other, names.apart], [other, names.eye]] as const),
    ...also.slice(1).map((other) => [other, also[0]!] as const),
  ] as const;
  const differences = pairs.flatMap(([of, against]) => {
    // Of every reading there may be other seeds so far.
    const positions = sizes.findLast((size) => both([of, size], [against, size])[0]!.length > 0);
    return positions === undefined
      ? []
      : [{ of, against, positions, ...paired([of, positions], [against, positions]) }];
  });
  const doublings = readings.flatMap((reading) =>
    sizes.slice(1).flatMap((to, i) => {
      const from = sizes[i]!, times = 1 / Math.log2(to / from);
      if (both([reading, to], [reading, from])[0]!.length === 0) return [];
      const { scores, seedLosses } = paired([reading, to], [reading, from]);
      const { value, low, high } = scores.loss;
      return [{
        reading,
        from,
        to,
        loss: { value: value * times, low: low * times, high: high * times },
        seedLosses: seedLosses.map((each) => each * times),
      }];
    })
  );
  const slopes = readings.flatMap((reading) => {
    const last = sizes.filter((size) => is(reading, size)).slice(-SLOPE_SIZES);
    const found = both(...last.map((size) => [reading, size] as [string, number]));
    if (last.length < 2 || found[0]!.length === 0) return [];
    const each = found[0]!.map((_, i) => slope(found.map((of) => lossOf(of[i]!)), last));
    return [{ reading, from: last[0]!, value: mean(each), seeds: each }];
  });
  return { rows, differences, doublings, slopes };
}

export function three({ top1, good, loss }: Scores): CurveScores {
  return { top1, good, loss };
}

/** Least squares of numbers against the doublings of sizes. */
function slope(values: readonly number[], sizes: readonly number[]): number {
  const x = sizes.map(Math.log2), middle = mean(x), level = mean(values);
  let above = 0, below = 0;
  for (const [i, value] of values.entries()) {
    above += (x[i]! - middle) * (value - level);
    below += (x[i]! - middle) ** 2;
  }
  return above / below;
}
