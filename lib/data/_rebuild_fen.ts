import { type Board, CASTLING, legalMoves, makeFen, packMove } from "../chess/mod.ts";
import { DataError } from "../common/mod.ts";
import { BOARD_BYTES, MAX_MOVES, type Positions } from "./positions.ts";

/** Castling as stored moves, in the mover's frame. */
const CASTLES = [
  { move: packMove({ from: 4, to: 6, promotion: 0 }), right: CASTLING.whiteKing },
  { move: packMove({ from: 4, to: 2, promotion: 0 }), right: CASTLING.whiteQueen },
] as const;

/**
 * A stored position as a FEN, white to move. Castling and en passant are those that its moves show: a right that
 * cannot be used now, and all rights of the opponent, are not stored.
 *
 * @returns The FEN; `undefined` if its legal moves would not be those that are stored.
 */
export function rebuildFen(positions: Positions, row: number): string | undefined {
  const { board, move, moveCount } = positions;
  const squares = new Int8Array(64);
  for (let bit = 0; bit < 768; bit++) {
    if (!(board[row * BOARD_BYTES + (bit >> 3)]! & 1 << (bit & 7))) continue;
    const plane = bit >> 6;
    squares[bit & 63] = plane < 6 ? plane + 1 : 5 - plane;
  }
  const moves = move.subarray(row * MAX_MOVES, row * MAX_MOVES + moveCount[row]!);
  let castling = 0;
  let enPassant = -1;
  for (const packed of moves) {
    const from = packed & 63;
    const to = packed >> 6 & 63;
    if (squares[from] === 6) castling |= CASTLES.find((each) => each.move === packed)?.right ?? 0;
    if (squares[from] === 1 && (from & 7) !== (to & 7) && squares[to] === 0) enPassant = to;
  }
  const rebuilt: Board = { squares, side: "white", castling, enPassant, halfmoves: 0, fullmoves: 1 };
  try {
    const found = legalMoves(rebuilt).map(packMove).sort((a, b) => a - b);
    if (found.length !== moves.length || found.some((packed, i) => packed !== moves[i])) return undefined;
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
  return makeFen(rebuilt);
}
