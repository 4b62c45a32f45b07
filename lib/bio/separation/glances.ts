import { BOARD_BYTES } from "../../data/mod.ts";
import { type Drive, drive, type Eye } from "../../eye/mod.ts";

/** Where a fly looks. */
export interface GlanceOptions {
  /** Squares around the one looked at that are seen in full, in king's moves, at least 0 (1). */
  readonly reach?: number | undefined;
  /** How much of the rest of the board is seen, 0 to 1 (0.25). */
  readonly rest?: number | undefined;
}

const SQUARES = 64, PLANES = 12;

/**
 * The squares on which two boards differ, ascending: two after a simple move, up to four when castling.
 *
 * @param before `[96]`: a board as bits.
 * @param after `[96]`: another.
 */
export function changedSquares(before: Uint8Array, after: Uint8Array): number[] {
  const found: number[] = [];
  for (let square = 0; square < SQUARES; square++) {
    for (let plane = 0; plane < PLANES; plane++) {
      const bit = plane * SQUARES + square;
      if (((before[bit >> 3]! ^ after[bit >> 3]!) >> (bit & 7) & 1) !== 0) {
        found.push(square);
        break;
      }
    }
  }
  return found;
}

/**
 * Two glances at each board, at the first and at the last of the squares where something has changed: cells that look at
 * squares near it see them in full, the others only a part. What moves catches a fly's eye: it turns its gaze there
 * (Land 1973), and attention to one of two things shows in its brain (Tang and Juusola 2010; van Swinderen 2011).
 *
 * @param eye The eye.
 * @param before `[positions][96]`: the positions, from the mover's side.
 * @param after `[positions][96]`: the boards after the moves, from the mover's side.
 * @param options How wide a glance is.
 * @returns The drives of the two glances. A board that has not changed is seen whole, but faintly.
 * @throws {RangeError} If there are not as many of both, or an option is out of range.
 */
export function glances(
  eye: Eye,
  before: Uint8Array,
  after: Uint8Array,
  options: GlanceOptions = {},
): [Drive, Drive] {
  const { reach = 1, rest = 0.25 } = options;
  if (before.length !== after.length) {
    throw new RangeError(
      `Cannot glance at boards: there are ${before.length} bytes before and ${after.length} after, ` +
        "as many are wanted",
    );
  }
  if (!(reach >= 0)) {
    throw new RangeError(`Cannot glance at boards: the reach is ${reach}, at least 0 is wanted`);
  }
  if (!(rest >= 0 && rest <= 1)) {
    throw new RangeError(`Cannot glance at boards: the rest is ${rest}, a number from 0 to 1 is wanted`);
  }
  const seen = drive(eye, after), squareOf = new Map<number, number>();
  eye.cell.forEach((neuron, i) => squareOf.set(neuron, eye.square[i]!));
  const at = (centre: (squares: readonly number[]) => number | undefined): Drive => {
    const value = new Float64Array(seen.neuron.length);
    for (let b = 0; b < seen.positions; b++) {
      const part = [b * BOARD_BYTES, (b + 1) * BOARD_BYTES] as const;
      const looked = centre(changedSquares(before.subarray(...part), after.subarray(...part)));
      for (let k = seen.start[b]!; k < seen.start[b + 1]!; k++) {
        const square = squareOf.get(seen.neuron[k]!)!;
        value[k] = looked !== undefined && distance(square, looked) <= reach ? 1 : rest;
      }
    }
    return { ...seen, value };
  };
  return [at((squares) => squares[0]), at((squares) => squares.at(-1))];
}

/** King's moves between two squares. */
function distance(one: number, other: number): number {
  return Math.max(Math.abs((one & 7) - (other & 7)), Math.abs((one >> 3) - (other >> 3)));
}
