import { DataError } from "../common/mod.ts";
import { isAttacked } from "./_attacks.ts";
import { generateMoves } from "./_generate.ts";
import { type Board, opposite, type Side } from "./board.ts";
import { makeFen, parseFen } from "./fen.ts";
import { type ChessMove, unpackMove } from "./move.ts";

/**
 * Every legal move of a position, sorted by its UCI text.
 *
 * @param position A board, or a FEN.
 * @returns The moves in the frame of the side to move; none where it is mated or stalemated.
 * @throws {DataError} If the FEN is wrong, or the side to move could take the other king.
 *
 * @example The twenty first moves
 * ```ts
 * import { legalMoves, START_FEN } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const moves = legalMoves(START_FEN);
 * assert.equal(moves.length, 20);
 * assert.deepEqual(moves[0], { uci: "a2a3", from: 8, to: 16, promotion: 0 });
 * ```
 */
export function legalMoves(position: Board | string): ChessMove[] {
  const board = typeof position === "string" ? parseFen(position) : position;
  if (kingAttacked(board, opposite(board.side))) {
    throw new DataError(
      `Cannot list the moves of '${makeFen(board)}': ${board.side} is to move and could take the king, ` +
        "a position that a game can reach is wanted",
    );
  }
  const flip = board.side === "white" ? 0 : 56 | 56 << 6;
  return generateMoves(board).map((move) => unpackMove(move ^ flip, board.side))
    .sort((a, b) => a.uci < b.uci ? -1 : 1);
}

/**
 * Whether the side to move stands in check.
 *
 * @param position A board, or a FEN.
 * @throws {DataError} If the FEN is wrong.
 */
export function inCheck(position: Board | string): boolean {
  const board = typeof position === "string" ? parseFen(position) : position;
  return kingAttacked(board, board.side);
}

function kingAttacked(board: Board, side: Side): boolean {
  const own = side === "white" ? 1 : -1;
  return isAttacked(board.squares, board.squares.indexOf(6 * own), -own);
}
