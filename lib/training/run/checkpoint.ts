import { join } from "node:path";
import { temporaryNameOf } from "../../common/atomic_file.ts";
import { DataError, exists, type JsonValue, removeIfThere } from "../../common/mod.ts";
import { RUN_FILES } from "./run_files.ts";
import { loadSafeTensors, type SafeTensors } from "./safetensors.ts";

/** All that a run needs to go on as if it had never stopped. */
export interface Checkpoint extends SafeTensors {
  /** Counters and the like; the large things are tensors. */
  readonly state: JsonValue;
}

/**
 * The last checkpoint in a run's folder, read without opening the run.
 *
 * @throws {DataError} If it is broken.
 */
export async function readCheckpoint(folder: string): Promise<Checkpoint | undefined> {
  const path = await newestCheckpoint(folder);
  if (path === undefined) return undefined;
  let loaded: SafeTensors;
  try {
    loaded = await loadSafeTensors(path);
  } catch (error) {
    const previous = join(folder, RUN_FILES.previous);
    if (!(error instanceof DataError) || path === previous || !await exists(previous)) throw error;
    throw new DataError(
      `${error.message}. Remove it to go on from the one before it, ${RUN_FILES.previous}`,
      { cause: error },
    );
  }
  const { state, ...metadata } = loaded.metadata;
  try {
    return { tensors: loaded.tensors, metadata, state: JSON.parse(state ?? "") };
  } catch {
    throw new DataError(`Cannot go on from ${path}: it holds no state, the checkpoint of a run is wanted`);
  }
}

/** Where the last checkpoint is: the one before it counts where a user has removed a broken one. */
export async function newestCheckpoint(folder: string): Promise<string | undefined> {
  for (const name of [RUN_FILES.checkpoint, RUN_FILES.previous]) {
    if (await exists(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

/** Gives the checkpoint a second name, which it keeps when a new one takes the first. */
export async function keepPrevious(path: string, previous: string): Promise<void> {
  if (!await exists(path)) return;
  const temporary = temporaryNameOf(previous);
  try {
    await Deno.link(path, temporary);
  } catch (error) {
    // Some file systems know no second names; the run does without.
    if (error instanceof Deno.errors.NotSupported || error instanceof Deno.errors.PermissionDenied) return;
    throw error;
  }
  await Deno.rename(temporary, previous);
  // Where both names are of one file already, because a run was killed between its two renames, nothing was renamed.
  await removeIfThere(temporary);
}
