import { UciEngine } from "../lib/chess/mod.ts";
import type { LongWork } from "../lib/common/mod.ts";
import type { MatchResult, Opening } from "../lib/play/mod.ts";
import { analyseGame, gameAccuracy, type GradedMove, VERDICTS } from "../lib/rating/mod.ts";
import { findStockfish } from "./_stockfish.ts";
import { table } from "./_table.ts";

/** A game's grades. */
export interface GradedGame {
  /** The game's number in the match. */
  readonly number: number;
  /** Every move after the opening. */
  readonly moves: readonly GradedMove[];
}

/** Has Stockfish grade every move of a match but those of the openings. */
export async function gradeMatch(
  { games }: MatchResult,
  openings: readonly Opening[],
  { nodes, signal, onProgress }: LongWork & { readonly nodes: number },
): Promise<GradedGame[]> {
  await using engine = await UciEngine.start({ path: await findStockfish(), options: { Threads: 1 } });
  const graded: GradedGame[] = [];
  for (const game of games) {
    const from = openings.find(({ name }) => name === game.opening)?.moves.length ?? 0;
    graded.push({ number: game.number, moves: await analyseGame(engine, game, { nodes, from, signal }) });
    onProgress?.({ task: "grading", done: graded.length, total: games.length, unit: "games" });
  }
  return graded;
}

/** Accuracy and verdicts of both players, game by game. */
export function gradesTable({ first, second, games }: MatchResult, graded: readonly GradedGame[]): string {
  const rows = graded.flatMap(({ number, moves }) => {
    const { white, black, result } = games.find((game) => game.number === number)!;
    return (["white", "black"] as const).map((side) => {
      const { moves: count, accuracy, verdicts } = gameAccuracy(moves, side);
      return {
        player: side === "white" ? white : black,
        accuracy,
        cells: [
          side === "white" ? `${number}  ${result}` : "",
          side === "white" ? white : black,
          String(count),
          count === 0 ? "" : `${accuracy.toFixed(1)} %`,
          ...VERDICTS.map((each) => String(verdicts[each])),
        ],
      };
    });
  });
  const mean = (name: string) => {
    const own = rows.filter(({ player, accuracy }) => player === name && !Number.isNaN(accuracy));
    const sum = own.reduce((sum, { accuracy }) => sum + accuracy, 0);
    return own.length === 0 ? `${name} none` : `${name} ${(sum / own.length).toFixed(1)} %`;
  };
  return `${
    table(["game", "player", "moves", "accuracy", ...VERDICTS], rows.map(({ cells }) => cells))
  }\n\n` +
    `Accuracy, the mean of the games: ${[...new Set([first, second])].map(mean).join(", ")}.`;
}
