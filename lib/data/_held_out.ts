import { boardKey } from "./_board_key.ts";
import { BOARD_BYTES, type Positions } from "./positions.ts";

/** Why a row may not be trained on. */
export type HeldReason = "heldGame" | "heldBoard";

/** The boards and games of held-out rows: what may not be trained on. A board and its mirror are one. */
export class HeldOut {
  readonly #boards = new Set<number>();
  readonly #games = new Set<number>();

  /** The HOLD and VAL rows of some sets. */
  static of(sets: readonly Positions[]): HeldOut {
    const held = new HeldOut();
    for (const { board, game, hold, val } of sets) {
      for (let row = 0; row < hold + val; row++) {
        held.add(game[row]!, boardKey(board, row * BOARD_BYTES, BOARD_BYTES));
      }
    }
    return held;
  }

  /** Holds a row out. */
  add(game: number, board: number): void {
    this.#boards.add(board);
    if (game >= 0) this.#games.add(game);
  }

  /** Why a row may not be trained on; `undefined` if it may. */
  reason(game: number, board: number): HeldReason | undefined {
    if (game >= 0 && this.#games.has(game)) return "heldGame";
    return this.#boards.has(board) ? "heldBoard" : undefined;
  }
}
