/**
 * What could a dopamine fly do otherwise? The reference's pilots (another cut, harder lessons, silent cells' synapses that grow,
 * the dose from its own dopamine neurons), and a narrower cut, over the same lessons from the same untrained mushroom body.
 *
 *   deno task experiment dopamine_pilots --connectome FILE --positions FILE
 *
 * @module
 */
import type { DopamineWay } from "./dopamine/arms.ts";
import { compareWays, type DopamineRules, refuses } from "./dopamine/compare.ts";
import { waysFigure, waysTables } from "./dopamine/rules_figure.ts";
import type { Experiment, ExperimentOptions, Result } from "./_experiment.ts";

const WAYS: readonly DopamineWay[] = [
  { key: "default", name: "default, 5 %" },
  { key: "two", name: "2 % of cells", brain: { gate: { share: 0.02 } } },
  { key: "three", name: "3 % of cells", brain: { gate: { share: 0.03 } } },
  { key: "ten", name: "10 % of cells", brain: { gate: { share: 0.1 } } },
  { key: "narrow", name: "a narrower cut", brain: { gate: { width: 0.001 } } },
  { key: "harder", name: "harder lessons", harderFrom: 0.5 },
  { key: "silent", name: "silent cells grow", tutor: { silent: 0.05 } },
  { key: "own", name: "own dopamine", tutor: { dose: "own" } },
];

/** Measures, from where it was left. */
export async function run(options: ExperimentOptions): Promise<DopamineRules> {
  return await compareWays(options, WAYS);
}

/** Draws it. */
export function figure(result: Result<DopamineRules>): string {
  const [base, ...pilots] = result.rules;
  const better = pilots.filter(({ pairs }) => pairs.gain.low > base!.pairs.gain.high);
  const title = better.length === 0
    ? "No pilot teaches this fly more than the default does, beyond chance"
    : `More than the default teaches: ${better.map(({ name }) => name).join(", ")}`;
  return waysFigure(result, title);
}

export { refuses, waysTables as tables };

/** The question. */
export const question: Experiment["question"] =
  "Do another cut, harder lessons, synapses that grow, or its own dopamine teach a dopamine fly more?";
