import { card, dotChart, PALETTE, TYPE_SIZE } from "flychess/figures";
import { learnBrainRunConfig, type LearnBrainSettings } from "flychess/training";
import type { Result } from "../_experiment.ts";
import { markdownTable } from "../shared/markdown_table.ts";
import type { WiredBrain, Wiring, WiringArm } from "../wiring.ts";
import { signedNatsInBrackets, wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 900, MARGIN = 20, ROW = 52;
/** The kinds of wiring by what they keep. */
const KINDS = {
  distances: "degrees and distances",
  reference: "the reference's",
  random: "random graph",
} as const;

/**
 * Draws every brain's held-out loss, frozen and trained whole.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<Wiring>): string {
  const { arms, connectome, positions, learning, others } = result;
  const words = { frozen: "Frozen", trained: "Trained whole" };
  const rows = arms.flatMap(({ way, measured, shuffles }) => {
    const subjects = measured.map(({ loss }) => loss);
    const row = (kind: string, controls: readonly WiredBrain[]) => ({
      name: `${words[way]}:\n${kind}`,
      subjects,
      controls: controls.map(({ loss }) => loss),
    });
    return [
      row("degrees kept", shuffles),
      ...others.map((other) => row(KINDS[other.kind], other[way])),
    ];
  });
  const chart = dotChart(rows, {
    label: "held-out loss (nats, lower is better)",
    width: WIDTH - 2 * MARGIN,
    names: 160,
    rowHeight: ROW,
    format: (value) => value.toFixed(3),
  });
  const height = rows.length * ROW + 84;
  const legend = `<svg width="400" height="20">` +
    `<path d="M6,3 L13,10 L6,17 L-1,10 Z" transform="translate(6,0)" fill="${PALETTE.subject}"/>` +
    text(24, "wiring as measured, one a seed") +
    `<circle cx="250" cy="10" r="5" fill="${PALETTE.control}" fill-opacity="0.75"/>` +
    text(262, "another wiring, one each") + `</svg>`;
  const [frozen, trained] = arms;
  const { read } = learnBrainRunConfig(frozen!.settings as LearnBrainSettings);
  const title = `Read at step ${[read].flat().join(", ")}, the measured wiring is ${
    standing(frozen!)
  } frozen, ${standing(trained!)} once it learns`;
  return card(
    [{ svg: chart, x: MARGIN, y: 0 }, { svg: legend, x: WIDTH - MARGIN - 420, y: 0 }],
    {
      title,
      caption: [
        `${connectome.name}, ${
          wholeNumber(connectome.connections)
        } connections. Shuffles keep every neuron's degrees, ` +
        `the reference's nearly; a random graph none. ${wholeNumber(positions.hold)} held-out positions.`,
        ...arms.map((arm) => `${arm.way === "frozen" ? "Frozen" : "Trained whole"}: ${told(arm)}`),
        ...frozen!.among.chance === null ? [] : [
          `Chance: of so extreme a rank, one-sided, were the measured wiring one more shuffle; ${
            frozen!.among.of - 1
          } shuffles give no less than ${(1 / frozen!.among.of).toFixed(2)}.`,
        ],
        `Training changed (nats, paired by game): as measured ${
          signedNatsInBrackets(learning.measured.loss)
        }, shuffled ${signedNatsInBrackets(learning.shuffled.loss)}.`,
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
    ? `, chance ${chance.toFixed(2)}`
    : `, chance ${chanceWorse.toFixed(2)}`;
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

/** How the brains stand, and how the eye reaches what is read, in tables. */
export function tables(
  { arms, learning, others, reach, connectome }: Result<Wiring>,
): Record<string, string> {
  const words = { frozen: "frozen", trained: "trained whole" };
  const ranks = markdownTable(
    ["held-out loss", `${connectome.name}, each seed`, "shuffles", "rank", "deviations"],
    [
      ...arms.map(({ way, measured, shuffles, among }) => [
        words[way],
        measured.map(({ loss }) => loss.toFixed(3)).join(", "),
        `${shuffles.length}: ${spread(shuffles)}`,
        `${among.rank} of ${among.of}`,
        `${among.effect > 0 ? "+" : "\u2212"}${Math.abs(among.effect).toFixed(1)}`,
      ]),
      [
        "what training whole bought",
        signedNatsInBrackets(learning.measured.loss),
        signedNatsInBrackets(learning.shuffled.loss),
        "",
        "",
      ],
    ],
  );
  const hops = Math.max(...[reach.measured, reach.shuffled].map(({ hops }) => hops.length));
  const all = [
    { name: connectome.name, reach: reach.measured },
    { name: "degrees kept", reach: reach.shuffled },
    ...others.map(({ kind, reach }) => ({ name: KINDS[kind], reach })),
  ];
  const near = markdownTable(
    [
      "wiring, mean",
      ...Array.from({ length: hops }, (_, i) => `read ${i + 1} from the eye`),
      "connections straight from the eye",
      "cells of the eye heard within two",
    ],
    all.map(({ name, reach }) => [
      name,
      ...Array.from({ length: hops }, (_, i) => (reach.hops[i] ?? 0).toFixed(0)),
      reach.direct.toFixed(0),
      reach.cells.toFixed(1),
    ]),
  );
  const head = [
    "wiring",
    "brains",
    "frozen",
    "measured minus these",
    "trained whole",
    "measured minus these",
  ];
  return {
    arms: ranks,
    reach: near,
    others: markdownTable(
      head,
      others.map(({ kind, frozen, trained, difference }) => [
        KINDS[kind],
        `${frozen.length}`,
        spread(frozen),
        signedNatsInBrackets(difference.frozen.loss),
        spread(trained),
        signedNatsInBrackets(difference.trained.loss),
      ]),
    ),
  };
}

/** The least and the largest held-out loss. */
function spread(brains: readonly WiredBrain[]): string {
  const losses = brains.map(({ loss }) => loss);
  return `${Math.min(...losses).toFixed(3)} to ${Math.max(...losses).toFixed(3)}`;
}
