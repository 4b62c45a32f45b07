import { basename, dirname, join } from "node:path";
import { DataError } from "../lib/common/data_error.ts";
import { nearestWord } from "../lib/common/nearest_word.ts";

/** What a run has to play with. */
export type PlaysWith = "readout" | "dopamine";

/** The folder of a run, by its name or its path. */
export function folderOf(run: string): string {
  return run.includes("/") ? run : join("runs", run);
}

/**
 * Looks whether a run has a fly that can play, without loading it: this takes milliseconds.
 *
 * @param run The run's name, a folder in runs/, or its path.
 * @returns What it plays with.
 * @throws {DataError} If there is no such run, or it stopped before it had anything to play with.
 */
export async function runReady(run: string): Promise<PlaysWith> {
  const folder = folderOf(run);
  if (await kindOf(folder) === "bio") return "dopamine";
  if (await isThere(join(folder, "readout.arrow"))) return "readout";
  const cannot = `Cannot load the fly of ${folder}:`;
  if (await isThere(join(folder, "config.json"))) {
    throw new DataError(`${cannot} it stopped before it had a readout; finish it with the same command`);
  }
  if (await isThere(folder)) {
    throw new DataError(`${cannot} it holds no run, a folder that 'fly train' made is wanted`);
  }
  const meant = nearestWord(basename(folder), await namesIn(dirname(folder)));
  throw new DataError(
    `${cannot} there is no such run` + (meant === undefined ? "" : `, did you mean '${meant}'?`) +
      `${meant === undefined ? ";" : ""} 'deno task fly runs' lists those that there are`,
  );
}

async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw error;
  }
}

async function kindOf(folder: string): Promise<unknown> {
  try {
    return JSON.parse(await Deno.readTextFile(join(folder, "config.json"))).kind;
  } catch {
    // Whoever loads the run says what is wrong with its config.
    return undefined;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(folder)) if (isDirectory) names.push(name);
  } catch {
    return [];
  }
  return names.sort();
}
