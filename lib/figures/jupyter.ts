/** What a Jupyter kernel shows under a cell when it is the cell's last value. */
export interface Shown {
  /** The picture by MIME type. */
  [key: symbol]: () => Record<string, string>;
}

/**
 * Shows an SVG under a notebook's cell: make it the cell's last value.
 *
 * @param svg A whole SVG file, such as a `card`.
 * @example The last line of a cell
 * ```ts
 * import { card, showSvg } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const shown = showSvg(card([], { title: "Nothing", caption: [], alt: "", width: 100, height: 10 }));
 * assert.match(shown[Symbol.for("Jupyter.display")]!()["image/svg+xml"]!, /^<svg/);
 * ```
 */
export function showSvg(svg: string): Shown {
  return { [Symbol.for("Jupyter.display")]: () => ({ "image/svg+xml": svg }) };
}
