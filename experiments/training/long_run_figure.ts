import { card, type Curve, curveChart, PALETTE } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import {
  inBrackets,
  percentInBrackets,
  scaled,
  signedNatsInBrackets,
  wholeNumber,
} from "../shared/interval_words.ts";
import type { LongRunNumbers, LongRunStage } from "../long_run.ts";
import { markdownTable } from "../shared/markdown_table.ts";

const WIDTH = 1145, MARGIN = 20, GAP = 18, HEIGHT = 300;
/** Pixels for the names of the lines, at the right of the first panel. */
const NAMED = 70;
const PANEL = Math.floor((WIDTH - 2 * MARGIN - 2 * GAP - NAMED) / 3);
const NAMES = { cosine: "cosine", halving: "halving" } as const;

type Run = LongRunNumbers["runs"][number];

/** Draws every fit of a long run. */
export function figure(result: Result<LongRunNumbers>): string {
  const { runs, blind, settings, connectome, difference } = result, [{ stages }] = runs as [Run, Run];
  const rated = runs.every(({ stages }) =>
    stages.every(({ elo }) => elo !== null && elo.low !== null && elo.high !== null)
  );
  const curves = (of: (stage: LongRunStage) => Interval): Curve[] =>
    runs.map(({ schedule, stages }, i) => ({
      name: NAMES[schedule],
      colour: i === 0 ? PALETTE.subject : PALETTE.second,
      symbol: i === 0 ? "circle" : "square",
      dashed: i > 0,
      points: stages.map((stage) => ({ x: stage.positions, interval: of(stage) })),
    }));
  const xTicks = stages.map(({ positions }) => ({
    at: positions,
    text: positions < 10_000 ? wholeNumber(positions) : `${Math.round(positions / 1000)}k`,
  }));
  const panel = (
    label: string,
    curves: readonly Curve[],
    format: (value: number) => string,
    mark?: number,
    names = 0,
  ) =>
    curveChart(curves, {
      label,
      xLabel: "training positions",
      xTicks,
      width: PANEL + names,
      height: HEIGHT,
      names,
      format,
      ...mark === undefined ? {} : { mark },
    });
  const charts = [
    panel(
      "held-out loss (nats, lower is better)",
      curves(({ loss }) => loss),
      (value) => value.toFixed(2),
      blind.loss.value,
      NAMED,
    ),
    panel(
      "held-out top-1 (%)",
      curves(({ top1 }) => scaled(top1, 100)),
      (value) => value.toFixed(0),
      100 * blind.top1.value,
    ),
    rated
      ? panel(
        "Elo of its games",
        curves(({ elo }) => ({ value: elo!.value, low: elo!.low!, high: elo!.high! })),
        (value) => value.toFixed(0),
      )
      : panel(
        "held-out good moves (%)",
        curves(({ good }) => scaled(good, 100)),
        (value) => value.toFixed(0),
        100 * blind.good.value,
      ),
  ];
  const title = finding(result);
  return card(charts.map((svg, i) => ({ svg, x: MARGIN + i * (PANEL + GAP) + (i > 0 ? NAMED : 0), y: 0 })), {
    title,
    caption: [
      `${connectome.name}, a brain that stays as it is, mean of steps ${settings.steps[0]} to ${
        settings.steps.at(-1)
      }; ${
        wholeNumber(settings.hold)
      } held-out positions. Each fit goes on from the one before, on everything there is.`,
      settings.games === 0
        ? "No games were played."
        : `Elo: ${settings.games} games against each rung of a ladder from random moves to the weakest Stockfish.`,
      `Cosine: the step size falls to 0 over every fit's passes; halving: by half after a pass that did not help (the reference). ` +
      `Dashed across: blind.`,
      `Bars: 95 % intervals. At the end, held-out loss of cosine minus halving, paired by game: ${
        signedNatsInBrackets(difference)
      }.`,
    ],
    alt: `${title}. ` +
      stages.map(({ positions, loss, top1, elo }) =>
        `${wholeNumber(positions)} positions: loss ${loss.value.toFixed(3)}, top-1 ${
          (100 * top1.value).toFixed(1)
        } %` + (elo === null ? "" : `, Elo ${elo.value}`)
      ).join("; "),
    width: WIDTH,
    height: HEIGHT + 8,
  });
}

/** What more positions and the schedule brought, in a sentence. */
function finding({ runs, connectome, difference }: Result<LongRunNumbers>): string {
  const [{ stages }] = runs as [Run, Run];
  const of = connectome.name.replace(/ \(.*\)$/, ""), first = stages[0]!, last = stages.at(-1)!;
  const times = Math.round(last.positions / first.positions);
  const gained = (first.loss.value - last.loss.value).toFixed(3),
    ahead = Math.abs(difference.value).toFixed(3);
  const fit = difference.high < 0
    ? `, a step size on a cosine ${ahead}`
    : difference.low > 0
    ? `; a step size on a cosine costs ${ahead}`
    : "";
  return `${times} times the positions bring the ${of} ${gained} nats${fit}`;
}

/** Every fit in a table. */
export function tables({ runs, blind }: Result<LongRunNumbers>): Record<string, string> {
  const end = (value: number | null) => value === null ? "no limit" : String(value);
  const rows = runs.flatMap(({ schedule, stages }) =>
    stages.map((stage, i) => [
      `${NAMES[schedule]}, ${i + 1}`,
      wholeNumber(stage.positions),
      stage.lookSeconds === null ? "" : stage.lookSeconds.toFixed(0),
      `${stage.passes}`,
      stage.fitSeconds.toFixed(0),
      percentInBrackets(stage.top1),
      percentInBrackets(stage.good),
      inBrackets(stage.loss, 3),
      stage.againstLast === null ? "" : signedNatsInBrackets(stage.againstLast),
      stage.elo === null ? "" : `${stage.elo.value} (${end(stage.elo.low)} to ${end(stage.elo.high)})`,
    ])
  );
  const nothing = [
    "blind",
    "",
    "",
    "",
    "",
    percentInBrackets(blind.top1),
    percentInBrackets(blind.good),
    inBrackets(blind.loss, 3),
    "",
    "",
  ];
  const head = [
    "fit",
    "positions",
    "seconds to look",
    "passes",
    "seconds to fit",
    "top-1",
    "good moves",
    "held-out loss",
    "minus the fit before",
    "Elo",
  ];
  return { stages: markdownTable(head, [nothing, ...rows]) };
}
