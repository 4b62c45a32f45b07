import * as Plot from "@observablehq/plot";
import { newDocument } from "./_document.ts";
import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** One measured value, with its interval where it has one. */
export interface StripValue {
  /** The value, in the chart's unit. */
  readonly value: number;
  /** The interval's lower end. */
  readonly low?: number;
  /** The interval's upper end. */
  readonly high?: number;
}

/** One line of a strip chart: a kind of thing, and each of that kind. */
export interface StripRow {
  /** What kind. */
  readonly name: string;
  /** Each of that kind; none leaves the line empty. */
  readonly values: readonly StripValue[];
  /** Its colour. */
  readonly colour: string;
}

/** How a strip chart looks. */
export interface StripChartOptions {
  /** The quantity with its unit and which way is better, above the axis. */
  readonly label: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels a row; 26 by default. */
  readonly rowHeight?: number;
  /** Pixels left of the axis, where the rows' names stand; 0 for no names. */
  readonly names: number;
  /** Where a dashed line marks the value that the others are beside. */
  readonly mark?: number;
  /** How a value is written on the axis. */
  readonly format: (value: number) => string;
}

/**
 * Draws many values a line: every one of a kind as a dot, so that it is seen how far they lie apart, and an interval for
 * those that have one.
 *
 * @param rows What to draw, the first row on top.
 * @param options How.
 * @returns An `<svg>` element as text.
 * @example A brain beside three shuffles
 * ```ts
 * import { PALETTE, stripChart } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const svg = stripChart([
 *   { name: "real", values: [{ value: 3.1, low: 3.0, high: 3.2 }], colour: PALETTE.subject },
 *   { name: "shuffle", values: [{ value: 2.9 }, { value: 3 }, { value: 3.1 }], colour: PALETTE.control },
 * ], { label: "loss (nats)", width: 300, names: 80, format: String });
 * assert.equal(svg.match(/<circle/g)?.length, 4);
 * ```
 */
export function stripChart(rows: readonly StripRow[], options: StripChartOptions): string {
  const { label, width, names, mark, format, rowHeight = 26 } = options;
  const dots = rows.flatMap(({ name, values, colour }) =>
    values.map((each) => ({ ...each, name, colour, alone: values.length === 1 }))
  );
  const margin = { marginTop: 30, marginBottom: 28, marginLeft: Math.max(12, names), marginRight: 14 };
  const plot = Plot.plot({
    document: newDocument(),
    width,
    height: rows.length * rowHeight + margin.marginTop + margin.marginBottom,
    ...margin,
    style: {
      fontFamily: TYPEFACE,
      fontSize: `${TYPE_SIZE.small}px`,
      color: PALETTE.ink,
      overflow: "visible",
    },
    x: { label: null, ticks: Math.max(3, Math.round((width - names) / 75)), inset: 8, tickFormat: format },
    y: {
      domain: rows.map(({ name }) => name),
      label: null,
      axis: names > 0 ? "left" : null,
      tickSize: 0,
    },
    marks: [
      Plot.gridX({
        stroke: PALETTE.quiet,
        strokeOpacity: 0.6,
        ticks: Math.max(3, Math.round((width - names) / 75)),
      }),
      mark === undefined ? null : Plot.ruleX([mark], { stroke: PALETTE.ink, strokeDasharray: "3,3" }),
      Plot.ruleY(dots.filter(({ low, high }) => low !== undefined && high !== undefined), {
        y: "name",
        x1: "low",
        x2: "high",
        stroke: "colour",
        strokeWidth: 2,
      }),
      Plot.dot(dots, {
        y: "name",
        x: "value",
        r: (dot: { alone: boolean }) => dot.alone ? 4.5 : 3.5,
        fill: "colour",
        fillOpacity: (dot: { alone: boolean }) => dot.alone ? 1 : 0.55,
      }),
      Plot.text([label], {
        frameAnchor: "top-left",
        dx: names > 0 ? 8 - names : 0,
        dy: -26,
        text: (words: string) => words,
        fontWeight: 600,
        fontSize: TYPE_SIZE.text,
      }),
    ],
    r: { type: "identity" },
    color: { type: "identity" },
    opacity: { type: "identity" },
  });
  return plot.outerHTML;
}
