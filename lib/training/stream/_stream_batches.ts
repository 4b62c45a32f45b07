import { join } from "node:path";
import type { JsonValue, LongWork } from "../../common/mod.ts";
import type { StreamLearner } from "./_stream_learner.ts";
import type { StreamOrder } from "./_stream_order.ts";
import type { StreamState } from "./_stream_state.ts";
import type { Means, ValCheck } from "./_stream_checks.ts";
import type { Run } from "../run/run.ts";
import { RUN_FILES } from "../run/run_files.ts";
import { saveSafeTensors } from "../run/safetensors.ts";
import { scheduleFactor } from "./schedule.ts";

/** A check on VAL during a streaming run. */
export interface StreamCheck {
  /** Batches learned from. */
  readonly batch: number;
  /** Batches in all. */
  readonly batches: number;
  /** Positions seen after the probe. */
  readonly positions: number;
  /** What step sizes are multiplied with at the next batch. */
  readonly factor: number;
  /** Mean policy loss of the batches since the last check, before each was learned from; `null` at the first. */
  readonly trainLoss: number | null;
  /** VAL loss. */
  readonly valLoss: number;
  /** Top-1 on VAL, 0 to 1. */
  readonly top1: number;
  /** Good moves on VAL, 0 to 1. */
  readonly good: number;
  /** The blind baseline's VAL loss. */
  readonly blindLoss: number;
  /** The blind baseline's top-1 on VAL. */
  readonly blindTop1: number;
  /** The blind baseline's good moves on VAL. */
  readonly blindGood: number;
}

/** What batches go by with. */
export interface StreamWorks {
  readonly run: Run;
  readonly learner: StreamLearner;
  readonly order: StreamOrder;
  readonly check: ValCheck;
  readonly batch: number;
  readonly batches: number;
  readonly checkEvery: number;
  readonly snapshotEvery: number;
  /** Saves a checkpoint. */
  readonly save: (state: StreamState) => Promise<void>;
  /** Seconds between two checkpoints. */
  readonly saveSeconds: number;
  readonly onCheck: ((check: StreamCheck) => void) | undefined;
}

/** Saving takes at most this share of the time. */
const SAVING_SHARE = 0.05;

/**
 * Learns from batch after batch, from where the run is to its end.
 *
 * @returns The last state, and whether it was asked to stop before the end. The state is saved after a stop.
 */
export async function streamBatches(
  works: StreamWorks,
  from: StreamState,
  { signal, onProgress }: LongWork,
): Promise<{ state: StreamState; stopped: boolean }> {
  const { run, learner, order, batch, batches, save } = works;
  let state = from;
  let saved = performance.now(), pause = 1000 * works.saveSeconds;
  const keep = async () => {
    const started = performance.now();
    await save(state);
    saved = performance.now();
    pause = Math.max(1000 * works.saveSeconds, (saved - started) / SAVING_SHARE);
  };
  for (;;) {
    const { batch: done } = state;
    const ends = done >= batches;
    const due = (every: number) => every > 0 && done % every === 0 || ends;
    if (state.checked < done && due(works.checkEvery)) {
      await checkNow(works, state, signal);
      state = { ...state, checked: done, lossSum: 0, lossCount: 0 };
    }
    if (works.snapshotEvery > 0 && due(works.snapshotEvery)) await snapshot(works, done);
    onProgress?.({ task: "learning", done: done * batch, total: batches * batch, unit: "positions" });
    if (ends) return { state, stopped: false };
    const stopped = await run.stopAsked();
    if (stopped || signal?.aborted) {
      await keep();
      signal?.throwIfAborted();
      return { state, stopped };
    }
    const { policy, lengths } = await learner.learn(
      order.take(done * batch, batch),
      scheduleFactor(done / batches),
    );
    state = {
      ...state,
      batch: done + 1,
      lossSum: state.lossSum + policy,
      lossCount: state.lossCount + 1,
      lengths,
    };
    if (performance.now() - saved > pause) await keep();
  }
}

async function checkNow(
  { run, learner, check, batch, batches, onCheck }: StreamWorks,
  { batch: done, lossSum, lossCount, lengths }: StreamState,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { loss, top1, good }: Means = await check.means(learner.readout, { signal });
  const report: StreamCheck = {
    batch: done,
    batches,
    positions: done * batch,
    factor: scheduleFactor(batches === 0 ? 1 : done / batches),
    trainLoss: lossCount === 0 ? null : lossSum / lossCount,
    valLoss: loss,
    top1,
    good,
    blindLoss: check.blind.loss,
    blindTop1: check.blind.top1,
    blindGood: check.blind.good,
  };
  const values: Record<string, JsonValue> = { ...report };
  await run.log("check", {
    ...values,
    ...lossCount === 0 ? {} : { readoutLength: lengths[0]! },
    ...lossCount === 0 || !learner.brainLearns
      ? {}
      : { synapseLength: lengths[1]!, neuronLength: lengths[2]! },
  });
  onCheck?.(report);
}

/** Keeps the readout as it is now; done again after a kill, the file is the same. */
async function snapshot({ run, learner }: StreamWorks, done: number): Promise<void> {
  const tensors = Object.fromEntries(
    Object.entries(learner.tensors).filter(([name]) => name === "readout.weight" || name === "readout.bias"),
  );
  await saveSafeTensors(
    join(run.folder, RUN_FILES.snapshots, `${String(done).padStart(8, "0")}.safetensors`),
    {
      tensors,
      metadata: { about: `the readout of a streaming run after ${done} batches`, batch: String(done) },
    },
  );
}
