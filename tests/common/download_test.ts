import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  type Clock,
  type DownloadFile,
  downloadFiles,
  type DownloadOptions,
  type Progress,
  RETRY_SECONDS,
} from "../../lib/common/mod.ts";

const BYTES = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) % 251);
const hash = (kind: string, encoding: "hex" | "base64", bytes: Uint8Array) =>
  createHash(kind).update(bytes).digest(encoding);
const WITH_SHA256 = { name: "x.bin", bytes: BYTES.length, sha256: hash("sha256", "hex", BYTES) };
const WITH_MD5 = { name: "x.bin", bytes: BYTES.length, md5: hash("md5", "base64", BYTES) };
const UNKNOWN = { name: "x.bin" };

/** Answers requests one after the other; the last answer is given to all that follow. */
type Answer = (request: Request) => Response | Promise<Response>;

/** The bytes that a request asks for, as a server that knows Range gives them. */
function ranged(request: Request, bytes = BYTES): Response {
  const range = /^bytes=(\d+)-$/.exec(request.headers.get("range") ?? "");
  if (range === null) return new Response(bytes.slice());
  const start = Number(range[1]);
  if (start >= bytes.length) {
    return new Response(null, { status: 416, headers: { "content-range": `bytes */${bytes.length}` } });
  }
  return new Response(bytes.slice(start), {
    status: 206,
    headers: { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` },
  });
}

/** Sends some of what was asked for, then breaks the connection. */
const breakingAfter = (count: number): Answer => (request) => {
  const whole = ranged(request);
  const start = Number(/^bytes (\d+)/.exec(whole.headers.get("content-range") ?? "")?.[1] ?? 0);
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent) {
        sent = true;
        controller.enqueue(BYTES.slice(start, start + count));
        return;
      }
      // The bytes above must leave before the connection breaks.
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.error(new Error("broken on purpose"));
    },
  });
  return new Response(body, { status: whole.status, headers: whole.headers });
};
const status = (code: number): Answer => () => new Response("no", { status: code });

interface Run {
  readonly folder: string;
  /** Address and Range of every request. */
  readonly requests: { url: string; range: string | null }[];
  readonly waits: number[];
  download(file: Omit<DownloadFile, "url">, options?: DownloadOptions): ReturnType<typeof downloadFiles>;
  names(): string[];
}

/** Runs a test against a local server and a clock that does not wait. */
async function withServer(answers: readonly Answer[], test: (run: Run) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "flychess-" });
  const requests: Run["requests"] = [];
  const waits: number[] = [];
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
    onError: () => new Response(null, { status: 500 }),
  }, (request) => {
    requests.push({ url: request.url, range: request.headers.get("range") });
    return answers[Math.min(requests.length, answers.length) - 1]!(request);
  });
  const clock: Clock = {
    wait: (milliseconds, signal) => {
      signal?.throwIfAborted();
      waits.push(milliseconds / 1000);
      return Promise.resolve();
    },
  };
  try {
    await test({
      folder,
      requests,
      waits,
      download: (file, options = {}) =>
        downloadFiles([{ ...file, url: `http://127.0.0.1:${server.addr.port}/data/${file.name}` }], folder, {
          clock,
          ...options,
        }),
      names: () => [...Deno.readDirSync(folder)].map(({ name }) => name),
    });
  } finally {
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
}

const ranges = (requests: Run["requests"]) => requests.map(({ range }) => range);

Deno.test("a file is downloaded, checked by SHA-256 or MD5, and gets its name when it is whole", async () => {
  for (const file of [WITH_SHA256, WITH_MD5, UNKNOWN]) {
    await withServer([ranged], async ({ folder, download, names, waits }) => {
      const reports: Progress[] = [];
      const [done] = await download(file, {
        onProgress: (progress) => {
          reports.push(progress);
          if (progress.task.startsWith("downloading")) assert.ok(!names().includes("x.bin"));
        },
      });
      assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
      assert.deepEqual(names(), ["x.bin"]);
      assert.deepEqual(done, {
        path: `${folder}/x.bin`,
        bytes: BYTES.length,
        skipped: false,
        verified: file !== UNKNOWN,
      });
      const last = reports.filter(({ task }) => task === "downloading x.bin").at(-1)!;
      assert.deepEqual([last.done, last.total], [BYTES.length, BYTES.length]);
      assert.deepEqual(waits, []);
    });
  }
});

Deno.test("a file that is there and right is not fetched again; a wrong one is", async () => {
  await withServer([ranged], async ({ folder, download, requests }) => {
    await Deno.writeFile(`${folder}/x.bin`, BYTES);
    const [done] = await download(WITH_SHA256);
    assert.deepEqual([done!.skipped, requests.length], [true, 0]);
    const wrong = BYTES.slice();
    wrong[5]! ^= 1;
    await Deno.writeFile(`${folder}/x.bin`, wrong);
    const [again] = await download(WITH_SHA256);
    assert.deepEqual([again!.skipped, requests.length], [false, 1]);
    assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
  });
});

Deno.test("a download that breaks off goes on where it stopped, in the same call", async () => {
  await withServer(
    [breakingAfter(100_000), breakingAfter(50_000), ranged],
    async ({ folder, download, requests, waits }) => {
      const problems: string[] = [];
      await download(WITH_SHA256, { onRetry: ({ file, problem }) => problems.push(`${file}: ${problem}`) });
      assert.deepEqual(ranges(requests), [null, "bytes=100000-", "bytes=150000-"]);
      assert.deepEqual(waits, [30, 60]);
      assert.equal(problems.length, 2);
      assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
    },
  );
});

Deno.test("a download goes on from the part of an earlier call", async () => {
  await withServer([ranged], async ({ folder, download, requests, names }) => {
    await Deno.writeFile(`${folder}/x.bin.part`, BYTES.subarray(0, 123_456));
    await download(WITH_MD5);
    assert.deepEqual(ranges(requests), ["bytes=123456-"]);
    assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
    assert.deepEqual(names(), ["x.bin"]);
  });
});

Deno.test("a part that is already whole is only checked", async () => {
  await withServer([ranged], async ({ folder, download, requests }) => {
    await Deno.writeFile(`${folder}/x.bin.part`, BYTES);
    await download(WITH_SHA256);
    assert.equal(requests.length, 0);
    assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
  });
});

Deno.test("a part of other bytes, too long a part, and a server without Range start from the beginning", async () => {
  await withServer([ranged], async ({ folder, download, requests, waits }) => {
    await Deno.writeFile(`${folder}/x.bin.part`, new Uint8Array(1000).fill(7));
    await download(WITH_SHA256);
    assert.deepEqual(ranges(requests), ["bytes=1000-", null]);
    assert.deepEqual(waits, [30]);
    assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
  });
  await withServer([ranged], async ({ folder, download, requests }) => {
    await Deno.writeFile(`${folder}/x.bin.part`, new Uint8Array(BYTES.length + 1));
    await download(WITH_SHA256);
    assert.deepEqual(ranges(requests), [null]);
    assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
  });
  await withServer(
    [breakingAfter(100_000), () => new Response(BYTES.slice())],
    async ({ folder, download, requests }) => {
      await download(WITH_SHA256);
      assert.deepEqual(ranges(requests), [null, "bytes=100000-"]);
      assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
    },
  );
});

Deno.test("a file without a checksum never joins two tries", async () => {
  await withServer([breakingAfter(100_000), ranged], async ({ folder, download, requests }) => {
    await Deno.writeFile(`${folder}/x.bin.part`, new Uint8Array(1000).fill(7));
    await download(UNKNOWN);
    assert.deepEqual(ranges(requests), [null, null]);
    assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
  });
});

Deno.test("a server in trouble is asked six times, 30 seconds to 8 minutes apart; what has come is kept", async () => {
  await withServer(
    [breakingAfter(1000), status(500), status(503), status(429)],
    async ({ download, requests, waits, names }) => {
      await assert.rejects(
        download(WITH_SHA256),
        /^Error: Cannot download http:.*x\.bin: the server answered 429 Too Many Requests, and 5 more tries did not help; what has arrived is kept in .*x\.bin\.part/,
      );
      assert.equal(requests.length, 6);
      assert.deepEqual(waits, [30, 60, 120, 240, 480]);
      assert.deepEqual(RETRY_SECONDS, waits);
      assert.deepEqual(names(), ["x.bin.part"]);
    },
  );
});

Deno.test("a file that the server does not have is an error at once", async () => {
  await withServer([status(404)], async ({ download, requests, folder, names }) => {
    await Deno.writeFile(`${folder}/x.bin.part`, BYTES.subarray(0, 10));
    await assert.rejects(download(WITH_SHA256), {
      message: /^Cannot download http:.*: the server answered 404 Not Found, the file is wanted$/,
    });
    assert.equal(requests.length, 1);
    assert.deepEqual(names(), ["x.bin.part"]);
  });
});

Deno.test("wrong bytes and wrong lengths are refused by what they are, and thrown away", async () => {
  const wrong = BYTES.slice();
  wrong[299_999]! ^= 1;
  await withServer([(request) => ranged(request, wrong)], async ({ download, names, requests }) => {
    await assert.rejects(download(WITH_SHA256), {
      name: "DataError",
      message: new RegExp(
        `its SHA-256 is ${
          hash("sha256", "hex", wrong)
        }, ${WITH_SHA256.sha256} is wanted; the bytes were thrown away$`,
      ),
    });
    assert.deepEqual([names(), requests.length], [[], 1]);
    await assert.rejects(download(WITH_MD5), /its MD5 is .{24}, .{24} is wanted/);
    assert.deepEqual(names(), []);
  });
  const long = new Uint8Array(BYTES.length + 1);
  await withServer([(request) => ranged(request, long)], async ({ download, requests }) => {
    await assert.rejects(download(WITH_SHA256), /the server has 300001 bytes, 300000 are wanted/);
    assert.equal(requests.length, 1);
  });
  // Without a stated length the surplus shows on the way.
  const stream = () => new Response(new Blob([long]).stream());
  await withServer([stream], async ({ download, names }) => {
    await assert.rejects(download(WITH_SHA256), /it sends more than the 300000 bytes that are wanted/);
    assert.ok(!names().includes("x.bin"));
  });
  await withServer(
    [(request) => ranged(request, BYTES.slice(0, 1000))],
    async ({ download, names, waits }) => {
      await assert.rejects(download(WITH_SHA256), /nothing after byte 1000|ended after 1000 of 300000 bytes/);
      assert.equal(waits.length, 5);
      assert.ok(!names().includes("x.bin"));
    },
  );
});

Deno.test("a mirror is asked for the same names", async () => {
  await withServer([ranged], async ({ folder, requests, download }) => {
    await download(UNKNOWN);
    const { origin } = new URL(requests[0]!.url);
    for (const from of [`${origin}/mirror`, `${origin}/mirror/`]) {
      await downloadFiles([{ name: "y.bin", url: "http://127.0.0.1:1/never" }], folder, { from });
      await Deno.remove(`${folder}/y.bin`);
    }
    assert.deepEqual(requests.map(({ url }) => new URL(url).pathname), [
      "/data/x.bin",
      "/mirror/y.bin",
      "/mirror/y.bin",
    ]);
  });
});

Deno.test("a connection that gives nothing is broken off and tried again", async () => {
  const silent: Answer = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
  await withServer([silent, ranged], async ({ folder, download, waits }) => {
    const problems: string[] = [];
    await download(WITH_SHA256, { stallSeconds: 0.2, onRetry: ({ problem }) => problems.push(problem) });
    assert.deepEqual(problems, ["nothing has come for 0.2 seconds"]);
    assert.deepEqual(waits, [30]);
    assert.deepEqual(await Deno.readFile(`${folder}/x.bin`), BYTES);
  });
});

Deno.test("a signal stops a download, between tries as well, and leaves no file under the final name", async () => {
  const reason = new Error("enough");
  await withServer([breakingAfter(1000)], async ({ download, names }) => {
    const stop = new AbortController();
    await assert.rejects(
      download(WITH_SHA256, { signal: stop.signal, onProgress: () => stop.abort(reason) }),
      (error) => error === reason,
    );
    assert.deepEqual(names(), ["x.bin.part"]);
    const later = new AbortController();
    await assert.rejects(
      download(WITH_SHA256, { signal: later.signal, onRetry: () => later.abort(reason) }),
      (error) => error === reason,
    );
    await assert.rejects(
      download(WITH_SHA256, { signal: AbortSignal.abort(reason) }),
      (error) => error === reason,
    );
  });
});

Deno.test("the real clock waits, and stops waiting at a signal", async () => {
  await withServer([status(500)], async ({ folder, requests, download }) => {
    await assert.rejects(
      download(UNKNOWN, { fetch: () => Promise.reject(new TypeError("no network")) }),
      /no network/,
    );
    assert.equal(requests.length, 0);
    const stop = new AbortController();
    const reason = new Error("enough");
    const started = performance.now();
    await assert.rejects(
      downloadFiles([{ name: "z", url: "http://127.0.0.1:1/z" }], folder, {
        signal: stop.signal,
        fetch: () => Promise.reject(new TypeError("no network")),
        onRetry: () => void setTimeout(() => stop.abort(reason), 50),
      }),
      (error) => error === reason,
    );
    assert.ok(performance.now() - started < 10_000);
  });
});

Deno.test("a name that leaves the folder is refused", async () => {
  await assert.rejects(downloadFiles([{ name: "../x", url: "http://127.0.0.1:1/x" }], "."), RangeError);
});
