import type { LongWork } from "../common/mod.ts";
import { materialBalance } from "./_material.ts";
import { type Ending, Game } from "./game.ts";
import { type Opening, OPENINGS } from "./openings.ts";
import type { Player } from "./player.ts";

/** How a game of a match ended: by the rules, or because a player could not go on. */
export type MatchEnding = Ending | "illegal move" | "player failed";

/** How a result is written in PGN; `*` for a game that nobody finished. */
export type GameResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/** A game that was played. */
export interface PlayedGame {
  /** From 1, in the order of the match. */
  readonly number: number;
  /** Who had White. */
  readonly white: string;
  /** Who had Black. */
  readonly black: string;
  /** Whether the match's first player had White. */
  readonly firstIsWhite: boolean;
  /** The beginning that they were given. */
  readonly opening: string;
  /** The first position as a FEN. */
  readonly start: string;
  /** `[plies]`: every move in UCI notation, the opening's included. */
  readonly moves: readonly string[];
  /** `[plies]`: how likely the player found its move, 0 to 1; `null` where it does not say. */
  readonly probability: readonly (number | null)[];
  /** `[plies]`: White's pieces minus Black's in pawns after each move. */
  readonly material: readonly number[];
  /** Who won. */
  readonly result: GameResult;
  /** Why it ended. */
  readonly ending: MatchEnding;
  /** What happened, where it was not the rules. */
  readonly detail?: string;
}

/** A match and its sums, from the first player's side. */
export interface MatchResult {
  /** The first player. */
  readonly first: string;
  /** The second player. */
  readonly second: string;
  /** Games that the first player won. */
  readonly wins: number;
  /** Draws. */
  readonly draws: number;
  /** Games that the first player lost. */
  readonly losses: number;
  /** Games that ended because a player failed; they count for nobody. */
  readonly unfinished: number;
  /** Every game, in the order of their numbers. */
  readonly games: readonly PlayedGame[];
}

/** How a match is played. */
export interface MatchOptions extends LongWork {
  /** How many games; 20 by default. */
  readonly games?: number | undefined;
  /** Games of the match that were played before: numbers, colours, openings and dice go on from there; none by default. */
  readonly before?: number | undefined;
  /** Beginnings, each for two games with the colours changed; well-known ones by default. */
  readonly openings?: readonly Opening[] | undefined;
  /** Games at once, so that a brain is asked about many boards together; 8 by default. */
  readonly concurrency?: number | undefined;
  /** Moves of each side after which a game is a draw; 200 by default. */
  readonly moveLimit?: number | undefined;
  /** Called with every game that has ended, in the order in which they end. */
  readonly onGame?: ((game: PlayedGame) => void | Promise<void>) | undefined;
}

/**
 * Lets two players play. The first has White in games 1, 3, 5, ...; games 1 and 2 share an opening, and so on. Games end
 * by the rules, when they happen. A player that plays an illegal move loses; one that throws ends the game without a
 * result, and the match goes on. Players with processes are their maker's to dispose of (`await using`).
 *
 * @param first A player.
 * @param second Another, or the same.
 * @param options How many games, from where, how many at once.
 * @returns The games and the first player's sums.
 * @throws {RangeError} If a number is not a whole number of at least 1, or an opening has an illegal move.
 *
 * @example Two movers without a plan
 * ```ts
 * import { greedyPlayer, playMatch, randomPlayer } from "flychess/play";
 * import assert from "node:assert/strict";
 *
 * const match = await playMatch(greedyPlayer(), randomPlayer(), { games: 2, moveLimit: 30 });
 * assert.equal(match.wins + match.draws + match.losses, 2);
 * assert.equal(match.games[1]!.white, "random");
 * ```
 */
export async function playMatch(
  first: Player,
  second: Player,
  options: MatchOptions = {},
): Promise<MatchResult> {
  const { games = 20, before = 0, openings = OPENINGS, concurrency = 8, moveLimit } = options;
  const { signal, onProgress, onGame } = options;
  for (const [name, value] of Object.entries({ games, concurrency, openings: openings.length })) {
    if (!Number.isInteger(value) || value < 1) {
      throw new RangeError(
        `Cannot play a match: ${name} is ${value}, a whole number of at least 1 is wanted`,
      );
    }
  }
  if (!Number.isInteger(before) || before < 0) {
    throw new RangeError(`Cannot play a match: before is ${before}, a whole number from 0 is wanted`);
  }
  // Every opening is played through now, so that a wrong one is found before the first game.
  for (const opening of openings) begin(opening, moveLimit, "");
  const played: PlayedGame[] = [];
  // If one game stops the match (a signal, `onGame`), the others stop before their next move.
  const stop = new AbortController();
  const signals = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  let next = 0;
  let done = 0;
  const table = async () => {
    while (next < games) {
      const place = next++, index = before + place;
      const firstIsWhite = index % 2 === 0;
      const opening = openings[(index >> 1) % openings.length]!;
      const [white, black] = firstIsWhite ? [first, second] : [second, first];
      try {
        const game = begin(opening, moveLimit, String(index + 1));
        const report = await playGame(white, black, game, signals);
        played[place] = { number: index + 1, firstIsWhite, opening: opening.name, ...report };
        await onGame?.(played[place]!);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
      onProgress?.({ task: "playing", done: ++done, total: games, unit: "games" });
    }
  };
  const tables = await Promise.allSettled(Array.from({ length: Math.min(concurrency, games) }, table));
  signal?.throwIfAborted();
  const failed = tables.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
  const count = (won: GameResult, lost: GameResult) =>
    played.filter(({ result, firstIsWhite }) => result === (firstIsWhite ? won : lost)).length;
  return {
    first: first.name,
    second: second.name,
    wins: count("1-0", "0-1"),
    draws: count("1/2-1/2", "1/2-1/2"),
    losses: count("0-1", "1-0"),
    unfinished: count("*", "*"),
    games: played,
  };
}

function begin(opening: Opening, moveLimit: number | undefined, id: string): Game {
  const game = new Game({ start: opening.start, moveLimit, id });
  for (const move of opening.moves) game.play(move);
  return game;
}

type Report = Omit<PlayedGame, "number" | "firstIsWhite" | "opening">;

async function playGame(white: Player, black: Player, game: Game, signal: AbortSignal): Promise<Report> {
  const replay = new Game({ start: game.start, moveLimit: Infinity });
  const material = game.moves.map((move) => {
    replay.play(move);
    return materialBalance(replay.board);
  });
  const probability: (number | null)[] = material.map(() => null);
  const report = (result: GameResult, ending: MatchEnding, detail?: string): Report => ({
    white: white.name,
    black: black.name,
    start: game.start,
    moves: [...game.moves],
    probability,
    material,
    result,
    ending,
    ...(detail === undefined ? {} : { detail }),
  });
  while (game.outcome === undefined) {
    signal.throwIfAborted();
    const whiteMoves = game.board.side === "white";
    const player = whiteMoves ? white : black;
    let choice;
    try {
      choice = await player.choose(game, { signal });
    } catch (error) {
      signal.throwIfAborted();
      return report("*", "player failed", error instanceof Error ? error.message : String(error));
    }
    if (!game.legal.some(({ uci }) => uci === choice.move)) {
      const detail = `${player.name} played ${choice.move} in '${game.fen}', which is not legal`;
      return report(whiteMoves ? "0-1" : "1-0", "illegal move", detail);
    }
    game.play(choice.move);
    probability.push(choice.probability ?? null);
    material.push(materialBalance(game.board));
  }
  const { winner, ending } = game.outcome;
  return report(winner === undefined ? "1/2-1/2" : winner === "white" ? "1-0" : "0-1", ending);
}
