import { FlyBrain } from "flychess/brain";
import { boardBits } from "flychess/chess";
import { drive, eyeFor } from "flychess/eye";
import type { Interval } from "flychess/readout";
import { CALIBRATION_POSITIONS, holdRows, trainRows } from "flychess/training";
import {
  everyNeuron,
  gameGroups,
  regionsOf,
  signalByRegion,
  type SignalSet,
  spreadRows,
} from "./board_signal.ts";
import type { ExperimentOptions } from "../_experiment.ts";

/** Boards that the signal is measured on. */
const BOARDS = { full: 128, quick: 24 } as const;
/** The board that is followed through the brain: after 1.e4, Black to move. */
export const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/** A region at one step. */
export interface RegionAtStep {
  readonly region: string;
  /** How far the board moves a neuron's rate, see `RegionSignal`. */
  readonly signal: Interval;
  /** How far this region's rates are from usual after 1.e4: mean of |rate - mean over the boards|. */
  readonly afterE4: number;
}

/** One step. */
export interface StepSignals {
  readonly step: number;
  readonly regions: readonly RegionAtStep[];
}

/** All steps of a think. */
export interface StepSet {
  /** Boards that the signal was measured on, of different games. */
  readonly boards: number;
  readonly steps: readonly StepSignals[];
}

/** What a step showed, for whoever wants more of it than its numbers. */
export interface StepSeen {
  readonly step: number;
  /** `[neurons]`: |rate after 1.e4 - mean rate over the boards|. */
  readonly unusual: Float32Array;
  readonly signals: SignalSet;
}

/**
 * Runs a brain of so many steps, homeostasis calibrated for all of them, and measures at every step how far boards move
 * each region.
 *
 * @param steps How many.
 * @param look Told of every step.
 */
export async function stepSignals(
  { connectome, positions, quick, workers, signal, onProgress }: ExperimentOptions,
  steps: number,
  look: (seen: StepSeen) => void = () => {},
): Promise<StepSet> {
  const eye = eyeFor(connectome), neurons = everyNeuron(connectome), { of } = regionsOf(connectome);
  const rows = spreadRows(holdRows(positions), positions, quick ? BOARDS.quick : BOARDS.full);
  const games = gameGroups(positions, rows), boards = rows.length, count = neurons.length;
  const shown = drive(eye, positions.board, { rows }), one = drive(eye, boardBits(AFTER_E4));
  await using brain = await FlyBrain.create(connectome, {
    steps,
    ...(workers === undefined ? {} : { workers }),
  });
  const usual = trainRows(positions).subarray(0, CALIBRATION_POSITIONS);
  await brain.calibrate(drive(eye, positions.board, { rows: usual }), { signal });
  const found: StepSignals[] = [];
  for (let step = 1; step <= steps; step++) {
    onProgress?.({ task: "looking at every step", done: step - 1, total: steps, unit: "steps" });
    const rates = await brain.read(shown, { neurons, steps: [step], signal });
    const own = await brain.read(one, { neurons, steps: [step], signal });
    const signals = signalByRegion(connectome, rates, games);
    const unusual = new Float32Array(count), sums = signals.regions.map(() => 0);
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let b = 0; b < boards; b++) sum += rates[b * count + i]!;
      unusual[i] = Math.abs(own[i]! - sum / boards);
      sums[of[i]!]! += unusual[i]!;
    }
    look({ step, unusual, signals });
    found.push({
      step,
      regions: signals.regions.map(({ region, neurons, signal }, r) => ({
        region,
        signal,
        afterE4: sums[r]! / neurons,
      })),
    });
  }
  onProgress?.({ task: "looking at every step", done: steps, total: steps, unit: "steps" });
  return { boards, steps: found };
}

/** A region's signal at every step. */
export function regionCurve(set: StepSet, region: string): Interval[] {
  return set.steps.map(({ regions }) => regions.find((each) => each.region === region)!.signal);
}

/** The first step at which a region's signal is at least so much; -1 if it never is. */
export function firstStep(curve: readonly Interval[], least: number): number {
  return 1 + curve.findIndex(({ value }) => value >= least) || -1;
}
