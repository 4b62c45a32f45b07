import { winProbability } from "../data/mod.ts";

/** Scores beyond this many centipawns are as good as won (Lichess; reference, section 12). */
const DECIDED = 1000;

// Lichess's curve from lost win% to accuracy, with its constants in full (lila, AccuracyPercent; reference, section 12).
const SCALE = 103.1668100711649;
const DECAY = 0.04354415386753951;
const OFFSET = 3.166924740191411;
/** Lichess adds one for the uncertainty of its own scores. */
const UNCERTAINTY = 1;

/** What a move is called by how much win% it gives away, as on Lichess. */
export type Verdict = "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/**
 * The win% that a score stands for, by Lichess's curve; scores count up to 10 pawns either way.
 *
 * @param cp Centipawns for the side to move; a mate in n counts as 10,000 - n.
 * @returns From 2.5 to 97.5.
 * @throws {RangeError} If the score is not a number.
 */
export function winPercent(cp: number): number {
  if (Number.isNaN(cp)) {
    throw new RangeError("Cannot tell a chance to win: the score is NaN, centipawns are wanted");
  }
  return 100 * winProbability(Math.min(Math.max(cp, -DECIDED), DECIDED));
}

/**
 * How accurate a move is, from 0 to 100, by how much win% it gives away (Lichess; reference, section 12).
 *
 * @param best Centipawns of the engine's move, for the side that moves.
 * @param played Centipawns of the move played, for the same side.
 *
 * @example A move as good as the engine's is worth 100
 * ```ts
 * import { moveAccuracy } from "flychess/rating";
 * import assert from "node:assert/strict";
 *
 * assert.equal(moveAccuracy(30, 30), 100);
 * assert.equal(moveAccuracy(150, -80).toFixed(1), "39.6");
 * ```
 */
export function moveAccuracy(best: number, played: number): number {
  const lost = winPercent(best) - winPercent(played);
  if (lost <= 0) return 100;
  return Math.min(100, Math.max(0, SCALE * Math.exp(-DECAY * lost) - OFFSET + UNCERTAINTY));
}

/**
 * What Lichess calls a move: best for the engine's own; otherwise by the win% given away, good under 5, inaccuracy
 * under 10, mistake under 15, blunder from there.
 *
 * @param best Centipawns of the engine's move, for the side that moves.
 * @param played Centipawns of the move played.
 * @param isBest Whether it is the engine's own move.
 */
export function verdict(best: number, played: number, isBest: boolean): Verdict {
  if (isBest) return "best";
  const lost = winPercent(best) - winPercent(played);
  return lost < 5 ? "good" : lost < 10 ? "inaccuracy" : lost < 15 ? "mistake" : "blunder";
}
