import type { Game } from "./game.ts";

/** A move that a player chose, and what it thought. */
export interface Choice {
  /** In UCI notation. */
  readonly move: string;
  /** How likely the player found the move, 0 to 1, where it thinks in such terms. */
  readonly probability?: number;
}

/** What a player is told besides the game. */
export interface ChooseOptions {
  /** Ends the thinking; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Somebody who can play chess. It may be asked in several games at once, so it remembers nothing of them: all it
 * needs to know of a game is in the game. What holds processes or memory is disposed of by whoever made it.
 */
export interface Player {
  /** What it is called in tables and PGN. */
  readonly name: string;
  /**
   * Chooses a move of a game that goes on and in which it has the move. The game is not its to change.
   *
   * @param game The game.
   * @param options A signal.
   */
  choose(game: Game, options?: ChooseOptions): Promise<Choice>;
}

/** A player that has something to give back when it is done. */
export interface DisposablePlayer extends Player, AsyncDisposable {}
