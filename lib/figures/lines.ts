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
  /** Pixels at the right, where names stand; 0 for no names. */
  readonly names: number;
  /** Values to compare with: a dotted line across each. */
  readonly marks?: readonly { readonly name: string; readonly value: number }[];
  /** The values shown; by default all of them. */
  readonly domain?: readonly [number, number];
  /** `log`: powers of ten, for values above 0; `linear` by default. */
  readonly scale?: "linear" | "log";
  /** The axis from its left to its right end; from 0 to the last point by default. */
  readonly domainX?: readonly [number, number];
  /** Places on the axis that are written; some by default. */
  readonly ticksX?: readonly number[];
  /** How a value is written. */
  readonly format: (value: number) => string;
  /** How a place on the axis is written. */
  readonly formatX: (x: number) => string;
}

/** Pixels from one name to the next. */
const NAME_GAP = 15;

/**
 * Draws lines over an axis, named at their right ends, with dotted lines across where there is a value to beat.
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
  const { label, xLabel, width, height, names, marks = [], format, formatX, scale = "linear" } = options;
  const [place, back] = scale === "log" ? [Math.log10, (value: number) => 10 ** value] : [Number, Number];
  const margin = { marginTop: 32, marginBottom: 44, marginLeft: 54, marginRight: 14 + names };
  const data = lines.flatMap(({ points, ...line }) => points.map((point) => ({ ...line, ...point })));
  const values = [...data.map(({ y }) => y), ...marks.map(({ value }) => value)].map(place);
  const low = Math.min(...values), high = Math.max(...values), room = 0.04 * (high - low);
  const domain = options.domain?.map(place) ?? [low - room, high + room];
  const pixel = (domain[1]! - domain[0]!) / (height - margin.marginTop - margin.marginBottom);
  const [start, end] = options.domainX ?? [0, Math.max(...data.map(({ x }) => x))];
  const within = (y: number) => Math.min(Math.max(place(y), domain[0]!), domain[1]!);
  const ends = spread(
    [
      ...lines.map(({ name, colour, points }) => ({ name, colour, y: within(points.at(-1)!.y) })),
      ...marks.map(({ name, value }) => ({ name, colour: PALETTE.faint, y: within(value) })),
    ],
    NAME_GAP * pixel,
  ).map((name) => ({ ...name, y: back(name.y) }));
  // Lines between powers of ten say nothing to whoever reads them.
  const ticks = scale === "log" ? powersOfTen(domain[0]!, domain[1]!) : 5;
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
    x: { label: null, ticks: options.ticksX?.slice() ?? 6, tickFormat: formatX, domain: [start, end] },
    y: {
      type: scale,
      label: null,
      domain: domain.map(back),
      ticks,
      tickFormat: format,
      tickSize: 0,
      clamp: true,
    },
    color: { type: "identity" },
    marks: [
      Plot.gridY({ ticks, stroke: PALETTE.quiet, strokeOpacity: 0.6 }),
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
      names === 0 ? null : Plot.text(ends, {
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

/** Powers of ten within a range of logarithms, at most seven of them. */
function powersOfTen(low: number, high: number): number[] {
  const stride = Math.ceil((Math.floor(high) - Math.ceil(low) + 1) / 7), powers: number[] = [];
  for (let power = Math.ceil(low); power <= high; power++) {
    if (power % stride === 0) powers.push(10 ** power);
  }
  return powers;
}
