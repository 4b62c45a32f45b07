/** A position is a lesson in finishing if its best move scores this much (reference, section 8). */
export const CURRICULUM_LEAST = 500;
/** What mate at once would score; each move that a mate takes costs `MATE_MOVE` (reference, section 8). */
const MATE = 10_000;
const MATE_MOVE = 100;
/** Centipawns are cut off here, below every mate within 50 moves (reference, section 8). */
const MOST_CENTIPAWNS = 5_000;
/** So much score costs one win% (reference, section 8). */
const SCORE_A_PERCENT = 40;

/**
 * A move's score in lessons about finishing (reference, section 8): 10,000 - 100 n for mate in n, -10,000 + 100 n for
 * being mated in n, else centipawns, cut off at 5,000 on both sides.
 *
 * @param line An engine's opinion: `mate` if it sees one, else `cp`.
 * @returns From -10,000 to 10,000, for the side that moves.
 */
export function curriculumScore(line: { readonly cp?: number; readonly mate?: number }): number {
  const { mate, cp = 0 } = line;
  if (mate === undefined) return Math.max(-MOST_CENTIPAWNS, Math.min(MOST_CENTIPAWNS, cp));
  return mate > 0 ? MATE - MATE_MOVE * mate : -MATE - MATE_MOVE * mate;
}

/**
 * The win% of a position's moves in lessons about finishing: 100 for the best, one less for every 40 that a move
 * scores less, at least 0 (reference, section 8). So a mate one move longer, or 100 centipawns, costs 2.5 win%.
 *
 * @param scores Scores of `curriculumScore`, best first; it is a lesson if the first is at least `CURRICULUM_LEAST`.
 * @returns Win%, in the same order.
 *
 * @example Mate in 2, mate in 3, and stalemate
 * ```ts
 * import { curriculumScore, curriculumWin } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * const scores = [{ mate: 2 }, { mate: 3 }, { cp: 0 }].map(curriculumScore);
 * assert.deepEqual(scores, [9800, 9700, 0]);
 * assert.deepEqual(curriculumWin(scores), [100, 97.5, 0]);
 * ```
 */
export function curriculumWin(scores: readonly number[]): number[] {
  return scores.map((score) => Math.max(0, 100 - (scores[0]! - score) / SCORE_A_PERCENT));
}
