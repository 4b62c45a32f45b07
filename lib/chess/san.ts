import { Chess } from "chess.js";
import { DataError } from "../common/mod.ts";
import { makeFen, parseFen } from "./fen.ts";
import { parseMove } from "./move.ts";

/**
 * A move as people write it (SAN), for display: `e4`, `Nxf3+`, `O-O`, `e8=Q#`. Written by chess.js.
 *
 * @param fen The position before the move.
 * @param uci The move, on the real board.
 * @throws {DataError} If the FEN is wrong or the move is not written like one.
 * @throws {RangeError} If the move is not legal there.
 *
 * @example
 * ```ts
 * import { moveSan, START_FEN } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * assert.equal(moveSan(START_FEN, "g1f3"), "Nf3");
 * ```
 */
export function moveSan(fen: string, uci: string): string {
  const board = parseFen(fen);
  parseMove(uci, board.side);
  const game = new Chess(makeFen(board));
  try {
    const promotion = uci.length === 5 ? { promotion: uci[4]! } : {};
    return game.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), ...promotion }).san;
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new RangeError(`Cannot write ${uci} as people do: it is not legal in '${fen}'`);
  }
}
