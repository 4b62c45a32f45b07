import { DataError } from "../common/mod.ts";
import { makeSquare, parseSquare, type Side } from "./board.ts";

/**
 * A move as numbers, in the frame of the side that plays it: for black, squares are those of the mirrored
 * board, so that both sides play up the board.
 */
export interface ChessMove {
  /** As UCI engines write it, on the real board: `e2e4`, `e7e8q`, castling as the king's two squares `e1g1`. */
  readonly uci: string;
  /** From-square, 8 * rank + file in the mover's frame. */
  readonly from: number;
  /** To-square, likewise. */
  readonly to: number;
  /** 0 none, 1 queen, 2 rook, 3 bishop, 4 knight. */
  readonly promotion: number;
}

/** UCI letters by promotion number. */
const PROMOTIONS = ["", "q", "r", "b", "n"] as const;

/**
 * Reads a move in UCI notation. Whether it can be played is for `legalMoves` to say.
 *
 * @param uci For example `e7e8q`.
 * @param side Who plays it.
 * @throws {DataError} If it is not written like a move.
 *
 * @example A move of black's, in black's own frame
 * ```ts
 * import { makeMove, parseMove } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const move = parseMove("e7e5", "black");
 * assert.deepEqual(move, { uci: "e7e5", from: 12, to: 28, promotion: 0 });
 * assert.equal(makeMove(move, "black"), "e7e5");
 * ```
 */
export function parseMove(uci: string, side: Side): ChessMove {
  const from = parseSquare(uci.slice(0, 2));
  const to = parseSquare(uci.slice(2, 4));
  const promotion = uci.length === 5 ? PROMOTIONS.indexOf(uci[4] as typeof PROMOTIONS[number]) : 0;
  if (uci.length < 4 || uci.length > 5 || from < 0 || to < 0 || from === to || promotion < 0) {
    throw new DataError(
      `Cannot read the move '${uci}': two different squares and, for a promotion, one of q r b n are wanted`,
    );
  }
  const flip = side === "white" ? 0 : 56;
  return { uci, from: from ^ flip, to: to ^ flip, promotion };
}

/**
 * Writes a move in UCI notation, the reverse of `parseMove`.
 *
 * @param move From, to and promotion in the mover's frame.
 * @param side Who plays it.
 * @throws {RangeError} If there is no such square or promotion.
 */
export function makeMove(move: Omit<ChessMove, "uci">, side: Side): string {
  const letter = PROMOTIONS[move.promotion];
  if (letter === undefined) {
    throw new RangeError(`Cannot write a move: its promotion is ${move.promotion}, 0 to 4 is wanted`);
  }
  const flip = side === "white" ? 0 : 56;
  return makeSquare(move.from ^ flip) + makeSquare(move.to ^ flip) + letter;
}

/**
 * A move in 15 bits, as positions are stored: from | to << 6 | promotion << 12.
 *
 * @param move From, to and promotion.
 */
export function packMove(move: Omit<ChessMove, "uci">): number {
  return move.from | move.to << 6 | move.promotion << 12;
}

/**
 * The reverse of `packMove`.
 *
 * @param packed From 0 to 2^15 - 1.
 * @param side Who plays it, for its `uci`; white by default.
 * @throws {RangeError} If that is no move.
 */
export function unpackMove(packed: number, side: Side = "white"): ChessMove {
  const move = { from: packed & 63, to: packed >> 6 & 63, promotion: packed >> 12 };
  return { uci: makeMove(move, side), ...move };
}
