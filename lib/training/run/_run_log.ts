import { join } from "node:path";
import { diskError } from "../../common/atomic_file.ts";
import type { JsonValue } from "../../common/mod.ts";

/** One line of a run's log. */
export interface LogEntry {
  /** When, as ISO 8601 in UTC. */
  readonly time: string;
  /** What happened, one word. */
  readonly event: string;
  /** Further values. */
  readonly [name: string]: JsonValue;
}

/**
 * Reads a run's log. The run may be at work: a last line that is not whole yet is left out.
 *
 * @param folder The run's folder.
 * @returns Its lines, oldest first; none where there is no log.
 */
export async function readLog(folder: string): Promise<LogEntry[]> {
  let text: string;
  try {
    text = await Deno.readTextFile(join(folder, "log.jsonl"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return text.slice(0, text.lastIndexOf("\n") + 1).split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as LogEntry];
    } catch {
      return [];
    }
  });
}

/** A log that is written: one JSON object a line. */
export class RunLog {
  readonly #path: string;
  readonly #file: Deno.FsFile;
  readonly #now: () => Date;
  #length = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, file: Deno.FsFile, now: () => Date) {
    this.#path = path;
    this.#file = file;
    this.#now = now;
  }

  /** Opens a log at its end; half a line there goes. */
  static async open(path: string, now: () => Date): Promise<RunLog> {
    const file = await Deno.open(path, { read: true, write: true, create: true });
    const log = new RunLog(path, file, now);
    const bytes = await Deno.readFile(path);
    await log.cutTo(bytes.lastIndexOf(0x0a) + 1);
    return log;
  }

  /** Cuts it after so many bytes. */
  async cutTo(length: number): Promise<void> {
    await this.#file.truncate(length);
    await this.#file.seek(length, Deno.SeekMode.Start);
    this.#length = length;
  }

  /** Cuts it after the last line about a checkpoint with this SHA-256; leaves it where there is none. */
  async cutAfter(sha256: string): Promise<void> {
    const text = await Deno.readTextFile(this.#path);
    const at = text.lastIndexOf(`"event":"checkpoint","sha256":"${sha256}"`);
    if (at < 0) return;
    await this.cutTo(new TextEncoder().encode(text.slice(0, text.indexOf("\n", at) + 1)).length);
  }

  /** Adds a line. */
  add(event: string, values: Readonly<Record<string, JsonValue>>): Promise<void> {
    const line = `${JSON.stringify({ time: this.#now().toISOString(), event, ...values })}\n`;
    const bytes = new TextEncoder().encode(line);
    const written = this.#writing.then(() => this.#write(bytes));
    this.#writing = written.catch(() => {});
    return written;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length;) at += await this.#file.write(bytes.subarray(at));
      this.#length += bytes.length;
    } catch (error) {
      await this.cutTo(this.#length).catch(() => {});
      throw diskError(error, this.#path);
    }
  }

  /** Waits until all lines are on the disk. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#file.syncData();
  }

  /** Closes it. */
  close(): void {
    this.#file.close();
  }
}
