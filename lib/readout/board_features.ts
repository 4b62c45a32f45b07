import { BOARD_BYTES, type Positions } from "../data/positions.ts";
import type { Eye } from "../eye/eye.ts";
import type { FeatureSource } from "./features.ts";

/** Bits of a board: 12 planes of 64 squares. */
const BOARD_BITS = 8 * BOARD_BYTES;

/**
 * The board itself, 768 zeros and ones (12 planes of 64 squares in the mirrored frame): what a linear readout
 * could read if there were neither eye nor brain in between.
 *
 * @param positions Where the boards come from.
 */
export function boardFeatures(positions: Positions): FeatureSource {
  const { board, count } = positions;
  return {
    rows: count,
    columns: BOARD_BITS,
    batch(rows, out) {
      for (let i = 0; i < rows.length; i++) {
        const start = boardStart(rows[i]!, count);
        for (let byte = 0; byte < BOARD_BYTES; byte++) {
          const bits = board[start + byte]!;
          const to = i * BOARD_BITS + 8 * byte;
          for (let bit = 0; bit < 8; bit++) out[to + bit] = bits >> bit & 1;
        }
      }
    },
  };
}

/**
 * What the photoreceptors report, with no brain behind them: the direct-input baseline. One column a placed
 * cell, 1 where its square holds a piece that it reports and 0 elsewhere (reference, section 2).
 *
 * @param eye Which square and which pieces each placed photoreceptor reports; columns follow its cells.
 * @param positions Where the boards come from.
 */
export function driveFeatures(eye: Eye, positions: Positions): FeatureSource {
  const { board, count } = positions;
  const cells = eye.cell.length;
  // For each plane and square, the cells that it lights: a board has about 32 pieces, an eye thousands of cells.
  const lit: number[][] = Array.from({ length: BOARD_BITS }, () => []);
  for (let cell = 0; cell < cells; cell++) {
    for (let plane = 0; plane < 12; plane++) {
      if (eye.planes[cell]! >> plane & 1) lit[plane * 64 + eye.square[cell]!]!.push(cell);
    }
  }
  return {
    rows: count,
    columns: cells,
    batch(rows, out) {
      out.fill(0, 0, rows.length * cells);
      for (let i = 0; i < rows.length; i++) {
        const start = boardStart(rows[i]!, count);
        for (let byte = 0; byte < BOARD_BYTES; byte++) {
          let bits = board[start + byte]!;
          while (bits !== 0) {
            const bit = 31 - Math.clz32(bits);
            bits ^= 1 << bit;
            for (const cell of lit[8 * byte + bit]!) out[i * cells + cell]! += 1;
          }
        }
      }
    },
  };
}

function boardStart(row: number, count: number): number {
  if (row < 0 || row >= count) {
    throw new RangeError(
      `Cannot read boards: position ${row} is not among them, one below ${count} is wanted`,
    );
  }
  return row * BOARD_BYTES;
}
