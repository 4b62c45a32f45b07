import {
  type Clock,
  DataError,
  type DownloadFile,
  type DownloadOptions,
  type LongWork,
  networkProblem,
  realClock,
} from "../common/mod.ts";

/** Shards of ChessBench. */
export const CHESSBENCH_SHARDS = 1024;
/** Where the mirror with every move's chance keeps them (MIT licence). */
const BASE = "https://huggingface.co/datasets/prdev/chessbench-full-policy-value/resolve/main/";

/**
 * A shard of ChessBench as a file to be downloaded: about 515,000 positions in 65 to 72 MB.
 *
 * @param shard From 0 to 1023.
 * @throws {RangeError} If there is no such shard.
 */
export function chessbenchShard(shard: number): DownloadFile {
  if (!Number.isInteger(shard) || shard < 0 || shard >= CHESSBENCH_SHARDS) {
    throw new RangeError(
      `Cannot name a shard of ChessBench: it is ${shard}, a whole number from 0 to ${
        CHESSBENCH_SHARDS - 1
      } is wanted`,
    );
  }
  const name = `train-${String(shard).padStart(5, "0")}-of-0${CHESSBENCH_SHARDS}.msgpack.zst`;
  return { name, url: BASE + name };
}

/**
 * Reads a list of shards: numbers and ranges with commas between.
 *
 * @param text For example `0-5` or `0,7,20-22`.
 * @returns The numbers in rising order, each once.
 * @throws {RangeError} If it is not such a list, or names shards that there are not.
 *
 * @example
 * ```ts
 * import { parseShards } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(parseShards("7,0-2"), [0, 1, 2, 7]);
 * ```
 */
export function parseShards(text: string): number[] {
  const shards = new Set<number>();
  for (const word of text.split(",")) {
    const range = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(word);
    const first = Number(range?.[1]);
    const last = Number(range?.[2] ?? range?.[1]);
    if (range === null || first > last || last >= CHESSBENCH_SHARDS) {
      throw new RangeError(
        `Cannot read the list of shards '${text}': '${word.trim()}' is no shard or range of shards, ` +
          `numbers from 0 to ${CHESSBENCH_SHARDS - 1} are wanted, like 0-5 or 0,7`,
      );
    }
    for (let shard = first; shard <= last; shard++) shards.add(shard);
  }
  return [...shards].sort((a, b) => a - b);
}

/** How to ask for sizes. */
export interface DescribeOptions extends LongWork {
  /** A mirror: each file comes from this address plus its name. */
  readonly from?: string | undefined;
  /** What waits between tries. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Told before each wait what went wrong, how long the wait is, in seconds, and which try of how many is next. */
  readonly onRetry?: DownloadOptions["onRetry"];
}

/** Redirections that are followed. */
const HOPS = 5;
/** Seconds before the second and the third question. */
const ASK_AGAIN_SECONDS = [2, 10];

/**
 * Asks the server how long files are, and for their checksums where it knows them (Hugging Face does), without fetching
 * them.
 *
 * @param files The files; what is known of them already stays.
 * @param options Another server, or stops it.
 * @returns The files with their lengths, checksums and versions, as far as the server says.
 * @throws {DataError} If the server has no such file, or does not answer.
 */
export async function describeFiles(
  files: readonly DownloadFile[],
  options: DescribeOptions = {},
): Promise<DownloadFile[]> {
  const described: DownloadFile[] = [];
  for (const file of files) {
    const url = options.from === undefined ? file.url : `${options.from.replace(/\/*$/, "")}/${file.name}`;
    described.push({ ...await ask(url, options), ...file });
    const { length } = described;
    options.onProgress?.({ task: "asking for sizes", done: length, total: files.length, unit: "files" });
  }
  return described;
}

async function ask(
  url: string,
  options: DescribeOptions,
): Promise<Pick<DownloadFile, "bytes" | "sha256" | "version">> {
  const { signal, clock = realClock } = options;
  for (let tries = 0;; tries++) {
    let problem: string;
    try {
      return await askOnce(url, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DataError) throw error;
      problem = networkProblem(error, url);
    }
    const seconds = ASK_AGAIN_SECONDS[tries];
    if (seconds === undefined) {
      throw new DataError(`Cannot download ${url}: ${problem}, and ${tries} more tries did not help`);
    }
    options.onRetry?.({
      file: url.slice(url.lastIndexOf("/") + 1),
      problem,
      seconds,
      next: tries + 2,
      of: ASK_AGAIN_SECONDS.length + 1,
    });
    await clock.wait(1000 * seconds, signal);
  }
}

/** Hugging Face says length and SHA-256 in its first answer, before it sends one on to where the bytes are. */
async function askOnce(url: string, signal: AbortSignal | undefined): Promise<
  Pick<DownloadFile, "bytes" | "sha256" | "version">
> {
  let at = url;
  let sha256: string | undefined;
  let bytes: number | undefined;
  for (let hop = 0; hop <= HOPS; hop++) {
    const timeout = AbortSignal.timeout(30_000);
    const { status, headers, body } = await fetch(at, {
      method: "HEAD",
      redirect: "manual",
      headers: { "accept-encoding": "identity" },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    await body?.cancel();
    sha256 ??= /^"?([0-9a-f]{64})"?$/.exec(headers.get("x-linked-etag") ?? "")?.[1];
    bytes ??= wholeNumber(headers.get("x-linked-size"));
    if (bytes !== undefined && sha256 !== undefined) return { bytes, sha256 };
    const location = headers.get("location");
    if (status >= 300 && status < 400 && location !== null) {
      at = new URL(location, at).href;
      continue;
    }
    if (status >= 500 || status === 429) throw new Error(`the server answers ${status}`);
    if (status !== 200) {
      throw new DataError(
        `Cannot ask for the size of ${url}: the server answers ${status}, the file is wanted`,
      );
    }
    bytes ??= wholeNumber(headers.get("content-length"));
    const version = headers.get("etag") ?? undefined;
    return {
      ...(bytes === undefined ? {} : { bytes }),
      ...(sha256 === undefined ? {} : { sha256 }),
      // A weak tag does not say that the bytes are the same.
      ...(version === undefined || version.startsWith("W/") ? {} : { version }),
    };
  }
  throw new DataError(
    `Cannot ask for the size of ${url}: it is sent on more than ${HOPS} times, the file is wanted`,
  );
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}
