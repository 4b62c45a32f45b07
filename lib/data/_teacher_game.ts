import {
  type Board,
  type EngineLine,
  legalMoves,
  makeFen,
  parseFen,
  playMove,
  START_FEN,
} from "../chess/mod.ts";
import type { UciEngine } from "../chess/mod.ts";
import { DataError, Random } from "../common/mod.ts";
import type { LabelledMove, ShardRow } from "./shard.ts";
import { winProbability } from "./win_probability.ts";

/** A game's temperature in win%, drawn evenly between these. */
const TEMPERATURE = [0.5, 8] as const;
/** The most random plies at the start; each number from 0 up is equally likely. */
const RANDOM_START = 4;
/** A game's share of random moves after them is this times a squared draw: most games have few. */
const RANDOM_SHARE = 0.25;
/** Games that stop once they are decided, as people resign; the others are played out, for their endgames. */
const STOPPING_SHARE = 0.8;
/** A game is decided when the best move has kept the side to move this far from 0 or 1 ... */
const DECIDED = 0.05;
/** ... for this many plies. */
const DECIDED_PLIES = 6;
/** No game is longer, in plies. */
const LONGEST = 160;

/** What a game's content depends on, besides the version of the engine. */
export interface TeacherGameSettings {
  /** Seed of the whole set. */
  readonly seed: number;
  /** Positions the engine searches for each label. */
  readonly nodes: number;
}

/**
 * The engine's opinion of every legal move of one position, in its order from the best. It forgets everything
 * first, so a label depends on nothing but the FEN, the number of nodes and the engine's version.
 *
 * In a wild position the first ply alone may take thousands of nodes (its captures are followed to the end); if
 * not every move was scored, the engine searches again with twice the nodes, up to 64 times as many.
 *
 * @throws {DataError} If the engine does not score each legal move once.
 */
export async function labelPosition(
  engine: UciEngine,
  board: Board,
  nodes: number,
  signal?: AbortSignal,
): Promise<LabelledMove[]> {
  const fen = makeFen(board);
  const wanted = legalMoves(board).map(({ uci }) => uci).sort().join();
  let lines: EngineLine[] = [];
  for (let limit = nodes; limit <= 64 * nodes; limit *= 2) {
    await engine.newGame();
    lines = await engine.analyse(fen, { nodes: limit, multiPv: "all", signal });
    if (lines.map(({ move }) => move).sort().join() !== wanted) continue;
    return lines.map(({ move, cp, mate }) => ({
      uci: move,
      winProb: mate === undefined ? roundProbability(winProbability(cp ?? 0)) : mate > 0 ? 1 : 0,
      ...(mate === undefined ? {} : { mate }),
    }));
  }
  throw new DataError(
    `Cannot label '${fen}': ${engine.name} scored ${lines.length} moves within ${64 * nodes} nodes, ` +
      `each of the ${wanted.split(",").length} legal moves is wanted`,
  );
}

/** Four decimals: a tenth of what labels are rounded to when positions are prepared. */
function roundProbability(probability: number): number {
  return Math.round(probability * 1e4) / 1e4;
}

/**
 * Plays one game of the teacher against itself and labels every position on the way. One search a position: the
 * label is also what the next move is drawn from.
 */
export async function playTeacherGame(
  engine: UciEngine,
  game: number,
  settings: TeacherGameSettings,
  signal?: AbortSignal,
): Promise<ShardRow[]> {
  const random = new Random(settings.seed, `teacher game ${game}`);
  const [coolest, hottest] = TEMPERATURE;
  const temperature = coolest + (hottest - coolest) * random.float();
  const randomShare = RANDOM_SHARE * random.float() ** 2;
  const randomStart = random.int(RANDOM_START + 1);
  const stops = random.float() < STOPPING_SHARE;

  const rows: ShardRow[] = [];
  const visits = new Map<string, number>();
  let board = parseFen(START_FEN);
  let decided = 0;
  for (let ply = 0; ply < LONGEST; ply++) {
    const legal = legalMoves(board);
    if (legal.length === 0 || isDraw(board, visits)) break;
    const moves = await labelPosition(engine, board, settings.nodes, signal);
    rows.push({ fen: makeFen(board), moves, game });
    const best = moves[0]!.winProb;
    decided = best < DECIDED || best > 1 - DECIDED ? decided + 1 : 0;
    if (stops && decided >= DECIDED_PLIES) break;
    const byChance = ply < randomStart || random.float() < randomShare;
    const uci = byChance ? legal[random.int(legal.length)]!.uci : drawMove(moves, temperature, random);
    board = playMove(board, legal.find((move) => move.uci === uci)!);
  }
  return rows;
}

/** Draws a move with weight exp(win% / temperature). */
function drawMove(moves: readonly LabelledMove[], temperature: number, random: Random): string {
  // A short mate counts a little over a long one, so that won games come to an end.
  const values = moves.map(({ winProb, mate }) => 100 * winProb + (Number(mate) > 0 ? 1 / Number(mate) : 0));
  const most = Math.max(...values);
  const weights = values.map((value) => Math.exp((value - most) / temperature));
  let left = random.float() * weights.reduce((sum, weight) => sum + weight, 0);
  const chosen = weights.findIndex((weight) => (left -= weight) < 0);
  return moves[Math.max(chosen, 0)]!.uci;
}

/** Fifty moves without progress, the third time on one board, or too little left to mate with. */
function isDraw(board: Board, visits: Map<string, number>): boolean {
  const key = makeFen(board).split(" ").slice(0, 4).join(" ");
  const times = (visits.get(key) ?? 0) + 1;
  visits.set(key, times);
  return times >= 3 || board.halfmoves >= 100 || isBare(board);
}

/** Two kings, with at most one knight or bishop between them. */
function isBare(board: Board): boolean {
  const kinds = [...board.squares].filter((piece) => piece !== 0).map(Math.abs).sort();
  return kinds.length === 2 || (kinds.length === 3 && (kinds[0] === 2 || kinds[0] === 3));
}
