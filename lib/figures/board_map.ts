import { type HeatCell, heatMap } from "./heat_map.ts";

/** How a chessboard of numbers looks. */
export interface BoardMapOptions {
  /** What is drawn, above it. */
  readonly label: string;
  /** Pixels of a square. */
  readonly square: number;
  /** Pixels of the text in a square; that of a figure's small text by default. */
  readonly textSize?: number;
  /** The darkest colour; blue by default. */
  readonly colour?: "subject" | "second";
}

/**
 * Draws a number for every square of a chessboard, rank 8 on top.
 *
 * @param squares `[64]`: square `8 * rank + file`.
 * @param options How.
 * @returns An `<svg>` element as text.
 * @throws {RangeError} If there are not 64 squares.
 * @example The starting position's kings
 * ```ts
 * import { boardMap } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const squares = Array.from({ length: 64 }, (_, square) =>
 *   square === 4 ? { shade: 1, text: "K" } : square === 60 ? { shade: 1, text: "k" } : { shade: 0 });
 * assert.match(boardMap(squares, { label: "kings", square: 20 }), />K<\/text>/);
 * ```
 */
export function boardMap(squares: readonly HeatCell[], options: BoardMapOptions): string {
  if (squares.length !== 64) {
    throw new RangeError(`Cannot draw a chessboard: there are ${squares.length} squares, 64 are wanted`);
  }
  const { square, ...others } = options;
  return heatMap(Array.from({ length: 8 }, (_, row) => squares.slice(8 * (7 - row), 8 * (8 - row))), {
    ...others,
    rows: [..."87654321"],
    columns: [..."abcdefgh"],
    cell: { width: square, height: square },
    names: 20,
  });
}
