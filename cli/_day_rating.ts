import { join } from "node:path";
import type { FlyBrain } from "../lib/brain/mod.ts";
import { UciEngine } from "../lib/chess/mod.ts";
import { digest, type LongWork } from "../lib/common/mod.ts";
import type { Eye } from "../lib/eye/mod.ts";
import { FlyPlayer, lowestElo, type Player } from "../lib/play/mod.ts";
import { rateLadder } from "../lib/rating/mod.ts";
import { loadReadout } from "../lib/readout/mod.ts";
import { LadderGames } from "./_ladder_games.ts";
import { Flies } from "./_load_fly.ts";
import { makePlayer } from "./_players.ts";
import { ladderPairs, RUNGS } from "./_rungs.ts";
import { findStockfish } from "./_stockfish.ts";
import type { LogValues } from "../lib/training/day/day_steps.ts";

/** How a long run's fly plays for a rating after every fit. */
export interface DayRatingOptions {
  /** The run's folder: finished matches are kept in `ladder/`. */
  readonly folder: string;
  readonly brain: FlyBrain;
  readonly eye: Eye;
  /** The steps whose mean the readout reads. */
  readonly steps: readonly number[];
  /** Games against each rung. */
  readonly games: number;
  /** Positions a move for Stockfish. */
  readonly nodes: number;
  readonly seed: number;
}

/**
 * Rates a long run's fly as `fly ladder` does: it plays every rung. The rungs play each other once, for the first fit;
 * finished matches are kept, so that a run that is stopped while it plays goes on with the next one.
 *
 * @returns What goes into the log: `elo`, the ends of its 95 % interval where the games set them, and its games.
 * @throws {EngineError} If there is no Stockfish.
 */
export async function rateDay(
  { folder, brain, eye, steps, games, nodes, seed }: DayRatingOptions,
  fits: number,
  { signal = new AbortController().signal, onProgress }: LongWork,
): Promise<LogValues> {
  await using stack = new AsyncDisposableStack();
  const flies = stack.use(new Flies());
  const path = join(folder, "readout.arrow");
  const { readout } = await loadReadout(path);
  const name = `fit ${fits} (${digest([await Deno.readFile(path)]).slice(0, 8)})`;
  const players = new Map<string, Promise<Player>>();
  const player = (wanted: string): Promise<Player> => {
    const made = players.get(wanted) ??
      (wanted === name
        ? Promise.resolve(new FlyPlayer({ brain, eye, readout, steps }, { name }))
        : makePlayer(
          wanted,
          { flies, nodes, seed: seed + RUNGS.indexOf(wanted as typeof RUNGS[number]) >>> 0 },
          stack,
        ));
    players.set(wanted, made);
    return made;
  };
  const ladder = new LadderGames({
    folder: join(folder, "ladder"),
    settings: { games, nodes, seed },
    concurrency: games,
    player,
    signal,
  });
  await Deno.mkdir(join(folder, "ladder"), { recursive: true });
  const pairs = ladderPairs([name]);
  for (const [i, pair] of pairs.entries()) {
    await ladder.play(pair, games, () => {
      onProgress?.({ task: pair.join(" against "), done: i, total: pairs.length, unit: "matches" });
    });
  }
  await using engine = await UciEngine.start({ path: await findStockfish() });
  const { players: rated } = rateLadder(ladder.pairings, {
    anchor: { player: RUNGS[0], rating: lowestElo(engine) },
  });
  const { rating, low, high, games: played, score } = rated.find(({ player }) => player === name)!;
  const end = (value: number) => Number.isFinite(value) ? Math.round(value) : null;
  return { elo: Math.round(rating), eloLow: end(low), eloHigh: end(high), games: played, score };
}
