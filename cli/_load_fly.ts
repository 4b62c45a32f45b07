import { type FlyBrain, wasmEngine, type WasmEngineOptions } from "../lib/brain/mod.ts";
import { DataError, type LongWork, Random } from "../lib/common/mod.ts";
import { type Connectome, connectomeDigest, growModelFly, loadConnectome } from "../lib/connectome/mod.ts";
import { loadPositions, type Positions, shippedPositions } from "../lib/data/mod.ts";
import { type Eye, eyeFor, type EyeName } from "../lib/eye/mod.ts";
import type { DopamineFly, ReadoutFly } from "../lib/play/mod.ts";
import { READOUT_COLUMNS } from "../lib/readout/mod.ts";
import { loadBrain, loadDopamineFly, readRunConfig, wake } from "../lib/training/mod.ts";
import { changeConnectome, type Changes } from "./_connectome_changes.ts";
import { folderOf, runReady } from "./_run_ready.ts";
import { type FlyRun, NO_CHANGES, openFlyRun } from "./_fly_run.ts";

/** Where a run's fly comes from. */
export interface FlyFiles {
  /** The connectome's file; a model fly at scale 1/8 by default, as `fly train cached` grows it. */
  readonly connectome?: string | undefined;
  /** The positions that it was calibrated on; those that come with the library by default. */
  readonly positions?: string | undefined;
  /** Workers of the engine; one a core by default. */
  readonly workers?: number | undefined;
}

/** A fly that is awake; dispose of it. */
export type AwakeFly = ReadoutFly & AsyncDisposable;

/** How a brain is woken. */
interface Waking {
  readonly changes: Changes;
  readonly eye: EyeName;
  readonly precision: Precision;
  readonly calm: boolean;
}

/** A brain that is awake. */
interface Awake {
  readonly brain: FlyBrain;
  readonly eye: Eye;
}

type Precision = NonNullable<WasmEngineOptions["precision"]>;

/**
 * Wakes the fly of a run: its connectome, calibrated as it was, with the readout that came out; the brain that learned,
 * where the run has one.
 *
 * @param run The run's name, a folder in runs/, or its path.
 * @throws {DataError} If the run has no readout, or the connectome or the positions are not those it was fitted with.
 */
export async function loadFly(run: string, files: FlyFiles = {}, work: LongWork = {}): Promise<AwakeFly> {
  const flies = new Flies(files);
  try {
    const fly = await flies.load(run, work);
    return { ...fly, [Symbol.asyncDispose]: () => flies[Symbol.asyncDispose]() };
  } catch (error) {
    await flies[Symbol.asyncDispose]();
    throw error;
  }
}

/** Flies of one connectome and one set of positions. Those whose brains are the same share it; dispose of all at once. */
export class Flies implements AsyncDisposable {
  readonly #files: FlyFiles;
  #measured: Promise<Connectome> | undefined;
  #positions: Promise<Positions> | undefined;
  readonly #brains = new Map<string, Promise<Awake>>();
  readonly #disposable = new AsyncDisposableStack();

  /**
   * Reads nothing yet.
   *
   * @param files Where the connectome and the positions are.
   */
  constructor(files: FlyFiles = {}) {
    this.#files = files;
  }

  /**
   * The fly of a run.
   *
   * @param run The run's name, a folder in runs/, or its path.
   * @throws {DataError} If the run has no readout, or the connectome or the positions are not those it was fitted with.
   */
  async load(run: string, work: LongWork = {}): Promise<ReadoutFly> {
    const folder = folderOf(run);
    await runReady(run);
    const found = await openFlyRun(folder);
    const connectome = await this.#connectome(found.changes, work);
    same(folder, "connectome", connectomeDigest(connectome), found.connectome);
    // A brain that was saved whole needs no positions to be calibrated on.
    if (found.brainFile === undefined) {
      same(folder, "positions", (await this.#positionsOf(work)).digest, found.positions);
    }
    const { readout, steps, apart } = found;
    const { brain, eye } = await this.#wake(connectome, found, work);
    return { eye, brain, readout, steps, apart };
  }

  /**
   * The dopamine fly of a run of `fly train-bio`.
   *
   * @param run The run's name, a folder in runs/, or its path.
   * @returns `undefined` where the run is of another kind.
   * @throws {DataError} If it was taught with another connectome, or has no checkpoint.
   */
  async loadDopamine(run: string, work: LongWork = {}): Promise<DopamineFly | undefined> {
    const folder = folderOf(run);
    await runReady(run);
    if ((await readRunConfig(folder))?.kind !== "bio") return undefined;
    const connectome = await this.#connectome(NO_CHANGES, work);
    const fly = await loadDopamineFly(folder, connectome, { workers: this.#files.workers });
    this.#disposable.use(fly.brain);
    return fly;
  }

  /**
   * A fly that has learned nothing: its readout is normal random numbers, scaled so that a score varies by about 1.
   *
   * @param seed Seed of the readout.
   */
  async newborn(seed: number, work: LongWork = {}): Promise<ReadoutFly> {
    const connectome = await this.#connectome(NO_CHANGES, work);
    const waking: Waking = { changes: NO_CHANGES, eye: "auto", precision: "float32", calm: false };
    const { brain, eye } = await this.#wake(connectome, waking, work);
    const features = connectome.output.length;
    const random = new Random(seed, "newborn");
    const weight = Float32Array.from(
      { length: features * READOUT_COLUMNS },
      () => random.normal() / Math.sqrt(features),
    );
    return { eye, brain, readout: { features, weight, bias: new Float32Array(READOUT_COLUMNS) } };
  }

  /** Frees every brain. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#disposable[Symbol.asyncDispose]();
  }

  async #connectome(changes: Changes, work: LongWork): Promise<Connectome> {
    const { connectome: path } = this.#files;
    this.#measured ??= path === undefined
      ? Promise.resolve(growModelFly({ scale: 1 / 8, seed: 1 }, work))
      : loadConnectome(path);
    return changeConnectome(await this.#measured, changes);
  }

  #positionsOf(work: LongWork): Promise<Positions> {
    const { positions: path } = this.#files;
    return this.#positions ??= path === undefined ? shippedPositions(work) : loadPositions(path);
  }

  #wake(connectome: Connectome, waking: Waking & Partial<FlyRun>, work: LongWork): Promise<Awake> {
    const { changes, precision, calm, learned, brainFile } = waking;
    const eye = eyeFor(connectome, waking.eye);
    // What has learned is nobody else's.
    if (learned !== undefined || brainFile !== undefined) {
      return this.#wakeAnew(connectome, eye, waking, work);
    }
    const key = JSON.stringify([changes, eye.name, precision, calm]);
    const awake = this.#brains.get(key) ?? this.#wakeAnew(connectome, eye, waking, work);
    this.#brains.set(key, awake);
    return awake;
  }

  async #wakeAnew(
    connectome: Connectome,
    eye: Eye,
    { precision, calm, learned, brainFile }: Waking & Partial<FlyRun>,
    work: LongWork,
  ): Promise<Awake> {
    const { workers } = this.#files;
    const engine = wasmEngine({
      precision,
      ...workers === undefined ? {} : { workers: workers === 1 ? 0 : workers },
    });
    const brain = this.#disposable.use(
      brainFile === undefined
        ? await wake(connectome, eye, await this.#positionsOf(work), { engine, calm, ...work })
        : await loadBrain(brainFile, connectome, { engine }),
    );
    if (learned !== undefined) {
      // What a run's brain has learned goes with the homeostasis it had: both stand in its checkpoint.
      if (learned.theta !== undefined) brain.theta.set(learned.theta);
      if (learned.gain !== undefined) brain.gain.set(learned.gain);
      if (learned.bias !== undefined) brain.bias.set(learned.bias);
      await brain.setHomeostasis(learned.homeostasis);
    }
    return { brain, eye };
  }
}

function same(
  folder: string,
  what: "connectome" | "positions",
  found: string,
  wanted: string | undefined,
): void {
  if (found === wanted) return;
  throw new DataError(
    `Cannot load the fly of ${folder}: the ${what === "connectome" ? "connectome is" : "positions are"} ${
      found.slice(0, 12)
    }, ${wanted?.slice(0, 12) ?? "none"}, which it was fitted with, ${
      what === "connectome" ? "is" : "are"
    } wanted; name ${what === "connectome" ? "it" : "them"} with --${what} FILE`,
  );
}
