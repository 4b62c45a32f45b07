/**
 * Which rule teaches a dopamine fly? The reference's rules over the same lessons from the same untrained mushroom body, and
 * what a logistic regression makes of the same Kenyon cells.
 *
 *   deno task experiment dopamine_rules --connectome FILE --positions FILE
 *
 * @module
 */
import { mushroomBody } from "flychess/bio";
import { BATCH, type DopamineWay, LARGE } from "./_dopamine_arms.ts";
import { compareWays, type DopamineRules, refuses } from "./_dopamine_compare.ts";
import { figure } from "./_dopamine_rules_figure.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";

/** Lessons of the reference (section 10); a large brain has time for them by the default only. */
const LONG = 32_000;

function ways(larva: boolean, large: boolean): DopamineWay[] {
  return [
    ...large ? [{ key: "long", name: "default, 32,000", lessons: LONG }] : [],
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
  const large = options.connectome.pre.length > LARGE && !options.quick;
  return await compareWays(options, ways(mushroomBody(options.connectome).type.includes("MBON-app"), large));
}

export { figure, refuses };

/** The question. */
export const question: Experiment["question"] =
  "Which rule teaches a dopamine fly, and how far is it from what its Kenyon cells know?";
