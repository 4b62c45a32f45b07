/**
 * Two learning curves beside each other, position by position: what another eye, another precision or another brain changes.
 *
 *   deno run -A experiments/compare_curves.ts ONE.points.json OTHER.points.json
 *
 * Prints ONE minus OTHER as a table in Markdown, for every reading and number of positions that both have.
 *
 * @module
 */
import { type Interval, pairedDifference } from "flychess/readout";
import { DataError } from "flychess/common";
import { joinJudged } from "./shared/join_judged.ts";
import { type FittedPoint, PointStore } from "./learning_curve/points.ts";
import { type CurveScores, three } from "./learning_curve/result.ts";

/** By how much one curve differs from another. */
export interface CurveDifference {
  readonly reading: string;
  readonly positions: number;
  /** Seeds that both have. */
  readonly seeds: readonly number[];
  /** On HOLD, over these seeds. */
  readonly scores: CurveScores;
  /** Difference in loss of each seed. */
  readonly seedLosses: readonly number[];
}

/**
 * Compares points of two curves over the seeds that both have, on the same HOLD positions.
 *
 * @param one Points.
 * @param other Other points, judged on the same positions.
 */
export function compareCurves(one: readonly FittedPoint[], other: readonly FittedPoint[]): CurveDifference[] {
  const places = new Map(
    one.map(({ reading, positions }) => [`${positions} ${reading}`, { reading, positions }]),
  );
  return [...places.values()].flatMap(({ reading, positions }) => {
    const of = (points: readonly FittedPoint[], seed?: number) =>
      points.filter((each) =>
        each.reading === reading && each.positions === positions && (seed === undefined || each.seed === seed)
      );
    const seeds = of(one).map(({ seed }) => seed).filter((seed) => of(other, seed).length > 0).sort();
    if (seeds.length === 0) return [];
    const pairs = seeds.map((seed) => [of(one, seed)[0]!, of(other, seed)[0]!] as const);
    const mean = ({ judged: { loss } }: FittedPoint) =>
      loss.reduce((sum, each) => sum + each, 0) / loss.length;
    return [{
      reading,
      positions,
      seeds,
      scores: three(
        pairedDifference(
          joinJudged(pairs.map(([a]) => a.judged)),
          joinJudged(pairs.map(([, b]) => b.judged)),
        ),
      ),
      seedLosses: pairs.map(([a, b]) => mean(a) - mean(b)),
    }];
  });
}

if (import.meta.main) {
  const [one, other] = Deno.args;
  if (one === undefined || other === undefined) {
    console.error("two files of points are wanted, NAME.points.json");
    Deno.exit(2);
  }
  const open = async (path: string) => (await PointStore.read(path)).points;
  const signed = (value: number, digits: number) => (value < 0 ? "-" : "+") + Math.abs(value).toFixed(digits);
  const range = ({ value, low, high }: Interval, digits: number, times = 1) =>
    `${signed(times * value, digits)} (${signed(times * low, digits)} to ${signed(times * high, digits)})`;
  console.log(
    "| reading | positions | draws | loss (nats) | top-1 (percent points) | good moves (percent points) |",
  );
  console.log("| --- | --- | --- | --- | --- | --- |");
  const differences = compareCurves(await open(one), await open(other));
  if (differences.length === 0) {
    throw new DataError(`Cannot compare ${one} and ${other}: they have nothing in common`);
  }
  for (const { reading, positions, seeds, scores } of differences) {
    console.log(
      `| ${reading} | ${positions.toLocaleString("en-US")} | ${seeds.length} | ${range(scores.loss, 4)} | ${
        range(scores.top1, 1, 100)
      } | ${range(scores.good, 1, 100)} |`,
    );
  }
}
