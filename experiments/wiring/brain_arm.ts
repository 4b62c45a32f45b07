import { join } from "node:path";
import type { LongWork } from "flychess/common";
import { type Connectome, connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";
import type { Judged, Readout } from "flychess/readout";
import {
  learnBrain,
  learnBrainRunConfig,
  type LearnBrainSettings,
  LEARNED_BRAIN,
  loadJudged,
  openRun,
  readLog,
} from "flychess/training";

/** Steps of a think of a brain that learns, where no other number is asked for. */
export const USUAL_STEPS = Number(learnBrainRunConfig()["brainSteps"]);

/** Adam's step sizes that the larva learns well with. */
export const LARGE_STEPS = { synapseStep: 0.03, neuronStep: 0.01, headStep: 0.005 } as const;

/** A check on VAL on the way. */
export interface ArmCheck {
  /** Positions seen. */
  readonly positions: number;
  /** Nats. */
  readonly valLoss: number;
}

/** A brain that has learned. */
export interface Arm {
  /** What it did with every HOLD position. */
  readonly judged: Judged;
  /** Its checks, in order. */
  readonly curve: readonly ArmCheck[];
  /** The lowest VAL loss of them: that brain was kept. */
  readonly best: number;
}

/** What learns from what, and what is known already. */
export interface ArmTask extends LongWork {
  /** Said in progress reports. */
  readonly name: string;
  readonly connectome: Connectome;
  readonly positions: Positions;
  readonly settings: LearnBrainSettings;
  /** The blind baseline of the training rows. */
  readonly blind: Readout;
  /** Threads for checks. */
  readonly workers?: number | undefined;
}

/**
 * Trains a brain and its heads in a run of its own, which is kept: a brain that is finished is only read again, one that is
 * not goes on where it was.
 *
 * @throws {DataError} If the folder holds a run of other settings.
 */
export async function learnArm(folder: string, task: ArmTask): Promise<Arm> {
  const { name, connectome, positions, settings, blind, workers, signal, onProgress } = task;
  const hold = join(folder, LEARNED_BRAIN.hold);
  await using run = await openRun(folder, {
    ...learnBrainRunConfig(settings),
    inputs: { connectome: connectomeDigest(connectome), positions: positions.digest },
  });
  const isDone = (await readLog(folder)).some(({ event }) => event === "done");
  let judged: Judged;
  if (isDone) {
    judged = await loadJudged(hold);
  } else {
    const outcome = await learnBrain(run, connectome, positions, {
      ...settings,
      blind,
      brain: { workers: workers ?? 1 },
      signal,
      onProgress: onProgress && ((progress) => onProgress({ ...progress, task: name })),
    });
    if (outcome === undefined) throw new Error(`Cannot go on: '${join(folder, "stop")}' is there`);
    await outcome.brain[Symbol.asyncDispose]();
    judged = outcome.judged;
  }
  const curve = (await readLog(folder)).filter(({ event }) => event === "check").map((check) => ({
    positions: Number(check["positions"]),
    valLoss: Number(check["valLoss"]),
  }));
  return { judged, curve, best: Math.min(...curve.map(({ valLoss }) => valLoss)) };
}
