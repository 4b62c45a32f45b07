import { movePolicy } from "flychess/chess";
import type { Interval } from "flychess/readout";
import { BOARD_BYTES } from "../../lib/data/positions.ts";
import { bootstrapMeans } from "../../lib/readout/_bootstrap.ts";

/** Kinds of pieces, by what the favourite move does with them. */
export const ROLES = [
  "the piece that moves",
  "the piece that is taken",
  "own king",
  "other own pieces",
  "opponent's king",
  "opponent's other pieces",
] as const;

/** A board and the boards with one piece less. */
export interface Occluded {
  /** Squares that are covered, one a board. */
  readonly squares: readonly number[];
  /** The plane of the piece on each. */
  readonly planes: readonly number[];
  /** `[1 + squares][96]`: the board itself, then without each piece. */
  readonly boards: Uint8Array;
}

/** Takes the pieces off a board one by one. */
export function occlude(board: Uint8Array): Occluded {
  const squares: number[] = [], planes: number[] = [];
  for (let square = 0; square < 64; square++) {
    for (let plane = 0; plane < 12; plane++) {
      const bit = 64 * plane + square;
      if ((board[bit >> 3]! >> (bit & 7) & 1) === 0) continue;
      squares.push(square);
      planes.push(plane);
    }
  }
  const boards = new Uint8Array((1 + squares.length) * BOARD_BYTES);
  for (let i = 0; i <= squares.length; i++) boards.set(board, i * BOARD_BYTES);
  for (const [i, square] of squares.entries()) {
    const bit = 64 * planes[i]! + square;
    boards[(1 + i) * BOARD_BYTES + (bit >> 3)]! &= ~(1 << (bit & 7));
  }
  return { squares, planes, boards };
}

/** What covering each piece of one position does to an answer. */
export interface Effects {
  readonly squares: readonly number[];
  readonly planes: readonly number[];
  /** Role of each, a place in `ROLES`. */
  readonly roles: readonly number[];
  /** Total variation between the answers: the probability that moves elsewhere, 0 to 1. */
  readonly moved: readonly number[];
  /** 1 where the favourite is another move. */
  readonly changed: readonly number[];
  /** The favourite of the uncovered board, packed. */
  readonly favourite: number;
  /** Its probability. */
  readonly probability: number;
}

/**
 * Compares the answers to covered boards with that to the whole board, over the same legal moves.
 *
 * @param scores One row of scores a board of `occlude`.
 * @param width Scores a row.
 * @param moves The legal moves, packed.
 */
export function effectsOf(
  { squares, planes }: Occluded,
  scores: Float32Array,
  width: number,
  moves: ArrayLike<number>,
): Effects {
  const policy = (row: number) => movePolicy(scores.subarray(row * width, (row + 1) * width), moves);
  const top = (probabilities: Float64Array) => probabilities.indexOf(Math.max(...probabilities));
  const whole = policy(0), best = top(whole), favourite = moves[best]!;
  const [from, to] = [favourite & 63, favourite >> 6 & 63];
  const moved: number[] = [], changed: number[] = [];
  for (let i = 0; i < squares.length; i++) {
    const covered = policy(1 + i);
    let sum = 0;
    for (let m = 0; m < covered.length; m++) sum += Math.abs(covered[m]! - whole[m]!);
    moved.push(sum / 2);
    changed.push(top(covered) === best ? 0 : 1);
  }
  const roles = squares.map((square, i) => {
    if (square === from) return 0;
    if (square === to) return 1;
    const plane = planes[i]!;
    return plane === 5 ? 2 : plane < 5 ? 3 : plane === 11 ? 4 : 5;
  });
  return { squares, planes, roles, moved, changed, favourite, probability: whole[best]! };
}

/** One kind of pieces. */
export interface KindEffect {
  readonly kind: string;
  /** Pieces covered. */
  readonly pieces: number;
  /** Positions that have such a piece. */
  readonly positions: number;
  /** Probability that moves elsewhere when one is covered: mean of a position's pieces, then of the positions. */
  readonly moved: Interval;
  /** Share of pieces whose covering changes the favourite, likewise. */
  readonly changed: Interval;
}

/** What one reader's answers depend on. */
export interface Dependence {
  /** Pieces by what the favourite does with them. */
  readonly roles: readonly KindEffect[];
  /** Pieces by their type, own and the opponent's. */
  readonly types: readonly KindEffect[];
  /** The moving piece minus the other own pieces, positions that have both; `null` if there is none. */
  readonly moverAgainstOthers: Interval | null;
  /** `[64]`: pieces covered on each square, and the probability that this moved, their mean; `null` where there was none. */
  readonly squares: readonly { readonly pieces: number; readonly moved: number | null }[];
  /** How many pieces an answer hangs on: 1 / sum of squared shares of what moved. `null` if nothing ever moves. */
  readonly hangsOn: Interval | null;
}

const TYPES = ["pawn", "knight", "bishop", "rook", "queen", "king"] as const;

/**
 * Brings positions together.
 *
 * @param effects One a position.
 * @param game `[positions]`.
 */
export function dependence(effects: readonly Effects[], game: Int32Array, seed: number): Dependence {
  const kind = (name: string, belongs: (effect: Effects, i: number) => boolean): KindEffect | undefined => {
    const moved: number[] = [], changed: number[] = [], games: number[] = [];
    let pieces = 0;
    for (const [b, effect] of effects.entries()) {
      const mine = [...effect.squares.keys()].filter((i) => belongs(effect, i));
      if (mine.length === 0) continue;
      pieces += mine.length;
      moved.push(mine.reduce((sum, i) => sum + effect.moved[i]!, 0) / mine.length);
      changed.push(mine.reduce((sum, i) => sum + effect.changed[i]!, 0) / mine.length);
      games.push(game[b]!);
    }
    if (pieces === 0) return undefined;
    const [one, other] = bootstrapMeans([moved, changed], Int32Array.from(games), { seed });
    return { kind: name, pieces, positions: moved.length, moved: one!, changed: other! };
  };
  const there = (each: KindEffect | undefined) => each !== undefined;
  const roles = ROLES.map((name, role) => kind(name, ({ roles }, i) => roles[i] === role)).filter(there);
  const types = ["own", "opponent's"].flatMap((side, s) =>
    TYPES.map((type, t) => kind(`${side} ${type}`, ({ planes }, i) => planes[i] === 6 * s + t))
  ).filter(there);
  const squares = Array.from({ length: 64 }, (_, square) => {
    const moved = effects.flatMap((effect) => {
      const i = effect.squares.indexOf(square);
      return i < 0 ? [] : [effect.moved[i]!];
    });
    return {
      pieces: moved.length,
      moved: moved.length === 0 ? null : moved.reduce((a, b) => a + b) / moved.length,
    };
  });
  const meanOf = (effect: Effects, role: number) => {
    const mine = effect.moved.filter((_, i) => effect.roles[i] === role);
    return mine.reduce((a, b) => a + b, 0) / mine.length;
  };
  const both = effects.flatMap((effect, b) => {
    const difference = meanOf(effect, 0) - meanOf(effect, 3);
    return Number.isNaN(difference) ? [] : [{ value: difference, game: game[b]! }];
  });
  const hanging = effects.flatMap(({ moved }, b) => {
    const sum = moved.reduce((a, b) => a + b, 0);
    return sum === 0 ? [] : [{ value: sum * sum / moved.reduce((a, b) => a + b * b, 0), game: game[b]! }];
  });
  const meanBy = (rows: readonly { readonly value: number; readonly game: number }[]) =>
    rows.length === 0 ? null : bootstrapMeans(
      [rows.map(({ value }) => value)],
      Int32Array.from(rows, ({ game }) => game),
      { seed },
    )[0]!;
  return { roles, types, moverAgainstOthers: meanBy(both), squares, hangsOn: meanBy(hanging) };
}
