import * as Plot from "@observablehq/plot";
import { newDocument } from "./_document.ts";
import type { Interval } from "../readout/mod.ts";
import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** One line of an interval chart. */
export interface IntervalRow {
  /** What was measured. */
  readonly name: string;
  /** The value and its interval, in the chart's unit. */
  readonly interval: Interval;
  /** Whether this is what the figure is about, rather than a control. */
  readonly subject: boolean;
}

/** How an interval chart looks. */
export interface IntervalChartOptions {
  /** The quantity with its unit and which way is better, above the axis. */
  readonly label: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels a row. */
  readonly rowHeight?: number;
  /** Whether the rows' names stand at the left. */
  readonly names: boolean;
  /** Pixels that the names take (104). */
  readonly nameWidth?: number;
  /** Where a dashed line marks the value to beat. */
  readonly mark?: number;
  /** Whether words that would lie on the dashed line stand at its right instead; no by default. */
  readonly clear?: boolean;
  /** How a value is written. */
  readonly format: (value: number) => string;
}

/**
 * Draws values with their intervals, one row each, the first row on top.
 *
 * @param rows What to draw.
 * @param options How.
 * @returns An `<svg>` element as text.
 */
export function intervalChart(rows: readonly IntervalRow[], options: IntervalChartOptions): string {
  const { label, width, names, mark, format, rowHeight = 30, nameWidth = 104, clear = false } = options;
  const colour = (row: IntervalRow) => row.subject ? PALETTE.subject : PALETTE.control;
  const data = [...rows];
  // So many pixels of half a label's width, on the scale of the values.
  const ends = data.flatMap(({ interval }) => [interval.low, interval.high]).concat(mark ?? []);
  const reach = 24 * (Math.max(...ends) - Math.min(...ends)) / (width - (names ? nameWidth : 12) - 30);
  const onLine = ({ interval }: IntervalRow) =>
    clear && mark !== undefined && Math.abs(interval.value - mark) < reach;
  const words = (rows: readonly IntervalRow[], beside: boolean) =>
    Plot.text(rows, {
      y: "name",
      x: (row: IntervalRow) => beside ? mark! : row.interval.value,
      text: (row: IntervalRow) => format(row.interval.value),
      dy: -11,
      ...beside && { dx: 6, textAnchor: "start" as const },
      fill: colour,
      stroke: PALETTE.paper,
      strokeWidth: 4,
      fontSize: TYPE_SIZE.small,
    });
  const plot = Plot.plot({
    document: newDocument(),
    width,
    height: rows.length * rowHeight + 58,
    marginLeft: names ? nameWidth : 12,
    marginRight: 14,
    marginTop: 30,
    marginBottom: 28,
    style: {
      fontFamily: TYPEFACE,
      fontSize: `${TYPE_SIZE.small}px`,
      color: PALETTE.ink,
      overflow: "visible",
    },
    x: { label: null, ticks: 5, inset: 8 },
    y: { domain: data.map(({ name }) => name), label: null, axis: names ? "left" : null, tickSize: 0 },
    marks: [
      Plot.gridX({ ticks: 5, stroke: PALETTE.quiet, strokeOpacity: 0.6 }),
      mark === undefined ? null : Plot.ruleX([mark], { stroke: PALETTE.ink, strokeDasharray: "3,3" }),
      Plot.ruleY(data, {
        y: "name",
        x1: (row: IntervalRow) => row.interval.low,
        x2: (row: IntervalRow) => row.interval.high,
        stroke: colour,
        strokeWidth: 2.5,
      }),
      Plot.dot(data, {
        y: "name",
        x: (row: IntervalRow) => row.interval.value,
        r: 4.5,
        fill: colour,
      }),
      words(data.filter((row) => !onLine(row)), false),
      data.some(onLine) ? words(data.filter(onLine), true) : null,
      Plot.text([label], {
        frameAnchor: "top-left",
        dy: -26,
        text: (words: string) => words,
        fontWeight: 600,
        fontSize: TYPE_SIZE.text,
      }),
    ],
  });
  return plot.outerHTML;
}
