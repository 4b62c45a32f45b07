import { card, landscape } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "./_experiment.ts";
import type { Landscape, LandscapeNumbers } from "./loss_landscape.ts";

const WIDTH = 1145, MARGIN = 20, HEIGHT = 400;

const whole = (count: number) => count.toLocaleString("en-US");
const percent = (share: number) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const range = ({ value, low, high }: Interval) =>
  `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;

/** Draws both planes from above, with the path on them. */
export function figure(result: Result<LandscapeNumbers>): string {
  const { planes, loss, connectome, settings, held } = result;
  const width = (WIDTH - 3 * MARGIN) / 2;
  const panels = planes.map((plane, i) => {
    const [first, second] = plane.shares;
    return {
      svg: landscape(plane.grid, {
        label: i === 0
          ? "held-out loss around the whole training (nats)"
          : "around its second part, new positions alone",
        xLabel: `first direction: ${percent(first!)} of the movement`,
        yLabel: `second direction: ${percent(second!)}`,
        range: plane.range,
        path: plane.path,
        marks: marksOf(plane, i === 0 ? "start" : "after the probe"),
        levels: levelsOf(plane),
        format: (value) => value.toFixed(3),
        width,
        height: HEIGHT,
      }),
      x: MARGIN + i * (width + MARGIN),
      y: 0,
    };
  });
  const [all, last] = planes;
  const title = `Training ends ${
    Math.abs(all.lowestMinusEnd.value).toFixed(4)
  } nats above the lowest point of the plane that its path lies in: ${connectome.name}`;
  return card(panels, {
    title,
    caption: [
      `${connectome.name}: the readout's ${
        whole(result.numbers)
      } numbers of moves, ${all.path.length} copies of it; probe of ${
        whole(settings.probe.positions)
      } positions ${settings.probe.passes} times, then ${
        whole(settings.fresh.positions)
      } new positions once.`,
      `Loss on ${whole(held)} held-out positions (95 % interval by game): ${
        range(loss.start)
      } at the start, ${range(loss.probe)} after the probe, ${range(loss.end)} at the end.`,
      `Lowest point minus end: ${signed(all.lowestMinusEnd)} at the left, ${
        signed(last.lowestMinusEnd)
      } at the right, on the very positions that it was looked for on.`,
    ],
    alt: `${title}. The first direction holds ${percent(all.shares[0]!)} of the movement, the second ${
      percent(all.shares[1]!)
    }; held-out loss from ${loss.start.value.toFixed(3)} to ${loss.end.value.toFixed(3)}`,
    width: WIDTH,
    height: HEIGHT + 8,
  });
}

function signed({ value, low, high }: Interval): string {
  const each = (nats: number) => (nats < 0 ? "\u2212" : "+") + Math.abs(nats).toFixed(4);
  return `${each(value)} (${each(low)} to ${each(high)})`;
}

/** The path's ends and the lowest point, which is left out where it is the end. */
function marksOf({ path, lowest, range }: Landscape, start: string) {
  const end = path.at(-1)!, size = range.map(([low, high]) => high - low);
  const near =
    Math.hypot((lowest.place[0] - end[0]) / size[0]!, (lowest.place[1] - end[1]) / size[1]!) < 0.015;
  return [
    { place: path[0]!, name: start },
    { place: end, name: near ? "end, lowest point" : "end" },
    ...near ? [] : [{ place: lowest.place, name: "lowest point", below: true }],
  ];
}

/** Levels that lie the closer the lower: each a third as far above the lowest point as the one before. */
function levelsOf({ grid, lowest }: Landscape): number[] {
  const room = Math.max(...grid.flat()) - lowest.loss;
  return [729, 243, 81, 27, 9, 3, 1.5].map((part) => lowest.loss + room / part);
}
