import { escapeXml } from "./card.ts";
import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** One cell of a heat map. */
export interface HeatCell {
  /** How dark it is, from 0 to 1; `null` leaves it empty. */
  readonly shade: number | null;
  /** What stands in it, if anything. */
  readonly text?: string;
  /** A smaller second line. */
  readonly note?: string;
  /** Whether it has a frame. */
  readonly framed?: boolean;
}

/** How a heat map looks. */
export interface HeatMapOptions {
  /** What is drawn, above it. */
  readonly label: string;
  /** Names of the rows, the first on top. */
  readonly rows: readonly string[];
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Pixels of a cell. */
  readonly cell: { readonly width: number; readonly height: number };
  /** Pixels left of the cells, where the rows' names stand. */
  readonly names: number;
  /** Pixels of the text in a cell; that of a figure's small text by default. */
  readonly textSize?: number;
  /** Whether the columns' names stand above the cells instead of below. */
  readonly columnsOnTop?: boolean;
  /** The darkest colour; blue by default. */
  readonly colour?: "subject" | "second";
  /** What the rows are, written upwards at the left edge. */
  readonly rowsLabel?: string;
  /** What the columns are, under them. */
  readonly columnsLabel?: string;
}

/** From none to most, by colour: lightness falls evenly, so that the order is seen without colour as well. */
const RAMPS = {
  subject: ["#f3f6fa", "#c5dcec", "#7fb5d9", "#2f8bc2", "#0a5c8f", "#06304c"],
  second: ["#faf5f1", "#f5d6bd", "#eda772", "#d9722d", "#a04708", "#532404"],
} as const;

/** Above which shade writing on a cell is white. */
const DARK = 0.52;

function mix(one: string, other: string, share: number): string {
  const part = (from: number) => {
    const [a, b] = [one, other].map((colour) => parseInt(colour.slice(from, from + 2), 16));
    return Math.round(a! + share * (b! - a!)).toString(16).padStart(2, "0");
  };
  return `#${part(1)}${part(3)}${part(5)}`;
}

/**
 * A colour from light to dark.
 *
 * @param shade From 0 (none) to 1 (most); what lies outside counts as the nearer end.
 * @param ramp Blue (`subject`) or orange (`second`).
 * @returns Like `#0072b2`.
 * @example More is darker
 * ```ts
 * import { shadeColour } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * assert.equal(shadeColour(0), "#f3f6fa");
 * assert.equal(shadeColour(7), "#06304c");
 * ```
 */
export function shadeColour(shade: number, ramp: "subject" | "second" = "subject"): string {
  const colours = RAMPS[ramp];
  const at = Math.min(1, Math.max(0, shade)) * (colours.length - 1), below = Math.min(Math.floor(at), 4);
  return mix(colours[below]!, colours[below + 1]!, at - below);
}

/**
 * Draws a table of shaded cells, with numbers in them where there is room.
 *
 * @param cells `[rows][columns]`.
 * @param options How.
 * @returns An `<svg>` element as text.
 * @throws {RangeError} If there are not as many cells as rows and columns.
 * @example Two regions at two steps
 * ```ts
 * import { heatMap } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const svg = heatMap([
 *   [{ shade: 0.9, text: "0.45" }, { shade: 1, text: "0.50" }],
 *   [{ shade: 0, text: "0" }, { shade: 0.2, text: "0.10" }],
 * ], {
 *   label: "signal", rows: ["eye", "legs"], columns: ["1", "2"], cell: { width: 50, height: 24 }, names: 60,
 * });
 * assert.equal(svg.match(/<rect/g)?.length, 4);
 * ```
 */
export function heatMap(cells: readonly (readonly HeatCell[])[], options: HeatMapOptions): string {
  const { label, rows, columns, cell, names, textSize = TYPE_SIZE.small, colour = "subject" } = options;
  if (cells.length !== rows.length || cells.some((row) => row.length !== columns.length)) {
    throw new RangeError(
      `Cannot draw a heat map: ${cells.length} rows of ${cells.map((row) => row.length).join()} cells, ` +
        `${rows.length} rows of ${columns.length} are wanted`,
    );
  }
  const top = options.columnsOnTop ? 46 : 26;
  const height = top + rows.length * cell.height + (options.columnsOnTop ? 4 : 20) +
    (options.columnsLabel === undefined ? 0 : 18);
  const width = names + columns.length * cell.width + 2;
  const out: string[] = [];
  const words = (x: number, y: number, text: string, more: string) =>
    out.push(`<text x="${round(x)}" y="${round(y)}" ${more}>${escapeXml(text)}</text>`);
  words(0, 14, label, `font-size="${TYPE_SIZE.text}" font-weight="600" fill="${PALETTE.ink}"`);
  for (const [r, row] of cells.entries()) {
    const y = top + r * cell.height;
    words(
      names - 8,
      y + cell.height / 2 + 4,
      rows[r]!,
      `text-anchor="end" font-size="${TYPE_SIZE.small}" fill="${PALETTE.ink}"`,
    );
    for (const [c, { shade, text, note, framed }] of row.entries()) {
      const x = names + c * cell.width;
      const edge = framed ? ` stroke="${PALETTE.ink}" stroke-width="2"` : "";
      const inset = framed ? 2 : 0.5;
      out.push(
        `<rect x="${round(x + inset)}" y="${round(y + inset)}" width="${round(cell.width - 2 * inset)}" ` +
          `height="${round(cell.height - 2 * inset)}" fill="${
            shade === null ? PALETTE.paper : shadeColour(shade, colour)
          }"${edge}/>`,
      );
      const ink = (shade ?? 0) > DARK ? PALETTE.paper : PALETTE.ink;
      const middle = y + cell.height / 2, across = x + cell.width / 2;
      if (text !== undefined) {
        words(
          across,
          middle + (note === undefined ? 4 : -1),
          text,
          `text-anchor="middle" font-size="${textSize}" fill="${ink}"`,
        );
      }
      if (note !== undefined) {
        words(
          across,
          middle + textSize - 1,
          note,
          `text-anchor="middle" font-size="${textSize - 2}" fill="${ink}" fill-opacity="0.85"`,
        );
      }
    }
  }
  const under = top + rows.length * cell.height + 15;
  for (const [c, name] of columns.entries()) {
    const x = names + (c + 0.5) * cell.width, y = options.columnsOnTop ? top - 8 : under;
    words(x, y, name, `text-anchor="middle" font-size="${TYPE_SIZE.small}" fill="${PALETTE.ink}"`);
  }
  if (options.columnsLabel !== undefined) {
    words(
      names + columns.length * cell.width / 2,
      height - 4,
      options.columnsLabel,
      `text-anchor="middle" font-size="${TYPE_SIZE.small}" fill="${PALETTE.faint}"`,
    );
  }
  if (options.rowsLabel !== undefined) {
    const y = top + rows.length * cell.height / 2;
    words(
      10,
      y,
      options.rowsLabel,
      `text-anchor="middle" font-size="${TYPE_SIZE.small}" fill="${PALETTE.faint}" transform="rotate(-90 10 ${
        round(y)
      })"`,
    );
  }
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${TYPEFACE}">` +
    out.join("") + "</svg>";
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
