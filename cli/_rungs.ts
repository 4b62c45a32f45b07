import type { LadderPair } from "./_ladder_games.ts";

/** A ladder's rungs from the strongest, its anchor, down; neighbours play each other (reference, section 13). */
export const RUNGS = [
  "sf-elo:lowest",
  "sf-elo:lowest/25",
  "sf-elo:lowest/50",
  "sf-elo:lowest/75",
  "greedy",
  "random",
] as const;

/** Who plays whom: every rung its neighbour, every player every rung. */
export function ladderPairs(players: readonly string[]): LadderPair[] {
  const neighbours = RUNGS.slice(1).map((rung, i): LadderPair => [RUNGS[i]!, rung]);
  return [...neighbours, ...players.flatMap((name) => RUNGS.map((rung): LadderPair => [name, rung]))];
}
