import { join } from "node:path";
import { DataError, readText, writeFileAtomic } from "../lib/common/mod.ts";
import { digest } from "../lib/common/digest.ts";
import { type MatchResult, OPENINGS, type Player, playMatch } from "../lib/play/mod.ts";
import type { Pairing } from "../lib/rating/mod.ts";

/** Two players of a ladder by name. */
export type LadderPair = readonly [first: string, second: string];

/** How a ladder's games are played and kept. */
export interface LadderGamesOptions {
  /** Where finished matches are kept. */
  readonly folder: string;
  /** What the games depend on besides the players' names. */
  readonly settings: Readonly<Record<string, string | number | undefined>>;
  /** Games at once. */
  readonly concurrency: number;
  /** Makes a player, once. */
  player(name: string): Promise<Player>;
  readonly signal: AbortSignal;
}

/** The games of a ladder: every finished piece of a match is a file, and is not played again. */
export class LadderGames {
  readonly #options: LadderGamesOptions;
  readonly #played = new Map<string, { readonly pair: LadderPair; readonly pieces: MatchResult[] }>();

  /**
   * Plays nothing yet.
   *
   * @param options How games are played and kept.
   */
  constructor(options: LadderGamesOptions) {
    this.#options = options;
  }

  /**
   * Lets two players play their next games, or finds them.
   *
   * @param onPlay Called if they have to be played.
   */
  async play(pair: LadderPair, games: number, onPlay: () => void = () => {}): Promise<void> {
    const { folder, settings, concurrency, player, signal } = this.#options;
    signal.throwIfAborted();
    const [first, second] = pair;
    const key = pair.join("\n");
    const known = this.#played.get(key) ?? { pair, pieces: [] };
    this.#played.set(key, known);
    const before = gamesOf(known.pieces);
    const own = { ...settings, games, ...before === 0 ? {} : { before } };
    const file = join(folder, `${digest([JSON.stringify([first, second, own])]).slice(0, 16)}.json`);
    let match = await keptMatch(file);
    if (match === undefined) {
      onPlay();
      const options = { games, before, concurrency, openings: OPENINGS, signal };
      match = await playMatch(await player(first), await player(second), options);
      await writeFileAtomic(file, JSON.stringify({ pairing: pair, settings: own, ...match }) + "\n");
    }
    known.pieces.push(match);
  }

  /** How many games were played, those that a player could not finish included. */
  get count(): number {
    return [...this.#played.values()].reduce((sum, { pieces }) => sum + gamesOf(pieces), 0);
  }

  /** What everybody did against everybody. */
  get pairings(): Pairing[] {
    return [...this.#played.values()].map(({ pair: [first, second], pieces }) => {
      const sum = (of: "wins" | "draws" | "losses") => pieces.reduce((sum, piece) => sum + piece[of], 0);
      return { first, second, wins: sum("wins"), draws: sum("draws"), losses: sum("losses") };
    });
  }
}

function gamesOf(pieces: readonly MatchResult[]): number {
  return pieces.reduce((sum, piece) => sum + piece.games.length, 0);
}

async function keptMatch(file: string): Promise<MatchResult | undefined> {
  const text = await readText(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as MatchResult;
  } catch {
    throw new DataError(`Cannot read ${file}: it is no JSON, a match is wanted; remove it to play it again`);
  }
}
