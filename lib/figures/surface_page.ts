import { escapeXml } from "./card.ts";
import { shadeColour } from "./heat_map.ts";
import type { Place } from "./landscape.ts";
import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** A surface over a plane, with a way over it. */
export interface Surface {
  /** What is shown, above it. */
  readonly label: string;
  /** What runs along the first axis. */
  readonly xLabel: string;
  /** What runs along the second axis. */
  readonly yLabel: string;
  /** What is high and low. */
  readonly zLabel: string;
  /** The plane's ends: those of x, then those of y. */
  readonly range: readonly [readonly [number, number], readonly [number, number]];
  /** `[rows][columns]` of heights, evenly spaced; rows run along y. */
  readonly grid: readonly (readonly number[])[];
  /** A way over the plane, from its first place to its last. */
  readonly path: readonly Place[];
  /** How high the way is at each place, which may be beside the surface. */
  readonly heights: readonly number[];
  /** Places with names. */
  readonly marks: readonly {
    readonly place: Place;
    readonly height: number;
    readonly name: string;
    readonly below?: boolean;
  }[];
}

/** What a page says around its surfaces. */
export interface SurfacePageOptions {
  /** The finding, in one sentence. */
  readonly title: string;
  /** What is drawn, on which brain and positions: one line a string. */
  readonly caption: readonly string[];
  /** What somebody who cannot see the surfaces should know. */
  readonly alt: string;
}

/** Runs in the page: draws every surface, then says so in `document.body.dataset.drawn`. */
const DRAW = `(async () => {
  const { surfaces, colours, scale, font } = JSON.parse(document.getElementById("numbers").textContent);
  for (const [i, { x, y, z, path, marks, labels }] of surfaces.entries()) {
    const written = (place) => "x %{x:.3f}, y %{y:.3f}<br>" + labels.z + " %{z:.4f}<extra>" + place + "</extra>";
    const small = { ...font, size: font.size - 1 };
    const axis = (text) => ({
      title: { text: text.replace(": ", ":<br>"), font: small }, tickfont: small, nticks: 5,
      color: colours.faint, gridcolor: colours.quiet,
    });
    await Plotly.newPlot("surface-" + i, [
      {
        type: "surface", name: labels.z, x, y, z, colorscale: scale, opacity: 0.92,
        colorbar: { thickness: 12, len: 0.6, tickfont: font },
        contours: { z: { show: true, color: colours.paper, width: 1, highlight: false } },
        hovertemplate: written("surface"),
      },
      {
        type: "scatter3d", name: "path", mode: "lines+markers", x: path.x, y: path.y, z: path.z,
        line: { color: colours.second, width: 5 }, marker: { color: colours.second, size: 2.5 },
        hovertemplate: written("path"),
      },
      {
        type: "scatter3d", name: "marks", mode: "markers+text", x: marks.x, y: marks.y, z: marks.z,
        text: marks.names, textposition: marks.positions, textfont: { ...font, color: colours.ink },
        marker: { color: colours.ink, size: 4, symbol: "diamond" }, hovertemplate: written("%{text}"),
      },
    ], {
      font, showlegend: false, margin: { l: 0, r: 0, t: 0, b: 0 }, paper_bgcolor: colours.paper,
      scene: {
        xaxis: axis(labels.x), yaxis: axis(labels.y), zaxis: axis(labels.z),
        aspectmode: "manual", aspectratio: { x: 1, y: 1, z: 0.7 }, camera: { eye: { x: 1.35, y: 1.35, z: 1.35 }, center: { x: 0, y: 0, z: -0.15 } },
      },
    }, { responsive: true, displaylogo: false });
  }
  document.body.dataset.drawn = String(surfaces.length);
})();`;

/** Where `landscape` has so many shades, the page has a ramp of them. */
const SHADES = 8;

/**
 * Makes a page with surfaces that can be turned, enlarged and read off with the mouse. It is one file that fetches nothing:
 * Plotly's part for three dimensions is in it, 1.8 MB.
 *
 * @param surfaces One below the other where there is no room beside each other.
 * @param options The words.
 * @returns A whole HTML file; its numbers stand in it as JSON, in the element `#numbers`.
 * @throws {RangeError} If a path has not as many heights as places, or a grid's rows differ in length.
 * @example A bowl
 * ```ts
 * import { surfacePage } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const ends = [-1, 0, 1];
 * const page = await surfacePage([{
 *   label: "a bowl", xLabel: "x", yLabel: "y", zLabel: "height", range: [[-1, 1], [-1, 1]],
 *   grid: ends.map((y) => ends.map((x) => x * x + y * y)), path: [[1, 1], [0, 0]], heights: [2, 0],
 *   marks: [{ place: [0, 0], height: 0, name: "end" }],
 * }], { title: "Ways end at the bottom", caption: [], alt: "A bowl" });
 * assert.match(page, /^<!doctype html>/);
 * ```
 */
export async function surfacePage(
  surfaces: readonly Surface[],
  options: SurfacePageOptions,
): Promise<string> {
  const { title, caption, alt } = options;
  const numbers = {
    surfaces: surfaces.map(numbersOf),
    colours: PALETTE,
    scale: Array.from(
      { length: SHADES + 1 },
      (_, i) => [i / SHADES, shadeColour(0.85 * (1 - i / SHADES) ** 1.3)],
    ),
    font: { family: TYPEFACE, size: TYPE_SIZE.small },
  };
  const { default: plotly } = await import("plotly.js-gl3d-dist-min/plotly-gl3d.min.js", {
    with: { type: "text" },
  });
  const places = surfaces.map(({ label }, i) =>
    `<section><h2>${escapeXml(label)}</h2><div class="surface" id="surface-${i}"></div></section>`
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 12px; font: ${TYPE_SIZE.text}px ${TYPEFACE}; }
main { max-width: 1145px; margin: auto; padding: 20px; border-radius: 8px; background: ${PALETTE.paper}; color: ${PALETTE.ink}; }
h1 { margin: 0 0 12px; font-size: ${TYPE_SIZE.title}px; font-weight: 600; }
h2 { margin: 0; font-size: ${TYPE_SIZE.text}px; font-weight: 600; }
p { margin: 4px 0; font-size: ${TYPE_SIZE.small}px; color: ${PALETTE.faint}; }
#surfaces { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 12px; }
.surface { height: 440px; }
</style>
</head>
<body>
<main>
<h1>${escapeXml(title)}</h1>
<div id="surfaces" role="img" aria-label="${escapeXml(alt)}">
${places.join("\n")}
</div>
${caption.map((line) => `<p>${escapeXml(line)}</p>`).join("\n")}
</main>
<script id="numbers" type="application/json">${JSON.stringify(numbers).replaceAll("<", "\\u003c")}</script>
<script>${plotly.replaceAll("</script", "<\\/script")}</script>
<script>
${DRAW}
</script>
</body>
</html>
`;
}

/** A surface's numbers as Plotly wants them. */
function numbersOf({ label, xLabel, yLabel, zLabel, range, grid, path, heights, marks }: Surface) {
  const columns = grid[0]?.length ?? 0;
  if (grid.some((row) => row.length !== columns)) {
    throw new RangeError(
      `Cannot draw '${label}': its rows differ in length, as many columns in each are wanted`,
    );
  }
  if (heights.length !== path.length) {
    throw new RangeError(
      `Cannot draw '${label}': its path has ${path.length} places and ${heights.length} heights, one each is wanted`,
    );
  }
  const along = ([low, high]: readonly [number, number], count: number) =>
    Array.from({ length: count }, (_, i) => Number((low + (high - low) * i / (count - 1)).toPrecision(7)));
  return {
    labels: { x: xLabel, y: yLabel, z: zLabel },
    x: along(range[0], columns),
    y: along(range[1], grid.length),
    z: grid,
    path: { x: path.map(([x]) => x), y: path.map(([, y]) => y), z: heights },
    marks: {
      x: marks.map(({ place }) => place[0]),
      y: marks.map(({ place }) => place[1]),
      z: marks.map(({ height }) => height),
      names: marks.map(({ name }) => name),
      positions: marks.map(({ below = false }) => below ? "bottom center" : "top center"),
    },
  };
}
