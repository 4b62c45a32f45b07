import { generateMoves } from "./_generate.ts";
import { legalMove } from "./_legal_move.ts";
import { type Board, CASTLING, opposite } from "./board.ts";
import { makeFen, parseFen } from "./fen.ts";
import { type ChessMove, makeMove } from "./move.ts";

/** Piece numbers by promotion number. */
const PROMOTED = [0, 5, 4, 3, 2] as const;

/** Castling rights that are lost once something leaves or reaches a square: the homes of kings and rooks. */
const LOST: ReadonlyMap<number, number> = new Map([
  [0, CASTLING.whiteQueen],
  [4, CASTLING.whiteKing | CASTLING.whiteQueen],
  [7, CASTLING.whiteKing],
  [56, CASTLING.blackQueen],
  [60, CASTLING.blackKing | CASTLING.blackQueen],
  [63, CASTLING.blackKing],
]);

/**
 * The board after a move. It trusts the move: take it from `legalMoves` of this board.
 *
 * The en passant square is kept only where a pawn may really take there, so that two boards on which the same
 * moves can be played are equal.
 *
 * @param board The position; it stays as it is.
 * @param move One of its legal moves.
 * @throws {RangeError} If no piece of the side to move stands on the from-square.
 */
export function playMove(board: Board, move: Omit<ChessMove, "uci">): Board {
  const white = board.side === "white";
  const own = white ? 1 : -1;
  const from = white ? move.from : move.from ^ 56;
  const to = white ? move.to : move.to ^ 56;
  const piece = board.squares[from]! * own;
  if (!(piece > 0)) {
    throw new RangeError(
      `Cannot play ${makeMove(move, board.side)}: no piece of ${board.side}'s stands there in '${
        makeFen(board)
      }'`,
    );
  }
  const squares = board.squares.slice();
  const taken = squares[to] !== 0;
  squares[from] = 0;
  squares[to] = (PROMOTED[move.promotion] || piece) * own;
  let enPassant = -1;
  if (piece === 1) {
    if (to === board.enPassant) squares[to - 8 * own] = 0;
    if (Math.abs(to - from) === 16) enPassant = (from + to) / 2;
  } else if (piece === 6 && Math.abs(to - from) === 2) {
    const home = to > from ? to + 1 : to - 2;
    squares[(from + to) / 2] = squares[home]!;
    squares[home] = 0;
  }
  const after = {
    squares,
    side: opposite(board.side),
    castling: board.castling & ~((LOST.get(from) ?? 0) | (LOST.get(to) ?? 0)),
    enPassant,
    halfmoves: piece === 1 || taken ? 0 : board.halfmoves + 1,
    fullmoves: board.fullmoves + (white ? 0 : 1),
  };
  return enPassant < 0 || canTakeEnPassant(after) ? after : { ...after, enPassant: -1 };
}

function canTakeEnPassant(board: Board): boolean {
  const own = board.side === "white" ? 1 : -1;
  const beside = board.enPassant - 8 * own;
  const file = beside & 7;
  // Most jumps pass no pawn at all: look before making every move.
  if (
    !(file > 0 && board.squares[beside - 1] === own) && !(file < 7 && board.squares[beside + 1] === own)
  ) return false;
  return generateMoves(board).some((move) =>
    (move >> 6 & 63) === board.enPassant && board.squares[move & 63] === own
  );
}

/**
 * The position after a move, as a FEN.
 *
 * @param fen The position before.
 * @param uci The move, on the real board.
 * @throws {DataError} If the FEN is wrong or the move is not written like one.
 * @throws {RangeError} If the move is not legal there.
 *
 * @example After 1.e4, seen by white, who has just moved
 * ```ts
 * import { afterstate, boardBits, START_FEN } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const after = afterstate(START_FEN, "e2e4");
 * assert.equal(after, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
 * const seen = boardBits(after, { view: "white" });
 * assert.equal(seen[3], 1 << 4); // plane 0, rank 4: the pawn on e4
 * ```
 */
export function afterstate(fen: string, uci: string): string {
  const board = parseFen(fen);
  return makeFen(playMove(board, legalMove(board, uci, "play")));
}
