import { generateMoves } from "./_generate.ts";
import type { Board } from "./board.ts";
import { makeFen } from "./fen.ts";
import { type ChessMove, packMove, parseMove } from "./move.ts";

/**
 * Reads a move and makes sure that it is legal.
 *
 * @param board The position.
 * @param uci The move.
 * @param action What the move is wanted for, as the error says it.
 * @throws {DataError} If it is not written like a move.
 * @throws {RangeError} If it is not legal.
 */
export function legalMove(board: Board, uci: string, action: string): ChessMove {
  const move = parseMove(uci, board.side);
  const flip = board.side === "white" ? 0 : 56 | 56 << 6;
  if (!generateMoves(board).includes(packMove(move) ^ flip)) {
    throw new RangeError(
      `Cannot ${action} ${uci}: it is not legal in '${makeFen(board)}', one of the legal moves is wanted`,
    );
  }
  return move;
}
