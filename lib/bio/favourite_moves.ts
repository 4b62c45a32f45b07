import type { LongWork } from "../common/mod.ts";
import { BOARD_BYTES, MAX_BEST, MAX_MOVES, type Positions } from "../data/mod.ts";
import { drive, type Eye } from "../eye/mod.ts";
import { afterstateBits } from "./afterstate_bits.ts";
import type { DopamineBrain } from "./dopamine_brain.ts";

/** Positions after moves that go through a brain at once. */
const AT_ONCE = 1024;

/**
 * The move that a dopamine fly likes best in each position: it looks at the position after every legal move, from its own
 * side, and takes the one that draws it most (reference, section 9); the first of several alike.
 *
 * @param brain Calibrated.
 * @param eye Its eye.
 * @param positions The positions.
 * @param rows Which rows.
 * @returns `[rows]`: the place of the move among the row's legal moves.
 * @throws {RangeError} If a row is not there.
 *
 * @example A favourite among the moves of one position
 * ```ts
 * import { DopamineBrain, favouriteMoves, lessonPairs, mushroomBody } from "flychess/bio";
 * import { growModelFly } from "flychess/connectome";
 * import { shippedPositions } from "flychess/data";
 * import { drive, eyeFor } from "flychess/eye";
 * import assert from "node:assert/strict";
 *
 * const fly = await growModelFly({ scale: 1 / 32 }), eye = eyeFor(fly), positions = await shippedPositions();
 * const brain = new DopamineBrain(fly, mushroomBody(fly));
 * await brain.calibrate(drive(eye, lessonPairs(positions, [0, 1, 2], { seed: 1 }).good));
 * const [favourite] = await favouriteMoves(brain, eye, positions, [7]);
 * assert.ok(favourite! < positions.moveCount[7]!);
 * ```
 */
export async function favouriteMoves(
  brain: DopamineBrain,
  eye: Eye,
  positions: Positions,
  rows: ArrayLike<number>,
  options: LongWork = {},
): Promise<Int32Array> {
  const { signal, onProgress } = options, favourite = new Int32Array(rows.length);
  let waiting: { readonly index: number; readonly boards: readonly Uint8Array[] }[] = [], boards = 0;
  const look = async () => {
    const bits = new Uint8Array(boards * BOARD_BYTES);
    waiting.flatMap((each) => each.boards).forEach((board, i) => bits.set(board, i * BOARD_BYTES));
    const { approach } = await brain.look(drive(eye, bits), { signal });
    let at = 0;
    for (const { index, boards } of waiting) {
      const drawn = approach.subarray(at, at += boards.length);
      favourite[index] = drawn.reduce((best, value, i) => value > drawn[best]! ? i : best, 0);
    }
    waiting = [];
    boards = 0;
  };
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    if (!Number.isInteger(row) || row < 0 || row >= positions.count) {
      throw new RangeError(
        `Cannot choose a move in row ${row}: a whole number from 0 to ${positions.count - 1} is wanted`,
      );
    }
    const board = positions.board.subarray(row * BOARD_BYTES, (row + 1) * BOARD_BYTES);
    const moves = positions.move.subarray(row * MAX_MOVES, row * MAX_MOVES + positions.moveCount[row]!);
    waiting.push({ index, boards: Array.from(moves, (move) => afterstateBits(board, move)) });
    boards += moves.length;
    if (boards >= AT_ONCE || index === rows.length - 1) {
      await look();
      onProgress?.({ task: "choosing moves", done: index + 1, total: rows.length, unit: "positions" });
    }
  }
  return favourite;
}

/**
 * How often a move is the teacher's best.
 *
 * @param positions The positions.
 * @param rows Which rows.
 * @param favourite `[rows]`, of `favouriteMoves`.
 * @returns `[rows]`: 1 where it is, else 0.
 */
export function bestMovesFound(
  positions: Positions,
  rows: ArrayLike<number>,
  favourite: ArrayLike<number>,
): Uint8Array {
  return Uint8Array.from(rows, (row, i) => Number(positions.best[row * MAX_BEST] === favourite[i]));
}
