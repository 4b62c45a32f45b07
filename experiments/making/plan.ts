import { join, resolve } from "node:path";
import { type Connectome, connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";
import {
  brainsOnDisk,
  grownBrain,
  MODEL_FLY_SCALE,
  positionsOnDisk,
  savedBrain,
  savedPositions,
  SHIPPED_POSITIONS,
} from "./brains.ts";
import { EXPERIMENTS } from "../_all.ts";
import type { Experiment } from "../_experiment.ts";
import { keyOf, makeFigure, readNumbers, staleness } from "./make_figure.ts";
import { getBrain, labelOf, otherInputs } from "./missing_inputs.ts";
import { OLDER_NAMES, olderFigure } from "./older_figures.ts";
import { planOlder } from "./plan_older.ts";
import { nothing, planDrawing, planKept, type PlannedFigure } from "./planned_figure.ts";
import { timeInWords } from "./times.ts";

/** Where figures lie that are kept with the project. */
export const FIGURES = "figures";

/** Where those of `--quick` lie. */
export const QUICK_FIGURES: string = join("runs", "figures_quick");

/** What figures are planned of. */
export interface PlanOptions {
  readonly quick: boolean;
  readonly seed: number;
  /** Where brains and positions lie. */
  readonly data: string;
  /** Where figures lie and go. */
  readonly out: string;
  /** Experiments or figures; all by default. */
  readonly only?: readonly string[] | undefined;
  /** Labels of brains; all by default. */
  readonly brains?: readonly string[] | undefined;
  /** The file of one brain, and no other is wanted. */
  readonly connectome?: string | undefined;
  /** The file of other positions. */
  readonly positions?: string | undefined;
  /** Whether also what is up to date is made. */
  readonly again?: boolean | undefined;
  /** Experiments that would take longer, in hours, are left out unless `only` names them; 24 by default. */
  readonly longest?: number | undefined;
  readonly workers?: number | undefined;
  /** The experiments that there are; `EXPERIMENTS` by default. */
  readonly experiments?: typeof EXPERIMENTS;
  /** The folder whose numbers pages cite, where none are replaced by those of other inputs; `FIGURES` by default. */
  readonly cited?: string | undefined;
}

/** Whether there is an experiment or a figure of this name. */
export function isFigureName(name: string): boolean {
  return olderFigure(name) !== undefined ||
    Object.keys(EXPERIMENTS).some((each) => name === each || name.startsWith(`${each}_`));
}

/**
 * All figures in the order in which they are made: brain after brain, each with every experiment in the order of
 * `EXPERIMENTS`; then the older ones, which have commands of their own.
 */
export async function planFigures(options: PlanOptions): Promise<PlannedFigure[]> {
  const { quick, only, data, experiments = EXPERIMENTS } = options;
  const wanted = (...names: string[]) => only === undefined || names.some((name) => only.includes(name));
  const brains = options.connectome !== undefined
    ? [savedBrain(options.connectome)]
    : quick
    ? [grownBrain(MODEL_FLY_SCALE.quick)]
    : await brainsOnDisk(data);
  const source = options.positions !== undefined
    ? savedPositions(options.positions)
    : quick
    ? SHIPPED_POSITIONS
    : await positionsOnDisk(data);
  const plan: PlannedFigure[] = [];
  for (const { label, source: from, open } of brains) {
    if (options.brains?.includes(label) === false) continue;
    const names = Object.keys(experiments).filter((each) => wanted(each, `${each}_${label}`));
    if (names.length === 0) continue;
    const connectome = await open(), positions = await source.open();
    const brainFlags = from.endsWith(".arrow") ? ["--connectome", from] : quick ? [] : ["--scale", "1"];
    const positionFlags = source.source.endsWith(".arrow") ? ["--positions", source.source] : [];
    const flags = [...brainFlags, ...positionFlags];
    const citedOf = isCited(options) ? await positionsCited(label, options) : undefined;
    const given = { ...options, label, connectome, positions, citedOf };
    for (const name of names) plan.push(await planExperiment(name, experiments[name]!, given, flags));
  }
  if (isCited(options) && options.connectome === undefined && !quick) {
    plan.push(...await planWithoutBrain(plan, options));
  }
  // The older ones know no other brains than their own, and write nowhere but into figures/.
  if (
    resolve(options.out) !== resolve(FIGURES) || options.connectome !== undefined ||
    options.brains !== undefined
  ) {
    return plan;
  }
  for (const name of OLDER_NAMES) {
    if (wanted(name)) plan.push(await planOlder(name, options));
  }
  for (const name of await numbersIn(options.out)) {
    const drawnHere = olderFigure(name) !== undefined && !OLDER_NAMES.includes(name) &&
      !plan.some((figure) => figure.name === name);
    if (drawnHere && wanted(name)) plan.push(await planOlder(name, options));
  }
  return plan;
}

/** The names of the files of numbers in a folder. */
export async function numbersIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(folder)) {
      if (name.endsWith(".json") && !name.endsWith(".points.json")) names.push(name.slice(0, -5));
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return names.sort();
}

/** Whether figures go where pages cite them. */
function isCited({ out, cited = FIGURES }: Pick<PlanOptions, "out" | "cited">): boolean {
  return resolve(out) === resolve(cited);
}

/** The positions that most of a brain's figures in the folder are of, by digest; undefined where there are none. */
async function positionsCited(
  label: string,
  { out, experiments = EXPERIMENTS }: PlanOptions,
): Promise<string | undefined> {
  const counts = new Map<string, number>();
  for (const name of await numbersIn(out)) {
    if (labelOf(name, Object.keys(experiments))?.label !== label) continue;
    const digest = (await readNumbers(join(out, `${name}.json`)))?.positions?.digest;
    if (digest !== undefined) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Figures that are kept of brains that are not here. */
async function planWithoutBrain(
  plan: readonly PlannedFigure[],
  options: PlanOptions,
): Promise<PlannedFigure[]> {
  const { out, only, brains, data, experiments = EXPERIMENTS } = options;
  const here = new Set((await brainsOnDisk(data)).map(({ label }) => label));
  const kept: PlannedFigure[] = [];
  for (const name of await numbersIn(out)) {
    const { experiment, label } = labelOf(name, Object.keys(experiments)) ?? {};
    if (experiment === undefined || label === undefined || here.has(label)) continue;
    if (plan.some((figure) => figure.name === name) || brains?.includes(label) === false) continue;
    if (only !== undefined && !only.includes(experiment) && !only.includes(name)) continue;
    const { figure } = await experiments[experiment]!();
    const numbers = (await readNumbers(join(out, `${name}.json`)))!;
    const why = `is of ${numbers.connectome.name}, which is not here: ${
      getBrain(label, data) ?? `made by '${numbers.command}'`
    }`;
    kept.push(await planKept(name, join(out, name), figure(numbers), why));
  }
  return kept;
}

async function planExperiment(
  experimentName: string,
  load: () => Promise<Experiment>,
  options:
    & Omit<PlanOptions, "connectome" | "positions">
    & {
      readonly label: string;
      readonly connectome: Connectome;
      readonly positions: Positions;
      /** The positions that pages cite of this brain. */
      readonly citedOf: string | undefined;
    },
  flags: readonly string[],
): Promise<PlannedFigure> {
  const { label, connectome, positions, seed, quick, workers } = options;
  const experiment = await load();
  const name = `${experimentName}_${label}`, out = join(options.out, name);
  const refusal = experiment.refuses?.(connectome);
  if (refusal !== undefined) {
    return { name, todo: "none", why: `makes no sense on this brain: ${refusal}`, make: nothing };
  }
  const kept = await readNumbers(`${out}.json`);
  const key = keyOf(experimentName, options);
  const other = kept === undefined ? undefined : otherInputs(kept, key, connectome.name);
  if (other !== undefined && !options.again && isCited(options)) {
    return planKept(name, out, experiment.figure(kept!), other);
  }
  const stale = kept === undefined
    ? "there is none"
    : staleness(kept, key) ?? (options.again ? "again, as asked" : undefined);
  if (stale === undefined) {
    const { page } = experiment;
    return planDrawing(name, out, experiment.figure(kept!), page && (() => page(kept!)));
  }
  const hours = experiment.hours?.(options) ?? 0, { longest = 24, citedOf } = options;
  const asked = options.only?.some((each) => each === experimentName || each === name) ?? false;
  if (
    kept === undefined && !asked && !options.again && citedOf !== undefined && citedOf !== positions.digest
  ) {
    const why = `there is none, and the others of this brain are of other positions (${
      citedOf.slice(0, 12)
    }) than those here`;
    return { name, todo: "none", why, kept: true, make: nothing };
  }
  if (hours > longest && !asked) {
    const why = `takes about ${
      Math.round(hours).toLocaleString("en-US")
    } hours: name it with --only, or --longest`;
    return { name, todo: "none", why, make: nothing };
  }
  const command = [
    "deno task experiment",
    experimentName,
    ...flags,
    ...seed === 1 ? [] : ["--seed", String(seed)],
    ...quick ? ["--quick"] : [],
  ].join(" ");
  const brain = connectomeDigest(connectome).slice(0, 12);
  const keep = quick ? join(options.out, "keep", name) : keepFolder(experimentName, brain);
  return {
    name,
    todo: "make",
    ...hours > 0 && { hours },
    why: hours >= 1 ? `${stale}, and it takes about ${timeInWords(3600 * hours)}` : stale,
    make: (work) =>
      makeFigure(experimentName, experiment, {
        connectome,
        positions,
        seed,
        quick,
        keep,
        workers,
        command,
        out,
        ...work,
      }),
  };
}

/** Where an experiment on a brain keeps what is finished. */
export function keepFolder(experiment: string, digest: string): string {
  return join("runs", "experiments", `${experiment}-${digest.slice(0, 12)}`);
}
