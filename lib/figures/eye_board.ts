import { type Connectome, NO_COLUMN } from "../connectome/mod.ts";
import type { Eye } from "../eye/mod.ts";
import { PALETTE } from "./style.ts";

/** A cell of an eye, as it is drawn: plain JSON. */
export interface EyeCell {
  /** Across the eye, in columns, moved a little so that cells of one column do not hide each other. */
  readonly x: number;
  /** Up the eye, likewise. */
  readonly y: number;
  /** The square it looks at. */
  readonly square: number;
  /** The planes it reports, bit `p` for plane `p`. */
  readonly planes: number;
}

/** A number from -0.5 up to 0.5 that looks random, so that the cells of one column do not hide each other. */
function scatter(cell: number, salt: number): number {
  return ((Math.imul(cell + 1, 0x9e3779b1 + salt * 0x85ebca6b) >>> 0) / 0x100000000) - 0.5;
}

/**
 * Where the cells of an eye are drawn.
 *
 * @param connectome The brain that the eye belongs to; its columns say where a cell sits. Where there are none
 * (a larva) the cells are drawn on the square that they look at.
 * @param eye The eye.
 * @returns One a cell, in the eye's order.
 */
export function eyeCells(connectome: Connectome, eye: Eye): EyeCell[] {
  const { column } = connectome.neurons;
  return Array.from(eye.cell, (neuron, cell) => {
    const square = eye.square[cell]!, hex1 = column[2 * neuron]!, hex2 = column[2 * neuron + 1]!;
    const placed = hex1 !== NO_COLUMN;
    const x = placed ? hex1 - hex2 : (square % 8) * 2;
    const y = placed ? hex1 + hex2 : Math.floor(square / 8) * 2;
    const spread = placed ? 0.9 : 1.6;
    return {
      x: thousandths(x + spread * scatter(cell, 1)),
      y: thousandths(y + spread * scatter(cell, 2)),
      square,
      planes: eye.planes[cell]!,
    };
  });
}

function thousandths(value: number): number {
  return Math.round(1000 * value) / 1000;
}

/**
 * Draws cells of an eye as dots.
 *
 * @param cells Which.
 * @param colourOf A cell's colour; dots of the palette's `quiet` grey lie underneath.
 * @param options Pixels of the square picture, and of a dot's radius.
 * @returns An `<svg>` element as text.
 * @example An eye of two cells
 * ```ts
 * import { eyeDots } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const cells = [{ x: 0, y: 0, square: 0, planes: 1 }, { x: 1, y: 1, square: 9, planes: 1 }];
 * const svg = eyeDots(cells, ({ square }) => square === 0 ? "#000000" : "#ff0000", { size: 50, radius: 2 });
 * assert.equal(svg.match(/<circle/g)?.length, 2);
 * ```
 */
export function eyeDots(
  cells: readonly EyeCell[],
  colourOf: (cell: EyeCell) => string,
  options: { readonly size: number; readonly radius: number },
): string {
  const { size, radius } = options, margin = 3 * radius;
  const along = (values: readonly number[]) => {
    const least = Math.min(...values), extent = Math.max(...values) - least || 1;
    return (value: number) => margin + (size - 2 * margin) * (value - least) / extent;
  };
  const across = along(cells.map(({ x }) => x)), up = along(cells.map(({ y }) => y));
  const groups = new Map([[PALETTE.quiet as string, [] as string[]]]);
  for (const cell of cells) {
    const colour = colourOf(cell), dots = groups.get(colour) ?? [];
    dots.push(`<circle cx="${tenths(across(cell.x))}" cy="${tenths(size - up(cell.y))}" r="${radius}"/>`);
    groups.set(colour, dots);
  }
  return `<svg width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">` +
    Array.from(groups, ([colour, dots]) => `<g fill="${colour}">${dots.join("")}</g>`).join("") + "</svg>";
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}

/**
 * Draws a position as an eye sees it: every placed photoreceptor on the round eye, blue where it reports the side to
 * move's own pieces, orange where it reports the opponent's, grey where it is dark.
 *
 * @param connectome The brain that the eye belongs to.
 * @param eye The eye.
 * @param board 96 bytes, see `boardBits`.
 * @param options How large, in pixels.
 * @returns An `<svg>` element as text.
 */
export function eyeBoard(
  connectome: Connectome,
  eye: Eye,
  board: Uint8Array,
  options: { readonly size: number },
): string {
  return eyeDots(eyeCells(connectome, eye), (cell) => litColour(cell, board), { ...options, radius: 2 });
}

/**
 * The colour of a cell that looks at a position: of whose piece it reports, or of none.
 *
 * @param cell The cell.
 * @param board 96 bytes, see `boardBits`.
 */
export function litColour({ square, planes }: Pick<EyeCell, "square" | "planes">, board: Uint8Array): string {
  for (let plane = 0; plane < 12; plane++) {
    const bit = 64 * plane + square;
    if ((planes >> plane & 1) === 1 && (board[bit >> 3]! >> (bit & 7) & 1) === 1) {
      return plane < 6 ? PALETTE.subject : PALETTE.second;
    }
  }
  return PALETTE.quiet;
}
