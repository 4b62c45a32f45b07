/**
 * The experiments as a function, for notebooks and for programs of your own: `experiment("controls", { connectome })`
 * measures and draws. Which there are: `deno task experiment --help`; where what is: `experiments/README.md`.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectomeDigest, growModelFly } from "flychess/connectome";
import { shippedPositions } from "flychess/data";
import { EXPERIMENTS } from "./_all.ts";
import { type ExperimentOptions, originOf, type Result } from "./_experiment.ts";
import { MODEL_FLY_SCALE } from "./making/brains.ts";

export { scoresTable } from "../cli/_scores.ts";
export { table } from "../cli/_table.ts";
export { runChart } from "./training/run_chart.ts";
export type { Experiment, ExperimentOptions, Origin, Result } from "./_experiment.ts";

/** What came out of an experiment. */
export interface Answer {
  /** Its numbers, as in `figures/NAME_BRAIN.json`. */
  readonly result: Result<object>;
  /** Its picture, a whole SVG file. */
  readonly picture: string;
  /** The same numbers as a page that moves under the mouse, a whole HTML file, where the experiment has one. */
  readonly page: string | undefined;
}

/**
 * Asks an experiment's question of a brain.
 *
 * @param name Its name, such as `controls`.
 * @param options What it is asked of: by default a model fly of scale 1/32, the positions that ship with flychess, seed 1, and
 * the quick version. Finished pieces are kept in `runs/notebooks`, so that a second call goes on where the first was stopped.
 * @throws {RangeError} If there is no such experiment, or it makes no sense on this brain.
 */
export async function experiment(name: string, options: Partial<ExperimentOptions> = {}): Promise<Answer> {
  const load = EXPERIMENTS[name];
  if (load === undefined) {
    throw new RangeError(
      `Cannot ask '${name}': there is no such experiment, one of ${
        Object.keys(EXPERIMENTS).join(", ")
      } is wanted`,
    );
  }
  const { seed = 1, quick = true, signal, onProgress } = options;
  const connectome = options.connectome ?? growModelFly({ scale: MODEL_FLY_SCALE.quick, seed: 1 });
  const positions = options.positions ?? await shippedPositions({ signal, onProgress });
  const found = await load(), refusal = found.refuses?.(connectome);
  if (refusal !== undefined) {
    throw new RangeError(`Cannot ask '${name}' of ${connectome.name}: ${refusal}`);
  }
  const kept = [name, connectomeDigest(connectome).slice(0, 12), positions.digest.slice(0, 12), seed];
  const whole: ExperimentOptions = {
    ...options,
    connectome,
    positions,
    seed,
    quick,
    keep: options.keep ?? join(runFolder("notebooks"), `${kept.join("-")}${quick ? "-quick" : ""}`),
  };
  const origin = originOf(name, whole, {
    command: `experiment("${name}")`,
    measured: found.measured ?? false,
  });
  const result = { ...origin, ...await found.run(whole) };
  return { result, picture: found.figure(result), page: await found.page?.(result) };
}

/**
 * A file or folder of the clone by its path from there, wherever the notebook or program was started.
 *
 * @param path Such as `data/larva.arrow`.
 */
export function inClone(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/**
 * The folder of a run by its name: in the clone's `runs`, or where the environment's `FLYCHESS_RUNS` says, for example on
 * a disk that outlives a rented machine.
 *
 * @param name Such as `rented`.
 */
export function runFolder(name: string): string {
  return join(Deno.env.get("FLYCHESS_RUNS") ?? inClone("runs"), name);
}
