/**
 * Which rule teaches a dopamine fly? The reference's rules over the same lessons from the same untrained mushroom body, and
 * what a logistic regression makes of the same Kenyon cells.
 *
 *   deno task experiment dopamine_rules --connectome FILE --positions FILE
 *
 * @module
 */
import { mushroomBody } from "flychess/bio";
import { BATCH, budgetOf, type DopamineWay } from "./dopamine/arms.ts";
import { compareWays, type DopamineRules, refuses } from "./dopamine/compare.ts";
import { figure } from "./dopamine/rules_figure.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";

/** Lessons of the reference (section 10), however large the brain. */
const LESSONS = 32_000;

function ways(larva: boolean): DopamineWay[] {
  return [
    { key: "default", name: "default" },
    larva
      ? { key: "punished", name: "dopamine swapped", body: { punished: "av" } }
      : { key: "transmitter", name: "by transmitter", body: { valence: "transmitter" } },
    { key: "summed", name: "doses summed", tutor: { rate: 0.1 * BATCH } },
    { key: "fast", name: "10 × the step", tutor: { rate: 1 } },
    { key: "differs", name: "what differs", tutor: { tagged: "differs" } },
  ];
}

/** Measures, from where it was left. */
export async function run(options: ExperimentOptions): Promise<DopamineRules> {
  const all = ways(mushroomBody(options.connectome).type.includes("MBON-app"));
  return await compareWays(options, all, budgetOf(options, options.quick ? undefined : LESSONS));
}

export { figure, refuses };

/** The question. */
export const question: Experiment["question"] =
  "Which rule teaches a dopamine fly, and how far is it from what its Kenyon cells know?";
