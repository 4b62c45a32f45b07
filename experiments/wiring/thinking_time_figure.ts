import { card, type Curve, curveChart, type Line, lineChart, PALETTE } from "flychess/figures";
import type { Result } from "../_experiment.ts";
import { markdownTable } from "../shared/markdown_table.ts";
import { mean } from "../shared/mean.ts";
import type { ReadAfter, ShuffleKind, ThinkingTimeNumbers } from "../thinking_time.ts";
import { signedNats, signedNatsInBrackets, wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 1145, MARGIN = 20, GAP = 20, HEIGHT = 310;
const LEFT = 560, RIGHT = WIDTH - LEFT - 2 * MARGIN - GAP;
/** What shuffles of each kind keep, and how they are drawn; the green is Okabe and Ito's. */
const KINDS: Readonly<Record<ShuffleKind, { name: string; colour: string; dashes: string }>> = {
  degrees: { name: "degrees kept", colour: PALETTE.control, dashes: "6 3" },
  distances: { name: "distances too", colour: "#009e73", dashes: "2 3" },
};
const ALL = Object.keys(KINDS) as ShuffleKind[];

/** Draws the loss by the step that is read, and by how much the measured wiring differs from its shuffles. */
export function figure(result: Result<ThinkingTimeNumbers>): string {
  const { steps, blind, settings, connectome } = result;
  const of = connectome.name.replace(/ \(.*\)$/, "");
  const lines: Line[] = [
    { name: of, colour: PALETTE.subject, points: steps.map(({ step, loss }) => ({ x: step, y: loss })) },
    ...ALL.map((kind) => ({
      name: KINDS[kind].name,
      colour: KINDS[kind].colour,
      dashes: KINDS[kind].dashes,
      points: steps.map(({ step, shuffles }) => ({ x: step, y: mean(shuffles[kind].losses) })),
    })),
  ];
  const curves: Curve[] = ALL.map((kind, i) => ({
    name: KINDS[kind].name,
    colour: KINDS[kind].colour,
    symbol: i === 0 ? "circle" : "triangle",
    dashed: i > 0,
    points: steps.map(({ step, shuffles }) => ({ x: step, interval: shuffles[kind].difference })),
  }));
  const title = finding(of, steps), [first] = steps;
  const counts = {
    degrees: first!.shuffles.degrees.losses.length,
    distances: first!.shuffles.distances.losses.length,
  };
  return card([
    {
      svg: lineChart(lines, {
        label: "held-out loss (nats, lower is better)",
        xLabel: "step that is read",
        width: LEFT,
        height: HEIGHT,
        names: 110,
        marks: [{ name: "blind", value: blind }],
        domainX: [steps[0]!.step, steps.at(-1)!.step],
        ticksX: steps.map(({ step }) => step),
        format: (value) => value.toFixed(2),
        formatX: (x) => `${x}`,
      }),
      x: MARGIN,
      y: 0,
    },
    {
      svg: curveChart(curves, {
        label: `${of} minus shuffles (nats, below 0: its wiring is better)`,
        xLabel: "step that is read",
        xTicks: steps.map(({ step }) => ({ at: step, text: `${step}` })),
        even: true,
        width: RIGHT,
        height: HEIGHT,
        names: 110,
        mark: 0,
        format: (value) => value === 0 ? "0" : signedNats(value),
      }),
      x: MARGIN + LEFT + GAP,
      y: 0,
    },
  ], {
    title,
    caption: [
      `${connectome.name}; ${counts.degrees} shuffles that keep every neuron's degrees, ${counts.distances} that also leave it as far from the eye. Brains as they are; ${
        wholeNumber(settings.train)
      } training, ${wholeNumber(settings.hold)} held-out positions.`,
      "A readout of its own for every brain and step, fitted to the end, the penalty and the pass chosen by VAL. Left: means " +
      "over shuffles. Right: 95 % intervals by game.",
    ],
    alt: `${title}. ` +
      steps.map(({ step, loss, shuffles }) =>
        `Step ${step}: ${loss.toFixed(3)}, ` +
        ALL.map((kind) => `${KINDS[kind].name} ${mean(shuffles[kind].losses).toFixed(3)}`).join(", ")
      ).join("; "),
    width: WIDTH,
    height: HEIGHT + 8,
  });
}

/** When the measured wiring is worse, and when it is better, in a sentence. */
function finding(of: string, steps: readonly ReadAfter[]): string {
  const after = (better: boolean) =>
    steps.filter(({ shuffles: { degrees: { difference } } }) =>
      better ? difference.high < 0 : difference.low > 0
    ).map(({ step }) => step);
  const worse = after(false), better = after(true);
  const told = (list: readonly number[]) =>
    list.length === 1 ? `step ${list[0]}` : `steps ${list[0]} to ${list.at(-1)}`;
  if (worse.length > 0 && better.length > 0) {
    return `The ${of}'s own wiring is worse than its shuffles at ${told(worse)}, better at ${told(better)}`;
  }
  return worse.length > 0
    ? `The ${of}'s own wiring is worse than its shuffles at ${told(worse)}, and never better`
    : better.length > 0
    ? `The ${of}'s own wiring is better than its shuffles at ${told(better)}, and never worse`
    : `The ${of}'s own wiring is no better and no worse than its shuffles at any step`;
}

/** Every step in a table. */
export function tables({ steps, connectome }: Result<ThinkingTimeNumbers>): Record<string, string> {
  const of = connectome.name.replace(/ \(.*\)$/, "");
  const spread = (losses: readonly number[]) =>
    `${Math.min(...losses).toFixed(3)} to ${Math.max(...losses).toFixed(3)}`;
  return {
    steps: markdownTable(
      ["step", of, ...ALL.flatMap((kind) => [KINDS[kind].name, `${of} minus these`]), "rank, degrees kept"],
      steps.map(({ step, loss, shuffles }) => [
        `${step}`,
        loss.toFixed(3),
        ...ALL.flatMap((
          kind,
        ) => [spread(shuffles[kind].losses), signedNatsInBrackets(shuffles[kind].difference)]),
        `${shuffles.degrees.among.rank} of ${shuffles.degrees.among.of}`,
      ]),
    ),
  };
}
