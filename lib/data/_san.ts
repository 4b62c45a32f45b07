import type { Board, ChessMove } from "../chess/mod.ts";

/** Piece, from-file, from-rank, to-square and promotion of a move in SAN. */
const SAN = /^([KQRBN]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?([QRBN]))?[+#!?]*$/;

/**
 * Finds the legal move that a game's text names.
 *
 * @param san For example `Nbd7`, `exd8=Q+`, `O-O`.
 * @param board The position.
 * @param legal Its legal moves.
 * @returns The move; `undefined` if none fits, or more than one.
 */
export function findSan(san: string, board: Board, legal: readonly ChessMove[]): ChessMove | undefined {
  const home = board.side === "white" ? "e1" : "e8";
  const castles = /^[O0]-[O0](-[O0])?[+#!?]*$/.exec(san);
  if (castles) {
    const uci = home + (castles[1] === undefined ? "g" : "c") + home[1]!;
    return pieceAt(board, home) === "K" ? legal.find((move) => move.uci === uci) : undefined;
  }
  const found = SAN.exec(san);
  if (found === null) return undefined;
  const [, piece, file, rank, to, promotion = ""] = found;
  const fits = legal.filter(({ uci }) =>
    uci.slice(2, 4) === to && uci.slice(4) === promotion.toLowerCase() &&
    (file === "" || uci[0] === file) && (rank === "" || uci[1] === rank) &&
    pieceAt(board, uci) === piece
  );
  return fits.length === 1 ? fits[0] : undefined;
}

/** The letter of the piece on the square that a text begins with, nothing for a pawn. */
function pieceAt(board: Board, square: string): string {
  const at = (square.charCodeAt(1) - 49) * 8 + square.charCodeAt(0) - 97;
  return ["", "", "N", "B", "R", "Q", "K"][Math.abs(board.squares[at]!)]!;
}
