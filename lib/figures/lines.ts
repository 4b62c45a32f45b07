import * as Plot from "@observablehq/plot";
import { newDocument } from "./_document.ts";
import { spread } from "./_spread.ts";
import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** Something that changes as something else goes on. */
export interface Line {
  /** What it is of. */
  readonly name: string;
  /** Its colour. */
  readonly colour: string;
  /** How its line is drawn, so that it can be told apart without colour; solid by default. */
  readonly dashes?: string;
  /** Its points, from left to right. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** How a line chart looks. */
export interface LineChartOptions {
  /** The quantity with its unit and which way is better, above the axis. */
  readonly label: string;
  /** What goes on along the axis, with its unit. */
  readonly xLabel: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Pixels at the right, where names stand. */
  readonly names: number;
  /** Values to compare with: a dotted line across each. */
  readonly marks?: readonly { readonly name: string; readonly value: number }[];
  /** The values shown; by default all of them. */
  readonly domain?: readonly [number, number];
  /** How a value is written. */
  readonly format: (value: number) => string;
  /** How a place on the axis is written. */
  readonly formatX: (x: number) => string;
}

/** Pixels from one name to the next. */
const NAME_GAP = 15;

/**
 * Draws lines over a linear axis, named at their right ends, with dotted lines across where there is a value to beat.
 *
 * @param lines What to draw.
 * @param options How.
 * @returns An `<svg>` element as text.
 * @example One line and a mark
 * ```ts
 * import { lineChart, PALETTE } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const points = [1, 2, 3].map((x) => ({ x, y: 3 - x / 2 }));
 * const svg = lineChart([{ name: "fly", colour: PALETTE.subject, points }], {
 *   label: "loss (nats)", xLabel: "positions", width: 300, height: 200, names: 60,
 *   marks: [{ name: "blind", value: 2.8 }], format: String, formatX: String,
 * });
 * assert.match(svg, /fly<\/text>/);
 * assert.match(svg, /blind<\/text>/);
 * ```
 */
export function lineChart(lines: readonly Line[], options: LineChartOptions): string {
  const { label, xLabel, width, height, names, marks = [], format, formatX } = options;
  const margin = { marginTop: 32, marginBottom: 44, marginLeft: 54, marginRight: 14 + names };
  const data = lines.flatMap(({ points, ...line }) => points.map((point) => ({ ...line, ...point })));
  const values = [...data.map(({ y }) => y), ...marks.map(({ value }) => value)];
  const low = Math.min(...values), high = Math.max(...values), room = 0.04 * (high - low);
  const domain = options.domain ?? [low - room, high + room];
  const pixel = (domain[1]! - domain[0]!) / (height - margin.marginTop - margin.marginBottom);
  const end = Math.max(...data.map(({ x }) => x));
  const within = (y: number) => Math.min(Math.max(y, domain[0]!), domain[1]!);
  const ends = spread(
    [
      ...lines.map(({ name, colour, points }) => ({ name, colour, y: within(points.at(-1)!.y) })),
      ...marks.map(({ name, value }) => ({ name, colour: PALETTE.faint, y: within(value) })),
    ],
    NAME_GAP * pixel,
  );
  const plot = Plot.plot({
    document: newDocument(),
    width,
    height,
    ...margin,
    style: {
      fontFamily: TYPEFACE,
      fontSize: `${TYPE_SIZE.small}px`,
      color: PALETTE.ink,
      overflow: "visible",
    },
    x: { label: null, ticks: 6, tickFormat: formatX, domain: [0, end] },
    y: { label: null, domain, ticks: 5, tickFormat: format, tickSize: 0, clamp: true },
    color: { type: "identity" },
    marks: [
      Plot.gridY({ ticks: 5, stroke: PALETTE.quiet, strokeOpacity: 0.6 }),
      Plot.ruleY(marks, { y: "value", stroke: PALETTE.faint, strokeWidth: 1.5, strokeDasharray: "2,4" }),
      ...lines.map(({ colour, dashes, points }) =>
        Plot.line(points, {
          x: "x",
          y: "y",
          stroke: colour,
          strokeWidth: 2,
          ...dashes === undefined ? {} : { strokeDasharray: dashes },
        })
      ),
      Plot.text(ends, {
        x: () => end,
        y: "y",
        text: "name",
        fill: "colour",
        textAnchor: "start",
        dx: 9,
        fontSize: TYPE_SIZE.small,
        fontWeight: 600,
      }),
      Plot.text([label], {
        frameAnchor: "top-left",
        dx: -margin.marginLeft + 8,
        dy: -26,
        text: (words: string) => words,
        fontWeight: 600,
        fontSize: TYPE_SIZE.text,
      }),
      Plot.text([xLabel], {
        frameAnchor: "bottom",
        dy: 36,
        text: (words: string) => words,
        fontSize: TYPE_SIZE.small,
      }),
    ],
  });
  return plot.outerHTML;
}
