import * as Plot from "@observablehq/plot";
import { newDocument } from "./_document.ts";
import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** One line of dots. */
export interface DotRow {
  /** What was measured; lines are broken at `\n`. */
  readonly name: string;
  /** The controls, one dot each. */
  readonly controls: readonly number[];
  /** What the figure is about, one dot each. */
  readonly subjects: readonly number[];
}

/** How a dot chart looks. */
export interface DotChartOptions {
  /** The quantity with its unit and which way is better, above the axis. */
  readonly label: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels at the left, where names stand. */
  readonly names: number;
  /** Pixels a row; 64 by default. */
  readonly rowHeight?: number;
  /** Values to compare with: a dotted line down each. */
  readonly marks?: readonly { readonly name: string; readonly value: number }[];
  /** How a value is written. */
  readonly format: (value: number) => string;
}

/**
 * Draws what was measured on each of many controls as dots, and what the figure is about as diamonds among them. Dots are
 * moved up and down so that none hides another.
 *
 * @param rows What to draw, the first row on top.
 * @param options How.
 * @returns An `<svg>` element as text.
 * @example One row
 * ```ts
 * import { dotChart } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const svg = dotChart([{ name: "frozen", controls: [3, 3.1], subjects: [2.9] }], {
 *   label: "loss (nats)", width: 300, names: 60, format: String,
 * });
 * assert.equal(svg.match(/<circle /g)?.length, 2);
 * ```
 */
export function dotChart(rows: readonly DotRow[], options: DotChartOptions): string {
  const { label, width, names, rowHeight = 64, marks = [], format } = options;
  const height = rows.length * rowHeight + 84;
  const style = { y: "name", x: "value", r: 5 } as const;
  const dots = (of: "controls" | "subjects") =>
    rows.flatMap((row) =>
      [...row[of]].sort((a, b) => a - b).map((value, i) => ({ name: row.name, value, up: 7 * (i % 3 - 1) }))
    );
  const controls = dots("controls");
  const plot = Plot.plot({
    document: newDocument(),
    width,
    height,
    marginLeft: names,
    marginRight: 24,
    marginTop: 52,
    marginBottom: 32,
    style: {
      fontFamily: TYPEFACE,
      fontSize: `${TYPE_SIZE.small}px`,
      color: PALETTE.ink,
      overflow: "visible",
    },
    x: { label: null, ticks: 6, tickFormat: format, inset: 12 },
    y: { domain: rows.map(({ name }) => name), label: null, axis: null },
    marks: [
      Plot.gridX({ ticks: 6, stroke: PALETTE.quiet, strokeOpacity: 0.6 }),
      Plot.ruleX(marks, { x: "value", stroke: PALETTE.faint, strokeWidth: 1.5, strokeDasharray: "2,4" }),
      Plot.text(marks, {
        x: "value",
        text: "name",
        frameAnchor: "top",
        dy: -10,
        fill: PALETTE.faint,
        fontSize: TYPE_SIZE.small,
        fontWeight: 600,
      }),
      // A shift is one number a mark.
      ...[-7, 0, 7].map((up) =>
        Plot.dot(controls.filter((each) => each.up === up), {
          ...style,
          fill: PALETTE.control,
          fillOpacity: 0.75,
          dy: up,
        })
      ),
      Plot.dot(dots("subjects"), {
        ...style,
        r: 6.5,
        symbol: "diamond2",
        fill: PALETTE.subject,
        stroke: PALETTE.paper,
      }),
      Plot.text(rows, {
        y: "name",
        text: "name",
        frameAnchor: "left",
        textAnchor: "end",
        dx: -12,
        lineHeight: 1.25,
        fontSize: TYPE_SIZE.small,
      }),
      Plot.text([label], {
        frameAnchor: "top-left",
        dx: -names + 8,
        dy: -44,
        text: (words: string) => words,
        fontWeight: 600,
        fontSize: TYPE_SIZE.text,
      }),
    ],
  });
  return plot.outerHTML;
}
