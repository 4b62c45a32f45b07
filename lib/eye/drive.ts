import { DataError } from "../common/mod.ts";
import { BOARD_BYTES } from "../data/positions.ts";
import type { Drive, Eye } from "./eye.ts";
import { PLANES, SQUARES } from "./_squares.ts";

/** Which of the boards are shown. */
export interface RowOptions {
  /** Rows of `boards`, in the order wanted; all of them by default. */
  readonly rows?: ArrayLike<number> | undefined;
}

/**
 * Shows positions to an eye: a cell is driven with 1 if its square holds a piece that it reports (reference,
 * section 2).
 *
 * @param eye The eye.
 * @param boards `[positions][96]`: boards as bits, of `boardBits` or of a position file.
 * @param options Which rows.
 * @returns The driven neurons of each position, in the order of the rows.
 * @throws {RangeError} If the bytes are no whole number of boards, or a row is not among them.
 * @throws {DataError} If a board has two pieces on one square.
 *
 * @example The starting position on an eye of two cells
 * ```ts
 * import { boardBits, START_FEN } from "flychess/chess";
 * import { drive, type Eye } from "flychess/eye";
 * import assert from "node:assert/strict";
 *
 * const eye: Eye = {
 *   name: "two cells",
 *   neurons: 10,
 *   cell: Int32Array.of(3, 7),
 *   square: Uint8Array.of(4, 28), // e1 and e4
 *   planes: Uint16Array.of(0b111111, 0b111111), // any own piece
 * };
 * const seen = drive(eye, boardBits(START_FEN));
 * assert.deepEqual([...seen.neuron], [3]); // the king's cell, and nothing on e4
 * ```
 */
export function drive(eye: Eye, boards: Uint8Array, options: RowOptions = {}): Drive {
  const rows = rowsOf(boards, options.rows);
  const { cell, square, planes } = eye;
  const onSquare = new Uint16Array(SQUARES);
  const start = new Int32Array(rows.length + 1);
  const lit = litCells(eye);
  for (let b = 0; b < rows.length; b++) {
    readBoard(boards, rows[b]!, onSquare);
    let entries = start[b]!;
    for (let s = 0; s < SQUARES; s++) {
      if (onSquare[s] !== 0) entries += lit[s * PLANES + 31 - Math.clz32(onSquare[s]!)]!;
    }
    start[b + 1] = entries;
  }
  const entries = start[rows.length]!;
  // One place more than needed: each cell is written always and kept only if lit, cheaper than a branch that
  // is hard to foresee.
  const neuron = new Int32Array(entries + 1);
  for (let b = 0, at = 0; b < rows.length; b++) {
    readBoard(boards, rows[b]!, onSquare);
    for (let i = 0; i < cell.length; i++) {
      neuron[at] = cell[i]!;
      at += (onSquare[square[i]!]! & planes[i]!) !== 0 ? 1 : 0;
    }
  }
  return { positions: rows.length, start, neuron: neuron.subarray(0, entries) };
}

/** `[64][12]`: how many cells a piece of each plane lights on each square. */
function litCells(eye: Eye): Int32Array {
  const lit = new Int32Array(SQUARES * PLANES);
  for (const [i, square] of eye.square.entries()) {
    for (let plane = 0; plane < PLANES; plane++) lit[square * PLANES + plane]! += eye.planes[i]! >> plane & 1;
  }
  return lit;
}

/**
 * The drive of a silenced eye: nothing, for any number of positions. A brain that still plays above chance with
 * it has learned from the positions' moves alone.
 *
 * @param positions How many.
 * @throws {RangeError} If that is not a whole number of at least 0.
 */
export function silence(positions: number): Drive {
  if (!Number.isInteger(positions) || positions < 0) {
    throw new RangeError(
      `Cannot silence an eye: there are ${positions} positions, a whole number of at least 0 is wanted`,
    );
  }
  return { positions, start: new Int32Array(positions + 1), neuron: new Int32Array(0) };
}

/**
 * What every cell of an eye reports, as numbers in a row: what the direct-input baseline reads instead of
 * descending neurons.
 *
 * @param eye The eye.
 * @param boards `[positions][96]`: one board as bits, or several.
 * @param out `[positions][cells]`, filled with 1 where a cell is driven and 0 where not.
 * @param options Which rows.
 * @returns `out`.
 * @throws {RangeError} If the sizes do not fit, or a row is not among the boards.
 * @throws {DataError} If a board has two pieces on one square.
 */
export function denseDrive<T extends Float32Array | Float64Array | Uint8Array>(
  eye: Eye,
  boards: Uint8Array,
  out: T,
  options: RowOptions = {},
): T {
  const rows = rowsOf(boards, options.rows);
  const { cell, square, planes } = eye;
  if (out.length !== rows.length * cell.length) {
    throw new RangeError(
      `Cannot write what the eye sees: the array holds ${out.length} numbers, ` +
        `${rows.length} x ${cell.length} (positions x cells) are wanted`,
    );
  }
  const onSquare = new Uint16Array(SQUARES);
  for (let b = 0, at = 0; b < rows.length; b++) {
    readBoard(boards, rows[b]!, onSquare);
    for (let i = 0; i < cell.length; i++, at++) {
      out[at] = (onSquare[square[i]!]! & planes[i]!) !== 0 ? 1 : 0;
    }
  }
  return out;
}

function rowsOf(boards: Uint8Array, rows: ArrayLike<number> | undefined): ArrayLike<number> {
  const count = boards.length / BOARD_BYTES;
  if (!Number.isInteger(count)) {
    throw new RangeError(
      `Cannot show boards: there are ${boards.length} bytes, a multiple of ${BOARD_BYTES} is wanted`,
    );
  }
  if (rows === undefined) return Int32Array.from({ length: count }, (_, i) => i);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    if (!Number.isInteger(row) || row < 0 || row >= count) {
      throw new RangeError(`Cannot show board ${row}: a whole number from 0 to ${count - 1} is wanted`);
    }
  }
  return rows;
}

/** Turns a board's bits around: for each square, the plane of its piece as one bit. */
function readBoard(boards: Uint8Array, row: number, onSquare: Uint16Array): void {
  onSquare.fill(0);
  const first = row * BOARD_BYTES;
  for (let plane = 0; plane < PLANES; plane++) {
    for (let byte = 0; byte < 8; byte++) {
      let bits = boards[first + plane * 8 + byte]!;
      while (bits !== 0) {
        const square = byte * 8 + 31 - Math.clz32(bits & -bits);
        bits &= bits - 1;
        if (onSquare[square] !== 0) {
          throw new DataError(
            `Cannot show board ${row}: square ${square} holds two pieces, one at most is wanted`,
          );
        }
        onSquare[square] = 1 << plane;
      }
    }
  }
}
