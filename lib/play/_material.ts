import type { Board } from "../chess/mod.ts";

/**
 * Whether neither side could mate, however the other plays: bare kings, one knight, or bishops that all stand on
 * squares of one colour. As python-chess counts it (`is_insufficient_material`).
 */
export function tooLittleMaterial(board: Board): boolean {
  let knights = 0;
  let light = 0;
  let dark = 0;
  for (let square = 0; square < 64; square++) {
    switch (Math.abs(board.squares[square]!)) {
      case 0:
      case 6:
        break;
      case 2:
        knights++;
        break;
      case 3:
        if (((square >> 3) + square & 1) === 0) dark++;
        else light++;
        break;
      default:
        return false; // a pawn, a rook or a queen
    }
  }
  if (knights > 0) return knights === 1 && light + dark === 0;
  return light === 0 || dark === 0;
}

/** What the pieces count for: pawn 1, knight and bishop 3, rook 5, queen 9 (reference, "Measuring strength"). */
export const PIECE_VALUES = [0, 1, 3, 3, 5, 9, 0] as const;

/** White's pieces minus Black's, in pawns. */
export function materialBalance(board: Board): number {
  let sum = 0;
  for (const piece of board.squares) sum += Math.sign(piece) * PIECE_VALUES[Math.abs(piece)]!;
  return sum;
}
