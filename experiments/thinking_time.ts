/**
 * Does it depend on how long a brain thinks whether its own wiring reads better than another? The brain and its shuffles as
 * they are, the same positions, and a readout of its own fitted to the end after one step, two, and so on.
 *
 *   deno task experiment thinking_time --connectome FILE --positions FILE
 *
 * @module
 */
import { wasmEngine } from "flychess/brain";
import { type Connectome, connectomeDigest } from "flychess/connectome";
import { eyeFor } from "flychess/eye";
import {
  type Deck,
  fitBlind,
  type Interval,
  judge,
  type Judged,
  noFeatures,
  pairedDifference,
} from "flychess/readout";
import { holdRows, trainRows, wake } from "flychess/training";
import type { ExperimentOptions } from "./_experiment.ts";
import { endOf, type EndSettings, fitHeadsToEnd } from "./shared/fit_to_end.ts";
import { joinJudged } from "./shared/join_judged.ts";
import { packJudged, unpackJudged } from "./shared/judged_piece.ts";
import { kept } from "./shared/kept.ts";
import { deckFeatures, frontOf, lookAt, QUICK_ROWS, stepsOf } from "./shared/looks.ts";
import { mean } from "./shared/mean.ts";
import { precisionFor } from "./shared/precision.ts";
import { WIRINGS } from "./wiring/other_wirings.ts";
import { type AmongShuffles, amongShuffles } from "./shared/rank.ts";

export { figure, tables } from "./wiring/thinking_time_figure.ts";

/** The question. */
export const question =
  "Does it depend on how long a brain thinks whether its own wiring is better than a shuffle's?";

/** Another kind of wiring. */
export type ShuffleKind = "degrees" | "distances";

/** All brains, read after one number of steps. */
export interface ReadAfter {
  readonly step: number;
  /** Held-out loss of the brain as measured, in nats. */
  readonly loss: number;
  /** Of each kind of shuffles, and where the measured one stands among them. */
  readonly shuffles: Readonly<
    Record<ShuffleKind, {
      readonly losses: readonly number[];
      /** The measured loss minus the shuffles' mean, position by position, with intervals by game. */
      readonly difference: Interval;
      readonly among: AmongShuffles;
    }>
  >;
}

/** What `thinking_time` measures. */
export interface ThinkingTimeNumbers {
  readonly settings: {
    readonly hold: number;
    readonly val: number;
    readonly train: number;
    readonly end: EndSettings;
  };
  /** Held-out loss of the blind baseline. */
  readonly blind: number;
  readonly steps: readonly ReadAfter[];
}

/** The first step that the board can reach is the second. */
const STEPS = [2, 3, 4, 6, 8, 12];
const COUNTS = { degrees: 9, distances: 3 } as const, QUICK_COUNTS = { degrees: 2, distances: 1 } as const;
/** As many as `controls` has. */
const TRAIN = 8192;

/** Measures; every fit that is finished is kept. */
export async function run(options: ExperimentOptions): Promise<ThinkingTimeNumbers> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const positions = frontOf(options.positions, quick ? { ...QUICK_ROWS, train: 512 } : { train: TRAIN });
  const eye = eyeFor(connectome, "auto"), hold = holdRows(positions), train = trainRows(positions);
  const steps = quick ? [2, 12] : STEPS, counts = quick ? QUICK_COUNTS : COUNTS;
  const end = quick
    ? { ...endOf(0), passes: 4, penalties: [0.3], first: 0.3 }
    : endOf(connectome.output.length);
  const blind = await fitBlind(positions, train, { signal, onProgress });

  /** What a brain's readouts do on HOLD, one a step. */
  const read = async (name: string, brainOf: () => Connectome): Promise<Judged[]> => {
    const inputs = { connectome: connectomeDigest(connectome), positions: positions.digest, seed, end };
    const task = { signal, onProgress: onProgress && named(name, onProgress) };
    let looked: Deck | undefined;
    const look = async (): Promise<Deck> => {
      if (looked !== undefined) return looked;
      await using brain = await wake(brainOf(), eye, positions, {
        engine: wasmEngine({
          precision: precisionFor(connectome),
          ...workers === undefined ? {} : { workers },
        }),
        calibrationPositions: Math.min(256, train.length),
        ...task,
      });
      return looked = await lookAt(brain, eye, positions, { steps, apart: true, ...task });
    };
    const judged: Judged[] = [];
    for (const [place, step] of steps.entries()) {
      const piece = await kept(keep, `${name} step ${step}`, inputs, async () => {
        const deck = stepsOf(await look(), steps.length, [place]);
        const { readout } = await fitHeadsToEnd(deck, positions, {
          seed,
          blind,
          settings: end,
          workers,
          ...task,
        });
        return packJudged(judge(readout, deckFeatures(deck), positions, hold), {});
      });
      judged.push(unpackJudged(piece, positions).judged);
    }
    return judged;
  };

  const measured = await read("as measured", () => connectome);
  const shuffled = async (kind: ShuffleKind): Promise<Judged[][]> => {
    const all: Judged[][] = [];
    for (let graph = 1; graph <= counts[kind]; graph++) {
      all.push(await read(`${kind} ${graph}`, () => WIRINGS[kind](connectome, graph)));
    }
    return all;
  };
  const shuffles = { degrees: await shuffled("degrees"), distances: await shuffled("distances") };
  const beside = (kind: ShuffleKind, place: number) => {
    const others = shuffles[kind].map((brain) => brain[place]!), own = measured[place]!;
    const losses = others.map(({ loss }) => mean(loss));
    // The same judgement beside each: their differences have the difference to the mean as theirs.
    const all = joinJudged(others.map(() => own));
    return {
      losses,
      difference: pairedDifference(all, joinJudged(others), { seed, resamples: quick ? 100 : 1000 }).loss,
      among: amongShuffles(mean(own.loss), losses),
    };
  };
  return {
    settings: { hold: hold.length, val: positions.val, train: train.length, end },
    blind: mean(judge(blind, noFeatures(positions.count), positions, hold).loss),
    steps: steps.map((step, place) => ({
      step,
      loss: mean(measured[place]!.loss),
      shuffles: { degrees: beside("degrees", place), distances: beside("distances", place) },
    })),
  };
}

/** Progress of a brain of a name. */
function named(
  name: string,
  onProgress: NonNullable<ExperimentOptions["onProgress"]>,
): NonNullable<ExperimentOptions["onProgress"]> {
  return (progress) => onProgress({ ...progress, task: `${name}: ${progress.task}` });
}
