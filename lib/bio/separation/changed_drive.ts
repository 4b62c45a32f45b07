import { type Drive, drive, type Eye } from "../../eye/mod.ts";

/** How an eye gets used to what it sees. */
export interface ChangedDriveOptions {
  /** How much of what stood there before is taken off, 0 to 1 (1). */
  readonly amount?: number | undefined;
}

/**
 * What an eye that has got used to the position sees of the board after a move: the board less the position. At 1 only
 * the squares of the move are left, where a piece came with +1 and where one went with -1. The fly's eye does this
 * from the first synapse on: large monopolar cells answer changes of light and soon fall silent while it stays (Laughlin and
 * Hardie 1978; Clark and Demb 2016, a review).
 *
 * @param eye The eye.
 * @param before `[positions][96]`: the positions, from the mover's side.
 * @param after `[positions][96]`: the boards after the moves, from the mover's side.
 * @param options How much.
 * @returns The drive; cells whose two parts cancel are left out.
 * @throws {RangeError} If there are not as many of both, or the amount is out of range.
 *
 * @example After 1.e4 an eye that is used to the starting position sees two squares
 * ```ts
 * import { afterstateBits, changedDrive } from "flychess/bio";
 * import { boardBits, START_FEN } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * const pawn = new Uint16Array(64).fill(1); // 64 cells, one a square, that report an own pawn
 * const squares = Int32Array.from(pawn.keys());
 * const eye = { name: "pawns", neurons: 64, cell: squares, square: Uint8Array.from(squares), planes: pawn };
 * const start = boardBits(START_FEN), e2 = 12, e4 = 28;
 * const seen = changedDrive(eye, start, afterstateBits(start, e2 | e4 << 6));
 * assert.deepEqual([[...seen.neuron], [...seen.value!]], [[e2, e4], [-1, 1]]);
 * ```
 */
export function changedDrive(
  eye: Eye,
  before: Uint8Array,
  after: Uint8Array,
  options: ChangedDriveOptions = {},
): Drive {
  const { amount = 1 } = options;
  if (before.length !== after.length) {
    throw new RangeError(
      `Cannot see what changed: there are ${before.length} bytes before and ${after.length} after, ` +
        "as many are wanted",
    );
  }
  if (!(amount >= 0 && amount <= 1)) {
    throw new RangeError(`Cannot see what changed: the amount is ${amount}, a number from 0 to 1 is wanted`);
  }
  const old = drive(eye, before), now = drive(eye, after);
  const start = new Int32Array(now.positions + 1), neuron: number[] = [], value: number[] = [];
  for (let b = 0; b < now.positions; b++) {
    let i = old.start[b]!, j = now.start[b]!;
    const oldEnd = old.start[b + 1]!, nowEnd = now.start[b + 1]!;
    // Both lists are ascending: merged like a zip.
    while (i < oldEnd || j < nowEnd) {
      const gone = i < oldEnd ? old.neuron[i]! : Infinity, here = j < nowEnd ? now.neuron[j]! : Infinity;
      const left = (here <= gone ? 1 : 0) - (gone <= here ? amount : 0);
      if (left !== 0) {
        neuron.push(Math.min(gone, here));
        value.push(left);
      }
      if (gone <= here) i++;
      if (here <= gone) j++;
    }
    start[b + 1] = neuron.length;
  }
  return {
    positions: now.positions,
    start,
    neuron: Int32Array.from(neuron),
    value: Float64Array.from(value),
  };
}
