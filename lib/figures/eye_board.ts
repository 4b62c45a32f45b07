import * as Plot from "@observablehq/plot";
import { type Connectome, NO_COLUMN } from "../connectome/mod.ts";
import type { Eye } from "../eye/mod.ts";
import { newDocument } from "./_document.ts";
import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** Which cells of an eye a position lights, and with whose pieces. */
interface Dot {
  x: number;
  y: number;
  report: "quiet" | "own" | "opponent";
}

/** Colour of a dot by what lights it. */
const COLOUR: Record<Dot["report"], string> = {
  quiet: PALETTE.quiet,
  own: PALETTE.subject,
  opponent: PALETTE.second,
};

/** A number from -0.5 up to 0.5 that looks random, so that the cells of one column do not hide each other. */
function scatter(cell: number, salt: number): number {
  return ((Math.imul(cell + 1, 0x9e3779b1 + salt * 0x85ebca6b) >>> 0) / 0x100000000) - 0.5;
}

/**
 * Draws a position as an eye sees it: every placed photoreceptor on the round eye, lit or not.
 *
 * @param connectome The brain that the eye belongs to; its columns say where a cell sits. Where there are none
 * (a larva) the cells are drawn on the square that they look at.
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
  const { column } = connectome.neurons;
  const dots: Dot[] = [];
  for (let cell = 0; cell < eye.cell.length; cell++) {
    const neuron = eye.cell[cell]!;
    const square = eye.square[cell]!;
    let report: Dot["report"] = "quiet";
    for (let plane = 0; plane < 12; plane++) {
      const bit = plane * 64 + square;
      if ((eye.planes[cell]! >> plane & 1) === 1 && (board[bit >> 3]! >> (bit & 7) & 1) === 1) {
        report = plane < 6 ? "own" : "opponent";
      }
    }
    const hex1 = column[2 * neuron]!;
    const hex2 = column[2 * neuron + 1]!;
    const placed = hex1 !== NO_COLUMN;
    const x = placed ? hex1 - hex2 : (square % 8) * 2;
    const y = placed ? hex1 + hex2 : Math.floor(square / 8) * 2;
    const spread = placed ? 0.9 : 1.6;
    dots.push({ x: x + spread * scatter(cell, 1), y: y + spread * scatter(cell, 2), report });
  }
  dots.sort((a, b) => Number(a.report !== "quiet") - Number(b.report !== "quiet"));
  const plot = Plot.plot({
    document: newDocument(),
    width: options.size,
    height: options.size,
    margin: 6,
    axis: null,
    style: { fontFamily: TYPEFACE, fontSize: `${TYPE_SIZE.small}px`, color: PALETTE.ink },
    marks: [
      Plot.dot(dots, {
        x: "x",
        y: "y",
        r: 2,
        fill: (dot: Dot) => COLOUR[dot.report],
      }),
    ],
  });
  return plot.outerHTML;
}
