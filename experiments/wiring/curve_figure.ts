import { card, type Curve, curveChart, PALETTE } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import { signedNats, signedNatsInBrackets, wholeNumber } from "../shared/interval_words.ts";
import { markdownTable } from "../shared/markdown_table.ts";
import type { WiringCurve, WiringPoint, WiringWay } from "../wiring_curve.ts";

const WIDTH = 1145, MARGIN = 20, GAP = 20, HEIGHT = 320;
const LEFT = 590, RIGHT = WIDTH - LEFT - 2 * MARGIN - GAP;
const WORDS = { frozen: "frozen", trained: "trained whole" } as const;

/** The lowest and the highest of the shuffles around their mean. */
function spread({ shuffles, among }: WiringPoint): Interval {
  return { value: among.mean, low: Math.min(...shuffles), high: Math.max(...shuffles) };
}

/** A number as an interval without width. */
function exactly(value: number): Interval {
  return { value, low: value, high: value };
}

/**
 * Draws the loss by the number of positions, and how much the measured wiring differs from its shuffles.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<WiringCurve>): string {
  const { ways, connectome, positions, learning } = result, of = nameOf(result);
  const xTicks = ways[0]!.points.map(({ positions }) => ({
    at: positions,
    text: positions < 10_000 ? wholeNumber(positions) : `${Math.round(positions / 1000)}k`,
  }));
  const x = { xLabel: "positions learned from", xTicks, height: HEIGHT };
  const curve = (
    { way, points }: WiringWay,
    look: Omit<Curve, "points">,
    interval: (point: WiringPoint) => Interval,
  ): Curve => ({
    ...look,
    dashed: way === "frozen",
    points: points.map((point) => ({ x: point.positions, interval: interval(point) })),
  });
  const losses = ways.flatMap((way): Curve[] => [
    curve(
      way,
      { name: `${of}, ${WORDS[way.way]}`, colour: PALETTE.subject, symbol: "circle" },
      ({ loss }) => exactly(loss),
    ),
    curve(
      way,
      { name: `shuffles, ${WORDS[way.way]}`, colour: PALETTE.control, symbol: "square" },
      spread,
    ),
  ]);
  const differences = ways.map((way) =>
    curve(
      way,
      { name: WORDS[way.way], colour: PALETTE.subject, symbol: way.way === "frozen" ? "triangle" : "circle" },
      ({ difference }) => difference.loss,
    )
  );
  const title = finding(result), count = ways[0]!.points[0]!.shuffles.length;
  return card([
    {
      svg: curveChart(losses, {
        ...x,
        label: "held-out loss (nats, lower is better)",
        width: LEFT,
        names: 150,
        format: (value) => value.toFixed(2),
      }),
      x: MARGIN,
      y: 0,
    },
    {
      svg: curveChart(differences, {
        ...x,
        label: `${of} minus shuffles (nats, above 0: its wiring is worse)`,
        width: RIGHT,
        names: 100,
        mark: 0,
        format: (value) => value === 0 ? "0" : signedNats(value),
      }),
      x: MARGIN + LEFT + GAP,
      y: 0,
    },
  ], {
    title,
    caption: [
      `${connectome.name}, and ${count} shuffles that keep every neuron's degrees. Each point is a training of its own, run to the end; ${
        wholeNumber(positions.train)
      } training positions are one pass, ${wholeNumber(positions.hold)} held-out ones judge.`,
      "Left: bars are the lowest and the highest shuffle. Right: 95 % intervals by game.",
      `From the fewest positions to the most the difference changes by ${
        ways.map(({ way, change }) => `${signedNatsInBrackets(change)} ${WORDS[way]}`).join(", ")
      };`,
      `at the most, training whole widens it by ${signedNatsInBrackets(learning.at(-1)!.change)}.`,
    ],
    alt: `${title}. ` +
      ways.map(({ way, points }) =>
        `${WORDS[way]}: ` +
        points.map(({ positions, loss, among, difference }) =>
          `${wholeNumber(positions)} positions ${loss.toFixed(3)} against ${among.mean.toFixed(3)}, ${
            signedNats(difference.loss.value)
          }`
        ).join("; ")
      ).join(". "),
    width: WIDTH,
    height: HEIGHT + 8,
  });
}

/** `larva`. */
function nameOf({ connectome }: Result<WiringCurve>): string {
  return connectome.name.replace(/ \(.*\)$/, "");
}

/** Whether more positions bring it nearer to its shuffles, in a sentence. */
function finding(result: Result<WiringCurve>): string {
  const { points, change } = result.ways.find(({ way }) => way === "trained")!;
  const [first, last] = [points[0]!, points.at(-1)!].map(({ difference }) =>
    signedNats(difference.loss.value)
  );
  const moved = change.low > 0
    ? "loses ground to its"
    : change.high < 0
    ? "gains on its"
    : "keeps its distance from its";
  return `Trained whole on more positions, the ${nameOf(result)} ${moved} shuffles: ${first} to ${last} nats`;
}

/** Every point, and how the difference moves. */
export function tables(result: Result<WiringCurve>): Record<string, string> {
  const { ways, learning } = result, of = nameOf(result);
  return {
    points: markdownTable(
      ["positions", "", of, "shuffles", `${of} minus their mean`, "their deviations", "top-1 (points)"],
      ways.flatMap(({ way, points }) =>
        points.map(({ positions, loss, shuffles, difference, among }) => [
          wholeNumber(positions),
          WORDS[way],
          loss.toFixed(3),
          `${shuffles.length}: ${Math.min(...shuffles).toFixed(3)} to ${Math.max(...shuffles).toFixed(3)}`,
          signedNatsInBrackets(difference.loss),
          (among.effect > 0 ? "+" : "\u2212") + Math.abs(among.effect).toFixed(1),
          points1(difference.top1),
        ])
      ),
    ),
    learning: markdownTable(
      ["positions", "the difference trained minus that frozen"],
      learning.map(({ positions, change }) => [wholeNumber(positions), signedNatsInBrackets(change)]),
    ),
  };
}

/** `−2.1 (−2.8 to −1.4)` of shares. */
function points1({ value, low, high }: Interval): string {
  const sign = (share: number) => (share < 0 ? "\u2212" : "+") + Math.abs(100 * share).toFixed(1);
  return `${sign(value)} (${sign(low)} to ${sign(high)})`;
}
