import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { downloadFiles } from "../../lib/common/mod.ts";
import {
  CHESSBENCH_SHARDS,
  chessbenchShard,
  DataError,
  describeFiles,
  parseShards,
} from "../../lib/data/mod.ts";
import { TemporaryFolder } from "./_shards.ts";

const BYTES = Uint8Array.from({ length: 50_000 }, (_, i) => (i * 7) % 253);
const SHA256 = createHash("sha256").update(BYTES).digest("hex");

Deno.test("lists of shards are numbers and ranges, each once, in rising order", () => {
  assert.deepEqual(parseShards("0-5"), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(parseShards("7, 2-3,2"), [2, 3, 7]);
  assert.equal(parseShards("0-1023").length, CHESSBENCH_SHARDS);
  for (const text of ["", "a", "5-2", "-1", "1024", "0-1024", "1,", "1.5"]) {
    assert.throws(() => parseShards(text), RangeError, text);
  }
});

Deno.test("a shard is named and found as the mirror has it", () => {
  assert.deepEqual(chessbenchShard(7), {
    name: "train-00007-of-01024.msgpack.zst",
    url: "https://huggingface.co/datasets/prdev/chessbench-full-policy-value/resolve/main/" +
      "train-00007-of-01024.msgpack.zst",
  });
  for (const shard of [-1, 1024, 0.5]) assert.throws(() => chessbenchShard(shard), RangeError);
});

/** A server with shards: like Hugging Face it may send on and name length and SHA-256 before; it may know ETags. */
async function withServer(
  kind: "hugging face" | "tags" | "plain",
  test: (run: { from: string; requests: string[]; breakNext: () => void }) => Promise<void>,
): Promise<void> {
  const requests: string[] = [];
  let breaks = false;
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
    onError: () => new Response(null, { status: 500 }),
  }, (request) => {
    const { pathname } = new URL(request.url);
    const range = request.headers.get("range");
    requests.push(`${request.method} ${pathname}${range === null ? "" : ` ${range}`}`);
    if (pathname.endsWith("train-00009-of-01024.msgpack.zst")) return new Response("no", { status: 404 });
    if (kind === "hugging face" && !pathname.startsWith("/cdn/")) {
      const headers = {
        location: `/cdn${pathname}`,
        "x-linked-size": `${BYTES.length}`,
        "x-linked-etag": `"${SHA256}"`,
      };
      return new Response(null, { status: 302, headers });
    }
    const start = range === null ? 0 : Number(range.slice(6, -1));
    const headers: Record<string, string> = {
      "content-length": `${BYTES.length - start}`,
      ...kind === "tags" ? { etag: '"v1"' } : {},
      ...start > 0 ? { "content-range": `bytes ${start}-${BYTES.length - 1}/${BYTES.length}` } : {},
    };
    const status = start > 0 ? 206 : 200;
    if (request.method === "HEAD") return new Response(null, { status, headers });
    if (!breaks) return new Response(BYTES.slice(start), { status, headers });
    breaks = false;
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (!sent) {
          sent = true;
          controller.enqueue(BYTES.slice(start, start + 20_000));
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.error(new Error("broken on purpose"));
      },
    });
    return new Response(body, { status, headers });
  });
  try {
    await test({ from: `http://127.0.0.1:${server.addr.port}`, requests, breakNext: () => breaks = true });
  } finally {
    await server.shutdown();
  }
}

Deno.test("sizes and checksums are asked for, not fetched", async () => {
  await withServer("hugging face", async ({ from, requests }) => {
    const files = [0, 1].map(chessbenchShard);
    const described = await describeFiles(files, { from });
    assert.deepEqual(described, files.map((file) => ({ ...file, bytes: BYTES.length, sha256: SHA256 })));
    assert.ok(requests.every((request) => request.startsWith("HEAD ")));
  });
  await withServer("tags", async ({ from }) => {
    const [file] = await describeFiles([chessbenchShard(0)], { from });
    assert.deepEqual([file!.bytes, file!.sha256, file!.version], [BYTES.length, undefined, '"v1"']);
    await assert.rejects(describeFiles([chessbenchShard(9)], { from }), DataError);
  });
});

Deno.test("a download that broke off goes on where it was where checksum or version say that it may", async () => {
  for (const [kind, resumes] of [["hugging face", true], ["tags", true], ["plain", false]] as const) {
    await withServer(kind, async ({ from, requests, breakNext }) => {
      using folder = new TemporaryFolder();
      const stop = { wait: () => Promise.reject(new Error("stopped")) };
      const files = await describeFiles([chessbenchShard(0)], { from });
      breakNext();
      await assert.rejects(downloadFiles(files, folder.path, { from, clock: stop }), /stopped/);
      requests.length = 0;
      // Another call, as after a kill: it asks anew.
      const again = await describeFiles([chessbenchShard(0)], { from });
      const [done] = await downloadFiles(again, folder.path, { from, clock: stop });
      assert.deepEqual(await Deno.readFile(done!.path), BYTES);
      const range = requests.filter((request) => request.startsWith("GET")).at(-1)!.split(" ")[2];
      assert.equal(range !== undefined, resumes, `${kind}: ${requests}`);
      assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name), [files[0]!.name]);
      assert.ok((await downloadFiles(again, folder.path, { from, clock: stop }))[0]!.skipped);
    });
  }
});

Deno.test("another version is not added to what came of the first", async () => {
  await withServer("tags", async ({ from, requests, breakNext }) => {
    using folder = new TemporaryFolder();
    const stop = { wait: () => Promise.reject(new Error("stopped")) };
    const [file] = await describeFiles([chessbenchShard(0)], { from });
    breakNext();
    await assert.rejects(downloadFiles([file!], folder.path, { from, clock: stop }), /stopped/);
    requests.length = 0;
    const [done] = await downloadFiles([{ ...file!, version: '"v2"' }], folder.path, { from, clock: stop });
    assert.deepEqual(await Deno.readFile(done!.path), BYTES);
    assert.ok(requests.every((request) => !request.includes("bytes=")));
  });
});

Deno.test("the command lists shards with their sizes, and downloads them", async () => {
  await withServer("hugging face", async ({ from }) => {
    using folder = new TemporaryFolder();
    const fly = async (...args: string[]) => {
      const { code, stdout } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "cli.ts",
          "data",
          "download",
          "chessbench",
          "--from",
          from,
          "--out",
          folder.path,
          ...args,
        ],
        cwd: new URL("../../", import.meta.url).pathname,
        stderr: "null",
      }).output();
      return { code, text: new TextDecoder().decode(stdout) };
    };
    const { code, text } = await fly("--shards", "0-1", "--list");
    assert.equal(code, 0);
    assert.match(text, /train-00001-of-01024\.msgpack\.zst +50,000 +SHA-256/);
    assert.match(text, /2 shards +100,000/);
    assert.equal([...Deno.readDirSync(folder.path)].length, 0);
    assert.equal((await fly("--shards", "0-1")).code, 0);
    assert.deepEqual(await Deno.readFile(`${folder.path}/train-00001-of-01024.msgpack.zst`), BYTES);
    assert.match((await fly("--shards", "1")).text, /was there +right/);
    assert.equal((await fly("--shards", "1-0")).code, 2);
  });
});

Deno.test("`describeFiles()` names the server that cannot be reached, and counts its tries", async () => {
  // Nobody listens on a port that was free a moment ago.
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  const tries: string[] = [];
  await assert.rejects(
    describeFiles([chessbenchShard(7)], {
      from: `http://127.0.0.1:${port}`,
      clock: { wait: () => Promise.resolve() },
      onRetry: ({ file, problem, next, of }) => tries.push(`${file}: ${problem}; ${next} of ${of}`),
    }),
    (error: Error) => {
      assert.match(
        error.message,
        new RegExp(`the server 127\\.0\\.0\\.1:${port} cannot be reached, and 2 more tries did not help$`),
      );
      return true;
    },
  );
  const line = `train-00007-of-01024.msgpack.zst: the server 127.0.0.1:${port} cannot be reached`;
  assert.deepEqual(tries, [`${line}; 2 of 3`, `${line}; 3 of 3`]);
});
