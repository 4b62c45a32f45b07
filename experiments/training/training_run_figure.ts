import { card, intervalChart, type Line, lineChart, PALETTE } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import {
  inBrackets,
  percentInBrackets,
  scaled,
  signedNats,
  signedNatsInBrackets,
  wholeNumber,
} from "../shared/interval_words.ts";
import { markdownTable } from "../shared/markdown_table.ts";
import type { RunWay, TrainingRunNumbers } from "../training_run.ts";

const WIDTH = 1145, MARGIN = 20, GAP = 22;
const LEFT = 660, RIGHT = WIDTH - LEFT - 2 * MARGIN - GAP, ROW = 30;
/** The fourth is Okabe and Ito's bluish green. */
const COLOURS = [PALETTE.subject, PALETTE.second, PALETTE.control, "#009e73"];
const DASHES = [undefined, "6 3", "2 3", "9 3 2 3"];

/** Draws how runs get on. */
export function figure(result: Result<TrainingRunNumbers>): string {
  const { ways, settings, blind, connectome } = result;
  const [readout, ...learning] = ways;
  const lines: Line[] = ways.map(({ name, checks }, i) => ({
    name,
    colour: COLOURS[i % COLOURS.length]!,
    ...DASHES[i] === undefined ? {} : { dashes: DASHES[i] },
    points: checks.map(({ positions, valLoss }) => ({ x: positions, y: valLoss })),
  }));
  const values = lines.flatMap(({ points }) => points.map(({ y }) => y));
  const span = Math.max(...values, blind.valLoss) - Math.min(...values, blind.valLoss);
  const rows = (of: (way: RunWay) => Interval, nothing: Interval, times = 1) => [
    { name: "blind", interval: scaled(nothing, times), subject: false },
    ...ways.map((way, i) => ({ name: way.name, interval: scaled(of(way), times), subject: i === 0 })),
  ];
  const title = finding(readout!, learning, connectome.name);
  const small = (ways.length + 1) * ROW + 58, height = 2 * small + GAP;
  return card([
    {
      svg: lineChart(lines, {
        label: "loss on VAL (nats, lower is better)",
        xLabel: "positions learned from after the probe",
        width: LEFT,
        height,
        names: 150,
        marks: [{ name: "blind", value: blind.valLoss }],
        format: (value) => value.toFixed(span < 0.03 ? 3 : 2),
        formatX: (x) => x.toLocaleString("en-US"),
      }),
      x: MARGIN,
      y: 0,
    },
    ...[
      { label: "held-out loss (nats, lower is better)", of: rows(({ loss }) => loss, blind.loss), digits: 3 },
      { label: "held-out top-1 (%)", of: rows(({ top1 }) => top1, blind.top1, 100), digits: 1 },
    ].map(({ label, of, digits }, i) => ({
      svg: intervalChart(of, {
        label,
        width: RIGHT,
        names: true,
        nameWidth: 150,
        mark: of[1]!.interval.value,
        format: (value) => value.toFixed(digits),
      }),
      x: MARGIN + LEFT + GAP,
      y: i * (small + GAP),
    })),
  ], {
    title,
    caption: [
      `${connectome.name}; ${
        settings.seeds.length === 1 ? "one order" : `${settings.seeds.length} orders`
      } of ${wholeNumber(settings.train)} positions, ${
        wholeNumber(settings.probe)
      } of them in the probe first; batches of ${settings.batch}, step sizes on a cosine to 0. ` +
      `VAL: ${wholeNumber(settings.val)} positions, held out: ${wholeNumber(settings.hold)}.`,
      "The brain learns as in the reference: an error walks back six steps, homeostasis is as measured before, every " +
      "synapse stays within a fifth of",
      "its measured strength; by SGD where nothing else is said. Bars: 95 % intervals by game. Held-out loss minus the " +
      "readout's alone, paired:",
      `${
        learning.map(({ name, againstReadout }) => `${name} ${signedNatsInBrackets(againstReadout!)}`).join(
          "; ",
        )
      }.`,
    ],
    alt: `${title}. Held out: blind ${blind.loss.value.toFixed(3)}; ` +
      ways.map(({ name, loss, top1 }) =>
        `${name}: loss ${loss.value.toFixed(3)}, top-1 ${(100 * top1.value).toFixed(1)} %`
      ).join("; "),
    width: WIDTH,
    height: height + 8,
  });
}

/** What came of it, in a sentence. */
function finding({ againstProbe }: RunWay, learning: readonly RunWay[], brain: string): string {
  const of = brain.replace(/ \(.*\)$/, "");
  const better = againstProbe.every(({ high }) => high < 0);
  const worse = learning.filter(({ againstReadout }) => againstReadout!.low > 0);
  const helped = learning.filter(({ againstReadout }) => againstReadout!.high < 0);
  const alone = better ? `The ${of}'s readout gets better as it goes` : `The ${of}'s readout gets no better`;
  const most = Math.max(...learning.map(({ againstReadout }) => Math.abs(againstReadout!.value))).toFixed(3);
  if (worse.length === learning.length) return `${alone}; a brain that learns too costs up to ${most} nats`;
  if (helped.length === learning.length) {
    return `${alone}; a brain that learns too brings up to ${most} nats more`;
  }
  return helped.length > 0
    ? `${alone}; with ${helped.map(({ name }) => name).join(", ")} it gets further`
    : `${alone}; a brain that learns with it brings nothing sure`;
}

/** The ways in a table. */
export function tables({ ways, blind }: Result<TrainingRunNumbers>): Record<string, string> {
  const spread = (all: readonly Interval[]) => {
    const values = all.map(({ value }) => value), low = Math.min(...values), high = Math.max(...values);
    return signedNats(low) === signedNats(high)
      ? signedNats(low)
      : `${signedNats(low)} to ${signedNats(high)}`;
  };
  const head = [
    "way",
    "held-out loss",
    "top-1",
    "good moves",
    "loss minus the readout's",
    "minus its probe's",
  ];
  return {
    ways: markdownTable(head, [
      ["blind", inBrackets(blind.loss, 3), percentInBrackets(blind.top1), "", "", ""],
      ...ways.map(({ name, loss, top1, good, againstReadout, againstProbe }) => [
        name,
        inBrackets(loss, 3),
        percentInBrackets(top1),
        percentInBrackets(good),
        againstReadout === null ? "" : signedNatsInBrackets(againstReadout),
        spread(againstProbe),
      ]),
    ]),
  };
}
