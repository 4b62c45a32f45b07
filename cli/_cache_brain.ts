import type { FlyBrain } from "../lib/brain/mod.ts";
import { DataError } from "../lib/common/mod.ts";
import { loadConnectome } from "../lib/connectome/mod.ts";
import { loadPositions, type Positions } from "../lib/data/mod.ts";
import { type Eye, eyeFor, type EyeName } from "../lib/eye/mod.ts";
import { cacheSetup, showAsBytes } from "../lib/training/rates/cache_rates.ts";
import type { CacheSetup, ShowRows } from "../lib/training/rates/rates_cache.ts";
import { type CacheJob, setupDigest, wake } from "../lib/training/mod.ts";
import type { LongWork } from "../lib/common/mod.ts";

/** Everything that a worker needs to make the brain that a block comes from; plain JSON. */
export interface CacheRecipe {
  /** The connectome's file. */
  readonly connectome: string;
  /** The file whose first training positions calibrate the brain. */
  readonly calibrate: string;
  /** The file whose rows are shown. */
  readonly positions: string;
  /** Its eye. */
  readonly eye: EyeName;
  /** The steps read. */
  readonly steps: readonly number[];
  /** Whether each step's rates are kept apart instead of their mean. */
  readonly apart: boolean;
  /** Digest of all that the rates depend on, as the machine that enqueued them found it. */
  readonly setup: string;
}

/** What of a recipe decides the brain. */
export type BrainRecipe = Omit<CacheRecipe, "positions" | "setup">;

/** A brain that is awake, and what a cache of it is for. */
export interface AwakeBrain extends AsyncDisposable {
  readonly brain: FlyBrain;
  readonly eye: Eye;
  readonly setup: CacheSetup;
}

/** Makes and calibrates the brain of a recipe. */
export async function awaken(recipe: BrainRecipe, work: LongWork = {}): Promise<AwakeBrain> {
  const connectome = await loadConnectome(recipe.connectome);
  const eye = eyeFor(connectome, recipe.eye);
  const brain = await wake(connectome, eye, await loadPositions(recipe.calibrate), work);
  return {
    brain,
    eye,
    setup: cacheSetup(brain, eye, recipe),
    [Symbol.asyncDispose]: () => brain[Symbol.asyncDispose](),
  };
}

/** Keeps the last brain and the last positions: neighbouring jobs share both. */
export class BrainShelf implements AsyncDisposable {
  #brain: { key: string; awake: AwakeBrain } | undefined;
  #positions: { path: string; positions: Positions } | undefined;

  /**
   * What gives the rates of a job.
   *
   * @throws {DataError} If this machine's files or its brain are not those that were enqueued.
   */
  async show(recipe: CacheRecipe, job: CacheJob, work: LongWork): Promise<ShowRows> {
    const { positions: path, setup, ...brain } = recipe;
    const key = JSON.stringify(brain);
    if (this.#brain?.key !== key) {
      await this[Symbol.asyncDispose]();
      this.#brain = { key, awake: await awaken(brain, work) };
    }
    const { awake } = this.#brain;
    const found = setupDigest(awake.setup);
    if (found !== setup) {
      throw new DataError(
        `Cannot fill ${job.block}: this machine's brain is ${found.slice(0, 12)}, ${
          setup.slice(0, 12)
        } is wanted; ` +
          "another connectome or calibration file, or an engine that rounds differently",
      );
    }
    if (this.#positions?.path !== path || this.#positions.positions.digest !== job.positions) {
      this.#positions = { path, positions: await loadPositions(path) };
    }
    const { positions } = this.#positions;
    if (positions.digest !== job.positions) {
      throw new DataError(
        `Cannot fill ${job.block}: ${path} holds positions ${positions.digest.slice(0, 12)}, ` +
          `${job.positions.slice(0, 12)} are wanted`,
      );
    }
    return showAsBytes(awake.brain, awake.eye, positions, recipe, work);
  }

  /** Frees the brain. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#brain?.awake[Symbol.asyncDispose]();
    this.#brain = undefined;
  }
}
