import { card, landscape, type Surface, surfacePage } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import type { Landscape, LandscapeNumbers } from "../loss_landscape.ts";
import { wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 1145, MARGIN = 20, HEIGHT = 400;

const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const range = ({ value, low, high }: Interval) =>
  `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;

/** Draws both planes from above, with the path on them. */
export function figure(result: Result<LandscapeNumbers>): string {
  const width = (WIDTH - 3 * MARGIN) / 2;
  const panels = result.planes.map((plane, i) => ({
    svg: landscape(plane.grid, {
      ...labelsOf(plane, i),
      range: plane.range,
      path: plane.path,
      marks: marksOf(plane, i),
      levels: levelsOf(plane),
      format: (value) => value.toFixed(digitsOf(levelsOf(plane))),
      width,
      height: HEIGHT,
    }),
    x: MARGIN + i * (width + MARGIN),
    y: 0,
  }));
  return card(panels, { ...wordsOf(result), width: WIDTH, height: HEIGHT + 8 });
}

/** Draws both planes as surfaces that can be turned. */
export function page(result: Result<LandscapeNumbers>): Promise<string> {
  const surfaces = result.planes.map((plane, i): Surface => ({
    ...labelsOf(plane, i),
    zLabel: "loss (nats)",
    range: plane.range,
    grid: plane.grid,
    path: plane.path,
    heights: plane.losses,
    marks: marksOf(plane, i),
  }));
  return surfacePage(surfaces, wordsOf(result));
}

function labelsOf({ shares: [first, second] }: Landscape, i: number) {
  return {
    label: i === 0
      ? "held-out loss around the whole training (nats)"
      : "around its second part, new positions alone",
    xLabel: `first direction: ${percent(first!)} of the movement`,
    yLabel: `second direction: ${percent(second!)}`,
  };
}

function wordsOf({ planes, loss, connectome, settings, held, numbers }: Result<LandscapeNumbers>) {
  const [all, last] = planes;
  const title = `Training ends ${
    Math.abs(all.lowestMinusEnd.value).toFixed(4)
  } nats above the lowest point of the plane that its path lies in: ${connectome.name}`;
  return {
    title,
    caption: [
      `${connectome.name}: the readout's ${
        wholeNumber(numbers)
      } numbers of moves, ${all.path.length} copies of it; probe of ${
        wholeNumber(settings.probe.positions)
      } positions ${settings.probe.passes} times, then ${
        wholeNumber(settings.fresh.positions)
      } new positions once.`,
      `Loss on ${wholeNumber(held)} held-out positions (95 % interval by game): ${
        range(loss.start)
      } at the start, ${range(loss.probe)} after the probe, ${range(loss.end)} at the end.`,
      `Lowest point minus end: ${signed(all.lowestMinusEnd)} at the left, ${
        signed(last.lowestMinusEnd)
      } at the right, on the very positions that it was looked for on.`,
    ],
    alt: `${title}. The first direction holds ${percent(all.shares[0]!)} of the movement, the second ${
      percent(all.shares[1]!)
    }; held-out loss from ${loss.start.value.toFixed(3)} to ${loss.end.value.toFixed(3)}`,
  };
}

function signed({ value, low, high }: Interval): string {
  const each = (nats: number) => (nats < 0 ? "\u2212" : "+") + Math.abs(nats).toFixed(4);
  return `${each(value)} (${each(low)} to ${each(high)})`;
}

/** The path's ends and the lowest point, which is left out where it is the end. */
function marksOf({ path, losses, lowest, range }: Landscape, i: number) {
  const start = i === 0 ? "start" : "after the probe";
  const end = path.at(-1)!, size = range.map(([low, high]) => high - low);
  const near =
    Math.hypot((lowest.place[0] - end[0]) / size[0]!, (lowest.place[1] - end[1]) / size[1]!) < 0.015;
  // Two names that lie near each other stand on both sides.
  const over = !near && lowest.place[1] > end[1];
  return [
    { place: path[0]!, height: losses[0]!, name: start },
    { place: end, height: losses.at(-1)!, name: near ? "end, lowest point" : "end", below: over },
    ...near ? [] : [{ place: lowest.place, height: lowest.loss, name: "lowest point", below: !over }],
  ];
}

/** Levels that lie the closer the lower: each a third as far above the lowest point as the one before. */
function levelsOf({ grid, lowest }: Landscape): number[] {
  const room = Math.max(...grid.flat()) - lowest.loss;
  return [729, 243, 81, 27, 9, 3, 1.5].map((part) => lowest.loss + room / part);
}

/** Decimals that tell levels apart. */
function digitsOf(levels: readonly number[]): number {
  const alike = (digits: number) => new Set(levels.map((each) => each.toFixed(digits))).size < levels.length;
  return alike(3) ? 4 : 3;
}
