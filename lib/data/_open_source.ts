import { type Clock, DataError, realClock, RETRY_SECONDS } from "../common/mod.ts";

/** A source that cannot be opened at all: not one byte of it was read. */
export class SourceError extends DataError {}

/** How to open a source. */
export interface OpenOptions {
  /** Stops it: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** What waits between tries. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** A connection that gives nothing for so many seconds is broken off and tried again. Default 60. */
  readonly stallSeconds?: number | undefined;
}

/**
 * The bytes of a file or of an address. A connection that breaks is taken up where it broke (HTTP Range), five times in
 * a row at most, 30 seconds to 8 minutes apart: a dump of 22 GB seldom arrives in one go.
 *
 * @param source A path, or a URL (`file:` or `http(s):`).
 * @throws {SourceError} If it cannot be opened.
 * @throws {DataError} If it breaks off for good; what came before was given.
 */
export async function* openSource(
  source: string | URL,
  options: OpenOptions = {},
): AsyncGenerator<Uint8Array> {
  if (source instanceof URL && source.protocol !== "file:") {
    yield* openUrl(source, options);
    return;
  }
  using file = await openFile(source);
  const buffer = new Uint8Array(1 << 18);
  for (let count = await file.read(buffer); count !== null; count = await file.read(buffer)) {
    yield buffer.subarray(0, count);
  }
}

/**
 * Opens a file for reading.
 *
 * @throws {SourceError} If there is none, or it is a folder.
 */
export async function openFile(source: string | URL): Promise<Deno.FsFile> {
  try {
    const file = await Deno.open(source);
    if (!(await file.stat()).isDirectory) return file;
    file.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new SourceError(`Cannot read ${source}: there is no such file, a file with positions is wanted`);
  }
  throw new SourceError(`Cannot read ${source}: it is a folder, a file with positions is wanted`);
}

/** Answers that may be different next time. All of 500 and above are, too. */
const PASSING = new Set([408, 425, 429]);

async function* openUrl(url: URL, options: OpenOptions): AsyncGenerator<Uint8Array> {
  const { signal, clock = realClock, stallSeconds = 60 } = options;
  let at = 0;
  let version: string | undefined;
  for (let tries = 0;; tries++) {
    const stall = new AbortController();
    const stop = () => stall.abort(signal!.reason);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const awake = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () => stall.abort(new Error(`nothing has come for ${stallSeconds} seconds`)),
        1000 * stallSeconds,
      );
    };
    let problem: unknown;
    try {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", stop, { once: true });
      awake();
      const response = await fetch(url, {
        // A compressed answer cannot be taken up in its middle.
        headers: {
          "accept-encoding": "identity",
          ...at > 0 ? { range: `bytes=${at}-` } : {},
          ...at > 0 && version !== undefined ? { "if-range": version } : {},
        },
        signal: stall.signal,
      });
      const total = await place(url, response, at);
      version ??= response.headers.get("etag") ?? undefined;
      // Only a strong tag says that the bytes are the same.
      if (version?.startsWith("W/")) version = undefined;
      const reader = response.body!.getReader();
      try {
        for (;;) {
          const { value, done } = await reader.read();
          if (done) break;
          // Whoever reads may take its time.
          clearTimeout(timer);
          at += value.length;
          tries = 0;
          yield value;
          awake();
        }
      } finally {
        await reader.cancel().catch(() => {});
      }
      if (total === undefined || at >= total) return;
      problem = new Error(`the connection ended after ${at} of ${total} bytes`);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DataError) throw error;
      problem = stall.signal.aborted ? stall.signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
    const seconds = RETRY_SECONDS[tries];
    const message = problem instanceof Error ? problem.message : String(problem);
    if (seconds === undefined) {
      if (at > 0) {
        throw new DataError(`the connection broke (${message}) and ${tries} more tries did not help`);
      }
      throw new SourceError(`Cannot read ${url}: ${message}, and ${tries} more tries did not help`);
    }
    await clock.wait(1000 * seconds, signal);
  }
}

/** Checks that an answer goes on at a byte; gives the length of the whole, where the server says. */
async function place(url: URL, response: Response, at: number): Promise<number | undefined> {
  const { status, headers } = response;
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "");
  if (status === 206 && range !== null && Number(range[1]) === at) return Number(range[2]);
  if (status === 200 && at === 0 && response.body !== null) {
    const length = headers.get("content-length");
    return length === null ? undefined : Number(length);
  }
  await response.body?.cancel();
  if (at > 0 && (status === 200 || status === 206 || status === 416)) {
    throw new DataError(
      `the connection broke after ${at} bytes, and the server cannot go on there (it answers ${status})`,
    );
  }
  if (status < 500 && !PASSING.has(status)) {
    throw new SourceError(`Cannot read ${url}: the server answers ${status}, the file is wanted`);
  }
  throw new Error(`the server answers ${status}`);
}
