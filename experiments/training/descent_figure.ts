import { card, type Line, lineChart, PALETTE } from "flychess/figures";
import type { Result } from "../_experiment.ts";
import type { DescentNumbers } from "../descent.ts";
import { wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 1145, MARGIN = 20, LEFT = 640, HEIGHT = 340;

/** Okabe and Ito's, in the order of the moves. */
const COLOURS = [PALETTE.subject, PALETTE.second, "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];
const DASHES = [undefined, "7,3", "2,3", "9,3,2,3", "4,4", "12,4"];

const percent = (share: number) => (100 * share).toFixed(1);

/** Draws the moves that were ever among the likeliest, and what the readout was worth meanwhile. */
export function figure(result: Result<DescentNumbers>): string {
  const { moments, moves, settings, connectome, held } = result;
  const shown = likeliest(result);
  const lines = shown.map((move, i): Line => {
    const at = moves.indexOf(move), dashes = DASHES[i];
    return {
      name: move,
      colour: COLOURS[i]!,
      ...dashes === undefined ? {} : { dashes },
      points: moments.map(({ lessons, chances }) => ({ x: lessons, y: 100 * chances[at]! })),
    };
  });
  const first = moments[0]!, last = moments.at(-1)!;
  const turn = moments.findLast(({ stage }) => stage === "probe")!;
  const thousands = (lessons: number) => lessons === 0 ? "0" : `${Number((lessons / 1000).toPrecision(3))}k`;
  const right = WIDTH - LEFT - 2 * MARGIN - 10;
  const title = `The ${connectome.name}'s favourite answer to 1.e4 changes ${
    changes(result, "probe")
  } times in the probe, ${changes(result, "new positions")} times with new positions`;
  return card([
    {
      svg: lineChart(lines, {
        label: "chance of a move after 1.e4 (%)",
        xLabel: "lessons",
        width: LEFT,
        height: HEIGHT,
        names: 56,
        format: (value) => value.toFixed(0),
        formatX: thousands,
      }),
      x: MARGIN,
      y: 0,
    },
    {
      svg: lineChart([{
        name: "",
        colour: PALETTE.subject,
        points: moments.map(({ lessons, loss }) => ({ x: lessons, y: loss.value })),
      }], {
        label: "held-out loss (nats, lower is better)",
        xLabel: "lessons",
        width: right,
        height: HEIGHT,
        names: 96,
        marks: [{ name: "after the probe", value: turn.loss.value }],
        format: (value) => value.toFixed(2),
        formatX: thousands,
      }),
      x: LEFT + MARGIN + 10,
      y: 0,
    },
  ], {
    title,
    caption: [
      `${connectome.name}, a brain that stays as it is: ${
        wholeNumber(connectome.read)
      } neurons are read at step ${settings.steps.join(", ")}. Probe: ${
        wholeNumber(settings.probe.positions)
      } positions ${settings.probe.passes} times; then ${
        wholeNumber(settings.fresh.positions)
      } new ones once.`,
      `Loss on ${wholeNumber(held)} held-out positions: ${first.loss.value.toFixed(3)} at the start, ${
        turn.loss.value.toFixed(3)
      } (95 % interval by game ${turn.loss.low.toFixed(3)} to ${
        turn.loss.high.toFixed(3)
      }) after the probe, ${last.loss.value.toFixed(3)} (${last.loss.low.toFixed(3)} to ${
        last.loss.high.toFixed(3)
      }) at the end.`,
    ],
    alt: `${title}. At the end: ` +
      shown.map((move) => `${move} ${percent(last.chances[moves.indexOf(move)]!)} %`).join(", ") +
      `. Held-out loss from ${first.loss.value.toFixed(3)} to ${last.loss.value.toFixed(3)}`,
    width: WIDTH,
    height: HEIGHT + 8,
  });
}

/** How often the favourite is another one than at the copy before, within a stage. */
function changes(numbers: DescentNumbers, stage: "probe" | "new positions"): number {
  const { moments } = numbers;
  return moments.filter((moment, k) =>
    k > 1 && moment.stage === stage && favourite(numbers, k) !== favourite(numbers, k - 1)
  ).length;
}

/** The likeliest move of a moment. */
function favourite({ moments, moves }: DescentNumbers, moment: number): string {
  const { chances } = moments[Math.min(moment, moments.length - 1)]!;
  return moves[chances.indexOf(Math.max(...chances))]!;
}

/** Six moves: those that ever were the favourite, then the likeliest at the end. */
function likeliest(numbers: DescentNumbers): string[] {
  const ever = numbers.moments.slice(1).map((_, k) => favourite(numbers, k + 1));
  const often = [...new Set(ever)].sort((a, b) =>
    ever.filter((each) => each === b).length - ever.filter((each) => each === a).length
  );
  return [...new Set([...often.slice(0, 4), ...numbers.moves])].slice(0, 6);
}
