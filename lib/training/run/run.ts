import { join } from "node:path";
import { removeTemporaries } from "../../common/atomic_file.ts";
import { exists, type JsonValue, readJson, writeFileAtomic } from "../../common/mod.ts";
import { lockFolder } from "./_run_folder.ts";
import { RunLog } from "./_run_log.ts";
import { layOut } from "./_safetensors_layout.ts";
import { type Checkpoint, keepPrevious, newestCheckpoint, readCheckpoint } from "./checkpoint.ts";
import { matchRunConfig, type RunConfig } from "./run_config.ts";
import { RUN_FILES } from "./run_files.ts";
import { peekSafeTensors, writeLayout } from "./safetensors.ts";

/** How a run is opened. */
export interface OpenRunOptions {
  /** The clock of the log; the system's by default. */
  readonly now?: (() => Date) | undefined;
}

/**
 * Opens a run's folder: makes it, or goes on with what lies there. Nobody else can open it until it is disposed or its
 * process ends, however it ends.
 *
 * What a run does after a stop may depend only on its config and its checkpoint, never on the time or on how often it was
 * stopped: then it ends with the same bits as if it never was. To that end the log is cut back to where it was when the
 * checkpoint was saved, so that nothing stands in it twice.
 *
 * @param folder Where it is, for example `runs/first`.
 * @param config All that decides its result; written into `config.json` once.
 * @throws {DataError} If another process works on it, or the folder holds a run with another config: the message says what
 * differs.
 * @throws What the disk throws, where the folder cannot be written.
 *
 * @example A run that is stopped and goes on
 * ```ts
 * import { openRun, readLog } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * const config = { kind: "counting", seed: 1, inputs: {} };
 * {
 *   await using run = await openRun(folder, config);
 *   await run.log("counted", { to: 1 });
 *   await run.save({ tensors: {}, metadata: { about: "a count" }, state: { count: 1 } });
 *   await run.log("counted", { to: 2 }); // and here the lights go out
 * }
 * {
 *   await using run = await openRun(folder, config);
 *   assert.deepEqual((await run.checkpoint())?.state, { count: 1 });
 *   await run.log("counted", { to: 2 });
 * }
 * const counts = (await readLog(folder)).filter(({ event }) => event === "counted");
 * assert.deepEqual(counts.map(({ to }) => to), [1, 2]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function openRun(folder: string, config: RunConfig, options: OpenRunOptions = {}): Promise<Run> {
  const lock = await lockFolder(folder, RUN_FILES.lock);
  try {
    for (const each of [folder, join(folder, RUN_FILES.snapshots)]) await removeTemporaries(each);
    await matchRunConfig(folder, config);
    const checkpoint = await newestCheckpoint(folder);
    const seal = checkpoint === undefined ? undefined : (await peekSafeTensors(checkpoint))?.["sha256"];
    const log = await RunLog.open(join(folder, RUN_FILES.log), options.now ?? (() => new Date()));
    try {
      if (checkpoint === undefined) await log.cutTo(0);
      else if (seal !== undefined) await log.cutAfter(seal);
      return new Run(folder, config, checkpoint !== undefined, lock, log);
    } catch (error) {
      log.close();
      throw error;
    }
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** A run's folder, opened by `openRun`. Dispose it when done. */
export class Run implements AsyncDisposable {
  /** Where it is. */
  readonly folder: string;
  /** All that decides its result. */
  readonly config: RunConfig;
  /** Whether it goes on from a checkpoint. */
  readonly resumed: boolean;
  readonly #lock: Deno.FsFile;
  readonly #log: RunLog;
  readonly #decided: string[] = [];

  /** For `openRun`. */
  constructor(folder: string, config: RunConfig, resumed: boolean, lock: Deno.FsFile, log: RunLog) {
    this.folder = folder;
    this.config = config;
    this.resumed = resumed;
    this.#lock = lock;
    this.#log = log;
  }

  /**
   * The last checkpoint, checked to the last byte; `undefined` where none was saved yet.
   *
   * @throws {DataError} If it is broken. The one before it lies beside it; nothing is changed.
   */
  async checkpoint(): Promise<Checkpoint | undefined> {
    return await readCheckpoint(this.folder);
  }

  /**
   * Saves a checkpoint: it is there whole or not at all, and the one before it stays beside it. Its arrays must not change
   * meanwhile.
   *
   * @throws What the disk throws, with the file's name; the last checkpoint is still there then.
   */
  async save({ tensors, metadata, state }: Checkpoint): Promise<void> {
    const layout = layOut({ tensors, metadata: { ...metadata, state: JSON.stringify(state) } });
    // The line before the file: where a kill falls between the two, the older checkpoint's line is found instead.
    await this.#log.add("checkpoint", { sha256: layout.sha256 });
    await this.#log.flush();
    const path = join(this.folder, RUN_FILES.checkpoint);
    await keepPrevious(path, join(this.folder, RUN_FILES.previous));
    await writeLayout(path, layout);
  }

  /**
   * Adds a line to the log, `{"time": ..., "event": ..., ...values}`.
   *
   * @param event What happened, one word.
   * @param values Plain numbers and words, so that pandas and DuckDB see columns.
   */
  async log(event: string, values: Readonly<Record<string, JsonValue>> = {}): Promise<void> {
    await this.#log.add(event, values);
  }

  /** Whether somebody asked it to stop, by a file named `stop` in its folder. Whoever made the file removes it. */
  async stopAsked(): Promise<boolean> {
    return await exists(join(this.folder, RUN_FILES.stop));
  }

  /**
   * A decision that depends on time or chance and is made once in a run's life: the first time it is written into
   * `NAME.json`, and later read from there, so that a resumed run is the same run.
   *
   * @param name The file's name.
   * @param make Makes it.
   * @throws {DataError} If the file is no JSON.
   */
  async decide(name: string, make: () => JsonValue | Promise<JsonValue>): Promise<JsonValue> {
    const path = join(this.folder, `${name}.json`);
    this.#decided.push(`${name}.json`);
    const known = await readJson(path, "what flychess wrote there");
    if (known !== undefined) return known;
    const made = await make();
    await writeFileAtomic(path, `${JSON.stringify(made, null, 2)}\n`);
    return made;
  }

  /**
   * Gives its name back where nothing was learned under it: without a checkpoint, removes what `openRun` and `decide` wrote,
   * and the folder if nothing else lies in it. Dispose it afterwards. With a checkpoint, it does nothing.
   */
  async forget(): Promise<void> {
    if (await newestCheckpoint(this.folder) !== undefined) return;
    const files = [RUN_FILES.config, RUN_FILES.log, RUN_FILES.lock, ...this.#decided];
    for (const file of files) await Deno.remove(join(this.folder, file)).catch(() => {});
    // Not what somebody else put there.
    await Deno.remove(this.folder).catch(() => {});
  }

  /** Closes the folder for others to open. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#log.close();
    this.#lock.close();
    return Promise.resolve();
  }
}
