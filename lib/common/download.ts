import { createHash } from "node:crypto";
import { join } from "node:path";
import { writeFileAtomic } from "./atomic_file.ts";
import { DataError } from "./data_error.ts";
import { networkProblem } from "./network_problem.ts";
import { fetchRest, PermanentError } from "./_fetch_rest.ts";
import type { LongWork } from "./progress.ts";

/** A file to be fetched, and what is known of it. */
export interface DownloadFile {
  /** Its name in the folder. */
  readonly name: string;
  /** Where it comes from. */
  readonly url: string;
  /** Its length, where that was published. */
  readonly bytes?: number;
  /** Its SHA-256 in hex digits. */
  readonly sha256?: string;
  /** Its MD5 in base64, as Google Cloud Storage gives it. */
  readonly md5?: string;
  /**
   * Names this version of its bytes (a server's strong ETag), where no checksum was published: a download that broke
   * off is taken up again only if it began with the same version.
   */
  readonly version?: string;
}

/** Waiting between tries; tests put in one that does not wait. */
export interface Clock {
  /** Resolves after some milliseconds; rejects with the signal's reason if it is set off before. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** How files are downloaded. */
export interface DownloadOptions extends LongWork {
  /** A mirror: each file comes from this address plus its name instead of its own. */
  readonly from?: string | undefined;
  /** What waits between tries. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** What asks the server. Default: `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** A connection that gives nothing for so many seconds is broken off and tried again. Default 60. */
  readonly stallSeconds?: number | undefined;
  /** Told before each wait what went wrong, how long the wait is, in seconds, and which try of how many is next. */
  readonly onRetry?:
    | ((trouble: { file: string; problem: string; seconds: number; next: number; of: number }) => void)
    | undefined;
}

/** What became of one file. */
export interface Downloaded {
  /** Where it lies. */
  readonly path: string;
  /** Its length. */
  readonly bytes: number;
  /** Whether it was there before, whole and right, so that nothing was fetched. */
  readonly skipped: boolean;
  /** Whether its bytes were compared with a published checksum. */
  readonly verified: boolean;
}

/** Seconds before the second to the sixth try. */
export const RETRY_SECONDS: readonly number[] = [30, 60, 120, 240, 480];

/** The clock on the wall. */
export const realClock: Clock = {
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal!.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/**
 * Downloads files into a folder, one after the other. A file gets its name only when it is whole and its length and
 * checksum are right; until then it is `NAME.part`, and a download that broke off goes on from there (HTTP Range), in the
 * same call or a later one. Each file is tried six times, 30 seconds to 8 minutes apart. A file that is
 * there and right is not fetched again.
 *
 * A file without a published checksum starts from the beginning, unless its `version` is known and still the same: halves
 * of two versions would fit together unnoticed.
 *
 * @returns What became of each file, in order.
 * @throws {DataError} If a file arrives whole but with another length or checksum than published; its part is removed.
 * @throws {Error} If the server says that there is no such file, or after the last try; what has arrived is kept.
 *
 * @example One file, from a server that is made up here
 * ```ts
 * import { downloadFiles } from "flychess";
 * import assert from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * const file = { name: "greeting.txt", url: "https://example.org/greeting.txt", md5: "XUFAKrxLKna5cZ2REBfFkg==" };
 * const [done] = await downloadFiles([file], folder, { fetch: () => Promise.resolve(new Response("hello")) });
 * assert.equal(await Deno.readTextFile(done!.path), "hello");
 * assert.ok(done!.verified);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function downloadFiles(
  files: readonly DownloadFile[],
  folder: string,
  options: DownloadOptions = {},
): Promise<Downloaded[]> {
  await Deno.mkdir(folder, { recursive: true });
  const done: Downloaded[] = [];
  for (const file of files) {
    if (!/^[\w.-]+$/.test(file.name)) {
      throw new RangeError(`Cannot download '${file.name}': a plain file name is wanted`);
    }
    done.push(await downloadFile(file, folder, options));
  }
  return done;
}

async function downloadFile(
  file: DownloadFile,
  folder: string,
  options: DownloadOptions,
): Promise<Downloaded> {
  const { signal, clock = realClock } = options;
  const path = join(folder, file.name);
  const part = `${path}.part`;
  const verified = file.sha256 !== undefined || file.md5 !== undefined;
  signal?.throwIfAborted();
  const present = await length(path);
  if (present > 0 && await problemOf(file, path, options) === undefined) {
    options.onProgress?.({ task: `downloading ${file.name}`, done: present, total: present, unit: "bytes" });
    return { path, bytes: present, skipped: true, verified };
  }
  const url = options.from === undefined ? file.url : `${options.from.replace(/\/*$/, "")}/${file.name}`;
  for (let tries = 0;; tries++) {
    if (!verified && !await isVersion(file.version, `${path}.version.part`)) {
      await Deno.remove(part).catch(() => {});
      if (file.version !== undefined) await writeFileAtomic(`${path}.version.part`, file.version);
    }
    const resumed = await length(part) > 0;
    let problem: string;
    try {
      await fetchRest(url, file, part, options);
      const wrong = await problemOf(file, part, options);
      if (wrong === undefined) break;
      await Deno.remove(part);
      // A part that began in another call may be of another version: worth one more try from the beginning.
      if (!resumed) throw new DataError(`Cannot download ${url}: ${wrong}; the bytes were thrown away`);
      problem = wrong;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DataError || error instanceof PermanentError) throw error;
      problem = networkProblem(error, url);
    }
    const seconds = RETRY_SECONDS[tries];
    if (seconds === undefined) {
      throw new Error(
        `Cannot download ${url}: ${problem}, and ${tries} more tries did not help; ` +
          `what has arrived is kept in ${part}, run it again to go on`,
      );
    }
    options.onRetry?.({ file: file.name, problem, seconds, next: tries + 2, of: RETRY_SECONDS.length + 1 });
    await clock.wait(1000 * seconds, signal);
  }
  await Deno.rename(part, path);
  if (file.version !== undefined) await Deno.remove(`${path}.version.part`).catch(() => {});
  return { path, bytes: await length(path), skipped: false, verified };
}

/** Whether a download that broke off began with this version, which stands beside it. */
async function isVersion(version: string | undefined, path: string): Promise<boolean> {
  if (version === undefined) return false;
  try {
    return await Deno.readTextFile(path) === version;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function length(path: string): Promise<number> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

/** What is wrong with a whole file, or `undefined`. */
async function problemOf(file: DownloadFile, path: string, work: LongWork): Promise<string | undefined> {
  const bytes = await length(path);
  if (file.bytes !== undefined && bytes !== file.bytes) {
    return `it has ${bytes} bytes, ${file.bytes} are wanted`;
  }
  for (const [kind, encoding] of [["sha256", "hex"], ["md5", "base64"]] as const) {
    const wanted = file[kind];
    if (wanted === undefined) continue;
    const hash = createHash(kind);
    using open = await Deno.open(path);
    const buffer = new Uint8Array(1 << 20);
    let done = 0;
    for (let got = await open.read(buffer); got !== null; got = await open.read(buffer)) {
      work.signal?.throwIfAborted();
      hash.update(buffer.subarray(0, got));
      done += got;
      work.onProgress?.({ task: `checking ${file.name}`, done, total: bytes, unit: "bytes" });
    }
    const found = hash.digest(encoding);
    if (found !== (kind === "sha256" ? wanted.toLowerCase() : wanted)) {
      return `its ${kind === "sha256" ? "SHA-256" : "MD5"} is ${found}, ${wanted} is wanted`;
    }
  }
  return undefined;
}
