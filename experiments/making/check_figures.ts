import { join } from "node:path";
import { readText } from "flychess/common";
import { connectomeDigest } from "flychess/connectome";
import { brainsOnDisk, positionsOnDisk, regrownDigest, SHIPPED_POSITIONS } from "./brains.ts";
import { EXPERIMENTS } from "../_all.ts";
import type { Origin, Result } from "../_experiment.ts";
import { readNumbers } from "./make_figure.ts";
import { olderFigure, type OlderInputs } from "./older_figures.ts";
import { numbersIn } from "./plan.ts";
import { drawingDifference } from "./same_drawing.ts";

/** What a check found about one figure. */
export interface CheckedFigure {
  readonly name: string;
  /** What is wrong, in words. */
  readonly wrong: readonly string[];
  /** What could not be checked here, in words. */
  readonly unchecked: readonly string[];
}

/** The state of a figure in a word: `unchecked` where nothing is wrong, but an input is not here to be compared. */
export function stateOf({ wrong, unchecked }: CheckedFigure): "right" | "wrong" | "unchecked" {
  return wrong.length > 0 ? "wrong" : unchecked.length > 0 ? "unchecked" : "right";
}

/** Where figures and their inputs lie. */
export interface CheckOptions {
  /** The folder of figures. */
  readonly figures: string;
  /** The folder of brains and positions. */
  readonly data: string;
  /** Whether the model flies that figures name are grown again, which takes half a minute at scale 1; yes by default. */
  readonly grow?: boolean;
  /** The experiments that there are; `EXPERIMENTS` by default. */
  readonly experiments?: typeof EXPERIMENTS;
}

/** What is on disk. */
class Inputs {
  readonly #data: string;
  readonly #grow: boolean;
  readonly #brains = new Map<string, string | undefined>();
  #positions: Promise<Map<string, string>> | undefined;

  constructor(data: string, grow: boolean) {
    this.#data = data;
    this.#grow = grow;
  }

  /** The digest of a brain by its label or its own name; undefined where it is not here. */
  async brain(label: string, name: string): Promise<string | undefined> {
    if (/^model fly/.test(name)) return this.#grow ? regrownDigest(name) : undefined;
    if (!this.#brains.has(label)) {
      const brain = (await brainsOnDisk(this.#data)).find((each) => each.label === label);
      this.#brains.set(label, brain === undefined ? undefined : connectomeDigest(await brain.open()));
    }
    return this.#brains.get(label);
  }

  /** Digests of the positions that are here, each with where it is. */
  positions(): Promise<Map<string, string>> {
    return this.#positions ??= (async () => {
      const sources = new Set([SHIPPED_POSITIONS, await positionsOnDisk(this.#data)]);
      const found = new Map<string, string>();
      for (const { source, open } of sources) found.set((await open()).digest, source);
      return found;
    })();
  }
}

/** Checks every figure of a folder: pictures against their numbers, numbers against what they were made of. */
export async function checkFigures(options: CheckOptions): Promise<CheckedFigure[]> {
  const { figures, data, grow = true, experiments = EXPERIMENTS } = options;
  const inputs = new Inputs(data, grow), checked: CheckedFigure[] = [];
  const names = await numbersIn(figures);
  for (const name of names) checked.push(await checkOne(name, figures, inputs, experiments));
  for await (const { name } of Deno.readDir(figures)) {
    const own = /^(.*)\.svg$/.exec(name)?.[1];
    if (own !== undefined && !names.includes(own)) {
      checked.push({ name: own, wrong: ["there is a picture without numbers"], unchecked: [] });
    }
  }
  return checked;
}

async function checkOne(
  name: string,
  folder: string,
  inputs: Inputs,
  experiments: typeof EXPERIMENTS,
): Promise<CheckedFigure> {
  const wrong: string[] = [], unchecked: string[] = [];
  const numbers = (await readNumbers(join(folder, `${name}.json`)))!;
  const picture = await readText(join(folder, `${name}.svg`));
  const older = olderFigure(name), load = experiments[numbers.experiment];
  let draw: (() => string) | undefined;
  if (load !== undefined) {
    const experiment = await load();
    draw = () => experiment.figure(numbers);
    wrong.push(...originFaults(name, numbers));
    await checkInputs(name, inputsOf(numbers), inputs, wrong, unchecked);
  } else if (older !== undefined) {
    if (older.draw !== undefined) draw = () => older.draw!(numbers);
    await checkInputs(name, older.inputs(numbers), inputs, wrong, unchecked, true);
  } else {
    wrong.push(`no experiment is called '${numbers.experiment ?? name}'`);
  }
  if (draw !== undefined) {
    const difference = picture === undefined
      ? "there is no picture"
      : tryToDraw(draw, (drawn) => drawingDifference(drawn, picture));
    if (difference !== undefined) wrong.push(`its picture is not what its numbers draw: ${difference}`);
  }
  return { name, wrong, unchecked };
}

function tryToDraw(draw: () => string, compare: (svg: string) => string | undefined): string | undefined {
  try {
    return compare(draw());
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function originFaults(name: string, numbers: Result<object>): string[] {
  const faults: string[] = [];
  if (numbers.quick) faults.push("its numbers are of a quick run");
  if (!name.startsWith(`${numbers.experiment}_`) && name !== numbers.experiment) {
    faults.push(`its numbers are of '${numbers.experiment}'`);
  }
  if (!Number.isInteger(numbers.seed) || typeof numbers.command !== "string") {
    faults.push("its numbers name no seed or no command");
  }
  return faults;
}

function inputsOf({ connectome, positions }: Pick<Origin, "connectome" | "positions">): OlderInputs {
  return { connectomes: [connectome], positions: [positions.digest] };
}

async function checkInputs(
  figure: string,
  { connectomes, positions }: OlderInputs,
  inputs: Inputs,
  wrong: string[],
  unchecked: string[],
  // A figure with a command of its own may be of positions of its own, which its command names.
  ownPositions = false,
): Promise<void> {
  for (const { name, digest } of connectomes) {
    const label = ["larva", "malecns"].find((each) => figure.endsWith(`_${each}`)) ?? name;
    const found = await inputs.brain(label, name);
    if (found === undefined) unchecked.push(`its brain, ${name}, is not here`);
    else if (found !== digest) {
      wrong.push(
        `its brain, ${name}, has the digest ${digest.slice(0, 12)}, here it has ${found.slice(0, 12)}`,
      );
    }
  }
  for (const digest of positions) {
    const here = await inputs.positions();
    if (here.has(digest)) continue;
    if (here.size > 1 && !ownPositions) {
      wrong.push(
        `its positions have the digest ${digest.slice(0, 12)}, here are ${
          Array.from(here, ([own, source]) => `${own.slice(0, 12)} (${source})`).join(" and ")
        }`,
      );
    } else unchecked.push(`its positions, ${digest.slice(0, 12)}, are not here`);
  }
}
