import { MAX_BEST, MAX_MOVES, type Positions } from "../../data/positions.ts";

/** Positions that several workers learn from: rates as bytes and the teacher's opinion, all in shared memory. */
export interface Deck {
  /** Positions. */
  readonly count: number;
  /** Bytes of a position. */
  readonly columns: number;
  /** `[count][columns]`: rates, 255 is 1. */
  readonly rates: Uint8Array<SharedArrayBuffer>;
  /** `[count]`: as in `Positions`. */
  readonly moveCount: Uint8Array<SharedArrayBuffer>;
  /** `[count][MAX_MOVES]`: as in `Positions`. */
  readonly move: Uint16Array<SharedArrayBuffer>;
  /** `[count]`: as in `Positions`. */
  readonly bestCount: Uint8Array<SharedArrayBuffer>;
  /** `[count][MAX_BEST]`: as in `Positions`. */
  readonly best: Uint8Array<SharedArrayBuffer>;
  /** `[count][MAX_BEST]`: as in `Positions`. */
  readonly win: Uint16Array<SharedArrayBuffer>;
}

/**
 * A deck of some rows in a row, with room for their rates.
 *
 * @param positions Where the teacher's opinion comes from.
 * @param first The first row.
 * @param count How many.
 * @param columns Bytes of a position's rates, which are all 0 until they are filled in.
 * @throws {RangeError} If there are no such rows.
 */
export function dealDeck(positions: Positions, first: number, count: number, columns: number): Deck {
  if (!(first >= 0 && count >= 1 && first + count <= positions.count)) {
    throw new RangeError(
      `Cannot deal positions: rows ${first} to ${
        first + count - 1
      } of ${positions.count}, rows that are there are wanted`,
    );
  }
  const bytes = (from: Uint8Array, width: number) => {
    const to = new Uint8Array(new SharedArrayBuffer(count * width));
    to.set(from.subarray(first * width, (first + count) * width));
    return to;
  };
  const shorts = (from: Uint16Array, width: number) => {
    const to = new Uint16Array(new SharedArrayBuffer(2 * count * width));
    to.set(from.subarray(first * width, (first + count) * width));
    return to;
  };
  return {
    count,
    columns,
    rates: new Uint8Array(new SharedArrayBuffer(count * columns)),
    moveCount: bytes(positions.moveCount, 1),
    move: shorts(positions.move, MAX_MOVES),
    bestCount: bytes(positions.bestCount, 1),
    best: bytes(positions.best, MAX_BEST),
    win: shorts(positions.win, MAX_BEST),
  };
}
