import type { ChessMove } from "./move.ts";
import { packMove } from "./move.ts";

/** Where the to-scores start in a row of scores. */
const TO = 64;
/** Where the promotion scores start. */
const PROMOTION = 128;
/** Scores that a move needs: 64 from, 64 to, 5 promotions. */
const NEEDED = 133;

/** Moves as packed numbers (`packMove`), or as they come from `legalMoves`. */
export type MoveList = ArrayLike<number> | readonly ChessMove[];

/**
 * The score of each move: from-score + to-score + promotion score (reference, section 4).
 *
 * @param scores `[133 or more]`: 64 from-squares, 64 to-squares, 5 promotions (none, queen, rook, bishop,
 * knight); the value that a readout gives after them is not read.
 * @param moves The moves, in the frame of the side that plays them.
 * @returns `[moves]`.
 * @throws {RangeError} If there are too few scores.
 */
export function moveScores(scores: ArrayLike<number>, moves: MoveList): Float64Array {
  if (scores.length < NEEDED) {
    throw new RangeError(
      `Cannot score moves: there are ${scores.length} scores, ${NEEDED} or more are wanted`,
    );
  }
  const result = new Float64Array(moves.length);
  for (let i = 0; i < moves.length; i++) {
    const move = moves[i]!;
    const packed = typeof move === "number" ? move : packMove(move);
    result[i] = scores[packed & 63]! + scores[TO + (packed >> 6 & 63)]! + scores[PROMOTION + (packed >> 12)]!;
  }
  return result;
}

/**
 * How likely each legal move is: the softmax of `moveScores` over these moves and no others (reference,
 * section 4). The largest score is subtracted first, so that no score is too large.
 *
 * @param scores As for `moveScores`.
 * @param moves The legal moves.
 * @returns `[moves]`, each from 0 to 1, together 1.
 * @throws {RangeError} If there is no move, there are too few scores, or a move's score is not a finite number.
 *
 * @example A readout that likes the square e4
 * ```ts
 * import { legalMoves, movePolicy, START_FEN } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const scores = new Float32Array(134);
 * scores[64 + 28] = 2.5; // to-square e4
 * const moves = legalMoves(START_FEN);
 * const policy = movePolicy(scores, moves);
 * assert.equal(moves[policy.indexOf(Math.max(...policy))]?.uci, "e2e4");
 * assert.ok(Math.abs(policy.reduce((sum, p) => sum + p) - 1) < 1e-12);
 * ```
 */
export function movePolicy(scores: ArrayLike<number>, moves: MoveList): Float64Array {
  if (moves.length === 0) {
    throw new RangeError("Cannot weigh the moves: there is none, one legal move or more is wanted");
  }
  const policy = moveScores(scores, moves);
  let most = -Infinity;
  for (const score of policy) {
    if (!Number.isFinite(score)) {
      throw new RangeError(`Cannot weigh the moves: a move's score is ${score}, a finite number is wanted`);
    }
    if (score > most) most = score;
  }
  let sum = 0;
  for (let i = 0; i < policy.length; i++) sum += policy[i] = Math.exp(policy[i]! - most);
  for (let i = 0; i < policy.length; i++) policy[i]! /= sum;
  return policy;
}
