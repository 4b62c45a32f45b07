import type { Connectome } from "../connectome/mod.ts";
import { pngUrl } from "./_png.ts";
import { shadeColour } from "./heat_map.ts";

/** Where a nervous system's cell bodies are on a picture, as plain JSON. */
export interface BrainView {
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** `[height][width]` bits, four a hexadecimal digit, the highest first: pixels with a cell body. */
  readonly mask: string;
}

/** A view and the neurons in it. */
export interface BrainPlaces {
  /** Which pixels there are. */
  readonly view: BrainView;
  /** `[neurons]`: which of the view's pixels a neuron lies in, counted in reading order; -1 where its body is unknown. */
  readonly place: Int32Array;
  /** Neurons with a body. */
  readonly drawn: number;
}

/** Steps of brightness besides none: one hexadecimal digit. */
const LEVELS = 15;
/** What a neuron that does not stand out looks like. */
const REST = "#e3e8ee";

/**
 * Looks at a nervous system from above, the head on top: x runs across the picture, the longer of y and z down.
 *
 * @param connectome Whose cell bodies.
 * @param options How many pixels wide.
 * @throws {RangeError} If fewer than two cell bodies are known: there is nothing to draw.
 * @example Every neuron of a model fly that has a body lies in a pixel
 * ```ts
 * import { growModelFly } from "flychess/connectome";
 * import { brainPlaces } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const fly = growModelFly({ scale: 1 / 64 });
 * const { view, place, drawn } = brainPlaces(fly, { width: 100 });
 * assert.equal(view.width, 100);
 * assert.equal(place.filter((pixel) => pixel >= 0).length, drawn);
 * ```
 */
export function brainPlaces(connectome: Connectome, options: { readonly width: number }): BrainPlaces {
  const { soma } = connectome.neurons, { width } = options;
  const neurons = connectome.sign.length;
  const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
  let drawn = 0;
  for (let i = 0; i < neurons; i++) {
    if (Number.isNaN(soma[3 * i])) continue;
    drawn++;
    for (let axis = 0; axis < 3; axis++) {
      const at = soma[3 * i + axis]!;
      if (at < least[axis]!) least[axis] = at;
      if (at > most[axis]!) most[axis] = at;
    }
  }
  if (!(most[0]! > least[0]!)) {
    throw new RangeError(
      `Cannot draw ${connectome.name}: ${drawn} cell bodies are known, at least two apart are wanted`,
    );
  }
  const extent = most.map((end, axis) => end - least[axis]!);
  const down = extent[2]! >= extent[1]! ? 2 : 1;
  const pixel = extent[0]! / (width - 1), height = Math.floor(extent[down]! / pixel) + 1;
  const at = new Int32Array(neurons).fill(-1), has = new Uint8Array(width * height);
  for (let i = 0; i < neurons; i++) {
    if (Number.isNaN(soma[3 * i])) continue;
    const x = Math.round((soma[3 * i]! - least[0]!) / pixel);
    const y = Math.min(height - 1, Math.round((soma[3 * i + down]! - least[down]!) / pixel));
    at[i] = y * width + x;
    has[at[i]!] = 1;
  }
  const order = new Int32Array(has.length);
  let occupied = 0, mask = "";
  for (let p = 0; p < has.length; p++) if (has[p]) order[p] = occupied++;
  for (let p = 0; p < has.length; p += 4) {
    mask += (has[p]! << 3 | (has[p + 1] ?? 0) << 2 | (has[p + 2] ?? 0) << 1 | (has[p + 3] ?? 0)).toString(16);
  }
  return { view: { width, height, mask }, place: at.map((p) => p < 0 ? -1 : order[p]!), drawn };
}

/**
 * How bright each pixel of a view is: the brightest neuron in it shows.
 *
 * @param places Where neurons are.
 * @param values `[neurons]`: what is shown, 0 for nothing.
 * @param most The value that is as bright as can be.
 * @returns One hexadecimal digit a pixel of the view.
 */
export function brainLevels(places: BrainPlaces, values: ArrayLike<number>, most: number): string {
  const { place } = places, levels: number[] = [];
  for (let i = 0; i < place.length; i++) {
    const pixel = place[i]!;
    if (pixel < 0) continue;
    const level = Math.round(LEVELS * Math.min(1, Math.max(0, values[i]! / most)));
    levels[pixel] = Math.max(levels[pixel] ?? 0, level);
  }
  return levels.map((level) => level.toString(16)).join("");
}

/**
 * Draws a nervous system: every cell body a dot, darker the more it shows.
 *
 * @param view Where the dots are.
 * @param levels How much each shows, of `brainLevels`.
 * @returns An `<svg>` element as text, as large as the view.
 * @throws {RangeError} If the levels are not those of the view.
 */
export function brainPicture(view: BrainView, levels: string): string {
  const { width, height, mask } = view, pixels = new Uint8Array(width * height);
  let next = 0;
  for (let p = 0; p < pixels.length; p++) {
    if ((parseInt(mask[p >> 2]!, 16) >> 3 - (p & 3) & 1) === 1) {
      pixels[p] = 1 + parseInt(levels[next++] ?? "x", 16);
    }
  }
  if (next !== levels.length) {
    throw new RangeError(
      `Cannot draw a brain: ${levels.length} levels for ${next} pixels, one each is wanted`,
    );
  }
  const palette = [
    "#ffffff",
    REST,
    ...Array.from({ length: LEVELS }, (_, i) => shadeColour(0.3 + 0.7 * (i + 1) / LEVELS)),
  ];
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<image width="${width}" height="${height}" href="${pngUrl(pixels, width, palette)}"/></svg>`;
}
