import type { Positions } from "flychess/data";
import { type Interval, type Judged, pairedDifference, type Scores, summarize } from "flychess/readout";
import type { SafeTensors, TensorData } from "flychess/training";
import { type ControlCounts, GROUPS } from "./brains.ts";
import type { EndSettings } from "../shared/fit_to_end.ts";
import { type AmongShuffles, amongShuffles } from "../shared/rank.ts";
import { mean } from "../shared/mean.ts";

/** A brain, and what two readouts of it did with every HOLD position. */
export interface JudgedBrain {
  readonly group: string;
  readonly name: string;
  /** Read by the probe. */
  readonly probe: Judged;
  /** Read by a readout that was fitted to the end. */
  readonly end: Judged;
  /** The penalty and the pass that VAL chose. */
  readonly penalty?: number;
  readonly pass?: number;
  readonly connections: number;
  /** Share of the neurons read that hear a visual neuron directly. */
  readonly hearing?: number;
  /** How much the board moves neurons at the last step. */
  readonly spread?: { readonly descending: number; readonly kenyon?: number };
}

/** Top-1, good moves and held-out loss. */
type Three = Pick<Scores, "top1" | "good" | "loss">;

/** What one way of reading says about a brain. */
export interface ReadScores extends Three {
  /** Loss minus the blind baseline's; below 0 is better. */
  readonly againstBlind: Interval;
  /** Loss minus the real wiring's; below 0 is better. */
  readonly againstReal: Interval;
}

/** A line of the table. */
export interface ControlRow extends Omit<JudgedBrain, "probe" | "end"> {
  readonly probe: ReadScores;
  readonly end: ReadScores;
}

/** The real wiring among shuffles of one kind. */
export interface Rank extends AmongShuffles {
  readonly group: string;
  readonly read: "probe" | "end";
  readonly lowest: number;
  readonly highest: number;
  /** The real wiring's loss minus their mean: below 0 the real wiring is better. By game, for these shuffles. */
  readonly realMinusMean: Interval;
}

/** What `controls` measures. */
export interface ControlsNumbers {
  readonly settings: {
    readonly hold: number;
    readonly train: number;
    readonly val: number;
    readonly steps: readonly number[];
    readonly precision: string;
    readonly arithmetic: string;
    readonly end: EndSettings;
  };
  readonly eye: { readonly name: string; readonly cells: number };
  readonly counts: ControlCounts;
  /** Brains that were not finished when what there was so far was summed up; missing where all were. */
  readonly left?: readonly string[];
  readonly brains: readonly ControlRow[];
  readonly ranks: readonly Rank[];
}

const KINDS = ["probe", "end"] as const;
const FLOATS = ["loss", "valueError"] as const, FLAGS = ["top1", "good"] as const;

/** A finished brain as a file, and back. */
export const packBrain = {
  /** Arrays by name; whatever else is known as text. */
  close({ probe, end, ...rest }: JudgedBrain): SafeTensors {
    const tensors: Record<string, { shape: number[]; data: TensorData }> = {};
    for (const [kind, judged] of [["probe", probe], ["end", end]] as const) {
      for (const key of [...FLOATS, ...FLAGS]) {
        tensors[`${kind}.${key}`] = { shape: [judged.rows.length], data: judged[key] };
      }
    }
    return { tensors, metadata: { brain: JSON.stringify(rest) } };
  },
  /** The same brain; HOLD rows and their games come from the positions. */
  open({ tensors, metadata }: SafeTensors, positions: Positions): JudgedBrain {
    const rows = Int32Array.from({ length: positions.hold }, (_, i) => i);
    const read = (kind: typeof KINDS[number]): Judged => ({
      rows,
      game: positions.game.slice(0, positions.hold),
      loss: Float64Array.from(tensors[`${kind}.loss`]!.data as Float64Array),
      valueError: Float64Array.from(tensors[`${kind}.valueError`]!.data as Float64Array),
      top1: Uint8Array.from(tensors[`${kind}.top1`]!.data as Uint8Array),
      good: Uint8Array.from(tensors[`${kind}.good`]!.data as Uint8Array),
    });
    return { ...JSON.parse(metadata["brain"]!), probe: read("probe"), end: read("end") };
  },
};

/** Intervals, differences and ranks. */
export function summarizeControls(
  found: readonly JudgedBrain[],
  options: { readonly resamples: number; readonly seed: number },
): Pick<ControlsNumbers, "brains" | "ranks"> {
  const one = (name: string) => found.find((brain) => brain.name === name)!;
  const real = one(GROUPS.real), blind = one(GROUPS.blind);
  const brains = found.map(({ probe, end, ...rest }): ControlRow => {
    const scores = (kind: typeof KINDS[number], judged: Judged): ReadScores => {
      const { top1, good, loss } = summarize(judged, options);
      return {
        top1,
        good,
        loss,
        againstBlind: pairedDifference(judged, blind[kind], options).loss,
        againstReal: pairedDifference(judged, real[kind], options).loss,
      };
    };
    return { ...rest, probe: scores("probe", probe), end: scores("end", end) };
  });
  const shuffled = [GROUPS.degrees, GROUPS.reference, GROUPS.regions, GROUPS.signs, GROUPS.grown];
  const ranks = shuffled.flatMap((group) => {
    const members = found.filter((brain) => brain.group === group);
    return members.length === 0
      ? []
      : KINDS.map((read) => rank(group, read, real[read], members.map((each) => each[read])));
  });
  return { brains, ranks };

  function rank(group: string, read: "probe" | "end", subject: Judged, members: readonly Judged[]): Rank {
    const losses = members.map(({ loss }) => mean(loss)), own = mean(subject.loss);
    const middle = {
      ...subject,
      loss: subject.loss.map((_, i) => mean(members.map(({ loss }) => loss[i]!))),
    };
    return {
      group,
      read,
      ...amongShuffles(own, losses),
      // One alone has no deviation.
      ...losses.length === 1 && { deviation: 0, effect: 0 },
      lowest: Math.min(...losses),
      highest: Math.max(...losses),
      realMinusMean: pairedDifference(subject, middle, options).loss,
    };
  }
}
