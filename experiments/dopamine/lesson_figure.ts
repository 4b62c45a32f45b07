import { boardMap, card, escapeXml, PALETTE, TYPE_SIZE } from "flychess/figures";
import type { DopamineLesson, MbonLeft } from "../dopamine_lesson.ts";
import type { Result } from "../_experiment.ts";

const WIDTH = 960, MARGIN = 20, HEIGHT = 356, SQUARE = 15;
/** Kenyon cells in a row, pixels from one to the next, and how many are drawn at most. */
const ACROSS = 18, STEP = 13, MOST_CELLS = 400;
const MOST_TYPES = 16, BAR = 17;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/**
 * Draws the two boards, the Kenyon cells that are on in each, and what is left of the MBONs' input.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<DopamineLesson>): string {
  const { good, bad, on, overlap, pairs, lessons, mbons, connectome, approach } = result;
  const both = on.filter(([a, b]) => a && b).length;
  const [first, second] = [0, 1].map((side) => on.filter((cell) => cell[side]).length);
  const board = (
    squares: readonly string[],
    others: readonly string[],
    label: string,
    colour: "subject" | "second",
  ) =>
    boardMap(
      squares.map((text, square) => ({ text, shade: text === others[square] ? 0 : 0.5 })),
      { label, square: SQUARE, textSize: 10, colour },
    );
  const title = `Of the Kenyon cells that answer a position, ${
    percent(overlap)
  } answer the one a move away as well`;
  return card([
    { svg: board(good, bad, "sugar: after the teacher's move", "subject"), x: MARGIN, y: 0 },
    { svg: board(bad, good, "shock: after another", "second"), x: MARGIN, y: 178 },
    { svg: cellGrid(on), x: 270, y: 0 },
    { svg: mbonBars(mbons), x: 560, y: 0 },
  ], {
    title,
    caption: [
      `${connectome.name} after ${
        lessons.toLocaleString("en-US")
      } lessons. Cells that pass more than half of their ` +
      `rate: ${first} for the first position, ${second} for the second, ${both} for both;`,
      `this pair is the nearest to the mean over ${pairs} HOLD pairs. Approach ${
        approach[0].toFixed(3)
      } and ` +
      `${approach[1].toFixed(3)}. Boards from the mover's side, its pieces in capitals.`,
      "Right: the strength from Kenyon cells that is left, by type of MBON; the rule can only weaken. + approach, " +
      "\u2212 avoid, 0 neither.",
    ],
    alt: `${title}. In this pair ${first} and ${second} cells are on, ${both} in both.`,
    width: WIDTH,
    height: HEIGHT,
  });
}

function label(text: string): string {
  return `<text x="0" y="12" font-size="${TYPE_SIZE.text}" font-weight="600" fill="${PALETTE.ink}">${
    escapeXml(text)
  }</text>`;
}

function svg(width: number, height: number, inside: readonly string[]): string {
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inside.join("")}</svg>`;
}

/** A dot a Kenyon cell: both, the first alone, the second alone, neither. */
function cellGrid(all: DopamineLesson["on"]): string {
  const on = all.slice(0, MOST_CELLS), rows = Math.ceil(on.length / ACROSS);
  const dots = on.map(([a, b], k) => {
    const x = 7 + STEP * (k % ACROSS), y = 30 + STEP * Math.floor(k / ACROSS);
    const fill = a && b ? PALETTE.ink : a ? PALETTE.subject : b ? PALETTE.second : PALETTE.paper;
    return `<circle cx="${x}" cy="${y}" r="4.6" fill="${fill}" stroke="${a || b ? fill : PALETTE.quiet}"/>`;
  });
  const foot = 30 + STEP * rows + 8;
  const key = [["on in both", PALETTE.ink], ["only the first", PALETTE.subject], [
    "only the second",
    PALETTE.second,
  ]]
    .map(([text, colour], i) =>
      `<circle cx="${7 + 86 * i}" cy="${foot}" r="4.6" fill="${colour}"/>` +
      `<text x="${15 + 86 * i}" y="${foot + 4}" font-size="11" fill="${PALETTE.ink}">${text}</text>`
    );
  const name = on.length === all.length
    ? "Kenyon cells"
    : `the first ${on.length} of ${all.length} Kenyon cells`;
  return svg(ACROSS * STEP + 30, foot + 14, [label(name), ...dots, ...key]);
}

function mbonBars(mbons: readonly MbonLeft[]): string {
  const shown = mbons.slice(0, MOST_TYPES), full = 150, left = 150;
  const bars = shown.map(({ type, valence, left: share }, i) => {
    const y = 22 + BAR * i, sign = valence > 0 ? "+" : valence < 0 ? "\u2212" : "0";
    const colour = valence > 0 ? PALETTE.subject : valence < 0 ? PALETTE.second : PALETTE.control;
    return `<text x="${left - 8}" y="${
      y + 11
    }" text-anchor="end" font-size="${TYPE_SIZE.small}" fill="${PALETTE.ink}">` +
      `${escapeXml(type)} ${sign}</text>` +
      `<rect x="${left}" y="${y}" width="${full}" height="${
        BAR - 5
      }" fill="${PALETTE.quiet}" fill-opacity="0.5"/>` +
      `<rect x="${left}" y="${y}" width="${(full * share).toFixed(1)}" height="${
        BAR - 5
      }" fill="${colour}"/>` +
      `<text x="${left + full + 8}" y="${y + 11}" font-size="${TYPE_SIZE.small}" fill="${PALETTE.ink}">${
        percent(share)
      }</text>`;
  });
  return svg(380, 22 + BAR * shown.length, [label("left of MBONs' input from Kenyon cells"), ...bars]);
}
