/** What a player knows of each of its legal moves, one number or flag a move. */
export interface ImaginedMoves {
  /** `[moves]`: how much it likes the move, 0 to 1. */
  readonly probability: ArrayLike<number>;
  /** `[moves]`: how good the board after it is for the player, -1 to 1; not looked at where the game ends. */
  readonly value: ArrayLike<number>;
  /** `[moves]`: whether it checkmates. */
  readonly mates: readonly boolean[];
  /** `[moves]`: whether it ends the game in a draw by the rules. */
  readonly draws: readonly boolean[];
  /** `[moves]`: whether it brings back an earlier position of the game. */
  readonly goesBack: readonly boolean[];
}

/** The smallest probability whose logarithm is taken (reference, section 11). */
const LEAST_PROBABILITY = 1e-12;

/**
 * Chooses a move after a look at the board behind each (reference, section 11, with its later rule against going
 * back). A mate is played, the likeliest of several. Else a move scores log(probability) + weight x value, where a
 * draw is worth 0. While a move that neither draws nor goes back has a value above 0, only such moves count; while
 * only another that does not draw has one, drawing moves are out. Ties go to the likelier move, then to the first.
 *
 * @param moves What is known of each move.
 * @param weight How far the value is trusted: from 0, which leaves the favourite and the rules, to Infinity, the
 * value alone.
 * @returns The index of the chosen move.
 * @throws {RangeError} If there is no move, the lists differ in length, a number is not finite, or the weight is
 * negative.
 *
 * @example The favourite would stalemate
 * ```ts
 * import { imagine } from "flychess/play";
 * import assert from "node:assert/strict";
 *
 * const chosen = imagine({
 *   probability: [0.9, 0.1],
 *   value: [0, 0.5],
 *   mates: [false, false],
 *   draws: [true, false],
 *   goesBack: [false, false],
 * }, 1);
 * assert.equal(chosen, 1);
 * ```
 */
export function imagine(moves: ImaginedMoves, weight: number): number {
  const { probability, mates, draws, goesBack } = moves;
  check(moves, weight);
  const all = Array.from(probability, (_, i) => i);
  const value = all.map((i) => mates[i] ? 1 : draws[i] ? 0 : moves.value[i]!);
  const mating = all.filter((i) => mates[i]);
  if (mating.length > 0) return best(mating, (i) => probability[i]!, probability);
  const score = (i: number) =>
    weight === Infinity
      ? value[i]!
      : Math.log(Math.max(probability[i]!, LEAST_PROBABILITY)) + weight * value[i]!;
  const fresh = all.filter((i) => !draws[i] && !goesBack[i] && value[i]! > 0);
  if (fresh.length > 0) return best(fresh, score, probability);
  const playing = all.filter((i) => !draws[i]);
  return best(playing.some((i) => value[i]! > 0) ? playing : all, score, probability);
}

function best(
  among: readonly number[],
  score: (i: number) => number,
  probability: ArrayLike<number>,
): number {
  return among.reduce((a, b) => {
    const difference = score(b) - score(a);
    return difference > 0 || (difference === 0 && probability[b]! > probability[a]!) ? b : a;
  });
}

function check(moves: ImaginedMoves, weight: number): void {
  const { probability, value, mates, draws, goesBack } = moves;
  const count = probability.length;
  if (count === 0) throw new RangeError("Cannot imagine: there is no move, one or more is wanted");
  for (const [name, list] of Object.entries({ value, mates, draws, goesBack })) {
    if (list.length !== count) {
      throw new RangeError(
        `Cannot imagine: ${name} has ${list.length} moves, the probabilities' ${count} are wanted`,
      );
    }
  }
  for (let i = 0; i < count; i++) {
    const p = probability[i]!;
    const v = mates[i] || draws[i] ? 0 : value[i]!;
    if (!(p >= 0 && p <= 1) || !Number.isFinite(v)) {
      throw new RangeError(
        `Cannot imagine: move ${i} has probability ${p} and value ${v}, from 0 to 1 and a finite number are wanted`,
      );
    }
  }
  if (!(weight >= 0)) {
    throw new RangeError(`Cannot imagine: the weight is ${weight}, 0 or more is wanted`);
  }
}
