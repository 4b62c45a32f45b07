import assert from "node:assert/strict";
import { type BlockStore, openBlockStore } from "../../../lib/training/rates/block_store.ts";
import type { S3Settings } from "../../../lib/training/rates/s3_store.ts";

/** A small server that behaves like S3 as far as the store needs it, and checks that requests are signed. */
function fakeS3(trouble: { answers: number[] } = { answers: [] }) {
  const objects = new Map<string, Uint8Array>();
  const requests: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname}`);
    const signed = /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/us-east-1\/s3\/aws4_request, /;
    if (!signed.test(request.headers.get("authorization") ?? "")) return new Response(null, { status: 403 });
    const body = new Uint8Array(await request.arrayBuffer());
    const status = trouble.answers.shift();
    if (status !== undefined) return new Response(null, { status });
    const there = objects.get(pathname);
    if (request.method === "PUT") {
      if (request.headers.get("if-none-match") === "*" && there) return new Response(null, { status: 412 });
      objects.set(pathname, body);
      return new Response(null, { status: 200 });
    }
    if (there === undefined) return new Response(null, { status: 404 });
    return new Response(request.method === "HEAD" ? null : there.slice());
  });
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${server.addr.port}`,
    accessKeyId: "key",
    secretAccessKey: "secret",
  };
  return { objects, requests, settings, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function behavesLikeAStore(store: BlockStore): Promise<void> {
  assert.equal(await store.has("a/block 1.rates"), false);
  assert.equal(await store.get("a/block 1.rates"), undefined);
  const tries = await Promise.all(
    Array.from({ length: 8 }, (_, i) => store.put("a/block 1.rates", new Uint8Array(70_000).fill(i))),
  );
  assert.equal(tries.filter(Boolean).length, 1, "one of eight writers at once is the first");
  assert.equal(await store.has("a/block 1.rates"), true);
  assert.equal(await store.put("a/block 1.rates", new Uint8Array([9])), false);
  assert.deepEqual(await store.get("a/block 1.rates"), new Uint8Array(70_000).fill(tries.indexOf(true)));
}

Deno.test("a folder is a store where a name is written once", async () => {
  const folder = await Deno.makeTempDir();
  await behavesLikeAStore(openBlockStore(folder));
  const names = [...Deno.readDirSync(`${folder}/a`)].map(({ name }) => name);
  assert.deepEqual(names, ["block 1.rates"], "temporary files are gone");
});

Deno.test("a bucket is a store where a name is written once", async () => {
  await using server = fakeS3();
  await behavesLikeAStore(openBlockStore("s3://bucket/some/prefix/", server.settings));
  assert.deepEqual([...server.objects.keys()], ["/bucket/some/prefix/a/block%201.rates"]);
});

Deno.test("`S3Store` tries again where the server is busy or an upload of the same name is under way", async () => {
  await using server = fakeS3({ answers: [503, 429, 409] });
  const store = openBlockStore("s3://bucket", server.settings);
  assert.equal(await store.put("block", new Uint8Array([1])), true);
  assert.equal(server.requests.length, 4);
});

Deno.test("`S3Store` says what the server refuses", async () => {
  await using server = fakeS3();
  const store = openBlockStore("s3://bucket", { ...server.settings, accessKeyId: "stranger" });
  await assert.rejects(store.has("block"), /Cannot look for s3:\/\/bucket\/block: the store answers 403/);
});

Deno.test("`S3Store` gives up on a server that cannot be reached, and says so", async () => {
  const store = openBlockStore("s3://bucket", {
    endpoint: "http://127.0.0.1:9",
    accessKeyId: "key",
    secretAccessKey: "secret",
    retries: 1,
  });
  await assert.rejects(store.get("block"), /Cannot reach the store s3:\/\/bucket/);
});

Deno.test("`openBlockStore()` refuses an address without a bucket, or without keys", () => {
  assert.throws(() => openBlockStore("s3://"), /names no bucket/);
  assert.throws(() => openBlockStore("s3://bucket/prefix"), /keys are wanted/);
});
