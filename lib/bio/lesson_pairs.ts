import { Random } from "../common/mod.ts";
import { BOARD_BYTES, MAX_BEST, MAX_MOVES, type Positions } from "../data/mod.ts";
import { afterstateBits } from "./afterstate_bits.ts";

/** Pairs of positions one move apart: a good and a bad move's. */
export interface LessonPairs {
  /** How many. */
  readonly count: number;
  /** `[count][96]`: the position after the teacher's move, from the mover's side. */
  readonly good: Uint8Array;
  /** `[count][96]`: the position after the other move, from the mover's side. */
  readonly bad: Uint8Array;
  /** `[count]`: the row of the positions each comes from. */
  readonly row: Int32Array;
}

/** Which pairs are made. */
export interface LessonPairsOptions {
  /** Decides which other move stands against the teacher's; a whole number from 0 to 2^32 - 1. */
  readonly seed: number;
  /** What the other move is: a `random` legal one (the default), or the teacher's `second` best, which is harder. */
  readonly against?: "random" | "second" | undefined;
}

/**
 * Makes one pair from each row: the position after the teacher's best move and after another (reference, section
 * 10). A row without another move makes none. A row's pair depends on the seed and on that row alone.
 *
 * @param positions The positions.
 * @param rows Which rows, in the order wanted.
 * @param options The seed and the other move.
 * @returns The pairs, in the order of the rows.
 * @throws {RangeError} If a row is not there.
 *
 * @example A pair from each of four shipped positions
 * ```ts
 * import { lessonPairs } from "flychess/bio";
 * import { shippedPositions } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * const pairs = lessonPairs(await shippedPositions(), [0, 1, 2, 3], { seed: 1 });
 * assert.equal(pairs.good.length, pairs.count * 96);
 * assert.notDeepEqual(pairs.good, pairs.bad);
 * ```
 */
export function lessonPairs(
  positions: Positions,
  rows: ArrayLike<number>,
  options: LessonPairsOptions,
): LessonPairs {
  const { seed, against = "random" } = options;
  const good: Uint8Array[] = [], bad: Uint8Array[] = [], kept: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (!Number.isInteger(row) || row < 0 || row >= positions.count) {
      throw new RangeError(
        `Cannot make a lesson of row ${row}: a whole number from 0 to ${positions.count - 1} is wanted`,
      );
    }
    const best = positions.best[row * MAX_BEST]!;
    const other = against === "second" ? second(positions, row) : randomOther(positions, row, best, seed);
    if (other === undefined) continue;
    const board = positions.board.subarray(row * BOARD_BYTES, (row + 1) * BOARD_BYTES);
    good.push(afterstateBits(board, positions.move[row * MAX_MOVES + best]!));
    bad.push(afterstateBits(board, positions.move[row * MAX_MOVES + other]!));
    kept.push(row);
  }
  return { count: kept.length, good: joined(good), bad: joined(bad), row: Int32Array.from(kept) };
}

/** The place of a random legal move that is not the best, each equally likely. */
function randomOther(positions: Positions, row: number, best: number, seed: number): number | undefined {
  const others = positions.moveCount[row]! - 1;
  if (others < 1) return undefined;
  const drawn = new Random(seed, `lesson ${row}`).int(others);
  return drawn < best ? drawn : drawn + 1;
}

function second(positions: Positions, row: number): number | undefined {
  return positions.bestCount[row]! < 2 ? undefined : positions.best[row * MAX_BEST + 1]!;
}

function joined(boards: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(boards.length * BOARD_BYTES);
  boards.forEach((board, i) => all.set(board, i * BOARD_BYTES));
  return all;
}
