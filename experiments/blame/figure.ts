import { card, heatMap, type Line, lineChart, PALETTE } from "flychess/figures";
import type { Result } from "../_experiment.ts";
import { pictureRow } from "./pictures.ts";
import type { BlameWalk } from "./walk.ts";
import type { BlameNumbers } from "../blame.ts";
import { wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 1145, MARGIN = 20, LEFT = 430, TOP = 330;

/** A power of ten as a newcomer reads it. */
function power(value: number): string {
  const exponent = Math.round(Math.log10(value));
  if (exponent >= -3 && exponent <= 3) return String(Number(value.toPrecision(6)));
  const digits = String(Math.abs(exponent)).replaceAll(
    /\d/g,
    (digit) => "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[Number(digit)]!,
  );
  return `10${exponent < 0 ? "\u207b" : ""}${digits}`;
}

/** A value's power of ten, rounded. */
function exponentOf(value: number): string {
  const exponent = Math.round(Math.log10(value));
  return exponent < 0 ? `\u2212${-exponent}` : String(exponent);
}

/** Draws how large the error is at every step of its way back, and where. */
export function figure(result: Result<BlameNumbers>): string {
  const { walks, connectome, settings, gain, reach, pictures = null } = result;
  const [measured, calm] = walks as readonly [BlameWalk, BlameWalk];
  const points = ({ steps }: BlameWalk) => steps.map(({ step, mean }) => ({ x: step, y: mean }));
  const first = measured.steps.at(-1)!.mean;
  // The slope that the equations predict for neurons that no board reaches, up to the largest error.
  const guide = [5, 4, 3, 2, 1].map((step) => ({ x: step, y: first / gain.predicted ** (step - 1) }));
  const lines: Line[] = [
    { name: "as measured", colour: PALETTE.second, points: points(measured) },
    { name: "calm", colour: PALETTE.subject, points: points(calm) },
    { name: `${gain.predicted.toFixed(1)} a step`, colour: PALETTE.faint, dashes: "3,4", points: guide },
  ];
  const regions = Object.keys(result.neurons);
  const values = walks.flatMap(({ steps }) => steps.flatMap((each) => Object.values(each.regions))).filter((
    each,
  ) => each > 0).map(Math.log10);
  const high = Math.max(...values), low = Math.max(Math.min(...values), high - 9);
  const cells = ({ steps }: BlameWalk) =>
    regions.map((region) =>
      steps.map((step) => {
        const value = step.regions[region]!;
        return {
          shade: value > 0 ? Math.max(0.02, (Math.log10(value) - low) / (high - low)) : null,
          ...value > 0 && { text: exponentOf(value) },
        };
      })
    );
  const columns = measured.steps.map(({ step }) => String(step));
  // As tall as the chart beside it, if there are few regions.
  const row = Math.min(27, Math.max(19, Math.floor((TOP - 72) / regions.length)));
  const names = 116, width = (WIDTH - LEFT - 3 * MARGIN - names) / 24 - 1;
  const map = (walk: BlameWalk, label: string, left: number, colour: "subject" | "second") =>
    heatMap(cells(walk), {
      label,
      rows: left > 0 ? regions : regions.map(() => ""),
      columns,
      cell: { width, height: row },
      names: left,
      textSize: 10,
      columnsLabel: "step",
      colour,
    });
  const title = finding(result);
  const gone = (walk: BlameWalk) => (walk.steps.at(-1)!.mean / walk.steps[0]!.mean).toPrecision(2);
  const unreached = (step: number) => (100 * reach[step - 1]!.unreached).toFixed(0);
  const tall = Math.max(TOP, regions.length * row + 72);
  const drawn = pictures === null
    ? { panels: [], height: 0 }
    : pictureRow(pictures, { x: MARGIN, y: tall + 10 });
  return card([
    {
      svg: lineChart(lines, {
        label: "|d loss / d input|, mean of all neurons",
        xLabel: "step, from the last back to the first",
        width: LEFT,
        height: TOP,
        names: 96,
        scale: "log",
        domainX: [12, 1],
        ticksX: [12, 10, 8, 6, 4, 2, 1],
        format: power,
        formatX: String,
      }),
      x: MARGIN,
      y: 0,
    },
    { svg: map(measured, "as measured: power of ten", names, "second"), x: LEFT + 2 * MARGIN, y: 4 },
    {
      svg: map(calm, "calm: power of ten", 0, "subject"),
      x: LEFT + 3 * MARGIN + names + 12 * width + 8,
      y: 4,
    },
    ...drawn.panels,
  ], {
    title,
    caption: [
      `${connectome.name}: ${wholeNumber(connectome.neurons)} neurons, ${
        wholeNumber(connectome.read)
      } of them read; the error of a readout fitted by the probe, ${settings.positions} held-out positions of ${settings.games} games.`,
      `From step 12 to step 1 the error grows ${
        Number(gone(measured)).toLocaleString("en-US")
      } times as measured and ${
        Number(gone(calm)).toLocaleString("en-US")
      } times with calm homeostasis, where neurons that no board reaches get a sigma of 1, not 0.02.`,
      `No board reaches ${unreached(1)} % of the neurons at step 1, ${unreached(2)} % at step 2, ${
        unreached(3)
      } % at step 3. Colours: the mean of a region's neurons; numbers are its power of ten.`,
      ...pictures === null ? [] : [
        `Pictures: ${
          wholeNumber(pictures.drawn)
        } neurons that have a cell body, from above, as measured. Shades are powers of ten, down to a thousandth of a step's largest errors.`,
      ],
    ],
    alt: `${title}. Mean error by step from 12 to 1, as measured: ${
      measured.steps.map(({ mean }) => mean.toPrecision(2)).join(", ")
    }; calm: ${calm.steps.map(({ mean }) => mean.toPrecision(2)).join(", ")}`,
    width: WIDTH,
    height: tall + (pictures === null ? 0 : drawn.height + 14),
  });
}

function finding({ walks, connectome, gain }: Result<BlameNumbers>): string {
  const [measured, calm] = walks, { growth, from, to } = measured!.fastest;
  const at = (step: number) => calm!.steps.find((each) => each.step === step)!.mean;
  const quiet = (at(to) / at(from)) ** (1 / (from - to));
  return `${
    growth.toFixed(1)
  } times a step: how the error grows from step ${from} back to ${to} in the ${connectome.name}` +
    (growth > 0.8 * gain.predicted
      ? ""
      : quiet < 1
      ? "; calm, it shrinks"
      : `, ${quiet.toFixed(1)} when calm`);
}
