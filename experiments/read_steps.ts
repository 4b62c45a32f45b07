/**
 * Which steps of a think are worth reading? Each step alone, the mean of the last four, and the last four side by side, each
 * fitted to the end on the same positions.
 *
 * @module
 */
import { wasmEngine } from "flychess/brain";
import { connectomeDigest } from "flychess/connectome";
import { eyeFor } from "flychess/eye";
import {
  bestArithmetic,
  type Deck,
  fitBlind,
  type Interval,
  judge,
  type Judged,
  noFeatures,
  pairedDifference,
  type Scores,
  summarize,
} from "flychess/readout";
import { holdRows, type SafeTensors, trainRows, wake } from "flychess/training";
import { deckSpread } from "./controls/measures.ts";
import type { ExperimentOptions } from "./_experiment.ts";
import { endOf, type EndSettings, fitHeadsToEnd } from "./shared/fit_to_end.ts";
import { kept } from "./shared/kept.ts";
import { packJudged, unpackJudged } from "./shared/judged_piece.ts";
import { deckFeatures, frontOf, lookAt, meanFeatures, QUICK_ROWS, stepsOf } from "./shared/looks.ts";
import { precisionFor } from "./shared/precision.ts";

export { figure } from "./signal/read_steps_figure.ts";

/** The question. */
export const question =
  "Which steps are worth reading: one of the twelve, the mean of four, or four side by side?";

/** Steps of a think. */
const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** Penalties on what steps side by side say beyond their mean: there are three times as many of these weights. */
const CONTRAST = { penalties: [1, 0.1, 0.01], first: 0.1 };

/** One way of reading. */
export interface StepReading {
  /** `step 12`, `mean of 9 to 12`, `9 to 12 side by side`, `blind`. */
  readonly name: string;
  readonly steps: readonly number[];
  /** Numbers that the readout sees. */
  readonly features: number;
  readonly top1: Interval;
  readonly good: Interval;
  /** Held-out loss, in nats. */
  readonly loss: Interval;
  /** Loss minus that of reading step 12, on the same positions; below 0 is better. */
  readonly againstLast: Interval;
  /** How much the board moves a neuron's rate at that step; of single steps only. */
  readonly spread?: number;
  /** What VAL chose. */
  readonly penalty?: number;
  readonly pass?: number;
}

/** What `read_steps` measures. */
export interface ReadStepsNumbers {
  readonly settings: {
    readonly hold: number;
    readonly val: number;
    readonly train: number;
    readonly arithmetic: string;
    readonly end: EndSettings;
    readonly contrast: typeof CONTRAST;
  };
  readonly readings: readonly StepReading[];
  /** Side by side minus the mean: loss, top-1 and good moves. */
  readonly apartMinusMean: Pick<Scores, "loss" | "top1" | "good">;
}

/** A fitted reading. */
interface Found {
  readonly name: string;
  readonly steps: readonly number[];
  readonly features: number;
  readonly spread?: number;
  readonly penalty?: number;
  readonly pass?: number;
  readonly judged: Judged;
}

/** Measures; each reading that is fitted is kept, as is what the neurons did. */
export async function run(options: ExperimentOptions): Promise<ReadStepsNumbers> {
  const { connectome, quick, seed, keep, workers, signal, onProgress } = options;
  const positions = frontOf(
    options.positions,
    quick ? { ...QUICK_ROWS, train: 1024 } : { train: 16_384 },
  );
  const eye = eyeFor(connectome, "auto"), hold = holdRows(positions), train = trainRows(positions);
  const columns = connectome.output.length, late = [9, 10, 11, 12], end = endOf(columns);
  const settings = {
    hold: hold.length,
    val: positions.val,
    train: train.length,
    arithmetic: bestArithmetic(),
    end: quick ? { ...end, passes: 6, penalties: [0.3], first: 0.3 } : end,
    contrast: quick ? { penalties: [1, 0.1], first: 1 } : CONTRAST,
  };
  const inputs = {
    connectome: connectomeDigest(connectome),
    positions: positions.digest,
    eye: eye.name,
    seed,
    ...settings,
  };
  const piece = (name: string, make: () => Promise<SafeTensors>) => kept(keep, name, inputs, make);
  const blind = await fitBlind(positions, train, { signal, onProgress });
  let looked: Deck | undefined;
  /** What the neurons read do at every step, looked at once. */
  const deck = async (): Promise<Deck> => {
    if (looked !== undefined) return looked;
    await using brain = await wake(connectome, eye, positions, {
      engine: wasmEngine({ precision: precisionFor(connectome) }),
      ...workers === undefined ? {} : { workers },
      calibrationPositions: Math.min(256, train.length),
      signal,
      onProgress,
    });
    return looked = await lookAt(brain, eye, positions, { steps: ALL, apart: true, signal, onProgress });
  };
  const fit = async (name: string, steps: readonly number[], apart: boolean, meanPenalty?: number) => {
    const file = await piece(name, async () => {
      const own = stepsOf(await deck(), ALL.length, steps.map((step) => step - 1));
      const { readout, penalty, pass } = await fitHeadsToEnd(own, positions, {
        seed,
        blind,
        kept: steps.length,
        combinations: apart ? steps.length : 1,
        ...meanPenalty === undefined ? {} : { meanPenalty },
        settings: { ...settings.end, ...apart && settings.contrast },
        workers,
        signal,
        onProgress: onProgress &&
          ((progress) => onProgress({ ...progress, task: `${name}: ${progress.task}` })),
      });
      const features = apart || steps.length === 1 ? deckFeatures(own) : meanFeatures(own, steps.length);
      return packJudged(judge(readout, features, positions, hold), {
        penalty,
        pass,
        features: features.columns,
        ...steps.length === 1 && { spread: deckSpread(own, hold.length) },
      });
    });
    return { name, steps, ...unpackJudged(file, positions) } as Found;
  };
  const found: Found[] = [];
  for (const step of ALL) found.push(await fit(`step ${step}`, [step], false));
  const mean = await fit("mean of 9 to 12", late, false);
  const apart = await fit("9 to 12 side by side", late, true, mean.penalty);
  const nothing = judge(blind, noFeatures(positions.count), positions, hold);
  found.push(mean, apart, { name: "blind", steps: [], features: 0, judged: nothing });
  const last = found.find(({ name }) => name === "step 12")!;
  if (last.features !== columns) throw new Error("Cannot read steps: a step's columns were lost");
  const intervals = { seed, resamples: quick ? 100 : 1000 };
  const { loss, top1, good } = pairedDifference(apart.judged, mean.judged, intervals);
  return {
    settings,
    readings: found.map(({ judged, ...rest }) => {
      const { top1, good, loss } = summarize(judged, intervals);
      return {
        ...rest,
        top1,
        good,
        loss,
        againstLast: pairedDifference(judged, last.judged, intervals).loss,
      };
    }),
    apartMinusMean: { loss, top1, good },
  };
}
