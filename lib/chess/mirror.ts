import { type Board, opposite } from "./board.ts";
import { makeFen, parseFen } from "./fen.ts";

/**
 * The same position with the colours swapped: ranks flipped, white's pieces black's and the other way round,
 * the other side to move. Mirroring twice gives the board back.
 *
 * @param board The position.
 */
export function mirrorBoard(board: Board): Board {
  const squares = new Int8Array(64);
  // Flipping the ranks of square s is s ^ 56: the file stays, rank r becomes 7 - r.
  for (let square = 0; square < 64; square++) squares[square] = -board.squares[square ^ 56]!;
  return {
    squares,
    side: opposite(board.side),
    castling: (board.castling >> 2) | ((board.castling & 3) << 2),
    enPassant: board.enPassant < 0 ? -1 : board.enPassant ^ 56,
    halfmoves: board.halfmoves,
    fullmoves: board.fullmoves,
  };
}

/**
 * `mirrorBoard` on a FEN.
 *
 * @param fen The position.
 * @throws {DataError} If the FEN is wrong.
 *
 * @example Black to answer 1.e4 is white to answer 1...e5
 * ```ts
 * import { mirrorFen } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * assert.equal(
 *   mirrorFen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
 *   "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
 * );
 * ```
 */
export function mirrorFen(fen: string): string {
  return makeFen(mirrorBoard(parseFen(fen)));
}
