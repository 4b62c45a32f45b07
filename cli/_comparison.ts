import type { Interval, Scores } from "../lib/readout/mod.ts";
import { card, intervalChart, type IntervalRow } from "../lib/figures/mod.ts";
import type { Comparison } from "../lib/training/mod.ts";
import { table } from "./_table.ts";

/** `19.9 % (18.7 to 21.1)` */
function percent({ value, low, high }: Interval): string {
  const part = (share: number) => (100 * share).toFixed(1);
  return `${part(value)} % (${part(low)} to ${part(high)})`;
}

/** `2.963 (2.941 to 2.985)`, with a sign where asked. */
function number({ value, low, high }: Interval, sign = false): string {
  const text = (x: number) => (sign && x > 0 ? "+" : "") + (x === 0 ? 0 : x).toFixed(3);
  return `${text(value)} (${text(low)} to ${text(high)})`;
}

/** One line of a comparison as plain JSON values. */
export interface ComparisonLine extends Pick<Scores, "top1" | "good" | "loss"> {
  readonly name: string;
  readonly features: number;
  readonly lossAgainstBlind: Interval;
  readonly lossAgainstBrain: Interval;
}

/** Whether a brain beats the blind baseline: the interval of the paired difference lies below 0. */
export function beatsBlind({ lossAgainstBlind }: Pick<ComparisonLine, "lossAgainstBlind">): boolean {
  return lossAgainstBlind.high < 0;
}

/**
 * A comparison as people read it.
 *
 * @param comparison What was compared.
 * @param subject The line's name of the brain that the comparison is about.
 */
export function comparisonTable({ brains }: Comparison, subject: string): string {
  return table(
    ["brain", "top-1", "good moves", "loss", "against blind", `against ${subject}`],
    brains.map((brain, i) => [
      brain.name,
      percent(brain.scores.top1),
      percent(brain.scores.good),
      number(brain.scores.loss),
      i === 0 ? "" : number(brain.lossAgainstBlind, true),
      brain.name === subject ? "" : number(brain.lossAgainstBrain, true),
    ]),
  );
}

/** What the columns of the table mean. */
export const COMPARISON_LEGEND = `In brackets: 95 % intervals, resampled by game.
  top-1         how often the favourite is the teacher's best move
  good moves    how often it is within 1 win% of it
  loss          policy cross-entropy on held-out positions, lower is better
  against ...   the loss minus that line's loss on the same positions: a brain beats it when the whole interval
                lies below 0, and is beaten when it lies above
Lines:
  blind         never looks at the board, only knows which moves are popular
  direct input  the same linear readout straight on the photoreceptors, no brain between
  silenced      the same brain, but its eye stays dark: at best as good as blind, and with the probe's few
                passes a little worse, because each of the numbers that it reads keeps some noise of the fit
  shuffle       the same connections with their receiving ends dealt out again
  no ...        the same brain without the connections that the neurons of that region send`;

/** A comparison as plain JSON values. */
export function comparisonJson({ brains }: Pick<Comparison, "brains">): ComparisonLine[] {
  return brains.map(({ name, features, scores, lossAgainstBlind, lossAgainstBrain }) => ({
    name,
    features,
    top1: scores.top1,
    good: scores.good,
    loss: scores.loss,
    lossAgainstBlind,
    lossAgainstBrain,
  }));
}

/** The lines of a comparison as a table in Markdown. */
export function comparisonMarkdown(lines: readonly ComparisonLine[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["brain", "top-1", "good moves", "loss (nats)", "loss minus blind's"]),
    row(["---", "--:", "--:", "--:", "--:"]),
    ...lines.map(({ name, top1, good, loss, lossAgainstBlind }, i) =>
      row([name, percent(top1), percent(good), number(loss), i === 0 ? "" : number(lossAgainstBlind, true)])
    ),
  ].join("\n");
}

/** A comparison as charts: top-1, good moves and the paired difference of the loss, side by side. */
export function comparisonCharts(
  brains: readonly ComparisonLine[],
  subject: string,
): { svg: string; x: number }[] {
  const signed = (value: number) =>
    (value > 0 ? "+" : value < 0 ? "\u2212" : "") + Math.abs(value).toFixed(3);
  const charts = [
    {
      label: "top-1 (%, more is better)",
      pick: (brain: ComparisonLine) => brain.top1,
      scale: 100,
      format: (value: number) => value.toFixed(1),
    },
    {
      label: "good moves (%, more is better)",
      pick: (brain: ComparisonLine) => brain.good,
      scale: 100,
      format: (value: number) => value.toFixed(1),
    },
    {
      label: "loss minus blind's (less is better)",
      pick: (brain: ComparisonLine) => brain.lossAgainstBlind,
      scale: 1,
      format: signed,
    },
  ];
  let x = 20;
  return charts.map(({ label, pick, scale, format }, i) => {
    const rows: IntervalRow[] = brains.map((brain) => {
      const { value, low, high } = pick(brain);
      return {
        name: brain.name,
        interval: { value: value * scale, low: low * scale, high: high * scale },
        subject: brain.name === subject,
      };
    });
    const width = i === 0 ? 330 : 250;
    const svg = intervalChart(rows, {
      label,
      width,
      names: i === 0,
      mark: rows[0]!.interval.value,
      clear: true,
      format,
    });
    const at = x;
    x += width;
    return { svg, x: at };
  });
}

/** A comparison as a figure of its own. */
export function comparisonFigure(
  comparison: Comparison,
  subject: string,
  title: string,
  caption: string[],
): string {
  const panels = comparisonCharts(comparisonJson(comparison), subject).map(({ svg, x }) => ({
    svg,
    x,
    y: 0,
  }));
  return card(panels, {
    title,
    caption,
    alt: `${title}. ${comparison.brains.map((b) => `${b.name} ${percent(b.scores.top1)}`).join("; ")}`,
    width: 870,
    height: comparison.brains.length * 30 + 66,
  });
}
