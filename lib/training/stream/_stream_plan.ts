import type { StreamLearner } from "./_stream_learner.ts";
import type { StreamOrder } from "./_stream_order.ts";
import type { NamedTensor } from "../run/safetensors.ts";

/** Seconds that a trial takes at most, and the least number of batches. */
const TRIAL_SECONDS = 10, TRIAL_BATCHES = 3;
/** A trial takes this share of the run at most. */
const TRIAL_SHARE = 0.1;
/** So small a step moves nothing that the trial does not put back. */
const TINY = 1e-300;

/**
 * How many batches fit into some minutes, from how long the first ones take. What the trial changes is put back to the
 * last bit.
 *
 * @param checkSeconds How long a check on VAL takes.
 */
export async function planBatches(
  learner: StreamLearner,
  order: StreamOrder,
  { minutes, batch, checkEvery }: {
    readonly minutes: number;
    readonly batch: number;
    readonly checkEvery: number;
  },
  checkSeconds: number,
): Promise<{ batches: number; secondsPerBatch: number }> {
  const kept = copied(learner.tensors), { steps } = learner;
  // The first batch wakes what is not warm yet.
  await learner.learn(order.take(0, batch), TINY);
  const started = performance.now();
  const most = Math.min(TRIAL_SECONDS, 60 * minutes * TRIAL_SHARE);
  let done = 0, seconds = 0;
  while (done < TRIAL_BATCHES || seconds < most) {
    await learner.learn(order.take(done * batch, batch), TINY);
    done++;
    seconds = (performance.now() - started) / 1000;
    if (seconds > most && done >= 1) break;
  }
  await learner.restore(kept, steps);
  const secondsPerBatch = seconds / done;
  const batches = Math.max(1, Math.floor(60 * minutes / (secondsPerBatch + checkSeconds / checkEvery)));
  return { batches, secondsPerBatch };
}

function copied(tensors: Readonly<Record<string, NamedTensor>>): Record<string, NamedTensor> {
  return Object.fromEntries(
    Object.entries(tensors).map(([name, { shape, data }]) => [name, { shape, data: data.slice() }]),
  );
}
