import { card, dotChart, PALETTE, TYPE_SIZE } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "./_experiment.ts";
import type { Wiring, WiringArm } from "./wiring.ts";

const WIDTH = 900, MARGIN = 20, ROW = 76;

const whole = (count: number) => count.toLocaleString("en-US");
const nats = (value: number) => (value > 0 ? "+" : "\u2212") + Math.abs(value).toFixed(3);
const range = ({ value, low, high }: Interval) => `${nats(value)} (${nats(low)} to ${nats(high)})`;

/**
 * Draws every brain's held-out loss, frozen and trained whole.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<Wiring>): string {
  const { arms, connectome, positions, learning } = result;
  const words = { frozen: "frozen: only\nthe readout learns", trained: "trained whole:\nsynapses learn too" };
  const chart = dotChart(
    arms.map(({ way, measured, shuffles }) => ({
      name: words[way],
      subjects: measured.map(({ loss }) => loss),
      controls: shuffles.map(({ loss }) => loss),
    })),
    {
      label: "held-out loss (nats, lower is better)",
      width: WIDTH - 2 * MARGIN,
      names: 140,
      rowHeight: ROW,
      format: (value) => value.toFixed(3),
    },
  );
  const height = arms.length * ROW + 84;
  const legend = `<svg width="400" height="20">` +
    `<path d="M6,3 L13,10 L6,17 L-1,10 Z" transform="translate(6,0)" fill="${PALETTE.subject}"/>` +
    text(24, "wiring as measured, one a seed") +
    `<circle cx="250" cy="10" r="5" fill="${PALETTE.control}" fill-opacity="0.75"/>` +
    text(262, "its shuffles, one each") + `</svg>`;
  const [frozen, trained] = arms;
  const title = `The measured wiring is ${standing(frozen!)} as a frozen brain, ${
    standing(trained!)
  } once the brain learns`;
  return card(
    [{ svg: chart, x: MARGIN, y: 0 }, { svg: legend, x: WIDTH - MARGIN - 420, y: 0 }],
    {
      title,
      caption: [
        `${connectome.name}, ${
          whole(connectome.connections)
        } connections; shuffles keep how many each neuron sends and ` +
        `receives. ${whole(positions.hold)} held-out positions.`,
        ...arms.map((arm) => `${arm.way === "frozen" ? "Frozen" : "Trained whole"}: ${told(arm)}`),
        `Training changed (nats, paired by game): as measured ${range(learning.measured.loss)}, shuffled ${
          range(learning.shuffled.loss)
        }.`,
      ],
      alt: `${title}. ${arms.map((arm) => `${arm.way}: ${told(arm)}`).join(" ")}`,
      width: WIDTH,
      height,
    },
  );
}

function text(x: number, words: string): string {
  return `<text x="${x}" y="14" font-size="${TYPE_SIZE.small}" fill="${PALETTE.ink}">${words}</text>`;
}

/** An arm's numbers in a sentence. */
function told({ among, scores }: WiringArm): string {
  const { rank, of, mean, deviation, effect, chance, chanceWorse } = among;
  const rare = chance === null || chanceWorse === null
    ? ""
    : chance < chanceWorse
    ? `, chance of so low a rank ${chance.toFixed(2)}`
    : `, chance of so high a rank ${chanceWorse.toFixed(2)}`;
  return `as measured ${scores.loss.value.toFixed(3)}; ${of - 1} shuffles ${
    mean.toFixed(3)
  }, standard deviation ${deviation.toFixed(3)}; rank ${rank} of ${of} (${effect > 0 ? "+" : "\u2212"}${
    Math.abs(effect).toFixed(1)
  } deviations)${rare}.`;
}

/** What is said of the measured wiring: how it stands among its shuffles. */
function standing({ among }: WiringArm): string {
  const { rank, of } = among;
  return rank === 1 ? `the best of ${of}` : rank === of ? `the worst of ${of}` : `no. ${rank} of ${of}`;
}
