import { join } from "node:path";
import type { Result } from "../_experiment.ts";
import { brainLabel, brainsOnDisk, grownBrain, MODEL_FLY_SCALE } from "./brains.ts";
import type { FigureKey } from "./make_figure.ts";

/** The experiment and the brain of a figure's name: `controls` and `larva` of `controls_larva`. */
export function labelOf(
  name: string,
  experiments: readonly string[],
): { readonly experiment: string; readonly label: string } | undefined {
  // `dopamine_cut_larva` is of `dopamine_cut`, also where there is a `dopamine`.
  const [experiment] = experiments.filter((each) => name.startsWith(`${each}_`))
    .sort((a, b) => b.length - a.length);
  return experiment === undefined ? undefined : { experiment, label: name.slice(experiment.length + 1) };
}

/** How to get a brain, in words; undefined where no command makes it for all figures. */
export function getBrain(label: string, data: string): string | undefined {
  if (label === "larva" || label === "malecns") {
    return `'deno task reproduce ${label}' makes ${join(data, `${label}.arrow`)}`;
  }
  return undefined;
}

/**
 * What the numbers of a figure are of that is not what would be measured now, in words; undefined where it is the same,
 * or where the same model fly grows otherwise than it did.
 *
 * @param name What the brain that would be measured calls itself.
 */
export function otherInputs(found: Result<object>, wanted: FigureKey, name: string): string | undefined {
  const { connectome, positions, seed, quick } = found;
  const grown = connectome?.name === name && name.startsWith("model fly");
  if (connectome?.digest !== wanted.connectome && !grown) {
    return `is of another brain (${connectome?.name}, ${connectome?.digest.slice(0, 12)}) than the one here`;
  }
  if (positions?.digest !== wanted.positions) {
    return `is of other positions (${positions?.digest.slice(0, 12)}) than those here`;
  }
  if (seed !== wanted.seed) return `is of seed ${seed}`;
  if (wanted.quick && !quick) return "is of a whole run";
  return undefined;
}

/** What is asked for by name. */
export interface Asked {
  readonly only?: readonly string[] | undefined;
  readonly brains?: readonly string[] | undefined;
  readonly connectome?: string | undefined;
  readonly quick: boolean;
  readonly data: string;
  readonly experiments: readonly string[];
}

/** What is asked for and cannot be made because its brain is not here: a sentence each, with how to get it. */
export async function missingBrains(asked: Asked): Promise<string[]> {
  const { only = [], brains = [], connectome, quick, data, experiments } = asked;
  const here = connectome !== undefined
    ? [brainLabel(connectome)]
    : quick
    ? [grownBrain(MODEL_FLY_SCALE.quick).label]
    : (await brainsOnDisk(data)).map(({ label }) => label);
  const wanted = [
    ...only.flatMap((name) => {
      const label = experiments.includes(name) ? undefined : labelOf(name, experiments)?.label;
      return label === undefined ? [] : [{ name, label }];
    }),
    ...brains.map((label) => ({ name: `--brain ${label}`, label })),
  ];
  return wanted.filter(({ label }) => !here.includes(label)).map(({ name, label }) => {
    if (connectome !== undefined) {
      return `${name} is not of ${connectome}, whose figures end in _${here[0]}.`;
    }
    const file = join(data, `${label}.arrow`);
    if (quick) return `${name} needs another brain than the model fly of --quick: give --connectome ${file}.`;
    return label === "larva" || label === "malecns"
      ? `${name} needs ${file}, which is not here: 'deno task reproduce ${label}' makes it.`
      : `${name} is of no brain that is here: give its file with --connectome.`;
  });
}
