import { inCheck, legalMoves, makeFen, parseFen, playMove, START_FEN, UciEngine } from "../chess/mod.ts";
import type { Side } from "../chess/mod.ts";
import { moveAccuracy, type Verdict, verdict } from "./accuracy.ts";
import { centipawnsOf } from "./suite.ts";

/** A game as text. */
export interface GameText {
  /** The first position as a FEN; the usual one by default. */
  readonly start?: string | undefined;
  /** `[plies]`: the moves in UCI notation. */
  readonly moves: readonly string[];
}

/** What an engine thinks of a move that was played. */
export interface GradedMove {
  /** Whose move. */
  readonly side: Side;
  /** The move, in UCI notation. */
  readonly move: string;
  /** What the engine would have played. */
  readonly best: string;
  /** Centipawns of the engine's move, for the side that moves; a mate in n is 10,000 - n. */
  readonly bestCentipawns: number;
  /** Centipawns of the move played. */
  readonly centipawns: number;
  /** 0 to 100 (Lichess; reference, section 12). */
  readonly accuracy: number;
  /** What Lichess calls it. */
  readonly verdict: Verdict;
}

/**
 * Grades every move of a game as Lichess does: the engine looks at each position once, and a move is worth what the
 * position after it is. A player's accuracy for the game is the plain mean of its moves' (reference, section 12).
 *
 * @param engine Who grades. At full strength, with one thread, the grades are the same every time.
 * @param game The game.
 * @param options `nodes` that it searches for each position; `from`, the first ply that is graded (0), for openings that
 * nobody chose; a signal.
 * @throws {RangeError} If a move is not legal.
 */
export async function analyseGame(
  engine: UciEngine,
  game: GameText,
  options: { readonly nodes: number; readonly from?: number; readonly signal?: AbortSignal | undefined },
): Promise<GradedMove[]> {
  const { nodes, from = 0, signal } = options;
  let board = parseFen(game.start ?? START_FEN);
  const look = async () => {
    const fen = makeFen(board);
    if (legalMoves(board).length === 0) return { best: undefined, cp: inCheck(board) ? -10_000 : 0 };
    await engine.newGame();
    const [line] = await engine.analyse(fen, { nodes, signal });
    return { best: line!.move, cp: centipawnsOf(line!) };
  };
  const graded: GradedMove[] = [];
  let before: Awaited<ReturnType<typeof look>> | undefined;
  for (const [ply, uci] of game.moves.entries()) {
    const move = legalMoves(board).find((each) => each.uci === uci);
    if (move === undefined) {
      throw new RangeError(
        `Cannot grade ${uci}: it is not legal in '${makeFen(board)}', one of the legal moves is wanted`,
      );
    }
    const { side } = board;
    if (ply >= from) before ??= await look();
    board = playMove(board, move);
    if (before === undefined) continue;
    const after = await look();
    const best = before.best!, isBest = best === uci;
    // The engine's own move is worth what it said of it: the look after it goes on from there and may say more.
    const centipawns = isBest ? before.cp : 0 - after.cp;
    graded.push({
      side,
      move: uci,
      best,
      bestCentipawns: before.cp,
      centipawns,
      accuracy: moveAccuracy(before.cp, centipawns),
      verdict: verdict(before.cp, centipawns, isBest),
    });
    before = after;
  }
  return graded;
}

/** How a side did in a graded game. */
export interface GameAccuracy {
  /** How many of its moves were graded. */
  readonly moves: number;
  /** Mean accuracy of its moves, 0 to 100; NaN without a move. */
  readonly accuracy: number;
  /** Its moves by verdict. */
  readonly verdicts: Readonly<Record<Verdict, number>>;
}

/**
 * A side's accuracy and verdicts.
 *
 * @param graded What `analyseGame` gave, of one game or of several.
 * @param side Whose.
 */
export function gameAccuracy(graded: readonly GradedMove[], side: Side): GameAccuracy {
  const own = graded.filter((each) => each.side === side);
  const verdicts = { best: 0, good: 0, inaccuracy: 0, mistake: 0, blunder: 0 };
  for (const each of own) verdicts[each.verdict]++;
  const accuracy = own.reduce((sum, each) => sum + each.accuracy, 0) / own.length;
  return { moves: own.length, accuracy, verdicts };
}
