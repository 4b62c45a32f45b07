import { Game, type GameOptions } from "./game.ts";

/** Lichess's curve from centipawns to win probability (reference, section 12), for the way back. */
const WIN_CURVE = 0.00368208;
/** Centipawns at which the curve is as good as flat. */
const MOST_CENTIPAWNS = 1000;

/** A value from -1 (lost) to 1 (won) in centipawns, as chess programs show it. */
export function centipawns(value: number): number {
  const cp = Math.log((1 + value) / (1 - value)) / WIN_CURVE;
  return Math.round(Math.max(-MOST_CENTIPAWNS, Math.min(MOST_CENTIPAWNS, cp)));
}

/**
 * The game of a `position` command: a first position and the moves since.
 *
 * @throws {DataError | RangeError} If the FEN is wrong or a move illegal.
 */
export function readPosition(words: readonly string[]): Game {
  const at = words.indexOf("moves");
  const [kind, ...fen] = words.slice(0, at < 0 ? undefined : at);
  if (kind !== "startpos" && kind !== "fen") {
    throw new RangeError(`Cannot set up a position: '${kind ?? ""}' is given, startpos or fen is wanted`);
  }
  const options: GameOptions = { playOn: true, moveLimit: Infinity };
  const game = new Game(kind === "fen" ? { ...options, start: fen.join(" ") } : options);
  for (const move of at < 0 ? [] : words.slice(at + 1)) game.play(move.toLowerCase());
  return game;
}

/** A weight as people type it: a number of at least 0, or inf. */
export function readWeight(text: string): number {
  const weight = /^inf(inity)?$/i.test(text) ? Infinity : Number(text);
  if (text.trim() === "" || !(weight >= 0)) {
    throw new RangeError(`Cannot set Weight: '${text}' is given, a number of at least 0 or inf is wanted`);
  }
  return weight;
}

/** A yes or no as UCI writes it. */
export function readCheck(name: string, text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new RangeError(`Cannot set ${name}: '${text}' is given, true or false is wanted`);
}

/** A whole number within limits. */
export function readSpin(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new RangeError(
    `Cannot set ${name}: '${text}' is given, a whole number from ${least} to ${most} is wanted`,
  );
}
