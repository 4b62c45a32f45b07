import { BOARD_BYTES, MAX_BEST, MAX_MOVES, type Positions } from "./positions.ts";
import { positionsDigest } from "./positions_digest.ts";

/**
 * Some rows of a set as a set of its own.
 *
 * A row stays what it is: a HOLD row is HOLD in the selection too. So HOLD rows have to be listed first, then VAL
 * rows, then those that may be trained on; within each, any order will do.
 *
 * @param positions The set.
 * @param rows Which of its rows, each at most once.
 * @throws {RangeError} If there is no such row, one is listed twice, or the three kinds are mixed.
 *
 * @example The first HOLD row and a training row
 * ```ts
 * import { selectRows, shippedPositions } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * const positions = await shippedPositions();
 * const few = selectRows(positions, [0, positions.count - 1]);
 * assert.equal(few.count, 2);
 * assert.equal(few.hold, 1);
 * ```
 */
export function selectRows(positions: Positions, rows: ArrayLike<number>): Positions {
  const { hold, val } = positions;
  const count = rows.length;
  const kinds = [0, 0, 0];
  const listed = new Set<number>();
  let kind = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    const action = `Cannot select row ${row}`;
    if (!Number.isInteger(row) || row < 0 || row >= positions.count) {
      throw new RangeError(`${action}: there are ${positions.count} rows, one from 0 is wanted`);
    }
    if (listed.has(row)) throw new RangeError(`${action}: it is listed twice, each row once is wanted`);
    listed.add(row);
    const found = row < hold ? 0 : row < hold + val ? 1 : 2;
    if (found < kind) {
      throw new RangeError(
        `${action}: it comes after rows of another part, HOLD, VAL, then the rest is wanted`,
      );
    }
    kind = found;
    kinds[kind]!++;
  }
  const column = <T extends Uint8Array | Uint16Array | Int32Array>(from: T, width: number, into: T): T => {
    for (let i = 0; i < count; i++) {
      into.set(from.subarray(rows[i]! * width, (rows[i]! + 1) * width), i * width);
    }
    return into;
  };
  const content = {
    count,
    hold: kinds[0]!,
    val: kinds[1]!,
    board: column(positions.board, BOARD_BYTES, new Uint8Array(count * BOARD_BYTES)),
    moveCount: column(positions.moveCount, 1, new Uint8Array(count)),
    move: column(positions.move, MAX_MOVES, new Uint16Array(count * MAX_MOVES)),
    bestCount: column(positions.bestCount, 1, new Uint8Array(count)),
    best: column(positions.best, MAX_BEST, new Uint8Array(count * MAX_BEST)),
    win: column(positions.win, MAX_BEST, new Uint16Array(count * MAX_BEST)),
    game: column(positions.game, 1, new Int32Array(count)),
  };
  const provenance = { made: "selectRows", from: positions.digest, rows: count };
  return { ...content, provenance, digest: positionsDigest(content) };
}
