import {
  type Board,
  type ChessMove,
  inCheck,
  legalMoves,
  makeFen,
  parseFen,
  playMove,
  START_FEN,
} from "../chess/mod.ts";
import { DataError } from "../common/mod.ts";
import type { SkipReason } from "./_position_rows.ts";
import { findSan } from "./_san.ts";
import { textHash } from "./_text_hash.ts";
import type { ShardRow } from "./shard.ts";
import { winProbability } from "./win_probability.ts";

/** A move is the teacher's too if it keeps all but this much of the chance to win: the reference's "good move". */
const GOOD = 0.01;
/** What Lichess calls the variants that are played like chess. */
const STANDARD = new Set(["", "standard", "from position", "chess"]);

/** A move of a game's text, with the evaluation after it, as the side that then moves would have it. */
interface Ply {
  readonly san: string;
  /** White's chance to win. */
  evaluation: number | undefined;
}

/**
 * The positions of one game that can be learned from, all under the game's number: one that depends on nothing but its
 * first position and its moves, so that a game is known again in another file.
 *
 * A PGN names one move a position, the one played. It is taken for the teacher's best where the evaluations before
 * and after it say that it loses no more than 1 win%; the row's chance to win is the one after it.
 *
 * @param text The whole game, tags and moves.
 */
export function pgnRows(text: string): { rows: ShardRow[]; skipped: SkipReason[] } {
  const { tags, plies } = parseGame(text);
  const replayed = replay(tags, plies);
  if (replayed === undefined) return { rows: [], skipped: ["badGame"] };
  const { boards, moves, last } = replayed;
  const game = textHash([makeFen(boards[0] ?? last), ...moves.map(({ uci }) => uci)].join(" ")) >>> 1;
  const rows: ShardRow[] = [];
  const skipped: SkipReason[] = [];
  for (const [ply, board] of boards.entries()) {
    const before = plies[ply - 1]?.evaluation;
    const ended = ply === boards.length - 1 ? outcome(last) : undefined;
    const after = ended ?? plies[ply]!.evaluation;
    if (before === undefined || after === undefined) {
      skipped.push("noEval");
      continue;
    }
    const mine = (chance: number) => board.side === "white" ? chance : 1 - chance;
    // Rounding must not turn exactly 1 win% into more.
    if (mine(after) < mine(before) - GOOD - 1e-9) skipped.push("poorMove");
    else rows.push({ fen: makeFen(board), moves: [{ uci: moves[ply]!.uci, winProb: mine(after) }], game });
  }
  return { rows, skipped };
}

/** White's chance in a position that ends the game; engines give none there. */
function outcome(board: Board): number | undefined {
  if (legalMoves(board).length > 0) return undefined;
  if (!inCheck(board)) return 0.5;
  return board.side === "white" ? 0 : 1;
}

/** Plays the moves; `undefined` where one is not legal or the rules are others. */
function replay(
  tags: ReadonlyMap<string, string>,
  plies: readonly Ply[],
): { boards: Board[]; moves: ChessMove[]; last: Board } | undefined {
  if (!STANDARD.has((tags.get("Variant") ?? "").toLowerCase())) return undefined;
  const boards: Board[] = [];
  const moves: ChessMove[] = [];
  let board: Board;
  try {
    board = parseFen(tags.get("FEN") ?? START_FEN);
    for (const { san } of plies) {
      const move = findSan(san, board, legalMoves(board));
      if (move === undefined) return undefined;
      boards.push(board);
      moves.push(move);
      board = playMove(board, move);
    }
  } catch (error) {
    if (error instanceof DataError) return undefined;
    throw error;
  }
  return { boards, moves, last: board };
}

/** The pieces of a game's text: comments, ends of lines, brackets, everything else between spaces. */
const TOKENS = /\{[^}]*\}?|;[^\n]*|\$\d+|[()]|[^\s{}();$]+/g;
/** Numbers of moves: `12.`, `12...`, the dots alone, or the number alone; not the zeros of `0-0`. */
const NUMBER = /^(\d+\.+|\.+|\d+$)/;
const RESULT = /^(1-0|0-1|1\/2-1\/2|\*)$/;

/** Tags and moves. Variations, signs and all comments but the evaluations are passed over. */
function parseGame(text: string): { tags: Map<string, string>; plies: Ply[] } {
  const tags = new Map<string, string>();
  const movetext: string[] = [];
  for (const line of text.split("\n")) {
    const tag = /^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$/.exec(line);
    if (tag) tags.set(tag[1]!, tag[2]!);
    else if (!line.startsWith("%")) movetext.push(line);
  }
  const plies: Ply[] = [];
  let depth = 0;
  for (const [token] of movetext.join("\n").matchAll(TOKENS)) {
    if (token === "(") depth++;
    else if (token === ")") depth = Math.max(0, depth - 1);
    else if (depth > 0 || token.startsWith("$") || token.startsWith(";")) continue;
    else if (token.startsWith("{")) {
      const last = plies.at(-1);
      if (last) last.evaluation ??= evaluationOf(token);
    } else if (!RESULT.test(token)) {
      const san = token.replace(NUMBER, "");
      if (san !== "") plies.push({ san, evaluation: undefined });
    }
  }
  return { tags, plies };
}

/** White's chance by `[%eval 0.35]`, in pawns, or `[%eval #-3]`, a mate. */
function evaluationOf(comment: string): number | undefined {
  const found = /\[%eval\s+(#?)([+-]?\d+(?:\.\d+)?)/.exec(comment);
  if (found === null) return undefined;
  if (found[1] === "#") return found[2]!.startsWith("-") ? 0 : 1;
  return winProbability(Math.round(100 * Number(found[2])));
}
