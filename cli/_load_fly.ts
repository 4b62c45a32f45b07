import { join } from "node:path";
import { wasmEngine } from "../lib/brain/mod.ts";
import { DataError, type LongWork } from "../lib/common/mod.ts";
import { type Connectome, connectomeDigest, growModelFly, loadConnectome } from "../lib/connectome/mod.ts";
import { loadPositions, shippedPositions } from "../lib/data/mod.ts";
import { eyeFor, type EyeName } from "../lib/eye/mod.ts";
import type { DopamineFly, ReadoutFly } from "../lib/play/mod.ts";
import { loadReadout } from "../lib/readout/mod.ts";
import { LEARNED_BRAIN, loadBrain, loadDopamineFly, readRunConfig, wake } from "../lib/training/mod.ts";

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

/**
 * Wakes the fly of a run: its connectome, calibrated as it was, with the readout that came out; the brain that learned,
 * where the run has one.
 *
 * @param run The run's name, a folder in runs/, or its path.
 * @throws {DataError} If the run has no readout, or the connectome or the positions are not those it was fitted with.
 */
export async function loadFly(run: string, files: FlyFiles = {}, work: LongWork = {}): Promise<AwakeFly> {
  const folder = run.includes("/") ? run : join("runs", run);
  const { readout, metadata } = await loadReadout(join(folder, "readout.arrow"));
  const read = /^(mean of|each of) steps ([\d, ]+)$/.exec(metadata.read ?? "");
  if (read === null) {
    throw new DataError(
      `Cannot load the fly of ${folder}: its readout reads '${
        metadata.read ?? ""
      }', steps of a brain are wanted`,
    );
  }
  const connectome = await openConnectome(files.connectome, work);
  same(folder, "connectome", connectomeDigest(connectome), metadata.connectome);
  const eye = eyeFor(connectome, eyeName(metadata.eye));
  const { workers } = files;
  const engine = wasmEngine(workers === undefined ? {} : { workers: workers === 1 ? 0 : workers });
  const brain = metadata.brain === LEARNED_BRAIN.brain
    ? await loadBrain(join(folder, LEARNED_BRAIN.brain), connectome, { engine })
    : await wakeFor(folder, metadata.positions);
  async function wakeFor(folder: string, wanted: string | undefined) {
    const positions = files.positions === undefined
      ? await shippedPositions(work)
      : await loadPositions(files.positions);
    same(folder, "positions", positions.digest, wanted);
    return await wake(connectome, eye, positions, { engine, ...work });
  }
  const steps = read[2]!.split(", ").map(Number);
  return {
    eye,
    brain,
    readout,
    steps,
    apart: read[1] === "each of",
    [Symbol.asyncDispose]: () => brain[Symbol.asyncDispose](),
  };
}

/**
 * The dopamine fly of a run of `fly train-bio`; dispose of its brain.
 *
 * @param run The run's name, a folder in runs/, or its path.
 * @returns `undefined` where the run is of another kind.
 * @throws {DataError} If it was taught with another connectome, or has no checkpoint.
 */
export async function loadDopamine(
  run: string,
  { connectome, workers }: FlyFiles = {},
  work: LongWork = {},
): Promise<DopamineFly | undefined> {
  const folder = run.includes("/") ? run : join("runs", run);
  if ((await readRunConfig(folder))?.kind !== "bio") return undefined;
  return await loadDopamineFly(folder, await openConnectome(connectome, work), { workers });
}

async function openConnectome(path: string | undefined, work: LongWork): Promise<Connectome> {
  return path === undefined ? growModelFly({ scale: 1 / 8, seed: 1 }, work) : await loadConnectome(path);
}

function same(
  folder: string,
  what: "connectome" | "positions",
  found: string,
  wanted: string | undefined,
): void {
  if (found === wanted) return;
  throw new DataError(
    `Cannot load the fly of ${folder}: the ${what} are ${found.slice(0, 12)}, ${
      wanted?.slice(0, 12) ?? "none"
    } it was fitted with are wanted; name them with --${what} FILE`,
  );
}

function eyeName(name: string | undefined): EyeName {
  return name === "fair" || name === "first" || name === "larva" ? name : "auto";
}
