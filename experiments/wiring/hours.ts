import type { ExperimentOptions } from "../_experiment.ts";

/**
 * Connections times steps times positions that a whole brain learns from in a second: 6.6e8 on a model fly of 161,502
 * connections, 8,192 positions and 5 steps, less where a brain does not fit the caches.
 */
const LEARNED_A_SECOND = 4e8;

/** Steps of a think of a brain that learns (`learnBrain`'s default). */
const STEPS = 4;

/**
 * Roughly how many hours brains take to learn.
 *
 * @param options Of which brain and positions.
 * @param brains How many.
 * @param passes How often each sees every training position.
 */
export function learningHours(
  { connectome, positions }: Pick<ExperimentOptions, "connectome" | "positions">,
  { brains, passes }: { readonly brains: number; readonly passes: number },
): number {
  const train = positions.count - positions.hold - positions.val;
  return brains * passes * train * connectome.pre.length * STEPS / LEARNED_A_SECOND / 3600;
}
