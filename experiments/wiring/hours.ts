import type { ExperimentOptions } from "../_experiment.ts";
import { USUAL_STEPS } from "./brain_arm.ts";

/**
 * Connections times steps times positions that a whole brain learns from in a second: 4e9 on the larva in a busy hour, more
 * on larger brains, of which less has a part in four steps.
 */
const LEARNED_A_SECOND = 4e9;

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
  return brains * passes * train * connectome.pre.length * USUAL_STEPS / LEARNED_A_SECOND / 3600;
}
