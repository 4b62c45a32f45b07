import * as Plot from "@observablehq/plot";
import { newDocument } from "./_document.ts";
import type { Interval } from "../readout/mod.ts";
import { spread } from "./_spread.ts";
import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** A measured point of a curve. */
export interface CurvePoint {
  /** Where, above 0. */
  readonly x: number;
  /** What was measured there, with its interval, in the chart's unit. */
  readonly interval: Interval;
}

/** One curve. */
export interface Curve {
  /** What it is of. */
  readonly name: string;
  /** Its colour. */
  readonly colour: string;
  /** The shape of its points, so that it can be told apart without colour. */
  readonly symbol: "circle" | "square" | "triangle" | "diamond2" | "cross" | "star" | "hexagon" | "wye";
  /** Whether its line is dashed. */
  readonly dashed?: boolean;
  /** Its points. */
  readonly points: readonly CurvePoint[];
}

/** How a curve chart looks. */
export interface CurveChartOptions {
  /** The quantity with its unit and which way is better, above the axis. */
  readonly label: string;
  /** What grows along the axis, with its unit. */
  readonly xLabel: string;
  /** Where the axis has words, and which. */
  readonly xTicks: readonly { readonly at: number; readonly text: string }[];
  /** Whether the axis is of equal steps instead of doublings. */
  readonly even?: boolean;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** Pixels right of the last points, where names stand; 0 for no names. */
  readonly names: number;
  /** Where a dashed line lies. */
  readonly mark?: number;
  /** How a value is written on the axis. */
  readonly format: (value: number) => string;
}

/** Points of different curves at one place stand so many doublings apart, so that no bar hides another. */
const APART = 0.07;
/** The same where the axis is of equal steps, in its unit. */
const EVEN_APART = 0.08;

/** Pixels from one name to the next. */
const NAME_GAP = 15;

/**
 * Draws curves over an axis of doublings (logarithmic, base 2), or of equal steps, each point with its interval.
 *
 * @param curves What to draw.
 * @param options How.
 * @returns An `<svg>` element as text.
 * @example Two points of one curve
 * ```ts
 * import { curveChart, PALETTE } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const points = [1, 2].map((x) => ({ x, interval: { value: 3 - x, low: 2.9 - x, high: 3.1 - x } }));
 * const svg = curveChart([{ name: "fly", colour: PALETTE.subject, symbol: "circle", points }], {
 *   label: "loss (nats)", xLabel: "positions", xTicks: [{ at: 1, text: "1" }, { at: 2, text: "2" }],
 *   width: 300, height: 200, names: 60, format: String,
 * });
 * assert.match(svg, /fly<\/text>/);
 * ```
 */
export function curveChart(curves: readonly Curve[], options: CurveChartOptions): string {
  const { label, xLabel, xTicks, even = false, width, height, names, mark, format } = options;
  const beside = (curve: number) => curve - (curves.length - 1) / 2;
  const data = curves.flatMap((curve, i) =>
    curve.points.map(({ x, interval }) => ({
      ...curve,
      ...interval,
      x: even ? x + EVEN_APART * beside(i) : x * 2 ** (APART * beside(i)),
    }))
  );
  const margin = { marginTop: 32, marginBottom: 44, marginLeft: 54, marginRight: 14 + names };
  const bounds = [...data.flatMap(({ low, high }) => [low, high]), ...mark === undefined ? [] : [mark]];
  const low = Math.min(...bounds), high = Math.max(...bounds), room = 0.04 * (high - low);
  const domain = [low - room, high + room];
  const pixel = (domain[1]! - domain[0]!) / (height - margin.marginTop - margin.marginBottom);
  const ends = spread(
    curves.map((curve) => ({ ...curve, y: curve.points.at(-1)!.interval.value })),
    NAME_GAP * pixel,
  );
  const end = Math.max(...data.map(({ x }) => x));
  const solid = (dashed: boolean) =>
    Plot.line(data.filter((each) => (each.dashed ?? false) === dashed), {
      x: "x",
      y: "value",
      z: "name",
      stroke: "colour",
      strokeWidth: 2,
      ...dashed ? { strokeDasharray: "5,4" } : {},
    });
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
    x: {
      ...even ? { type: "linear" } : { type: "log", base: 2 },
      label: null,
      ticks: xTicks.map(({ at }) => at),
      tickFormat: (at: number) => xTicks.find((tick) => tick.at === at)?.text ?? "",
      inset: 10,
    },
    y: { label: null, domain, ticks: 5, tickFormat: format, tickSize: 0 },
    color: { type: "identity" },
    symbol: { type: "identity" },
    marks: [
      Plot.gridY({ ticks: 5, stroke: PALETTE.quiet, strokeOpacity: 0.6 }),
      mark === undefined ? null : Plot.ruleY([mark], { stroke: PALETTE.ink, strokeDasharray: "3,3" }),
      solid(true),
      solid(false),
      Plot.ruleX(data, { x: "x", y1: "low", y2: "high", stroke: "colour", strokeWidth: 1.75 }),
      Plot.dot(data, { x: "x", y: "value", r: 4, fill: "colour", symbol: "symbol" }),
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
