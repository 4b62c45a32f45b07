import { join } from "node:path";
import { DataError, exists, type JsonValue, readJson, writeFileAtomic } from "../../common/mod.ts";
import { differences, type JsonDifference } from "./_json_difference.ts";
import { RUN_FILES } from "./run_files.ts";

/** All that decides a run's result. */
export interface RunConfig {
  /** What kind of run it is: `stream`, `cached`, `day`. */
  readonly kind: string;
  /** Its seed. */
  readonly seed: number;
  /** Digests of what goes in, by name: the connectome, the positions. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Its options. */
  readonly [option: string]: JsonValue;
}

/**
 * What a run's `config.json` says.
 *
 * @param folder The run's folder.
 * @returns `undefined` where there is none.
 * @throws {DataError} If it is no JSON.
 */
export async function readRunConfig(folder: string): Promise<RunConfig | undefined> {
  return await readJson(join(folder, RUN_FILES.config), "the config of a run") as RunConfig | undefined;
}

/**
 * Writes a run's config where there is none, or compares it with what lies there.
 *
 * @throws {DataError} If it began with another one, or has a checkpoint and no config: the message says what differs.
 */
export async function matchRunConfig(folder: string, config: RunConfig): Promise<void> {
  const known = await readRunConfig(folder);
  if (known === undefined) {
    for (const name of [RUN_FILES.checkpoint, RUN_FILES.previous]) {
      if (!await exists(join(folder, name))) continue;
      throw new DataError(
        `Cannot go on with the run in ${folder}: it has a ${name}, but no ${RUN_FILES.config}`,
      );
    }
    await writeFileAtomic(join(folder, RUN_FILES.config), `${JSON.stringify(config, null, 2)}\n`);
    return;
  }
  const different = differences(known, JSON.parse(JSON.stringify(config)));
  if (different.length === 0) return;
  const isInput = ({ field }: JsonDifference) => field.startsWith("inputs.");
  const told = [...different.filter(isInput), ...different.filter((each) => !isInput(each))]
    .map(({ field, found, wanted }) =>
      `with ${field} ${shortened(found)}, ${shortened(wanted)} is wanted now`
    );
  throw new DataError(
    `Cannot go on with the run in ${folder}: it began ${
      told.join("; ")
    }. Start it as it began, give the new run ` +
      `another name (--name), or remove ${folder}`,
  );
}

/** Twelve digits are enough to tell digests apart. */
function shortened(json: string): string {
  return json.replace(/^"([0-9a-f]{12})[0-9a-f]{52}"$/, "$1");
}
