import { type LongWork, writeFileAtomic } from "flychess/common";
import {
  FlyPlayer,
  greedyPlayer,
  type PlayedGame,
  playMatch,
  randomPlayer,
  type ReadoutFly,
} from "flychess/play";
import type { Interval } from "flychess/readout";
import { readNumbers } from "../making/make_figure.ts";

/** Who the flies play. */
export const OPPONENTS = ["random", "greedy"] as const;

/** How a fly's games end; `mates` are its own. */
export const ENDINGS = ["mates", "mated", "stalemates", "repetitions", "other draws"] as const;

/** How many of a fly's games ended how. */
export type EndingCounts = Readonly<Record<typeof ENDINGS[number], number>>;

/** A match of a fly. */
export interface FlyMatch extends LongWork {
  readonly opponent: typeof OPPONENTS[number];
  readonly games: number;
  /** Moves of each side after which a game is a draw. */
  readonly moveLimit: number | undefined;
  /** Seed of the opponent's dice. */
  readonly seed: number;
  /** Where the counts are kept. */
  readonly path: string;
  /** All that they depend on. */
  readonly key: string;
}

/** Lets a fly play a match, unless it has done so before, and counts how its games end. */
export async function countEndings(
  fly: ReadoutFly,
  { opponent, games, moveLimit, seed, path, key, signal, onProgress }: FlyMatch,
): Promise<EndingCounts> {
  const known = await readNumbers(path) as { key?: string; counts?: EndingCounts } | undefined;
  if (known?.key === key && known.counts !== undefined) return known.counts;
  const other = opponent === "random" ? randomPlayer({ seed }) : greedyPlayer({ seed });
  const match = await playMatch(new FlyPlayer(fly), other, {
    games,
    moveLimit,
    concurrency: 16,
    signal,
    onProgress,
  });
  const counts = { mates: 0, mated: 0, stalemates: 0, repetitions: 0, "other draws": 0 };
  for (const game of match.games) counts[endingOf(game)]++;
  await writeFileAtomic(path, JSON.stringify({ key, counts }) + "\n");
  return counts;
}

function endingOf({ result, ending, firstIsWhite, detail }: PlayedGame): keyof EndingCounts {
  if (ending === "player failed" || ending === "illegal move") {
    throw new Error(`Cannot count how games end: ${ending}, ${detail}`);
  }
  if (result !== "1/2-1/2") return (result === "1-0") === firstIsWhite ? "mates" : "mated";
  return ending === "stalemate"
    ? "stalemates"
    : ending === "third repetition"
    ? "repetitions"
    : "other draws";
}

/**
 * A share with its 95 % interval after Wilson (1927), times a factor.
 *
 * @param count How often it happened ...
 * @param of ... in how many games.
 * @param times What it is told as: 120 for "of 120 games".
 */
export function shareOf(count: number, of: number, times: number): Interval {
  const z = 1.959964, share = count / of, width = z * z / of;
  const middle = (share + width / 2) / (1 + width);
  const half = z / (1 + width) * Math.sqrt(share * (1 - share) / of + width / (4 * of));
  return { value: times * share, low: times * Math.max(0, middle - half), high: times * (middle + half) };
}
