import { MAX_BEST, MAX_MOVES, type Positions } from "flychess/data";
import {
  applyReadout,
  type FeatureSource,
  type Readout,
  READOUT_COLUMNS,
  targetShares,
} from "flychess/readout";
import { symmetricEigen } from "./_eigen.ts";

/** Columns of the move readout: from, to and promotion, without the value (reference, section 7). */
const POLICY = READOUT_COLUMNS - 1;

/** The two directions in which a path of readouts moves most. */
export interface PathPlane {
  /** Where the path ends: the plane's origin. */
  readonly end: Readout;
  /** `[2]`: directions of length 1, as readouts whose value head is 0. */
  readonly directions: readonly [Readout, Readout];
  /** Each readout's place in the plane. */
  readonly places: readonly (readonly [number, number])[];
  /** Which share of the movement each principal direction holds, the first ten. */
  readonly shares: readonly number[];
}

/**
 * Principal components of a path, measured from its end (Li et al. 2018; reference, section 7). Worked out from the inner
 * products of the snapshots, which are few, instead of their numbers, which are many.
 */
export function planeOf(path: readonly Readout[]): PathPlane {
  const end = path.at(-1)!;
  const moved = path.map((readout) => difference(readout, end));
  const gram = moved.map((a) => moved.map((b) => dot(a, b)));
  const { values, vectors } = symmetricEigen(gram);
  const total = values.reduce((sum, each) => sum + Math.max(0, each), 0);
  const singular = values.map((value) => Math.sqrt(Math.max(0, value)));
  const direction = (k: number): Readout => {
    const sum = new Float64Array(moved[0]!.length);
    for (const [i, move] of moved.entries()) {
      const share = vectors[k]![i]! / singular[k]!;
      for (let n = 0; n < sum.length; n++) sum[n]! += share * move[n]!;
    }
    return asReadout(sum, end.features);
  };
  return {
    end,
    directions: [direction(0), direction(1)],
    places: path.map((_, i) => [vectors[0]![i]! * singular[0]!, vectors[1]![i]! * singular[1]!] as const),
    shares: values.slice(0, 10).map((value) => Math.max(0, value) / total),
  };
}

/** A readout on the plane. */
export function readoutAt({ end, directions }: PathPlane, [a, b]: readonly [number, number]): Readout {
  const [one, other] = directions;
  const sum = (key: "weight" | "bias") =>
    Float32Array.from(end[key], (value, i) => value + a * one[key][i]! + b * other[key][i]!);
  return { features: end.features, weight: sum("weight"), bias: sum("bias") };
}

/** Policy loss everywhere on a plane, without the brain and without the readout: scores are linear in its numbers. */
export class PlaneLoss {
  /** `[positions + 1]`: where the moves of each position begin. */
  readonly #start: Int32Array;
  /** `[moves][3]`: each move's score at the end, and how much a step along either direction adds. */
  readonly #score: Float64Array;
  /** `[positions][3]`: the same for what the teacher expects. */
  readonly #expected: Float64Array;
  readonly #positions: number;

  /** Scores every legal move of some positions three times. */
  constructor(plane: PathPlane, features: FeatureSource, positions: Positions, rows: Int32Array) {
    const scores = [plane.end, ...plane.directions].map((readout) => applyReadout(readout, features, rows));
    this.#positions = rows.length;
    this.#start = new Int32Array(rows.length + 1);
    for (const [i, row] of rows.entries()) this.#start[i + 1] = this.#start[i]! + positions.moveCount[row]!;
    this.#score = new Float64Array(3 * this.#start.at(-1)!);
    this.#expected = new Float64Array(3 * rows.length);
    for (const [i, row] of rows.entries()) {
      const at = i * READOUT_COLUMNS, first = this.#start[i]!, moves = positions.moveCount[row]!;
      for (let m = 0; m < moves; m++) {
        const move = positions.move[row * MAX_MOVES + m]!;
        for (const [k, each] of scores.entries()) {
          this.#score[3 * (first + m) + k] = each[at + (move & 63)]! + each[at + 64 + (move >> 6 & 63)]! +
            each[at + 128 + (move >> 12)]!;
        }
      }
      const best = row * MAX_BEST, listed = positions.bestCount[row]!;
      const shares = targetShares(
        Array.from(positions.win.subarray(best, best + listed), (tenths) => tenths / 10),
      );
      for (let n = 0; n < listed; n++) {
        const from = 3 * (first + positions.best[best + n]!);
        for (let k = 0; k < 3; k++) this.#expected[3 * i + k]! += shares[n]! * this.#score[from + k]!;
      }
    }
  }

  /** Mean policy loss at a point, in nats. */
  at([a, b]: readonly [number, number]): number {
    return this.row(a, b, 0, 1)[0]!;
  }

  /**
   * Mean policy loss at evenly spaced points with the same first coordinate. From one to the next every move's weight is
   * multiplied by a number of its own: one exponential a move instead of one a move and point.
   */
  row(a: number, b: number, spacing: number, count: number): Float64Array {
    const losses = new Float64Array(count), score = this.#score, expected = this.#expected;
    for (let i = 0; i < this.#positions; i++) {
      const from = this.#start[i]!, moves = this.#start[i + 1]! - from;
      // Far from the end scores are large: the highest is taken off, anew at every twentieth point.
      for (let first = 0; first < count; first += 20) {
        const y = b + first * spacing, points = Math.min(20, count - first);
        let highest = -Infinity;
        for (let m = from; m < from + moves; m++) {
          highest = Math.max(highest, score[3 * m]! + a * score[3 * m + 1]! + y * score[3 * m + 2]!);
        }
        const sums = SUMS.fill(0);
        for (let m = from; m < from + moves; m++) {
          let weight = Math.exp(score[3 * m]! + a * score[3 * m + 1]! + y * score[3 * m + 2]! - highest);
          const factor = points > 1 ? Math.exp(spacing * score[3 * m + 2]!) : 1;
          for (let n = 0; n < points; n++) {
            sums[n]! += weight;
            weight *= factor;
          }
        }
        for (let n = 0; n < points; n++) {
          const target = expected[3 * i]! + a * expected[3 * i + 1]! +
            (y + n * spacing) * expected[3 * i + 2]!;
          losses[first + n]! += (highest + Math.log(sums[n]!) - target) / this.#positions;
        }
      }
    }
    return losses;
  }
}

const SUMS = new Float64Array(20);

/** The lowest point near another one: steps along the axes, halved where none helps (Hooke and Jeeves 1961). */
export function descendOn(
  loss: PlaneLoss,
  from: readonly [number, number],
  step: readonly [number, number],
): { place: readonly [number, number]; loss: number } {
  let place = from, best = loss.at(from), [dx, dy] = step;
  for (let halvings = 0; halvings < 12;) {
    const tried = [[dx, 0], [-dx, 0], [0, dy], [0, -dy], [dx, dy], [-dx, -dy], [dx, -dy], [-dx, dy]].map(
      ([x, y]) => {
        const at = [place[0] + x!, place[1] + y!] as const;
        return { at, loss: loss.at(at) };
      },
    ).reduce((low, each) => each.loss < low.loss ? each : low);
    if (tried.loss < best) {
      place = tried.at;
      best = tried.loss;
    } else {
      dx /= 2;
      dy /= 2;
      halvings++;
    }
  }
  return { place, loss: best };
}

function difference(a: Readout, b: Readout): Float64Array {
  const moved = new Float64Array((a.features + 1) * POLICY);
  for (let f = 0; f <= a.features; f++) {
    for (let c = 0; c < POLICY; c++) {
      const at = f * READOUT_COLUMNS + c;
      moved[f * POLICY + c] = f < a.features ? a.weight[at]! - b.weight[at]! : a.bias[c]! - b.bias[c]!;
    }
  }
  return moved;
}

function asReadout(numbers: Float64Array, features: number): Readout {
  const weight = new Float32Array(features * READOUT_COLUMNS), bias = new Float32Array(READOUT_COLUMNS);
  for (let f = 0; f <= features; f++) {
    for (let c = 0; c < POLICY; c++) {
      if (f < features) weight[f * READOUT_COLUMNS + c] = numbers[f * POLICY + c]!;
      else bias[c] = numbers[f * POLICY + c]!;
    }
  }
  return { features, weight, bias };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
