import { digest } from "../common/mod.ts";
import type { Positions } from "./positions.ts";

/**
 * The SHA-256 that names a set of positions: of its counts and every array, not of where they come from.
 *
 * @param positions The set; a digest it already has is not looked at.
 * @returns 64 hex digits.
 */
export function positionsDigest(positions: Omit<Positions, "digest" | "provenance">): string {
  const { count, hold, val, board, moveCount, move, bestCount, best, win, game } = positions;
  return digest([
    `flychess positions ${count} ${hold} ${val}`,
    board,
    moveCount,
    move,
    bestCount,
    best,
    win,
    game,
  ]);
}
