import * as Plot from "@observablehq/plot";
import { newDocument } from "./_document.ts";
import { shadeColour } from "./heat_map.ts";
import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** A place on the plane. */
export type Place = readonly [x: number, y: number];

/** How a landscape looks. */
export interface LandscapeOptions {
  /** What is high and low, above the map. */
  readonly label: string;
  /** What runs along the axis. */
  readonly xLabel: string;
  /** What runs upwards. */
  readonly yLabel: string;
  /** The plane's ends: those of x, then those of y. */
  readonly range: readonly [readonly [number, number], readonly [number, number]];
  /** A way over the plane, from its first place to its last. */
  readonly path: readonly Place[];
  /** Places with names. */
  readonly marks: readonly { readonly place: Place; readonly name: string; readonly below?: boolean }[];
  /** Levels of the lines, ascending; the lowest are the darkest. */
  readonly levels: readonly number[];
  /** How a level is written. */
  readonly format: (value: number) => string;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
}

/**
 * Draws a surface from above: lines of equal height, the lower the darker, and a way over it.
 *
 * @param grid `[rows][columns]` of heights, evenly spaced, the first row at the bottom.
 * @param options How.
 * @returns An `<svg>` element as text.
 * @example A bowl
 * ```ts
 * import { landscape } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const ends = [-1, -0.5, 0, 0.5, 1];
 * const svg = landscape(ends.map((y) => ends.map((x) => x * x + y * y)), {
 *   label: "height", xLabel: "x", yLabel: "y", range: [[-1, 1], [-1, 1]], path: [[1, 1], [0, 0]],
 *   marks: [{ place: [0, 0], name: "end" }], levels: [0.1, 0.5, 1], format: String, width: 300, height: 300,
 * });
 * assert.match(svg, /end<\/text>/);
 * ```
 */
export function landscape(grid: readonly (readonly number[])[], options: LandscapeOptions): string {
  const { label, xLabel, yLabel, range, path, marks, levels, format, width, height } = options;
  const rows = grid.length, columns = grid[0]!.length;
  const [[left, right], [bottom, top]] = range;
  const lowest = levels[0]!, highest = levels.at(-1)!;
  const shade = (level: number) =>
    shadeColour(0.85 * (1 - (levels.indexOf(level) + 1) / (levels.length + 1)) ** 1.3);
  const scale = levels.map((level, i) => ({ level, i }));
  const margin = { marginTop: 32, marginBottom: 44, marginLeft: 52, marginRight: 76 };
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
    x: { label: null, domain: [left, right], ticks: 5, nice: false },
    y: { label: null, domain: [bottom, top], ticks: 5, nice: false },
    color: { type: "identity" },
    marks: [
      // One mark a level, because each has its own colour: what lies below it, over what lies below the next higher.
      ...[...levels].reverse().map((level) =>
        Plot.contour(grid.flatMap((row) => row.map((value) => -value)), {
          width: columns,
          height: rows,
          x1: left,
          x2: right,
          // The first row of the data is drawn at y1.
          y1: bottom,
          y2: top,
          thresholds: [-level],
          fill: shade(level),
          stroke: PALETTE.paper,
          strokeWidth: 0.7,
        })
      ),
      Plot.frame({ stroke: PALETTE.quiet }),
      Plot.line(path, { x: "0", y: "1", stroke: PALETTE.second, strokeWidth: 2 }),
      Plot.dot(path, { x: "0", y: "1", r: 2.2, fill: PALETTE.second }),
      ...marks.flatMap(({ place, name, below = false }) => [
        Plot.dot([place], {
          x: "0",
          y: "1",
          r: 5,
          symbol: "diamond2",
          fill: PALETTE.ink,
          stroke: PALETTE.paper,
        }),
        Plot.text([place], {
          x: "0",
          y: "1",
          text: () => name,
          dy: below ? 14 : -14,
          fontWeight: 600,
          fill: PALETTE.ink,
          stroke: PALETTE.paper,
          strokeWidth: 4,
        }),
      ]),
      Plot.text([label], {
        frameAnchor: "top-left",
        dx: -margin.marginLeft + 8,
        dy: -26,
        text: (words: string) => words,
        fontWeight: 600,
        fontSize: TYPE_SIZE.text,
      }),
      Plot.text([xLabel], { frameAnchor: "bottom", dy: 36, text: (words: string) => words }),
      Plot.text([yLabel], { frameAnchor: "left", dx: -42, rotate: -90, text: (words: string) => words }),
    ],
  });
  // A key of the levels at the right, the highest on top.
  const step = Math.min(22, (height - margin.marginTop - margin.marginBottom) / (levels.length + 1));
  const key = scale.map(({ level, i }) => {
    const y = margin.marginTop + (levels.length - 1 - i) * step;
    return `<rect x="${width - 66}" y="${y}" width="14" height="${step - 3}" fill="${shade(level)}"/>` +
      `<text x="${width - 47}" y="${y + step / 2 + 3}" text-anchor="start" font-size="${
        TYPE_SIZE.small - 1
      }" fill="${PALETTE.ink}">${format(level)}</text>`;
  });
  if (!(highest > lowest)) key.length = 0;
  return plot.outerHTML.replace(/<\/svg>$/, `${key.join("")}</svg>`);
}
