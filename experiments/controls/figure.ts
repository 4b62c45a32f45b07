import { card, PALETTE, stripChart, type StripRow } from "flychess/figures";
import type { Interval } from "flychess/readout";
import { GROUPS } from "./brains.ts";
import type { ControlRow, ControlsNumbers, Rank } from "./result.ts";
import type { Result } from "../_experiment.ts";
import { chanceInWords, signedNats, signedNatsInBrackets, wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 1145, MARGIN = 20, NAMES = 182, LEFT = 470, ROW = 25;

/** Draws every brain's loss, how much the board moves it, and how many of the neurons read hear the eye directly. */
export function figure(result: Result<ControlsNumbers>): string {
  const drawn = draw(result);
  // A model fly's wiring is its own, but not a real one.
  return result.connectome.name.startsWith("model fly")
    ? drawn.replaceAll("the real wiring", "its own wiring").replaceAll(
      /\b([Rr])eal wiring/g,
      (_, r) => `${r === "R" ? "O" : "o"}wn wiring`,
    )
    : drawn;
}

function draw(result: Result<ControlsNumbers>): string {
  const { brains, ranks, connectome, settings, left = [] } = result;
  const lines = linesOf(brains);
  const real = brains.find(({ group }) => group === GROUPS.real)!;
  const rows = (value: (brain: ControlRow) => Interval | number | undefined): StripRow[] =>
    lines.map(({ name, members, colour }) => ({
      name,
      colour,
      values: members.flatMap((brain) => {
        const found = value(brain);
        if (found === undefined) return [];
        if (typeof found === "number") return [{ value: found }];
        return [members.length === 1 ? found : { value: found.value }];
      }),
    }));
  const small = (WIDTH - LEFT - 2 * MARGIN) / 3 - 8;
  const x = (place: number) => MARGIN + LEFT + 8 + place * (small + 8);
  const panels = [
    {
      svg: stripChart(rows(({ end }) => end.againstReal), {
        label: "loss minus the real wiring's, fitted to the end (nats, left is better)",
        width: LEFT,
        names: NAMES,
        rowHeight: ROW,
        mark: 0,
        format: (value) => value === 0 ? "0" : signedNats(value, 2),
      }),
      x: MARGIN,
      y: 0,
    },
    {
      svg: stripChart(rows(({ probe }) => probe.againstReal), {
        label: "the same by the probe",
        width: small,
        names: 0,
        rowHeight: ROW,
        mark: 0,
        format: (value) => value === 0 ? "0" : signedNats(value, 2),
      }),
      x: x(0),
      y: 0,
    },
    {
      svg: stripChart(rows(({ spread }) => spread?.descending), {
        label: "spread of the neurons read",
        width: small,
        names: 0,
        rowHeight: ROW,
        ...real.spread && { mark: real.spread.descending },
        format: (value) => value.toFixed(3),
      }),
      x: x(1),
      y: 0,
    },
    {
      svg: stripChart(rows(({ hearing }) => hearing === undefined ? undefined : 100 * hearing), {
        label: "read, and hear the eye (%)",
        width: small,
        names: 0,
        rowHeight: ROW,
        ...real.hearing !== undefined && { mark: 100 * real.hearing },
        format: (value) => value.toFixed(0),
      }),
      x: x(2),
      y: 0,
    },
  ];
  const title = finding(connectome.name, ranks);
  const strict = ranks.find(({ group, read }) => group === GROUPS.degrees && read === "end");
  return card(panels, {
    title,
    caption: [
      `${connectome.name}: ${wholeNumber(connectome.neurons)} neurons that stay as they are, ${
        wholeNumber(connectome.read)
      } of them read at step ${settings.steps.join(", ")}; ${wholeNumber(settings.train)} training and ${
        wholeNumber(settings.hold)
      } held-out positions.`,
      `Each dot is a brain, bars are 95 % intervals by game, dashed is the real wiring: loss ${
        real.end.loss.value.toFixed(3)
      } to the end, ${real.probe.loss.value.toFixed(3)} by the probe (a few passes of fixed steps).`,
      "Spread: deviation of the rate of a neuron that is read, from board to board. Hear the eye: have a connection straight " +
      "from a visual neuron or, in a larva, from one of the eye's cells.",
      ...brains.some(({ group }) => group === GROUPS.lesion)
        ? [
          "No X: what X's neurons send is cut, what they receive is not. No descending: they are read as ever, but send nothing " +
          "to each other and the brain. Other: of no region named.",
        ]
        : [],
      ...strict
        ? [
          `Real wiring minus the mean of ${strict.of - 1} degree-preserving shuffles, to the end: ${
            signedNatsInBrackets(strict.realMinusMean)
          } nats; ${strict.rank - 1} of them read better.`,
          chances(strict),
        ]
        : [],
      ...left.length > 0 ? [`${left.length} more brains, lesions and other draws, are not made yet.`] : [],
    ],
    alt: `${title}. Held-out loss fitted to the end: ` +
      lines.map(({ name, members }) => {
        const losses = members.map(({ end }) => end.loss.value);
        return members.length === 1
          ? `${name} ${losses[0]!.toFixed(3)}`
          : `${name} ${Math.min(...losses).toFixed(3)} to ${Math.max(...losses).toFixed(3)}`;
      }).join("; "),
    width: WIDTH,
    height: lines.length * ROW + 66,
  });
}

interface Line {
  readonly name: string;
  readonly members: readonly ControlRow[];
  readonly colour: string;
}

/** One line a kind; each lesion is a line of its own. */
function linesOf(brains: readonly ControlRow[]): Line[] {
  const of = (group: string) => brains.filter((brain) => brain.group === group);
  const order = [
    GROUPS.direct,
    GROUPS.real,
    GROUPS.grown,
    GROUPS.degrees,
    GROUPS.reference,
    GROUPS.regions,
    GROUPS.signs,
  ];
  const colour = (group: string) =>
    group === GROUPS.real ? PALETTE.subject : group === GROUPS.direct ? PALETTE.second : PALETTE.control;
  return [
    ...order.filter((group) => of(group).length > 0).map((group) => ({
      name: of(group).length > 1
        ? `${group}s`.replace(/^shuffle(.*)s$/, "shuffles$1").replace("agains", "again")
        : group,
      members: of(group),
      colour: colour(group),
    })),
    ...of(GROUPS.lesion).map((brain) => ({ name: brain.name, members: [brain], colour: PALETTE.second })),
    ...[GROUPS.silenced, GROUPS.blind].map((group) => ({
      name: group,
      members: of(group),
      colour: PALETTE.control,
    })),
  ].sort((a, b) => Number(a.name === GROUPS.real ? 0 : 1) - Number(b.name === GROUPS.real ? 0 : 1));
}

/** The chances of the rank where there are enough shuffles to speak of any. */
function chances({ chance, chanceWorse, of }: Rank): string {
  if (chance === null || chanceWorse === null) return "Too few for a rank to be rare.";
  const better = chance <= chanceWorse;
  return `One-sided chance of so ${better ? "good" : "bad"} a rank: ${
    chanceInWords(better ? chance : chanceWorse, of)
  }.`;
}

/** What the strictest shuffle says, in a sentence. */
function finding(name: string, ranks: readonly Rank[]): string {
  const rank = ranks.find(({ group, read }) => group === GROUPS.degrees && read === "end");
  if (rank === undefined) return `The ${name} beside its controls`;
  const shuffles = rank.of - 1, by = Math.abs(rank.difference).toFixed(3);
  if (rank.rank === 1) {
    return `The ${name}'s own wiring reads chess ${by} nats better than ${shuffles} shuffles that keep every degree`;
  }
  if (rank.rank === rank.of) {
    return `${shuffles} shuffles that keep every degree all read chess better than the ${name}, by ${by} nats`;
  }
  return `The ${name} is one among its shuffles: ${
    rank.rank - 1
  } of ${shuffles} that keep every degree read chess better`;
}
