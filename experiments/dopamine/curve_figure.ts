import { card, escapeXml, type Line, lineChart, PALETTE, TYPE_SIZE } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { DopamineCurve, MbonInput } from "../dopamine_curve.ts";
import type { Result } from "../_experiment.ts";
import { wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 960, MARGIN = 20, HEIGHT = 360, LEFT = 540, RIGHT = WIDTH - LEFT - 3 * MARGIN;
const COLOURS = [PALETTE.subject, PALETTE.second, PALETTE.control];

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const points = (share: number) => (share < 0 ? "\u2212" : "+") + (100 * Math.abs(share)).toFixed(1);
const range = ({ value, low, high }: Interval) => `${points(value)} (${points(low)} to ${points(high)})`;

/**
 * Draws VAL pairs right against minutes, and what is left of every MBON's input after the first run.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<DopamineCurve>): string {
  const { runs, minutes, connectome, valPairs, precision } = result, first = runs[0]!;
  const lines: Line[] = runs.map(({ seed, curve, lessons }, i) => ({
    name: `seed ${seed}`,
    colour: COLOURS[i % COLOURS.length]!,
    points: curve.map(({ lessons: given, right }) => ({ x: minutes * given / lessons, y: 100 * right })),
  }));
  const chart = lineChart(lines, {
    label: "VAL pairs right (%, higher is better)",
    xLabel: "minutes of lessons",
    width: LEFT,
    height: HEIGHT,
    names: 70,
    marks: [{ name: "a coin", value: 50 }],
    format: (value) => value.toFixed(0),
    formatX: (x) => x.toFixed(0),
  });
  const { gain, before, after, counts } = first.scores, { low, high } = gain.pairs;
  const title = low > 0
    ? `Fifteen minutes of lessons gain ${(100 * gain.pairs.value).toFixed(1)} points of held-out pairs`
    : high < 0
    ? `Fifteen minutes of lessons cost ${(-100 * gain.pairs.value).toFixed(1)} points of held-out pairs`
    : `Fifteen minutes of lessons leave the fly where it was: ${points(gain.pairs.value)} points`;
  return card(
    [{ svg: chart, x: MARGIN, y: 0 }, { svg: mbonMarks(first.mbons), x: LEFT + 2 * MARGIN, y: 0 }],
    {
      title,
      caption: [
        `${connectome.name}, ${precision}, ${
          runs.map(({ lessons }) => wholeNumber(lessons)).join(", ")
        } lessons; ${wholeNumber(valPairs)} VAL rows a check.`,
        `HOLD, ${wholeNumber(counts.pairs)} pairs: ${percent(before.pairs.value)} to ${
          percent(after.pairs.value)
        }; gains ${runs.map(({ scores }) => range(scores.gain.pairs)).join(", ")} points, 95 % by game.`,
        `Right: one mark an MBON, the strength of its synapses from Kenyon cells after seed ${first.seed}'s lessons; the ` +
        "rule can only weaken.",
      ],
      alt: `${title}. Gains on HOLD in points: ${
        runs.map(({ seed, scores }) => `seed ${seed} ${range(scores.gain.pairs)}`).join("; ")
      }.`,
      width: WIDTH,
      height: HEIGHT,
    },
  );
}

const ROWS = [
  { name: "approach", valence: 1, colour: PALETTE.subject },
  { name: "avoid", valence: -1, colour: PALETTE.second },
  { name: "neither", valence: 0, colour: PALETTE.control },
] as const;
const NAMES = 76, TOP = 34, ROW = 92;

/** A mark for each MBON: how much of its input is left, from none to all of what was measured. */
function mbonMarks(mbons: readonly MbonInput[]): string {
  const rows = ROWS.filter(({ valence }) =>
    mbons.some((each) => each.valence === valence && each.left !== null)
  );
  const across = (share: number) => NAMES + share * (RIGHT - NAMES - 16);
  const bottom = TOP + rows.length * ROW;
  const parts = [
    `<text x="0" y="12" font-size="${TYPE_SIZE.text}" font-weight="600" fill="${PALETTE.ink}">` +
    "left of each MBON's input (%)</text>",
  ];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const x = across(share).toFixed(1);
    parts.push(
      `<line x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}" stroke="${PALETTE.quiet}"/>`,
      `<text x="${x}" y="${
        bottom + 16
      }" text-anchor="middle" font-size="${TYPE_SIZE.small}" fill="${PALETTE.ink}">${
        Math.round(100 * share)
      }</text>`,
    );
  }
  rows.forEach(({ name, valence, colour }, r) => {
    const own = mbons.flatMap((each) => each.valence === valence && each.left !== null ? [each.left] : []);
    const top = TOP + r * ROW;
    parts.push(
      `<text x="0" y="${top + ROW / 2}" font-size="${TYPE_SIZE.text}" fill="${PALETTE.ink}">${
        escapeXml(name)
      }</text>`,
      `<text x="0" y="${
        top + ROW / 2 + 15
      }" font-size="${TYPE_SIZE.small}" fill="${PALETTE.ink}">${own.length} cells</text>`,
    );
    own.sort((a, b) => a - b).forEach((left, i) => {
      const y = top + 12 + (own.length === 1 ? 0.5 : i / (own.length - 1)) * (ROW - 24);
      parts.push(
        `<circle cx="${across(left).toFixed(1)}" cy="${
          y.toFixed(1)
        }" r="3" fill="${colour}" fill-opacity="0.8"/>`,
      );
    });
  });
  const height = bottom + 22;
  return `<svg width="${RIGHT}" height="${height}" viewBox="0 0 ${RIGHT} ${height}">${parts.join("")}</svg>`;
}
