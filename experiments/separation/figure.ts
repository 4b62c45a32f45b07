import { card, intervalChart, type IntervalRow } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import type { PatternSeparation } from "../pattern_separation.ts";
import type { ArmNumbers } from "./summary.ts";
import { percentInBrackets, scaled, wholeNumber } from "../shared/interval_words.ts";
import { markdownTable } from "../shared/markdown_table.ts";

const WIDTH = 1100, MARGIN = 20, NAMES = 200, COLUMN = 280, ROW = 34;

/** What is not drawn: Plot leaves out what is no number. */
const NOTHING: Interval = { value: NaN, low: NaN, high: NaN };

const format = (value: number) => `${value.toFixed(1)} %`;

/**
 * Draws the study: overlap, pairs right and ceiling of every fly.
 *
 * @param result What `run` gave, or `NAME.json`.
 * @returns A whole SVG file.
 */
export function figure(result: Result<PatternSeparation>): string {
  const { arms, connectome, pairs, amounts, kenyon } = result;
  const rows = (of: (numbers: ArmNumbers) => Interval | null): IntervalRow[] =>
    arms.map((numbers, i) => ({
      name: numbers.arm.name,
      interval: scaled(of(numbers) ?? NOTHING, 100),
      subject: i === 1,
    }));
  const chart = (
    of: (numbers: ArmNumbers) => Interval | null,
    label: string,
    names: boolean,
    mark?: number,
  ) =>
    intervalChart(rows(of), {
      label,
      width: names ? NAMES + COLUMN : COLUMN,
      rowHeight: ROW,
      names,
      nameWidth: NAMES,
      format,
      ...(mark === undefined ? {} : { mark }),
    });
  const base = arms[0]!, title = finding(result);
  const panels = [
    { svg: chart(({ overlap }) => overlap, "Kenyon cells in common", true, 60), x: MARGIN, y: 0 },
    {
      svg: chart(({ after }) => after, "pairs right after lessons", false, 100 * base.after.value),
      x: MARGIN + NAMES + COLUMN + 10,
      y: 0,
    },
    {
      svg: chart(({ ceiling }) => ceiling, "logistic ceiling", false, 100 * base.ceiling!.value),
      x: MARGIN + NAMES + 2 * COLUMN + 20,
      y: 0,
    },
  ];
  const seeds = [...new Set(arms.map((each) => each.seeds))].join(" or ");
  return card(panels, {
    title,
    caption: [
      `${connectome.name}, ${wholeNumber(kenyon)} Kenyon cells; ${wholeNumber(pairs)} held-out pairs, ${
        wholeNumber(amounts.lessons)
      } lessons` +
      `${
        amounts.parts === undefined ? `, ${seeds} seeds` : "; seeds share one untrained fly and its ceiling"
      }.`,
      amounts.parts === undefined
        ? "Bars: 95 % intervals by seed and game; of the cells in common, the seeds' extremes."
        : `Bars: 95 % intervals by seed and game. ${dealtOut(arms, amounts.parts)}.`,
      `Dashed: 60 % in common is the goal; the base rule's pairs right and its ceiling. ` +
      `Before lessons: base rule ${format(100 * base.before.value)}, all together ${
        format(100 * arms[1]!.before.value)
      }, which goes ${Math.round(100 * arms[1]!.way!.value)} % of the way to its ceiling.`,
    ],
    alt: `${title}. ` +
      arms.map(({ arm, after, overlap }) =>
        `${arm.name}: ${format(100 * overlap.value)} in common, ${format(100 * after.value)} right`
      ).join("; "),
    width: WIDTH,
    height: arms.length * ROW + 66,
  });
}

/** Who was asked about what, where seeds have pairs of their own. */
function dealtOut([base, , ...others]: readonly ArmNumbers[], parts: number): string {
  const side = others.filter(({ ceiling }) => ceiling === null);
  const counts = [...new Set(side.map(({ seeds }) => seeds))].join(" or ");
  return `${base!.seeds} seeds${
    side.length === 0 ? "" : ` (those without a ceiling ${counts})`
  }, each asked about 1 in ${parts} of them` +
    others.filter(({ ceiling }) => ceiling !== null)
      .map(({ arm, seeds }) => `; ${arm.name}: ${seeds} seeds, all of them`).join("");
}

/** What came out, in a sentence. */
function finding({ arms, connectome, goal }: Result<PatternSeparation>): string {
  const base = arms[0]!, together = arms[1]!, whole = (share: number) => Math.round(100 * share);
  const cells = `Kenyon cells in common from ${whole(base.overlap.value)} to ${
    whole(together.overlap.value)
  } %`;
  const right = `${(100 * base.after.value).toFixed(1)} to ${format(100 * together.after.value)}`;
  const who = connectome.name.replace(/ \(.*/, "");
  return goal.againstBase
    ? `${cells}: the ${who} gets more pairs right, ${right}`
    : `${cells}: the ${who} learns no more beyond doubt, ${right}`;
}

const points = (share: number) => (share < 0 ? "\u2212" : "+") + (100 * Math.abs(share)).toFixed(1);
const inPoints = (found: Interval | null) =>
  found === null ? "" : `${points(found.value)} (${points(found.low)} to ${points(found.high)})`;

/** Every fly in a table, beside the base rule and beside everything together, on the same pairs with the same seeds. */
export function tables({ arms }: Result<PatternSeparation>): Record<string, string> {
  const head = [
    "",
    "seeds",
    "cells in common",
    "right before",
    "right after",
    "against the base rule, points",
  ];
  const fitted = (numbers: ArmNumbers) => numbers.ceiling === null ? "" : percentInBrackets(numbers.ceiling);
  const start = (numbers: ArmNumbers) => [
    numbers.arm.name,
    String(numbers.seeds),
    `${(100 * numbers.overlap.value).toFixed(0)} %`,
    percentInBrackets(numbers.before),
    percentInBrackets(numbers.after),
    inPoints(numbers.againstBase),
  ];
  return {
    flies: markdownTable(
      [...head, "against all together, points", "logistic ceiling"],
      arms.map((
        numbers,
      ) => [...start(numbers), inPoints(numbers.againstTogether ?? null), fitted(numbers)]),
    ),
  };
}
