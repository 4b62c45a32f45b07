import { card, intervalChart, type Line, lineChart, PALETTE } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Sight } from "./ceiling.ts";
import type { DopamineRule, DopamineRules } from "./compare.ts";
import type { Result } from "../_experiment.ts";
import { percentInBrackets, scaled, wholeNumber } from "../shared/interval_words.ts";
import { markdownTable } from "../shared/markdown_table.ts";

const WIDTH = 960, MARGIN = 20, HEIGHT = 360, LEFT = 520;
/** Okabe and Ito's, after the palette's own. */
const LOOKS: readonly (Pick<Line, "colour"> & { readonly dashes?: string })[] = [
  { colour: PALETTE.subject },
  { colour: PALETTE.second, dashes: "6,4" },
  { colour: PALETTE.control, dashes: "2,3" },
  { colour: "#009e73", dashes: "8,3,2,3" },
  { colour: "#b8860b", dashes: "10,4" },
  { colour: "#cc79a7" },
  { colour: "#56b4e9", dashes: "4,2" },
  { colour: PALETTE.ink, dashes: "1,3" },
];
const SIGHTS: Readonly<Record<Sight, string>> = {
  kenyon: "Kenyon cells",
  descending: "descending neurons",
  mbon: "MBONs",
  board: "the board's own squares",
};

const orders = (seeds: number) => seeds === 1 ? "1 order" : `${seeds} orders`;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const points = (share: number) => (share < 0 ? "\u2212" : "+") + (100 * Math.abs(share)).toFixed(1);
const range = ({ value, low, high }: Interval) => `${points(value)} (${points(low)} to ${points(high)})`;

/**
 * Draws VAL pairs right as lessons go on, and what every rule gained on HOLD.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<DopamineRules>): string {
  const { rules, ceilings } = result;
  return waysFigure(result, titleOf(rules[0]!, ceilings.find(({ sees }) => sees === "kenyon")!.hold.value));
}

/** The same under another title. */
export function waysFigure(result: Result<DopamineRules>, title: string): string {
  const { rules, ceilings, connectome, mushroomBody } = result;
  const kenyon = ceilings.find(({ sees }) => sees === "kenyon")!;
  const lines: Line[] = rules.map(({ name, curve }, i) => ({
    name,
    ...LOOKS[i % LOOKS.length]!,
    points: curve.map(({ lessons, right }) => ({ x: lessons, y: 100 * right })),
  }));
  const chart = lineChart(lines, {
    label: "VAL pairs right (%, higher is better)",
    xLabel: "lessons",
    width: LEFT,
    height: HEIGHT,
    names: 124,
    marks: [{ name: "a coin", value: 50 }],
    format: (value) => value.toFixed(0),
    formatX: (x) => x === 0 ? "0" : wholeNumber(x),
  });
  const gains = intervalChart(
    rules.map(({ name, pairs }, i) => ({ name, interval: scaled(pairs.gain, 100), subject: i === 0 })),
    {
      label: "gain on HOLD pairs (points)",
      width: WIDTH - LEFT - 3 * MARGIN,
      rowHeight: Math.min(54, Math.floor((HEIGHT - 66) / rules.length)),
      names: true,
      mark: 0,
      format: (value) => points(value / 100),
    },
  );
  const base = rules[0]!, given = base.curve.at(-1)!.lessons;
  const amount = base.seeds === rules[1]!.seeds
    ? `${wholeNumber(given)} lessons in ${orders(base.seeds)} each`
    : `${wholeNumber(given)} lessons in ${orders(base.seeds)} (default) and ${
      orders(rules[1]!.seeds)
    } (each other)`;
  return card([{ svg: chart, x: MARGIN, y: 0 }, { svg: gains, x: LEFT + 2 * MARGIN, y: 0 }], {
    title,
    caption: [
      `${connectome.name}, ${
        wholeNumber(connectome.neurons)
      } neurons, ${mushroomBody.kenyon} Kenyon cells, ${mushroomBody.mbon} MBONs; ${amount}; bars hold 95 %, by game.`,
      `Default: ${percent(base.pairs.before.value)} to ${percent(base.pairs.after.value)} of HOLD pairs, ` +
      `${points(base.harder.gain.value)} against the second best move, ` +
      `the teacher's move found ${percent(base.moves.before.value)} to ${percent(base.moves.after.value)}.`,
      `Logistic regression on ${wholeNumber(kenyon.pairs)} pairs: ${
        ceilings.map(({ sees, hold }) => `${SIGHTS[sees]} ${percent(hold.value)}`).join(", ")
      }.`,
    ],
    alt: `${title}. Gains on HOLD in points: ${
      rules.map(({ name, pairs }) => `${name} ${range(pairs.gain)}`).join("; ")
    }.`,
    width: WIDTH,
    height: HEIGHT,
  });
}

function titleOf({ pairs, wayToCeiling }: DopamineRule, ceiling: number): string {
  const { low, high, value } = pairs.gain;
  if (low > 0) {
    return `Dopamine lessons gain ${(100 * value).toFixed(1)} points of pairs right, ` +
      `${Math.round(100 * wayToCeiling)} % of the way to what its Kenyon cells know`;
  }
  if (high < 0) {
    return `Dopamine lessons make this fly worse, by ${(100 * -value).toFixed(1)} points of pairs right`;
  }
  return `Dopamine lessons leave this fly where it was; its Kenyon cells know ${percent(ceiling)} of pairs`;
}

/** Every way in a table. */
export function waysTables({ rules }: Result<DopamineRules>): Record<string, string> {
  const share = (value: number) => `${Math.round(100 * value)} %`;
  const rows = rules.map(({ name, seeds, pairs, harder, overlap: [before, after], curve }) => [
    name,
    String(seeds),
    percentInBrackets(pairs.before),
    range(pairs.gain),
    range(harder.gain),
    `${share(before)}, ${share(after)}`,
    share(curve.at(-1)!.left),
  ]);
  const head = [
    "",
    "orders",
    "pairs right before",
    "gain, points",
    "against the second best",
    "cells in common, before and after",
    "strength left",
  ];
  return { ways: markdownTable(head, rows) };
}
