import type { DownloadFile, DownloadOptions } from "./download.ts";

/** Trying again would not help. */
export class PermanentError extends Error {
  override readonly name = "Error";
}

/** Answers that may be different next time: too slow, too early, too many. All of 500 and above are, too. */
const PASSING = new Set([408, 425, 429]);

/**
 * Fetches what is missing of a file and appends it to its part. Returns when the part is as long as it should be.
 *
 * @throws {PermanentError} If the server has no such file, or one of another length.
 * @throws {Error} If anything else goes wrong; what has arrived stays in the part.
 */
export async function fetchRest(
  url: string,
  file: DownloadFile,
  part: string,
  options: DownloadOptions,
): Promise<void> {
  using target = await Deno.open(part, { write: true, create: true });
  let have = (await target.stat()).size;
  if (file.bytes !== undefined && have >= file.bytes) {
    // As long as it should be: the checksum decides. Longer: it is not this file.
    if (have === file.bytes) return;
    await target.truncate(0);
    have = 0;
  }
  const stall = new Stall(1000 * (options.stallSeconds ?? 60), options.signal);
  let response: Response | undefined;
  try {
    response = await stall.race((options.fetch ?? fetch)(url, {
      headers: {
        // A compressed answer has another length and cannot be resumed.
        "accept-encoding": "identity",
        ...have > 0 ? { range: `bytes=${have}-` } : {},
      },
      signal: stall.signal,
    }));
    if (response.status === 416 && have > 0) {
      // The part is of no use here: the next try starts from the beginning.
      await target.truncate(0);
      throw new Error(`the server has nothing after byte ${have}`);
    }
    const { start, total } = place(url, file, response, have);
    if (start !== have) {
      await target.truncate(start);
      have = start;
    }
    await target.seek(have, Deno.SeekMode.Start);
    if (response.body === null) throw new Error("the answer is empty");
    const reader = response.body.getReader();
    for (;;) {
      const { value, done } = await stall.race(reader.read());
      if (done) break;
      if (total !== undefined && have + value.length > total) {
        throw new PermanentError(
          `Cannot download ${url}: it sends more than the ${total} bytes that are wanted`,
        );
      }
      for (let at = 0; at < value.length;) at += await target.write(value.subarray(at));
      have += value.length;
      options.onProgress?.({
        task: `downloading ${file.name}`,
        done: have,
        ...total === undefined ? {} : { total },
        unit: "bytes",
      });
    }
    if (total !== undefined && have < total) {
      throw new Error(`the connection ended after ${have} of ${total} bytes`);
    }
    if (total === undefined) {
      options.onProgress?.({ task: `downloading ${file.name}`, done: have, total: have, unit: "bytes" });
    }
    await target.sync();
  } finally {
    stall.end();
    // An answer that was not read to its end keeps its connection open.
    await response?.body?.cancel().catch(() => {});
  }
}

/** Where the answer's bytes belong, and how long the file will be. */
function place(
  url: string,
  file: DownloadFile,
  response: Response,
  have: number,
): { start: number; total: number | undefined } {
  const { status, headers } = response;
  if (status !== 200 && status !== 206) {
    const answer = `the server answered ${status} ${response.statusText}`.trimEnd();
    if (status < 500 && !PASSING.has(status)) {
      throw new PermanentError(`Cannot download ${url}: ${answer}, the file is wanted`);
    }
    throw new Error(answer);
  }
  let start = 0;
  let total: number | undefined;
  if (status === 206) {
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get("content-range") ?? "");
    if (range === null || Number(range[1]) !== have) {
      throw new Error(
        `the server sent '${
          headers.get("content-range") ?? "no range"
        }', the bytes from ${have} on are wanted`,
      );
    }
    start = have;
    if (range[2] !== "*") total = Number(range[2]);
  } else if ((headers.get("content-encoding") ?? "identity") === "identity") {
    const stated = headers.get("content-length");
    if (stated !== null) total = Number(stated);
  }
  // A whole answer that is too short may be a proxy that lost its connection: it is taken for a broken one.
  if (
    file.bytes !== undefined && total !== undefined &&
    (status === 206 ? total !== file.bytes : total > file.bytes)
  ) {
    throw new PermanentError(
      `Cannot download ${url}: the server has ${total} bytes, ${file.bytes} are wanted`,
    );
  }
  return { start, total: file.bytes ?? total };
}

/** Breaks a connection off that gives nothing for a while, or when the work is stopped. */
class Stall {
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  readonly #outer: AbortSignal | undefined;
  readonly #stop = () => this.#controller.abort(this.#outer!.reason);

  constructor(milliseconds: number, outer: AbortSignal | undefined) {
    this.#milliseconds = milliseconds;
    this.#outer = outer;
    outer?.throwIfAborted();
    outer?.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async race<T>(work: Promise<T>): Promise<T> {
    const seconds = this.#milliseconds / 1000;
    const timer = setTimeout(
      () => this.#controller.abort(new Error(`nothing has come for ${seconds} seconds`)),
      this.#milliseconds,
    );
    try {
      return await work;
    } catch (error) {
      throw this.#controller.signal.aborted ? this.#controller.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.#outer?.removeEventListener("abort", this.#stop);
  }
}
