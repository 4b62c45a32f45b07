import { Chess } from "chess.js";
import { START_FEN } from "../chess/mod.ts";
import type { PlayedGame } from "./match.ts";

/** What a PGN says besides the game. */
export interface PgnOptions {
  /** The event; `flychess match` by default. */
  readonly event?: string | undefined;
  /** The day as `2026.01.31`; unknown by default. */
  readonly date?: string | undefined;
}

/**
 * A game as PGN, which every chess program opens; written by chess.js. How likely a fly found its moves stands behind
 * them as comments, how the game ended in the tag `Termination` and, where a player failed, as a comment at the end.
 *
 * @param game A game of `playMatch`.
 * @param options The event and the day.
 */
export function makePgn(game: PlayedGame, options: PgnOptions = {}): string {
  const chess = new Chess(game.start);
  const tags = {
    Event: options.event ?? "flychess match",
    Site: "?",
    Date: options.date ?? "????.??.??",
    Round: String(game.number),
    White: game.white,
    Black: game.black,
    Result: game.result,
    Opening: game.opening,
    Termination: game.ending,
    ...(game.start === START_FEN ? {} : { SetUp: "1", FEN: game.start }),
  };
  for (const [name, value] of Object.entries(tags)) {
    chess.setHeader(name, value.replaceAll(/["\\\r\n]/g, " "));
  }
  game.moves.forEach((uci, ply) => {
    chess.move({
      from: uci.slice(0, 2),
      to: uci.slice(2, 4),
      ...(uci.length === 5 ? { promotion: uci[4]! } : {}),
    });
    const probability = game.probability[ply];
    const comments = typeof probability === "number" ? [`${(100 * probability).toFixed(1)} %`] : [];
    if (ply === game.moves.length - 1 && game.detail !== undefined) {
      comments.push(game.detail.replaceAll(/[{}\r\n]/g, " "));
    }
    if (comments.length > 0) chess.setComment(comments.join("; "));
  });
  const [header, moves] = chess.pgn({ newline: "\n" }).split(/\n\n/) as [string, string];
  return `${header}\n\n${wrap(moves, 80)}\n`;
}

/** Breaks lines at spaces. chess.js would too, but loses a space now and then where a comment ends a line. */
function wrap(text: string, width: number): string {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}
