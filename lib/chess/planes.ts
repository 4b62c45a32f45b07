import type { Board, Side } from "./board.ts";
import { parseFen } from "./fen.ts";

/** Planes of a board: own pawn, knight, bishop, rook, queen, king, then the opponent's six. */
const PLANES = 12;
/** Bytes of a board as bits: 12 planes of 64 squares. */
const BYTES = PLANES * 64 / 8;

/** From where a board is seen. */
export interface ViewOptions {
  /**
   * The side whose pieces are "own" and who plays up the board; by default the side to move. The position after
   * a move is judged from the mover's side although the opponent is to move, so it is an argument.
   */
  readonly view?: Side | undefined;
}

/**
 * A position as 768 bits, seen from one side: for black, ranks are flipped and colours swapped (reference,
 * section 2).
 *
 * @param position A board, or a FEN.
 * @returns `[96]` bytes: bit `plane * 64 + square`, lowest bit of a byte first. Planes 0 to 5 are own pawn,
 * knight, bishop, rook, queen, king, 6 to 11 the opponent's; squares are 8 * rank + file in the view's frame.
 * @throws {DataError} If the FEN is wrong.
 *
 * @example Both sides see the starting position alike
 * ```ts
 * import { boardBits, START_FEN } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const bits = boardBits(START_FEN);
 * assert.equal(bits.length, 96);
 * assert.equal(bits[1], 0xff); // plane 0, rank 2: eight own pawns
 * assert.deepEqual(boardBits(START_FEN, { view: "black" })[1], 0xff);
 * ```
 */
export function boardBits(position: Board | string, options: ViewOptions = {}): Uint8Array {
  const board = typeof position === "string" ? parseFen(position) : position;
  const view = options.view ?? board.side;
  const own = view === "white" ? 1 : -1;
  const flip = view === "white" ? 0 : 56;
  const bits = new Uint8Array(BYTES);
  for (let square = 0; square < 64; square++) {
    const piece = board.squares[square]! * own;
    if (piece === 0) continue;
    const bit = (piece > 0 ? piece - 1 : 5 - piece) * 64 + (square ^ flip);
    bits[bit >> 3]! |= 1 << (bit & 7);
  }
  return bits;
}

/**
 * A position as 768 numbers, the bits of `boardBits` as 0 and 1.
 *
 * @param position A board, or a FEN.
 * @returns `[12][64]`.
 * @throws {DataError} If the FEN is wrong.
 */
export function boardPlanes(position: Board | string, options: ViewOptions = {}): Float32Array {
  return unpackBits(boardBits(position, options));
}

/**
 * Bits as numbers.
 *
 * @param bits Any number of bytes, lowest bit first: one board of `boardBits`, or many in a row.
 * @returns One number a bit, 0 or 1: `[positions][12][64]`.
 */
export function unpackBits(bits: Uint8Array): Float32Array {
  const planes = new Float32Array(bits.length * 8);
  for (let bit = 0; bit < planes.length; bit++) planes[bit] = (bits[bit >> 3]! >> (bit & 7)) & 1;
  return planes;
}
