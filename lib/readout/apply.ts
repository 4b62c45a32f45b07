import { movePolicy } from "../chess/mod.ts";
import { MAX_MOVES, type Positions } from "../data/positions.ts";
import type { FeatureSource } from "./features.ts";
import { type Readout, READOUT_COLUMNS } from "./readout.ts";

/** Rows that are looked at together: the weights pass through the processor's cache once for all of them. */
const BLOCK = 64;

/**
 * The 134 scores of some positions: features times weights plus bias (reference, section 4). The value score is
 * before tanh. Sums are taken in float64, in one order, so the numbers are the same on every machine.
 *
 * @param readout The heads.
 * @param features What they read; as many columns as the readout has features.
 * @param rows Which positions.
 * @returns `[rows.length][READOUT_COLUMNS]`.
 * @throws {RangeError} If the readout was fitted on another number of features, or a row is unknown.
 */
export function applyReadout(readout: Readout, features: FeatureSource, rows: Int32Array): Float32Array {
  const { weight, bias } = readout;
  const columns = readout.features;
  if (features.columns !== columns) {
    throw new RangeError(
      `Cannot apply a readout: ${features.columns} features, the ${columns} it was fitted on are wanted`,
    );
  }
  const scores = new Float32Array(rows.length * READOUT_COLUMNS);
  const numbers = new Float32Array(BLOCK * columns);
  const sums = new Float64Array(BLOCK * READOUT_COLUMNS);
  for (let start = 0; start < rows.length; start += BLOCK) {
    const some = rows.subarray(start, start + BLOCK);
    features.batch(some, numbers);
    for (let i = 0; i < some.length; i++) sums.set(bias, i * READOUT_COLUMNS);
    for (let f = 0; f < columns; f++) {
      const heads = weight.subarray(f * READOUT_COLUMNS, (f + 1) * READOUT_COLUMNS);
      for (let i = 0; i < some.length; i++) {
        const x = numbers[i * columns + f]!;
        if (x === 0) continue;
        const to = i * READOUT_COLUMNS;
        for (let c = 0; c < READOUT_COLUMNS; c++) sums[to + c]! += x * heads[c]!;
      }
    }
    scores.set(sums.subarray(0, some.length * READOUT_COLUMNS), start * READOUT_COLUMNS);
  }
  return scores;
}

/** A legal move and how likely it is. */
export interface LikelyMove {
  /** from | to << 6 | promotion << 12, in the mirrored frame. */
  readonly move: number;
  /** 0 to 1; those of all legal moves add up to 1. */
  readonly probability: number;
}

/**
 * All legal moves of a position with their probabilities, the favourite first; ties in the order of the row's
 * moves (reference, section 4).
 *
 * @param scores `[READOUT_COLUMNS]`: the position's scores.
 * @param positions Where its legal moves stand.
 * @param row Its row there.
 * @throws {RangeError} If the row has no moves, or a score is not a finite number.
 */
export function movesOf(scores: ArrayLike<number>, positions: Positions, row: number): LikelyMove[] {
  const first = row * MAX_MOVES;
  const moves = positions.move.subarray(first, first + (positions.moveCount[row] ?? 0));
  return Array.from(movePolicy(scores, moves), (probability, i) => ({ move: moves[i]!, probability }))
    .sort((a, b) => b.probability - a.probability);
}
