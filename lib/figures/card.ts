import { PALETTE, TYPE_SIZE, TYPEFACE } from "./style.ts";

/** One drawing on a card: an SVG element as text, and where it goes. */
export interface Panel {
  /** An `<svg …>` element as text, with a width and a height. */
  readonly svg: string;
  /** Pixels from the card's left edge. */
  readonly x: number;
  /** Pixels below the card's heading. */
  readonly y: number;
}

/** What a card says around its drawings. */
export interface CardOptions {
  /** The finding, in one sentence. */
  readonly title: string;
  /** What is drawn, on which brain and positions: one line a string. */
  readonly caption: readonly string[];
  /** What somebody who cannot see the picture should know. */
  readonly alt: string;
  /** Pixels. */
  readonly width: number;
  /** Pixels, of the drawings' part. */
  readonly height: number;
}

/** Makes text safe inside XML. */
export function escapeXml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[letter]!,
  );
}

/**
 * Puts drawings on a white card with a heading and a caption. The card is legible on light and dark pages.
 *
 * @param panels The drawings.
 * @param options The words, and how large the card is.
 * @returns A whole SVG file.
 * @example A card with nothing on it
 * ```ts
 * import { card } from "flychess/figures";
 * import assert from "node:assert/strict";
 *
 * const svg = card([], { title: "Nothing", caption: [], alt: "An empty card", width: 200, height: 10 });
 * assert.match(svg, /^<svg xmlns=/);
 * ```
 */
export function card(panels: readonly Panel[], options: CardOptions): string {
  const { title, caption, alt, width, height } = options;
  const margin = 20;
  const heading = margin + TYPE_SIZE.title + 14;
  const line = TYPE_SIZE.small + 6;
  const full = heading + height + caption.length * line + margin;
  const placed = panels.map(({ svg, x, y }) =>
    svg.replace(/^<svg/, `<svg x="${x}" y="${heading + y}" overflow="visible"`)
  );
  const words = caption.map((text, i) =>
    `<text x="${margin}" y="${heading + height + (i + 1) * line}" font-size="${TYPE_SIZE.small}" ` +
    `fill="${PALETTE.faint}">${escapeXml(text)}</text>`
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${full}" ` +
    `viewBox="0 0 ${width} ${full}" font-family="${TYPEFACE}" role="img" aria-label="${escapeXml(alt)}">\n` +
    `<title>${escapeXml(alt)}</title>\n` +
    `<rect width="${width}" height="${full}" rx="8" fill="${PALETTE.paper}"/>\n` +
    `<text x="${margin}" y="${margin + TYPE_SIZE.title}" font-size="${TYPE_SIZE.title}" font-weight="600" ` +
    `fill="${PALETTE.ink}">${escapeXml(title)}</text>\n` +
    [...placed, ...words].join("\n") + "\n</svg>\n";
}
