import { type Board, boardBits, playMove, unpackMove } from "../chess/mod.ts";

/** Planes of one side, and squares of a plane. */
const TYPES = 6, SQUARES = 64;

/**
 * The board after a move, still seen by the one who moved, from the bits that position files keep.
 *
 * The bits do not say who may castle or take en passant; the move itself does: a king that goes two files castles,
 * a pawn that goes aslant onto an empty square takes en passant.
 *
 * @param board `[96]`: the position in the mirrored frame, as `boardBits` makes it.
 * @param move One of its legal moves, packed: from | to << 6 | promotion << 12.
 * @returns `[96]`: the position after it, from the mover's side.
 * @throws {RangeError} If no own piece stands on the from-square.
 *
 * @example After 1.e4
 * ```ts
 * import { afterstateBits } from "flychess/bio";
 * import { afterstate, boardBits, START_FEN } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const e2e4 = 12 | 28 << 6;
 * assert.deepEqual(
 *   afterstateBits(boardBits(START_FEN), e2e4),
 *   boardBits(afterstate(START_FEN, "e2e4"), { view: "white" }),
 * );
 * ```
 */
export function afterstateBits(board: Uint8Array, move: number): Uint8Array {
  const squares = new Int8Array(SQUARES);
  for (let plane = 0; plane < 2 * TYPES; plane++) {
    for (let square = 0; square < SQUARES; square++) {
      const bit = plane * SQUARES + square;
      if ((board[bit >> 3]! >> (bit & 7) & 1) !== 0) {
        squares[square] = plane < TYPES ? plane + 1 : TYPES - 1 - plane;
      }
    }
  }
  const { from, to, promotion } = unpackMove(move);
  const aslant = squares[from] === 1 && (to - from) % 8 !== 0 && squares[to] === 0;
  const before: Board = {
    squares,
    side: "white",
    castling: 0,
    enPassant: aslant ? to : -1,
    halfmoves: 0,
    fullmoves: 1,
  };
  return boardBits(playMove(before, { from, to, promotion }), { view: "white" });
}
