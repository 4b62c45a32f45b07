import { join } from "node:path";
import type { LongWork } from "../lib/common/mod.ts";
import { type Connectome, growModelFly, loadConnectome } from "../lib/connectome/mod.ts";
import { loadPositions, type Positions, shippedPositions } from "../lib/data/mod.ts";
import { eyeFor, type EyeName } from "../lib/eye/mod.ts";
import { openRun, type Run, type RunConfig } from "../lib/training/mod.ts";
import { changeConnectome, type Changes } from "./_connectome_changes.ts";

/**
 * What a run learns from: the connectome, changed as asked, and the positions.
 *
 * @param files Where they are; without, a model fly at scale 1/8 is grown, and the positions are those of the library.
 * @param changes What is done to the connectome.
 */
export async function trainInputs(
  files: { readonly connectome?: string | undefined; readonly positions?: string | undefined },
  changes: Changes,
  work: LongWork,
): Promise<{ readonly connectome: Connectome; readonly positions: Positions }> {
  const measured = files.connectome === undefined
    ? growModelFly({ scale: 1 / 8, seed: 1 }, work)
    : await loadConnectome(files.connectome);
  const connectome = changeConnectome(measured, changes);
  const positions = files.positions === undefined
    ? await shippedPositions(work)
    : await loadPositions(files.positions);
  return { connectome, positions };
}

/**
 * Opens the folder of a run, once it is known that its eye fits the brain, and says how it is stopped.
 *
 * @param name The run's name.
 * @throws {RangeError} If the brain cannot have the eye; no folder was made then.
 */
export async function openTrainRun(
  name: string,
  connectome: Connectome,
  eye: EyeName,
  config: RunConfig,
): Promise<Run> {
  eyeFor(connectome, eye);
  const run = await openRun(join("runs", name), config);
  console.log(
    run.resumed ? `Going on with ${run.folder}.` : `${connectome.name}: a new run in ${run.folder}.`,
  );
  console.log("Ctrl-C stops it; the same command goes on where it was.");
  return run;
}

/** What is said where somebody made the file `stop`. */
export function stoppedAsAsked(run: Run): string {
  return `\nStopped, as asked. The same command goes on from here once ${join(run.folder, "stop")} is gone.`;
}

/**
 * Trains in a run's folder; where that is refused before anything was learned, the name is free again.
 *
 * @param run The run.
 * @param train What is done.
 */
export async function unlessRefused<T>(run: Run, train: () => Promise<T>): Promise<T> {
  try {
    return await train();
  } catch (error) {
    const stopped = error instanceof DOMException && error.name === "AbortError";
    if (!stopped) await run.forget();
    throw error;
  }
}
