import { card, type Curve, curveChart, PALETTE } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { LearningCurve } from "../learning_curve.ts";
import { signedNats, signedNatsInBrackets, wholeNumber } from "../shared/interval_words.ts";

/** Okabe and Ito's sky blue and bluish green: the brain's other readings beside its best. */
const SKY = "#56b4e9", GREEN = "#009e73";

/** Okabe and Ito's orange and reddish purple, and ink: readings of other steps. */
const OTHERS = [
  { colour: "#e69f00", symbol: "star" },
  { colour: "#cc79a7", symbol: "hexagon" },
  { colour: PALETTE.ink, symbol: "wye" },
] as const;

const WIDTH = 1145, MARGIN = 20;
const LEFT = 690, RIGHT = WIDTH - LEFT - 2 * MARGIN - 10;
const TOP = 330, BOTTOM = 250;

/**
 * Draws a learning curve from its numbers.
 *
 * @param result What `run` gave, or `NAME.json`.
 * @returns A whole SVG file.
 */
export function figure(result: LearningCurve): string {
  const { rows, doublings, sizes, readings, also = [], connectome, positions } = result;
  const looks: readonly Omit<Curve, "points">[] = [
    { name: readings.blind, colour: PALETTE.control, symbol: "cross", dashed: true },
    { name: readings.last, colour: GREEN, symbol: "triangle" },
    { name: readings.mean, colour: SKY, symbol: "square" },
    { name: readings.apart, colour: PALETTE.subject, symbol: "circle" },
    ...also.map((name, i) => ({ name, ...OTHERS[i % OTHERS.length]! })),
    { name: readings.eye, colour: PALETTE.second, symbol: "diamond2", dashed: true },
  ];
  const times = (factor: number, { value, low, high }: Interval) => ({
    value: factor * value,
    low: factor * low,
    high: factor * high,
  });
  const drawn = (all: readonly Curve[]) => all.filter(({ points }) => points.length > 0);
  const curves = (of: "loss" | "top1" | "good", factor = 1): Curve[] =>
    drawn(looks.map((curve) => ({
      ...curve,
      points: rows.filter(({ reading }) => reading === curve.name).map((row) => ({
        x: row.positions,
        interval: times(factor, row.scores[of]),
      })),
    })));
  const bought = drawn(looks.map((curve) => ({
    ...curve,
    points: doublings.filter(({ reading }) => reading === curve.name).map(({ to, loss }) => ({
      x: to,
      interval: loss,
    })),
  })));
  const ticks = sizes.map((at) => ({
    at,
    text: at < 10_000 ? wholeNumber(at) : `${Math.round(at / 1000)}k`,
  }));
  const x = { xLabel: "training positions", xTicks: ticks };
  const percent = (value: number) => value.toFixed(0);
  const small = { ...x, width: RIGHT, height: BOTTOM, names: 0 };
  const panels = [
    {
      svg: curveChart(curves("loss"), {
        ...x,
        label: "held-out loss (nats, lower is better)",
        width: LEFT,
        height: TOP,
        names: 190,
        format: (value) => value.toFixed(2),
      }),
      x: MARGIN,
      y: 0,
    },
    {
      svg: curveChart(curves("top1", 100), { ...small, height: TOP, label: "top-1 (%)", format: percent }),
      x: LEFT + MARGIN + 10,
      y: 0,
    },
    {
      svg: curveChart(bought, {
        ...x,
        label: "what the doubling up to there changed (nats of loss, below 0 is better)",
        xTicks: ticks.slice(1),
        width: LEFT,
        height: BOTTOM,
        names: 190,
        mark: 0,
        format: (value) => value === 0 ? "0" : signedNats(value),
      }),
      x: MARGIN,
      y: TOP + 16,
    },
    {
      svg: curveChart(curves("good", 100), { ...small, label: "good moves (%)", format: percent }),
      x: LEFT + MARGIN + 10,
      y: TOP + 16,
    },
  ];
  const title = finding(result);
  const full = fullestSize(result);
  const difference = (of: string, against: string) => {
    const found = result.differences.find((each) => each.of === of && each.against === against);
    if (found === undefined) return "(not fitted)";
    return signedNatsInBrackets(found.scores.loss) +
      (found.positions === full ? "" : ` (at ${wholeNumber(found.positions)})`);
  };
  return card(panels, {
    title,
    caption: [
      `${connectome.name}: ${wholeNumber(connectome.neurons)} neurons that stay as they are, ${
        wholeNumber(connectome.read)
      } of them read; ${wholeNumber(positions.hold)} held-out positions of ${
        wholeNumber(positions.games.hold)
      } games. ${drawsInWords(result)}.`,
      `Bars: 95 % intervals by game; most of what they show is common to all curves. Paired, at ${
        wholeNumber(full)
      } positions: mean minus ${readings.last} ${difference(readings.mean, readings.last)},`,
      `side by side minus mean ${
        difference(readings.apart, readings.mean)
      }, side by side minus direct input ${
        difference(readings.apart, readings.eye)
      } nats. Direct input: the same heads on the eye's ${wholeNumber(result.eye.cells)} cells.`,
      ...also.length === 0 ? [] : [
        `Other steps, minus ${readings.apart}: ${
          also.map((name) => `${name} ${difference(name, readings.apart)}`).join(", ")
        }.`,
      ],
    ],
    alt: `${title}. At ${wholeNumber(full)} training positions: ` +
      rows.filter((row) => row.positions === full).map(({ reading, scores }) =>
        `${reading}: loss ${scores.loss.value.toFixed(3)}, top-1 ${
          (100 * scores.top1.value).toFixed(1)
        } %, good moves ${(100 * scores.good.value).toFixed(1)} %`
      ).join("; "),
    width: WIDTH,
    height: TOP + BOTTOM + 28,
  });
}

/** The most positions that every reading was fitted on, of those that were fitted. */
export function fullestSize({ rows, sizes }: LearningCurve): number {
  const names = new Set(rows.map(({ reading }) => reading));
  const fitted = (size: number) =>
    [...names].every((name) => rows.some(({ reading, positions }) => reading === name && positions === size));
  return sizes.findLast(fitted) ?? sizes[0]!;
}

/** How often training positions were drawn. */
function drawsInWords({ rows, positions }: LearningCurve): string {
  const draws = rows.filter((row) => row.positions !== positions.train).map(({ seedLosses }) =>
    seedLosses.length
  );
  const least = Math.min(...draws), most = Math.max(...draws);
  if (draws.length === 0 || most === 1) return "One draw of training positions";
  return `Means of ${least === most ? most : `${least} to ${most}`} draws of training positions`;
}

function where(reading: string): string {
  return reading.startsWith("step ") ? `at ${reading}` : `as the ${reading}`.replace("the steps", "steps");
}

/** What the last doubling says, in a sentence, or which other steps are better. */
function finding(result: LearningCurve): string {
  const { doublings, readings, connectome, also = [] } = result, full = fullestSize(result);
  const [other] = also.flatMap((name) =>
    result.differences.filter(({ of, against, positions }) =>
      of === name && against === readings.apart && positions === full
    )
  ).sort((a, b) => a.scores.loss.value - b.scores.loss.value);
  if (other !== undefined && other.scores.loss.high < 0) {
    return `The ${connectome.name} is read best ${where(other.of)}: ${
      signedNats(other.scores.loss.value)
    } nats against ${readings.apart}, ${wholeNumber(full)} positions`;
  }
  const last = (reading: string) =>
    doublings.find((each) => each.reading === reading && each.to === full)?.loss;
  const best = last(readings.apart), least = last(readings.last);
  const gain = ({ value }: Interval) => (-value).toFixed(3);
  if (best === undefined || least === undefined) {
    const own = doublings.findLast(({ reading }) => reading === readings.last)?.loss;
    return own === undefined || own.high >= 0
      ? `A readout of the ${connectome.name}`
      : `More positions still help the ${connectome.name}: the last doubling bought ${
        gain(own)
      } nats at ${readings.last}`;
  }
  if (best.high >= 0) {
    return `What the last doubling of positions bought the ${connectome.name} is within chance`;
  }
  return `More positions still help the ${connectome.name}: the last doubling bought ${
    gain(best)
  } nats side by side` +
    (least.high < 0 ? `, ${gain(least)} at ${readings.last}` : `, nothing sure at ${readings.last}`);
}
