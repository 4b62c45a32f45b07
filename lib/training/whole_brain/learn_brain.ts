import { join } from "node:path";
import { FlyBrain, type FlyBrainOptions } from "../../brain/mod.ts";
import { type LongWork, writeFileAtomic } from "../../common/mod.ts";
import type { Connectome } from "../../connectome/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { drive, type Eye, eyeFor } from "../../eye/mod.ts";
import {
  denseFeatures,
  fitBlind,
  judge,
  type Judged,
  noFeatures,
  pairedDifference,
  type Readout,
  saveReadout,
  type Scores,
  summarize,
} from "../../readout/mod.ts";
import { BrainLearner } from "./_brain_learner.ts";
import { type LearnBrainState, stateOf } from "./_learn_brain_state.ts";
import { readSteps } from "./_read_steps.ts";
import { type Means, meansOf } from "../stream/_stream_checks.ts";
import { StreamOrder } from "../stream/_stream_order.ts";
import { saveBrain } from "./brain_file.ts";
import { saveJudged } from "../judged_file.ts";
import {
  type LearnBrainSettings,
  type ResolvedLearnBrainSettings,
  resolveLearnBrainSettings,
} from "./learn_brain_settings.ts";
import { holdRows, trainRows, valRows } from "../read_rows.ts";
import type { Run } from "../run/run.ts";
import { scheduleFactor } from "../stream/schedule.ts";

export type { Means } from "../stream/_stream_checks.ts";

/** The files of a brain that learned, in its run's folder. */
export const LEARNED_BRAIN: Readonly<Record<"brain" | "readout" | "hold" | "result", string>> = {
  brain: "brain.safetensors",
  readout: "readout.arrow",
  hold: "hold.safetensors",
  result: "result.json",
};

/** A check on VAL. */
export interface LearnBrainCheck extends Means {
  /** Batches learned from. */
  readonly batch: number;
  /** Batches in all. */
  readonly batches: number;
  /** Positions seen. */
  readonly positions: number;
  /** Mean policy loss of the batches since the last check, before each was learned from. */
  readonly trainLoss: number;
  /** Whether it is the lowest VAL loss so far. */
  readonly best: boolean;
}

/** What decides the result, and how it is done. */
export interface LearnBrainOptions extends LearnBrainSettings, LongWork {
  /** What checks and the final judgement run on; learning itself runs on the calling thread. */
  readonly brain?: Pick<FlyBrainOptions, "engine" | "workers"> | undefined;
  /** Seconds between two checkpoints, 60 by default. The result does not depend on it. */
  readonly saveSeconds?: number | undefined;
  /** The blind baseline of the training rows, where it is there already; fitted by default. */
  readonly blind?: Readout | undefined;
  /** Told of every check on VAL. */
  readonly onCheck?: ((check: LearnBrainCheck) => void) | undefined;
}

/** What came out. */
export interface LearnBrainOutcome {
  /** The best brain on VAL, calibrated; dispose it when done. */
  readonly brain: FlyBrain;
  /** Its heads. */
  readonly readout: Readout;
  /** Its eye. */
  readonly eye: Eye;
  /** Batches learned from. */
  readonly batches: number;
  /** After which batch it was best. */
  readonly bestBatch: number;
  /** What it did with every HOLD position. */
  readonly judged: Judged;
  /** HOLD, with intervals by game. */
  readonly scores: Scores;
  /** The same of the blind baseline. */
  readonly blind: Scores;
  /** By how much it differs from the blind baseline, position by position. */
  readonly againstBlind: Scores;
}

/** What the checkpoint is, for whoever opens it. */
const ABOUT =
  "a brain of flychess that learns. 'theta' [connections]: a connection's strength is log(1 + exp(theta)), in " +
  "the order of the connectome's rows; 'gain' and 'bias' [neurons]; 'heads.weight' [features][134] and 'heads.bias' " +
  "read rates times 'heads.scale' plus 'heads.shift'; '.first' and '.second' are Adam's moments; 'best.' what was best " +
  "on VAL so far.";

/** Positions that are read at once. */
const CHUNK = 512;

/**
 * Trains a whole brain with its four linear heads, the error walked back through all steps and through homeostasis: every
 * batch measures its own mean and spread (`thinkInBatch`), so the statistics are never out of date. Signs and wiring stay
 * as measured. At every check the brain is calibrated on training positions, runs as any other and is judged on VAL; the
 * best is kept. With step sizes of 0 for synapses and neurons only the heads learn, on the calibrated brain: the control.
 *
 * Stopped or killed at any moment it goes on where its last checkpoint is and ends with the same bits.
 *
 * The brain is saved as `brain.safetensors` (see `loadBrain`), its heads as `readout.arrow`, what it did with each HOLD
 * position as `hold.safetensors` (see `loadJudged`), numbers as `result.json` in the run's folder. Learning runs on one thread.
 *
 * @param run Its folder, opened with `learnBrainRunConfig` of the same settings.
 * @param connectome The wiring. Time goes by the connections that have a part in what is read (`BatchThinker`): in four steps
 * that is fewer on a model fly of scale 1 than there are on the larva.
 * @param positions Positions with a teacher's opinion, HOLD and VAL in front.
 * @param options What decides the result, and how it is done.
 * @returns What came out, or `undefined` where the run was asked to stop.
 * @throws {DataError} If the checkpoint is broken or another kind of run's.
 * @throws {RangeError} If a setting is out of range, there are too few positions, or a gradient is no finite number.
 */
export async function learnBrain(
  run: Run,
  connectome: Connectome,
  positions: Positions,
  options: LearnBrainOptions = {},
): Promise<LearnBrainOutcome | undefined> {
  const settings = resolveLearnBrainSettings(options), { batch, seed, read, apart } = settings;
  const { signal, onProgress, saveSeconds = 60 } = options;
  const train = trainRows(positions).subarray(0, settings.train);
  if (train.length < batch || positions.val === 0 || positions.hold === 0) {
    throw new RangeError(
      `Cannot learn: there are ${train.length} training, ${positions.val} VAL and ${positions.hold} HOLD positions, ` +
        `at least ${batch}, 1 and 1 are wanted`,
    );
  }
  const batches = settings.batches ?? Math.max(1, Math.floor(settings.passes * train.length / batch));
  const eye = eyeFor(connectome, settings.eye);
  const { brainSteps: steps, gain, bias, leak } = settings;
  const brain = await FlyBrain.create(connectome, { ...options.brain, steps, gain, bias, leak });
  let handedOver = false;
  try {
    const learner = await BrainLearner.create(brain, eye, positions, settings, signal);
    const order = new StreamOrder(train, 0, seed), checkpoint = await run.checkpoint();
    let state: LearnBrainState = {
      batch: 0,
      checked: 0,
      lossSum: 0,
      bestLoss: null,
      bestBatch: 0,
      done: false,
    };
    if (checkpoint === undefined) {
      await run.log("started", {
        connectome: connectome.name,
        eye: eye.name,
        trainingPositions: train.length,
        batches,
      });
    } else {
      state = stateOf(checkpoint.state);
      learner.restore(checkpoint.tensors, state.batch);
    }
    const save = () =>
      run.save({ tensors: learner.tensors, metadata: { about: ABOUT }, state: { ...state } });
    const judged = async (rows: Int32Array) =>
      judge(
        learner.readout,
        await featuresOf(brain, eye, positions, rows, { read, apart }, signal),
        positions,
        rows,
      );

    let saved = performance.now();
    while (state.checked < batches) {
      if (state.batch < batches && state.batch < state.checked + settings.checkEvery) {
        const rows = order.take(state.batch * batch, batch);
        const done = state.batch / batches, synapses = done >= settings.synapsesAfter;
        const loss = await learner.learn(rows, scheduleFactor(done), { synapses });
        state = { ...state, batch: state.batch + 1, lossSum: state.lossSum + loss };
      } else {
        await learner.settle(signal);
        const means = meansOf(await judged(valRows(positions)));
        const best = state.bestLoss === null || means.loss < state.bestLoss;
        const check = {
          batch: state.batch,
          batches,
          positions: state.batch * batch,
          trainLoss: state.lossSum / (state.batch - state.checked),
          ...means,
          best,
        };
        if (best) learner.keepBest();
        learner.goOn();
        state = {
          batch: state.batch,
          checked: state.batch,
          lossSum: 0,
          bestLoss: best ? means.loss : state.bestLoss,
          bestBatch: best ? state.batch : state.bestBatch,
          done: false,
        };
        const { trainLoss, loss, top1, good } = check;
        await run.log("check", {
          batch: state.batch,
          batches,
          positions: check.positions,
          factor: scheduleFactor(state.batch / batches),
          trainLoss,
          valLoss: loss,
          top1,
          good,
          best,
        });
        options.onCheck?.(check);
      }
      onProgress?.({
        task: "learning",
        done: state.batch * batch,
        total: batches * batch,
        unit: "positions",
      });
      // Learning never waits: without a turn for others no signal would ever arrive.
      if (state.batch % 8 === 0) await new Promise((resume) => setTimeout(resume));
      const stopped = await run.stopAsked();
      if (stopped || signal?.aborted || performance.now() - saved > 1000 * saveSeconds) {
        await save();
        saved = performance.now();
        signal?.throwIfAborted();
        if (stopped) return undefined;
      }
    }
    await save();
    await learner.takeBest(signal);
    const hold = await judged(holdRows(positions));
    const blind = options.blind ?? await fitBlind(positions, train, { signal });
    const outcome = await finish(run, brain, eye, positions, settings, learner.readout, hold, blind);
    if (!state.done) {
      const { loss, top1, good } = outcome.scores;
      await run.log("done", { batches, holdLoss: loss.value, holdTop1: top1.value, holdGood: good.value });
      state = { ...state, done: true };
      await save();
    }
    handedOver = true;
    return { ...outcome, brain, readout: learner.readout, eye, batches, bestBatch: state.bestBatch };
  } finally {
    if (!handedOver) await brain[Symbol.asyncDispose]();
  }
}

/** What heads read of some rows. */
async function featuresOf(
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  rows: Int32Array,
  steps: { readonly read: readonly number[]; readonly apart: boolean },
  signal: AbortSignal | undefined,
) {
  const columns = brain.connectome.output.length * (steps.apart ? steps.read.length : 1);
  const rates = new Float32Array(rows.length * columns);
  for (let at = 0; at < rows.length; at += CHUNK) {
    const shown = drive(eye, positions.board, { rows: rows.subarray(at, at + CHUNK) });
    rates.set(await readSteps(brain, shown, steps, signal), at * columns);
  }
  return denseFeatures(rates, columns, { rows, of: positions.count });
}

/** Final numbers, written beside the checkpoint with brain and heads; written again, they are the same bytes. */
async function finish(
  { folder, config }: Run,
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  { seed, read, apart }: ResolvedLearnBrainSettings,
  readout: Readout,
  judged: Judged,
  blind: Readout,
) {
  const blindly = judge(blind, noFeatures(positions.count), positions, judged.rows);
  const numbers = {
    scores: summarize(judged, { seed }),
    blind: summarize(blindly, { seed }),
    againstBlind: pairedDifference(judged, blindly, { seed }),
  };
  await saveBrain(join(folder, LEARNED_BRAIN.brain), brain);
  await saveReadout(join(folder, LEARNED_BRAIN.readout), readout, {
    ...config.inputs,
    eye: eye.name,
    read: `${apart ? "each of" : "mean of"} steps ${read.join(", ")}`,
    brain: LEARNED_BRAIN.brain,
  });
  await saveJudged(join(folder, LEARNED_BRAIN.hold), judged);
  const result = { config, hold: judged.rows.length, ...numbers };
  await writeFileAtomic(join(folder, LEARNED_BRAIN.result), `${JSON.stringify(result, null, 2)}\n`);
  return { judged, ...numbers };
}
