import {
  type Board,
  type ChessMove,
  inCheck,
  legalMoves,
  makeFen,
  opposite,
  parseFen,
  playMove,
  type Side,
  START_FEN,
} from "../chess/mod.ts";
import { tooLittleMaterial } from "./_material.ts";

/** How a game ends by the rules. */
export type Ending =
  | "checkmate"
  | "stalemate"
  | "too little material"
  | "third repetition"
  | "50 moves"
  | "move limit";

/** The end of a game. */
export interface Outcome {
  /** Which rule ended it. */
  readonly ending: Ending;
  /** Who won; absent for a draw. */
  readonly winner?: Side;
}

/** What lies behind a legal move. */
export interface Look {
  /** The board after it. */
  readonly board: Board;
  /** How the game ends with it; absent where it goes on. */
  readonly outcome?: Outcome;
  /** Whether the board was there before in this game. */
  readonly goesBack: boolean;
}

/** Where a game starts and how long it may last. */
export interface GameOptions {
  /** The first position; the usual one by default. */
  readonly start?: string | undefined;
  /** Moves of each side after which the game is a draw; 200 by default (reference, "Measuring strength"). */
  readonly moveLimit?: number | undefined;
  /** What tells it from other games of the same moves: seeded players draw other numbers for it; empty by default. */
  readonly id?: string | undefined;
  /**
   * Whether moves can be played after a draw that other referees want to be claimed (`outcome` still names it); only a
   * position without a legal move is the end then. False by default.
   */
  readonly playOn?: boolean | undefined;
}

/** Plies without a capture or a pawn move that make a draw. */
const QUIET_PLIES = 100;

/**
 * A game of chess from any position. Draws count when they happen, not when they could be claimed: the third time
 * a position stands on the board, or 100 plies without a capture or a pawn move (reference, "Measuring strength").
 * Two positions are the same if pieces, side to move, castling rights and the pawn that can be taken en passant are.
 *
 * @example A fool's mate
 * ```ts
 * import { Game } from "flychess/play";
 * import assert from "node:assert/strict";
 *
 * const game = new Game();
 * for (const move of ["f2f3", "e7e5", "g2g4", "d8h4"]) game.play(move);
 * assert.deepEqual(game.outcome, { ending: "checkmate", winner: "black" });
 * ```
 */
export class Game {
  /** What tells it from other games of the same moves. */
  readonly id: string;
  /** The first position as a FEN. */
  readonly start: string;
  readonly #moveLimit: number;
  readonly #playOn: boolean;
  readonly #moves: string[] = [];
  readonly #seen = new Map<string, number>();
  #board: Board;
  #legal: readonly ChessMove[];
  #outcome: Outcome | undefined;

  /**
   * Sets up the board.
   *
   * @param options Where it starts and how long it may last.
   * @throws {DataError} If the FEN is wrong, or the side to move could take the other king.
   * @throws {RangeError} If the move limit is not a whole number of at least 1.
   */
  constructor(options: GameOptions = {}) {
    const { start = START_FEN, moveLimit = 200, id = "", playOn = false } = options;
    if (!(Number.isInteger(moveLimit) || moveLimit === Infinity) || moveLimit < 1) {
      throw new RangeError(
        `Cannot start a game: the move limit is ${moveLimit}, a whole number of at least 1 is wanted`,
      );
    }
    this.id = id;
    this.#moveLimit = moveLimit;
    this.#playOn = playOn;
    this.#board = parseFen(start);
    this.#legal = legalMoves(this.#board);
    this.start = makeFen(this.#board);
    // A FEN may name an en passant square that no pawn can use; the same board later in the game does not.
    if (this.#board.enPassant >= 0 && !this.#legal.some((move) => this.#takesEnPassant(move))) {
      this.#board = { ...this.#board, enPassant: -1 };
    }
    this.#seen.set(positionKey(this.#board), 1);
    this.#outcome = this.#judge(this.#board, this.#legal, 1, 0);
  }

  /** The position now. */
  get board(): Board {
    return this.#board;
  }

  /** The position now as a FEN. */
  get fen(): string {
    return makeFen(this.#board);
  }

  /** Every move played, in UCI notation. */
  get moves(): readonly string[] {
    return this.#moves;
  }

  /** The legal moves, sorted by their UCI text. They stay what they are after the end, for whoever wants to look. */
  get legal(): readonly ChessMove[] {
    return this.#legal;
  }

  /** How it ended; `undefined` while it goes on. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** How often a position has stood on the board in this game, now included. */
  timesSeen(board: Board): number {
    return this.#seen.get(positionKey(board)) ?? 0;
  }

  /**
   * The board after a move, without playing it.
   *
   * @param move One of `legal`.
   */
  look(move: ChessMove): Look {
    const board = playMove(this.#board, move);
    const seen = this.timesSeen(board);
    const outcome = this.#judge(board, undefined, seen + 1, this.#moves.length + 1);
    return { board, goesBack: seen > 0, ...(outcome === undefined ? {} : { outcome }) };
  }

  /**
   * Plays a move.
   *
   * @param uci One of `legal`, in UCI notation.
   * @throws {RangeError} If it is not legal or the game is over.
   */
  play(uci: string): void {
    if (this.#outcome !== undefined && !this.#playOn) {
      throw new RangeError(
        `Cannot play ${uci}: the game ended by ${this.#outcome.ending}, one that goes on is wanted`,
      );
    }
    const move = this.#legal.find((each) => each.uci === uci);
    if (move === undefined) {
      throw new RangeError(
        `Cannot play ${uci}: it is not legal in '${this.fen}', one of the legal moves is wanted`,
      );
    }
    this.#board = playMove(this.#board, move);
    this.#moves.push(uci);
    const key = positionKey(this.#board);
    const seen = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, seen);
    this.#legal = legalMoves(this.#board);
    this.#outcome = this.#judge(this.#board, this.#legal, seen, this.#moves.length);
  }

  #takesEnPassant(move: ChessMove): boolean {
    const flip = this.#board.side === "white" ? 0 : 56;
    return (move.to ^ flip) === this.#board.enPassant &&
      Math.abs(this.#board.squares[move.from ^ flip]!) === 1;
  }

  #judge(
    board: Board,
    moves: readonly ChessMove[] | undefined,
    seen: number,
    plies: number,
  ): Outcome | undefined {
    if ((moves ?? legalMoves(board)).length === 0) {
      return inCheck(board) ? { ending: "checkmate", winner: opposite(board.side) } : { ending: "stalemate" };
    }
    if (tooLittleMaterial(board)) return { ending: "too little material" };
    if (seen >= 3) return { ending: "third repetition" };
    if (board.halfmoves >= QUIET_PLIES) return { ending: "50 moves" };
    if (plies >= 2 * this.#moveLimit) return { ending: "move limit" };
    return undefined;
  }
}

/** What makes two positions the same: the FEN without its clocks. */
function positionKey(board: Board): string {
  return makeFen(board).split(" ").slice(0, 4).join(" ");
}
