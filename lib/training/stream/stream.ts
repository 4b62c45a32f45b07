import { FlyBrain, type FlyBrainOptions } from "../../brain/mod.ts";
import type { JsonValue, LongWork } from "../../common/mod.ts";
import type { Connectome } from "../../connectome/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { drive, type Eye, eyeFor } from "../../eye/mod.ts";
import { fitBlind, fitProbe, type Judged, type Readout, READOUT_COLUMNS } from "../../readout/mod.ts";
import { CALIBRATION_POSITIONS, holdRows, trainRows } from "../read_rows.ts";
import type { Run } from "../run/run.ts";
import { streamBatches, type StreamCheck } from "./_stream_batches.ts";
import { ValCheck } from "./_stream_checks.ts";
import { StreamLearner } from "./_stream_learner.ts";
import { StreamOrder } from "./_stream_order.ts";
import { planBatches } from "./_stream_plan.ts";
import { finishStream, judgeHold, type StreamOutcome } from "./_stream_result.ts";
import { forgetProbe, showForProbe } from "./_stream_probe.ts";
import {
  fromStreamCheckpoint,
  type StreamKept,
  type StreamState,
  toStreamCheckpoint,
} from "./_stream_state.ts";
import {
  type ResolvedStreamSettings,
  resolveStreamSettings,
  type StreamSettings,
} from "./stream_settings.ts";

export type { StreamCheck } from "./_stream_batches.ts";
export type { StreamOutcome } from "./_stream_result.ts";

/** What decides a streaming run, and how it is done. */
export interface StreamOptions extends StreamSettings, LongWork {
  /** How the brain runs. A run that is stopped and goes on must go on with the same engine. */
  readonly brain?: FlyBrainOptions | undefined;
  /** Seconds between two checkpoints, 60 by default; more where saving takes long. The result does not depend on it. */
  readonly saveSeconds?: number | undefined;
  /** Told of every check on VAL; the first one is the probe. */
  readonly onCheck?: ((check: StreamCheck) => void) | undefined;
  /** Told once how many batches it will be, and how long one took where that was measured. */
  readonly onPlan?: ((plan: { batches: number; secondsPerBatch: number | undefined }) => void) | undefined;
}

/**
 * The streaming run (reference, section 7): the brain is calibrated, a readout is fitted on it as it is (the probe), and
 * then positions stream by in a seeded order, never the held-out ones, and readout and brain learn from them together,
 * each with a step size of its own; the probe comes first so that a random readout's errors do not wreck the brain
 * (LP-FT, Kumar et al. 2022). Step sizes warm up over 3 % of the batches and follow a cosine to exactly 0.
 *
 * Stopped or killed at any moment, it goes on where its last checkpoint is and ends with the same bits.
 *
 * The readout is saved as `readout.arrow`, the numbers as `result.json` in the run's folder; the brain's learned numbers
 * are in its checkpoint.
 *
 * @param run Its folder, opened with `streamRunConfig` of the same settings.
 * @param connectome The wiring.
 * @param positions Positions with a teacher's opinion, HOLD and VAL in front.
 * @param options What decides the result, and how it is done.
 * @returns What came out, or `undefined` where the run was asked to stop.
 * @throws {DataError} If the checkpoint is broken or another kind of run's.
 * @throws {RangeError} If a setting is out of range, there are too few positions, or a gradient is no finite number.
 */
export async function trainStream(
  run: Run,
  connectome: Connectome,
  positions: Positions,
  options: StreamOptions = {},
): Promise<StreamOutcome | undefined> {
  const settings = resolveStreamSettings(options);
  const eye = eyeFor(connectome, settings.eye);
  await using brain = await FlyBrain.create(connectome, options.brain);
  return await new Stream(run, brain, eye, positions, settings, options).toItsEnd();
}

/** A streaming run under way. */
class Stream {
  readonly #run: Run;
  readonly #brain: FlyBrain;
  readonly #eye: Eye;
  readonly #positions: Positions;
  readonly #settings: ResolvedStreamSettings;
  readonly #options: StreamOptions;
  readonly #work: LongWork;
  readonly #train: Int32Array;
  readonly #hold: Int32Array;

  constructor(
    run: Run,
    brain: FlyBrain,
    eye: Eye,
    positions: Positions,
    settings: ResolvedStreamSettings,
    options: StreamOptions,
  ) {
    this.#run = run;
    this.#brain = brain;
    this.#eye = eye;
    this.#positions = positions;
    this.#settings = settings;
    this.#options = options;
    this.#work = { signal: options.signal, onProgress: options.onProgress };
    this.#train = trainRows(positions).subarray(0, settings.train);
    this.#hold = holdRows(positions);
    if (this.#train.length < CALIBRATION_POSITIONS || positions.val === 0 || positions.hold === 0) {
      throw new RangeError(
        `Cannot train: there are ${this.#train.length} training, ${positions.val} VAL and ${positions.hold} HOLD ` +
          `positions, at least ${CALIBRATION_POSITIONS}, 1 and 1 are wanted`,
      );
    }
  }

  async toItsEnd(): Promise<StreamOutcome | undefined> {
    const { batch, checkEvery, snapshotEvery, steps } = this.#settings;
    const checkpoint = await this.#run.checkpoint();
    const games = this.#positions.game.slice(0, this.#positions.hold);
    const found = checkpoint === undefined
      ? await this.#wake()
      : fromStreamCheckpoint(checkpoint, { rows: this.#hold, game: games });
    if (checkpoint !== undefined) await this.#brain.setHomeostasis(found.kept.homeostasis);
    const start = await this.#begin(found.state, found.kept);
    if (start === undefined) return undefined;
    const { learner, kept } = start;
    if (found.state.stage !== "woken") await learner.restore(checkpoint!.tensors, found.steps);
    const save = (state: StreamState) => this.#save(state, kept, learner);
    let state = found.state.stage === "woken" ? { ...found.state, stage: "stream" as const } : found.state;
    if (found.state.stage === "woken") await save(state);
    await forgetProbe(this.#run.folder);

    const check = new ValCheck(this.#brain, this.#eye, this.#positions, {
      steps,
      blind: kept.blind,
      frozen: !learner.brainLearns,
    });
    const order = new StreamOrder(this.#train, this.#probeRows.length, this.#settings.seed);
    const batches = await this.#plan(learner, order, check);
    const { run, options: { saveSeconds = 60, onCheck } } = { run: this.#run, options: this.#options };
    const works = {
      run,
      learner,
      order,
      check,
      batch,
      batches,
      checkEvery,
      snapshotEvery,
      save,
      saveSeconds,
      onCheck,
    };
    const streamed = await streamBatches(works, state, this.#work);
    if (streamed.stopped) return undefined;
    state = { ...streamed.state, stage: "done" };
    const outcome = await finishStream(run, this.#brain, this.#eye, this.#positions, {
      readout: learner.readout,
      judged: await this.#judgeHold(learner.readout),
      blind: kept.blind,
      probe: kept.probe,
      batches,
      probed: this.#probeRows.length,
      settings: this.#settings,
    });
    if (found.state.stage === "done") return outcome;
    const { loss, top1, good } = outcome.scores;
    await run.log("done", { batches, holdLoss: loss.value, holdTop1: top1.value, holdGood: good.value });
    await save(state);
    return outcome;
  }

  get #probeRows(): Int32Array {
    return this.#train.subarray(0, this.#settings.probe);
  }

  async #save(state: StreamState, kept: StreamKept, learner?: StreamLearner): Promise<void> {
    await this.#run.save(toStreamCheckpoint(state, kept, this.#brain.steps, learner));
  }

  /** Calibrates the brain and fits the blind baseline. */
  async #wake(): Promise<{ state: StreamState; kept: StreamKept; steps: number }> {
    const { connectome, engineDescription: engine } = this.#brain, { calm } = this.#settings;
    await this.#run.log("started", {
      connectome: connectome.name,
      engine,
      eye: this.#eye.name,
      trainingPositions: this.#train.length,
    });
    const rows = this.#train.subarray(0, CALIBRATION_POSITIONS);
    const homeostasis = await this.#brain.calibrate(drive(this.#eye, this.#positions.board, { rows }), {
      ...this.#work,
      calm,
    });
    const blind = await fitBlind(this.#positions, this.#train, this.#work);
    const state: StreamState = {
      stage: "woken",
      batch: 0,
      checked: -1,
      lossSum: 0,
      lossCount: 0,
      lengths: [],
    };
    const kept: StreamKept = { homeostasis, blind, probe: undefined };
    await this.#run.log("calibrated", { positions: rows.length });
    await this.#save(state, kept);
    return { state, kept, steps: 0 };
  }

  /** A learner that starts from the probe, or, where the run is beyond it, one to be restored. */
  async #begin(
    { stage }: StreamState,
    kept: StreamKept,
  ): Promise<{ learner: StreamLearner; kept: StreamKept } | undefined> {
    const learnerOf = (readout: Readout) =>
      new StreamLearner(this.#brain, this.#eye, this.#positions, readout, this.#settings);
    if (stage !== "woken") {
      const features = this.#brain.connectome.output.length;
      const empty = new Float32Array(features * READOUT_COLUMNS);
      return {
        learner: learnerOf({ features, weight: empty, bias: new Float32Array(READOUT_COLUMNS) }),
        kept,
      };
    }
    const { seed, steps } = this.#settings, rows = this.#probeRows;
    const features = await showForProbe(this.#run.folder, this.#brain, this.#eye, this.#positions, rows, {
      ...this.#work,
      steps,
      stop: () => this.#run.stopAsked(),
    });
    if (features === undefined) return undefined;
    const readout = await fitProbe(features, this.#positions, rows, { ...this.#work, seed });
    const probe = await this.#judgeHold(readout);
    await this.#run.log("probe", {
      positions: rows.length,
      trainLoss: readout.history.trainLoss.at(-1) ?? null,
    });
    return { learner: learnerOf(readout), kept: { ...kept, probe } };
  }

  /** How many batches there will be: decided once. */
  async #plan(learner: StreamLearner, order: StreamOrder, check: ValCheck): Promise<number> {
    const { batches, minutes } = this.#settings;
    let secondsPerBatch: number | undefined;
    const planned = batches ?? Number(
      (await this.#run.decide("plan", async (): Promise<JsonValue> => {
        if (minutes === 0) return { batches: 0 };
        const started = performance.now();
        await check.means(learner.readout, this.#work);
        // A frozen brain is shown VAL once: then the next checks are as good as free.
        const checkSeconds = learner.brainLearns ? (performance.now() - started) / 1000 : 0;
        const plan = await planBatches(learner, order, this.#settings, checkSeconds);
        secondsPerBatch = plan.secondsPerBatch;
        return { minutes, ...plan };
      }) as { batches: number }).batches,
    );
    this.#options.onPlan?.({ batches: planned, secondsPerBatch });
    return planned;
  }

  #judgeHold(readout: Readout): Promise<Judged> {
    const { steps } = this.#settings;
    return judgeHold(readout, this.#brain, this.#eye, this.#positions, { ...this.#work, steps });
  }
}
