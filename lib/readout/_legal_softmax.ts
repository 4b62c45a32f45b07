import { MAX_BEST, MAX_MOVES, type Positions } from "../data/positions.ts";
import { TAU } from "./loss.ts";
import { READOUT_COLUMNS } from "./readout.ts";

/** Scores of a batch, `[rows][READOUT_COLUMNS]`; float32 in fits, float64 where exactness is tested. */
export type ScoreArray = Float32Array | Float64Array;

/** The column of the value head. */
export const VALUE_COLUMN = 133;

/** exp(-k / (10 tau)) for a move that is k tenths of a percent worse than the best: win% are whole tenths. */
const SHARE = Float64Array.from({ length: 1001 }, (_, tenths) => Math.exp(-tenths / 10 / TAU));

/** Scratch for one position; nothing here waits in between, so one is enough. */
const exponent = new Float64Array(MAX_MOVES);

/** The part of `Positions` that the loss looks at. */
export type Lessons = Pick<Positions, "moveCount" | "move" | "bestCount" | "best" | "win">;

/** The policy loss and the squared value error of one position. */
export interface PositionLoss {
  /** Cross-entropy over the legal moves, in nats. */
  policy: number;
  /** Squared error of the value. */
  value: number;
  /** The favourite's place in the row's moves; the first of those with the highest score. */
  favourite: number;
}

/**
 * The loss of one position and, where asked, its gradient with respect to the 134 scores, straight from the
 * packed list of legal moves (reference, sections 4 and 5): score(m) = from + to + promotion, softmax over the
 * legal moves, d/d score(m) = P(m) - q(m); tanh and squared error for the value.
 *
 * @param scores `[...][READOUT_COLUMNS]`.
 * @param at Where the position's scores begin.
 * @param result Overwritten.
 * @param gradient The same shape as `scores`: the position's part is overwritten with its gradient times `scale`. It
 * may be `scores` itself.
 */
export function positionLoss(
  positions: Lessons,
  row: number,
  scores: ScoreArray,
  at: number,
  result: PositionLoss,
  gradient?: ScoreArray,
  scale = 1,
): void {
  const { move, best, win } = positions;
  const moves = positions.moveCount[row]!;
  const first = row * MAX_MOVES;
  let highest = -Infinity;
  let favourite = 0;
  for (let i = 0; i < moves; i++) {
    const packed = move[first + i]!;
    const score = scores[at + (packed & 63)]! + scores[at + 64 + (packed >> 6 & 63)]! +
      scores[at + 128 + (packed >> 12)]!;
    exponent[i] = score;
    if (score > highest) {
      highest = score;
      favourite = i;
    }
  }
  const listed = positions.bestCount[row]!;
  const firstBest = row * MAX_BEST;
  let shares = 0;
  let expected = 0;
  for (let k = 0; k < listed; k++) {
    const share = SHARE[win[firstBest]! - win[firstBest + k]!]!;
    shares += share;
    expected += share * exponent[best[firstBest + k]!]!;
  }
  let sum = 0;
  for (let i = 0; i < moves; i++) {
    const each = Math.exp(exponent[i]! - highest);
    exponent[i] = each;
    sum += each;
  }
  const value = Math.tanh(scores[at + VALUE_COLUMN]!);
  const error = value - (2 * win[firstBest]! / 1000 - 1);
  result.policy = highest + Math.log(sum) - expected / shares;
  result.value = error * error;
  result.favourite = favourite;
  if (gradient === undefined) return;

  gradient.fill(0, at, at + READOUT_COLUMNS);
  for (let k = 0; k < listed; k++) {
    // In units of exp(score - highest), so that one multiplication below turns it into the target's share.
    exponent[best[firstBest + k]!]! -= SHARE[win[firstBest]! - win[firstBest + k]!]! * sum / shares;
  }
  for (let i = 0; i < moves; i++) {
    const packed = move[first + i]!;
    const push = exponent[i]! * scale / sum;
    gradient[at + (packed & 63)]! += push;
    gradient[at + 64 + (packed >> 6 & 63)]! += push;
    gradient[at + 128 + (packed >> 12)]! += push;
  }
  gradient[at + VALUE_COLUMN] = 2 * error * (1 - value * value) * scale;
}

/**
 * Complains about rows that cannot be scored, before a long piece of work starts on them.
 *
 * @throws {RangeError} If there is no row, one is unknown, or one has no legal move or no teacher's move.
 */
export function checkRows(positions: Positions, rows: Int32Array, action: string): void {
  if (rows.length === 0) throw new RangeError(`Cannot ${action}: no rows, at least one is wanted`);
  for (const row of rows) {
    if (row < 0 || row >= positions.count) {
      throw new RangeError(`Cannot ${action}: row ${row}, one below ${positions.count} is wanted`);
    }
    if (positions.moveCount[row] === 0 || positions.bestCount[row] === 0) {
      throw new RangeError(
        `Cannot ${action}: row ${row} has ${positions.moveCount[row]} moves and ${
          positions.bestCount[row]
        } of the teacher's, at least one of each is wanted`,
      );
    }
  }
}
