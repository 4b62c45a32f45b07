import { Chess } from "chess.js";
import { legalMove } from "./_legal_move.ts";
import { makeFen, parseFen } from "./fen.ts";

/**
 * A move as people write it (SAN), for display: `e4`, `Nxf3+`, `O-O`, `e8=Q#`. Written by chess.js.
 *
 * @param fen The position before the move.
 * @param uci The move, on the real board.
 * @throws {DataError} If the FEN is wrong or the move is not written like one.
 * @throws {RangeError} If the move is not legal there.
 *
 * @example A knight's move
 * ```ts
 * import { moveSan, START_FEN } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * assert.equal(moveSan(START_FEN, "g1f3"), "Nf3");
 * ```
 */
export function moveSan(fen: string, uci: string): string {
  const board = parseFen(fen);
  legalMove(board, uci, "write");
  const promotion = uci.length === 5 ? { promotion: uci[4]! } : {};
  return new Chess(makeFen(board)).move({ from: uci.slice(0, 2), to: uci.slice(2, 4), ...promotion }).san;
}
