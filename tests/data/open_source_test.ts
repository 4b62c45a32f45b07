import assert from "node:assert/strict";
import { DataError } from "../../lib/common/mod.ts";
import { openSource, SourceError } from "../../lib/data/_open_source.ts";

const BYTES = Uint8Array.from({ length: 200_000 }, (_, i) => (i * i) % 251);

/** What a server does with the next request. */
type Answer = "whole" | "breaks" | "fails" | "missing" | "other version" | "hangs";

/** Reads from a server that answers so; gives the bytes, the requests' ranges and the waits in seconds. */
async function readFrom(answers: readonly Answer[], knowsRange = true) {
  const ranges: (string | null)[] = [];
  const waits: number[] = [];
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
    onError: () => new Response(null, { status: 500 }),
  }, (request) => {
    const answer = answers[Math.min(ranges.length, answers.length - 1)]!;
    const range = request.headers.get("range");
    ranges.push(range);
    if (answer === "fails") return new Response("no", { status: 503 });
    if (answer === "missing") return new Response("no", { status: 404 });
    const start = knowsRange && answer !== "other version" && range !== null ? Number(range.slice(6, -1)) : 0;
    const headers = {
      etag: answer === "other version" ? '"b"' : '"a"',
      ...start > 0 ? { "content-range": `bytes ${start}-${BYTES.length - 1}/${BYTES.length}` } : {},
    };
    const status = start > 0 ? 206 : 200;
    if (answer === "whole" || answer === "other version") {
      return new Response(BYTES.slice(start), { status, headers });
    }
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (!sent) {
          sent = true;
          controller.enqueue(BYTES.slice(start, start + 60_000));
          return;
        }
        // The bytes above must leave first.
        await new Promise((resolve) => setTimeout(resolve, answer === "hangs" ? 600 : 20));
        controller.error(new Error("broken on purpose"));
      },
    });
    return new Response(body, {
      status,
      headers: { ...headers, "content-length": `${BYTES.length - start}` },
    });
  });
  const clock = {
    wait: (milliseconds: number) => {
      waits.push(milliseconds / 1000);
      return Promise.resolve();
    },
  };
  const parts: number[] = [];
  let problem: unknown;
  try {
    const url = new URL(`http://127.0.0.1:${server.addr.port}/x.jsonl`);
    const stallSeconds = answers.includes("hangs") ? 0.2 : 60;
    for await (const chunk of openSource(url, { clock, stallSeconds })) {
      for (const byte of chunk) parts.push(byte);
    }
  } catch (error) {
    problem = error;
  } finally {
    await server.shutdown();
  }
  return { bytes: Uint8Array.from(parts), ranges, waits, problem };
}

Deno.test("a connection that breaks or hangs is taken up where it broke", async () => {
  for (
    const answers of [["whole"], ["breaks", "whole"], ["breaks", "fails", "breaks", "whole"], [
      "hangs",
      "whole",
    ]] as const
  ) {
    const { bytes, problem, ranges, waits } = await readFrom(answers);
    assert.equal(problem, undefined, `${answers}`);
    assert.deepEqual(bytes, BYTES, `${answers}`);
    assert.equal(ranges.length, answers.length);
    // Bytes that arrived begin the count of tries anew.
    if (answers.length === 4) assert.deepEqual(waits, [30, 60, 30]);
    if (answers.length > 1) assert.match(ranges.at(-1)!, /^bytes=\d+-$/);
  }
});

Deno.test("a file that changed, or that cannot be taken up, ends with what was read", async () => {
  for (const run of [readFrom(["breaks", "other version"]), readFrom(["breaks", "whole"], false)]) {
    const { bytes, problem } = await run;
    assert.ok(problem instanceof DataError && /cannot go on there/.test(problem.message), String(problem));
    assert.deepEqual(bytes, BYTES.subarray(0, bytes.length));
    assert.ok(bytes.length > 0);
  }
});

Deno.test("a file that is not there, and a server that never answers, are refused", async () => {
  const missing = await readFrom(["missing"]);
  assert.ok(missing.problem instanceof SourceError && /answers 404/.test(missing.problem.message));
  assert.equal(missing.waits.length, 0);
  const failing = await readFrom(["fails"]);
  assert.ok(failing.problem instanceof SourceError, String(failing.problem));
  assert.deepEqual(failing.waits, [30, 60, 120, 240, 480]);
});
