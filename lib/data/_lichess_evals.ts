import type { SkipReason } from "./_position_rows.ts";
import type { LabelledMove, ShardRow } from "./shard.ts";
import { winProbability } from "./win_probability.ts";

/** Candidates that are taken from a position; the dump seldom has more. */
const CANDIDATES = 5;

/** What one candidate of the dump is: its score, from White's side, and the moves that are expected. */
interface Candidate {
  readonly cp?: unknown;
  readonly mate?: unknown;
  readonly line?: unknown;
}

/** One engine's opinion of a position. */
interface Evaluation {
  readonly pvs: readonly Candidate[];
  readonly depth: number;
  readonly knodes: number;
}

/**
 * One line of the Lichess evaluation dump as a row: of several evaluations the one with the most candidates, up to 5,
 * then the deepest, then the one with the most nodes. Scores are turned to the side that moves and to chances by
 * Lichess's curve; a mate is 1 or 0.
 *
 * @param line JSON: `{"fen", "evals": [{"pvs": [{"cp" | "mate", "line"}], "knodes", "depth"}]}`.
 * @returns The row, or why there is none.
 */
export function lichessRow(line: string): ShardRow | SkipReason {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return "badRecord";
  }
  if (!isRecord(record) || typeof record.fen !== "string" || !Array.isArray(record.evals)) return "badRecord";
  const [placement, side, castling] = record.fen.split(" ");
  if (placement === undefined || castling === undefined) return "badFen";
  if (!castlesAtHome(placement, castling)) return "chess960";
  const evaluation = bestEvaluation(record.evals);
  if (evaluation === undefined) return "noMoves";
  const moves: LabelledMove[] = [];
  for (const candidate of evaluation.pvs.slice(0, CANDIDATES)) {
    const move = labelled(candidate, castling, side === "b" ? -1 : 1);
    if (move === undefined) return "badRecord";
    moves.push(move);
  }
  return { fen: record.fen, moves };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function bestEvaluation(evals: readonly unknown[]): Evaluation | undefined {
  let best: Evaluation | undefined;
  for (const each of evals) {
    if (!isRecord(each) || !Array.isArray(each.pvs) || each.pvs.length === 0) continue;
    const found = { pvs: each.pvs, depth: Number(each.depth ?? 0), knodes: Number(each.knodes ?? 0) };
    const count = Math.min(found.pvs.length, CANDIDATES);
    const most = Math.min(best?.pvs.length ?? 0, CANDIDATES);
    if (
      best === undefined || count > most ||
      (count === most &&
        (found.depth > best.depth || (found.depth === best.depth && found.knodes > best.knodes)))
    ) best = found;
  }
  return best;
}

function labelled(candidate: unknown, castling: string, sign: number): LabelledMove | undefined {
  if (!isRecord(candidate) || typeof candidate.line !== "string") return undefined;
  const uci = castlingMove(candidate.line.split(" ", 1)[0]!, castling);
  if (Number.isInteger(candidate.mate)) {
    const mate = sign * Number(candidate.mate);
    return mate === 0 ? undefined : { uci, winProb: mate > 0 ? 1 : 0, mate };
  }
  return Number.isInteger(candidate.cp)
    ? { uci, winProb: winProbability(sign * Number(candidate.cp)) }
    : undefined;
}

/** Castling as king takes rook, which the dump's lines write, and the right it needs. */
const KING_TAKES_ROOK = new Map([
  ["e1h1", { right: "K", uci: "e1g1" }],
  ["e1a1", { right: "Q", uci: "e1c1" }],
  ["e8h8", { right: "k", uci: "e8g8" }],
  ["e8a8", { right: "q", uci: "e8c8" }],
]);

/** A castling move as the king's two squares. With the right, the king stands on e1 or e8: no other move looks so. */
function castlingMove(uci: string, castling: string): string {
  const castles = KING_TAKES_ROOK.get(uci);
  return castles !== undefined && castling.includes(castles.right) ? castles.uci : uci;
}

/** Whether all castling rights are those of ordinary chess: king on the e file, rooks in the corners. */
function castlesAtHome(placement: string, castling: string): boolean {
  if (castling === "-") return true;
  const ranks = placement.split("/");
  const white = squares(ranks[7] ?? "");
  const black = squares(ranks[0] ?? "");
  for (const letter of castling) {
    const rank = letter === letter.toUpperCase() ? white : black;
    const [king, rook] = rank === white ? ["K", "R"] : ["k", "r"];
    const corner = { k: 7, q: 0 }[letter.toLowerCase()];
    if (corner === undefined || rank[4] !== king || rank[corner] !== rook) return false;
  }
  return true;
}

/** A rank of a FEN with a character a square. */
function squares(rank: string): string {
  return rank.replaceAll(/[1-8]/g, (digit) => ".".repeat(Number(digit)));
}
