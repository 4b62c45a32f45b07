import { type Interval, pairedDifference, type Scores, summarize } from "flychess/readout";
import { drawsOf, type ReadingNames } from "./_learning_curve_fits.ts";
import { joinJudged } from "./_join_judged.ts";
import type { FittedPoint } from "./_learning_curve_points.ts";

/** Top-1 and good moves, 0 to 1, and loss in nats, with 95 % intervals: whole games drawn again. */
export type CurveScores = Pick<Scores, "top1" | "good" | "loss">;

/** A reading at some number of training positions: the mean over seeds. */
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

/** By how much one reading differs from another at the full size, position by position. */
export interface ReadingDifference {
  readonly of: string;
  readonly against: string;
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
 * @param points Every reading at every size with every seed.
 */
export function summarizeCurve(points: readonly FittedPoint[], options: SummaryOptions): CurveNumbers {
  const { names, sizes, train, seeds, resamples } = options;
  const readings = [names.blind, names.last, names.mean, names.apart, names.eye];
  const at = (reading: string, size: number) =>
    seeds.map((seed) => {
      const drawn = drawsOf({ seeds, train }, size), own = drawn.includes(seed) ? seed : drawn[0];
      return points.find((each) => each.reading === reading && each.positions === size && each.seed === own)!;
    });
  const judged = (reading: string, size: number) =>
    joinJudged(at(reading, size).map((point) => point.judged));
  const losses = (reading: string, size: number) => at(reading, size).map((point) => mean(point.judged.loss));
  const paired = (a: [string, number], b: [string, number]) =>
    three(pairedDifference(judged(...a), judged(...b), { resamples }));
  const minus = (a: readonly number[], b: readonly number[]) => a.map((each, i) => each - b[i]!);

  const rows = readings.flatMap((reading) =>
    sizes.map((size) => {
      const own = at(reading, size);
      return {
        reading,
        positions: size,
        scores: three(summarize(judged(reading, size), { resamples })),
        againstBlind: paired([reading, size], [names.blind, size]),
        seedLosses: losses(reading, size),
        valLosses: own.map(({ valLoss }) => valLoss),
        penalties: own.map(({ penalty }) => penalty),
        contrastPenalties: own.map(({ contrastPenalty }) => contrastPenalty),
        passes: own.map(({ passes }) => passes),
      };
    })
  );
  const full = sizes.at(-1)!;
  const pairs = [
    [names.mean, names.last],
    [names.apart, names.last],
    [names.apart, names.mean],
    [names.last, names.blind],
    [names.apart, names.eye],
  ] as const;
  const differences = pairs.map(([of, against]) => ({
    of,
    against,
    scores: paired([of, full], [against, full]),
    seedLosses: minus(losses(of, full), losses(against, full)),
  }));
  const doublings = readings.flatMap((reading) =>
    sizes.slice(1).map((to, i) => {
      const from = sizes[i]!, times = 1 / Math.log2(to / from);
      const { value, low, high } = paired([reading, to], [reading, from]).loss;
      return {
        reading,
        from,
        to,
        loss: { value: value * times, low: low * times, high: high * times },
        seedLosses: minus(losses(reading, to), losses(reading, from)).map((each) => each * times),
      };
    })
  );
  const last = sizes.slice(-SLOPE_SIZES);
  const slopes = last.length < 2 ? [] : readings.map((reading) => {
    const each = seeds.map((_, i) => slope(last.map((size) => losses(reading, size)[i]!), last));
    return { reading, from: last[0]!, value: mean(each), seeds: each };
  });
  return { rows, differences, doublings, slopes };
}

export function three({ top1, good, loss }: Scores): CurveScores {
  return { top1, good, loss };
}

function mean(of: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < of.length; i++) sum += of[i]!;
  return sum / of.length;
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
