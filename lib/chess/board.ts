/** Who plays, or from where a board is looked at. */
export type Side = "white" | "black";

/** Castling rights as bits of `Board.castling`. */
export const CASTLING = { whiteKing: 1, whiteQueen: 2, blackKing: 4, blackQueen: 8 } as const;

/**
 * A chess position as plain data. Treat it as immutable: every function here returns a new one.
 *
 * Squares are numbered 8 * rank + file from 0 (a1) to 63 (h8), as they are on the real board.
 */
export interface Board {
  /** `[64]`: 0 empty, 1 to 6 a white pawn, knight, bishop, rook, queen, king, -1 to -6 a black one. */
  readonly squares: Int8Array;
  /** The side to move. */
  readonly side: Side;
  /** Who may still castle where: a sum of the bits in `CASTLING`. */
  readonly castling: number;
  /** The square a pawn has just jumped over, or -1. */
  readonly enPassant: number;
  /** Plies since the last capture or pawn move. */
  readonly halfmoves: number;
  /** Number of the full move, 1 at the start. */
  readonly fullmoves: number;
}

/**
 * The other side.
 *
 * @param side White or black.
 */
export function opposite(side: Side): Side {
  return side === "white" ? "black" : "white";
}

/**
 * The name of a square.
 *
 * @param square From 0 (a1) to 63 (h8).
 * @returns For example `e4`.
 * @throws {RangeError} If there is no such square.
 */
export function makeSquare(square: number): string {
  if (!Number.isInteger(square) || square < 0 || square > 63) {
    throw new RangeError(`Cannot name a square: it is ${square}, a whole number from 0 to 63 is wanted`);
  }
  return "abcdefgh"[square & 7]! + "12345678"[square >> 3]!;
}

/**
 * The number of a square, the reverse of `makeSquare`.
 *
 * @param name For example `e4`.
 * @returns From 0 (a1) to 63 (h8), or -1 if that is no square.
 */
export function parseSquare(name: string): number {
  if (name.length !== 2) return -1;
  const file = name.charCodeAt(0) - 97;
  const rank = name.charCodeAt(1) - 49;
  return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? rank * 8 + file : -1;
}
