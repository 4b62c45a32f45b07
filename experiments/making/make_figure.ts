import { type LongWork, readText, writeFileAtomic } from "flychess/common";
import { type Connectome, connectomeDigest } from "flychess/connectome";
import type { Positions } from "flychess/data";
import { type Experiment, type Origin, originOf, type Result } from "../_experiment.ts";

/** What one figure is made of, and where it goes. */
export interface FigureOptions extends LongWork {
  readonly connectome: Connectome;
  readonly positions: Positions;
  readonly seed: number;
  readonly quick: boolean;
  /** Where finished pieces are kept. */
  readonly keep: string;
  readonly workers?: number | undefined;
  /** Whether only what is finished is summed up; no by default. */
  readonly soFar?: boolean | undefined;
  /** The command that makes it again. */
  readonly command: string;
  /** Numbers go to OUT.json, the picture to OUT.svg, the page, where there is one, to OUT.html. */
  readonly out: string;
}

/** What makes a figure another one: all that its numbers depend on, but for the code. */
export type FigureKey = Pick<Origin, "experiment" | "seed" | "quick"> & {
  readonly connectome: string;
  readonly positions: string;
};

/** The key of the figure that an experiment would make. */
export function keyOf(
  experiment: string,
  { connectome, positions, seed, quick }: Pick<FigureOptions, "connectome" | "positions" | "seed" | "quick">,
): FigureKey {
  return { experiment, connectome: connectomeDigest(connectome), positions: positions.digest, seed, quick };
}

/** Why numbers are not those of a key, in words; undefined where they are. */
export function staleness(found: Result<object>, wanted: FigureKey): string | undefined {
  if (found.experiment !== wanted.experiment) return `they are of '${found.experiment}'`;
  if (found.connectome?.digest !== wanted.connectome) return "they are of another brain";
  if (found.positions?.digest !== wanted.positions) return "they are of other positions";
  if (found.seed !== wanted.seed) return `their seed is ${found.seed}`;
  if (found.quick !== wanted.quick) {
    return found.quick ? "they are of a quick run" : "they are of a whole run";
  }
  return undefined;
}

/** Measures, writes the numbers, draws the picture. */
export async function makeFigure(
  name: string,
  experiment: Experiment,
  options: FigureOptions,
): Promise<void> {
  const { command, out, ...rest } = options;
  const origin = originOf(name, options, { command, measured: experiment.measured ?? false });
  const result = { ...origin, ...await experiment.run(rest) };
  await writeNumbers(`${out}.json`, result);
  // What is drawn is what was written, so that the same picture comes of the file.
  const numbers = JSON.parse(JSON.stringify(result)), { page } = experiment;
  await writeDrawing(out, experiment.figure(numbers), page && (() => page(numbers)));
}

/** Writes the picture, and the page where there is one. */
export async function writeDrawing(
  out: string,
  picture: string,
  page: (() => Promise<string>) | undefined,
): Promise<void> {
  await writeFileAtomic(`${out}.svg`, picture);
  if (page !== undefined) await writeFileAtomic(`${out}.html`, await page());
}

/** Writes a result as the file that it is drawn from. */
export async function writeNumbers(path: string, result: object): Promise<void> {
  await writeFileAtomic(path, JSON.stringify(result, null, 1) + "\n");
}

/** Reads a result; undefined where there is no such file. */
export async function readNumbers(path: string): Promise<Result<object> | undefined> {
  const text = await readText(path);
  return text === undefined ? undefined : JSON.parse(text);
}
