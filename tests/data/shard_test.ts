import assert from "node:assert/strict";
import { encode } from "@msgpack/msgpack";
import { readShard, type ReadShardOptions, ShardError, type ShardRow } from "../../lib/data/mod.ts";
import { encodeRow } from "../../lib/data/_row_codec.ts";
import { concat, frame, randomGame, TemporaryFolder, writeShard } from "./_shards.ts";

async function readAll(
  path: string | URL,
  options: ReadShardOptions = {},
): Promise<{ rows: ShardRow[]; problem: ShardError | undefined }> {
  const rows: ShardRow[] = [];
  try {
    for await (const row of readShard(path, options)) rows.push(row);
  } catch (error) {
    assert.ok(error instanceof ShardError, String(error));
    return { rows, problem: error };
  }
  return { rows, problem: undefined };
}

Deno.test("a shard gives the rows that were written, moves in their order", async () => {
  using folder = new TemporaryFolder();
  const rows = [...randomGame(1, 60, 4), ...randomGame(2, 60)];
  const path = await writeShard(`${folder.path}/a.msgpack.zst`, rows);
  assert.deepEqual(await readAll(path), { rows, problem: undefined });
  assert.deepEqual(await readAll(new URL(`file://${path}`)), { rows, problem: undefined });
});

Deno.test("frames of a shard may end in the middle of a row", async () => {
  using folder = new TemporaryFolder();
  const rows = randomGame(3, 40);
  const bytes = concat(rows.map(encodeRow));
  const cuts = [0, 11, 5000, 5001, 9999, bytes.length];
  const frames = cuts.slice(1).map((cut, i) => frame(bytes.subarray(cuts[i], cut)));
  await Deno.writeFile(`${folder.path}/a.zst`, concat(frames));
  assert.deepEqual(await readAll(`${folder.path}/a.zst`), { rows, problem: undefined });
});

Deno.test("mate is a number, # or absent, chances may be whole, and keys it does not know are passed over", async () => {
  using folder = new TemporaryFolder();
  const row = {
    source: {
      deep: [1, -2, 3.5, "x".repeat(400), null, true, new Uint8Array(3), { a: [300, -70_000, 2 ** 40] }],
    },
    moves: {
      e2e4: { win_prob: 1, mate: "#", depth: [12] },
      d2d4: { mate: -3, win_prob: 0 },
      c2c4: { win_prob: 0.5, mate: null },
      b2b4: { win_prob: 0.25 },
    },
    game: null,
    fen: "8/8/8/8/8/8/8/8 w - - 0 1",
  };
  await Deno.writeFile(`${folder.path}/a.zst`, frame(encode(row)));
  const { rows, problem } = await readAll(`${folder.path}/a.zst`);
  assert.equal(problem, undefined);
  assert.deepEqual(rows, [{
    fen: row.fen,
    moves: [
      { uci: "e2e4", winProb: 1, mate: "#" },
      { uci: "d2d4", winProb: 0, mate: -3 },
      { uci: "c2c4", winProb: 0.5 },
      { uci: "b2b4", winProb: 0.25 },
    ],
  }]);
});

Deno.test("a shard cut off after any byte gives every row that is whole, then says where it broke", async () => {
  using folder = new TemporaryFolder();
  const rows = randomGame(4, 3);
  // A frame a row, so that rows become whole one after the other.
  const frames = rows.map((row) => frame(encodeRow(row)));
  const bytes = concat(frames);
  const ends = frames.map((_, i) => concat(frames.slice(0, i + 1)).length);
  for (let length = 1; length < bytes.length; length++) {
    await Deno.writeFile(`${folder.path}/a.zst`, bytes.subarray(0, length));
    const whole = ends.filter((end) => end <= length).length;
    const { rows: found, problem } = await readAll(`${folder.path}/a.zst`);
    assert.deepEqual(found, rows.slice(0, whole), `cut to ${length}`);
    if (ends.includes(length)) assert.equal(problem, undefined);
    else {
      assert.equal(problem?.row, whole, `cut to ${length}`);
      assert.equal(problem.byte, concat(rows.slice(0, whole).map(encodeRow)).length);
      assert.match(
        problem.message,
        /^Cannot read a\.zst to its end: .+ in row \d, which starts at unpacked byte/,
      );
    }
  }
});

Deno.test("a row cut off within a whole frame is noticed at every byte", async () => {
  using folder = new TemporaryFolder();
  const rows = randomGame(5, 2);
  const first = encodeRow(rows[0]!);
  const bytes = concat([first, encodeRow(rows[1]!)]);
  for (let length = first.length + 1; length < bytes.length; length += 3) {
    await Deno.writeFile(`${folder.path}/a.zst`, frame(bytes.subarray(0, length)));
    const { rows: found, problem } = await readAll(`${folder.path}/a.zst`);
    assert.deepEqual(found, rows.slice(0, 1));
    assert.equal(problem?.row, 1);
    assert.equal(problem.byte, first.length);
  }
});

Deno.test("a shard with any byte changed gives the same rows or an error, and never crashes", async () => {
  using folder = new TemporaryFolder();
  const rows = randomGame(6, 2, 9);
  const path = await writeShard(`${folder.path}/a.zst`, rows);
  const bytes = await Deno.readFile(path);
  for (let at = 0; at < bytes.length; at++) {
    const changed = bytes.slice();
    changed[at]! ^= 0x80 >> (at % 8);
    await Deno.writeFile(path, changed);
    const { rows: found, problem } = await readAll(path);
    if (problem === undefined) assert.deepEqual(found, rows, `byte ${at}`);
  }
});

Deno.test("what is no shard is refused with what was found", async () => {
  using folder = new TemporaryFolder();
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [new TextEncoder().encode("not a shard at all"), /there is no zstd frame in row 0/],
    [Uint8Array.of(1), /ends in the middle of a frame in row 0/],
    [frame(encode([1, 2])), /a row is a list, a map is wanted/],
    [frame(encode({ moves: {} })), /a row has no fen/],
    [frame(encode({ fen: "x" })), /a row has no moves/],
    [frame(encode({ fen: 3 })), /fen is a number, a short text is wanted/],
    [frame(encode({ fen: "x", moves: { e2e4: 0.5 } })), /opinion is a number, a map is wanted/],
    [frame(encode({ fen: "x", moves: { e2e4: {} } })), /the move e2e4 has no win_prob/],
    [
      frame(encode({ fen: "x", moves: { e2e4: { win_prob: "much" } } })),
      /win_prob is text, a number is wanted/,
    ],
    [frame(encode({ fen: "x", moves: { e2e4: { win_prob: 1, mate: "!" } } })), /mate is '!'/],
    [frame(encode({ fen: "x", moves: {}, game: -4 })), /game is -4/],
    [frame(Uint8Array.of(0xc1)), /a row is byte 193/],
  ];
  for (const [bytes, expected] of cases) {
    await Deno.writeFile(`${folder.path}/a.zst`, bytes);
    const { rows, problem } = await readAll(`${folder.path}/a.zst`);
    assert.deepEqual(rows, []);
    assert.match(problem?.message ?? "", expected);
  }
});

Deno.test("a length that never ends is not waited for", async () => {
  using folder = new TemporaryFolder();
  // A binary value of 2^31 bytes, and 3 MB behind it.
  const head = Uint8Array.of(0x81, 0xa1, 0x78, 0xc6, 0x7f, 0xff, 0xff, 0xff);
  await Deno.writeFile(`${folder.path}/a.zst`, frame(concat([head, new Uint8Array(3 << 20)])));
  const { problem } = await readAll(`${folder.path}/a.zst`);
  assert.match(problem?.message ?? "", /there is no end in row 0/);
});

Deno.test("reading stops when it is told to", async () => {
  using folder = new TemporaryFolder();
  const path = await writeShard(`${folder.path}/a.zst`, randomGame(7, 5));
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(readAll(path, { signal }), /enough/);
});

Deno.test("a shard is read from a server too, and a missing one is named", async () => {
  using folder = new TemporaryFolder();
  const rows = randomGame(8, 5);
  const bytes = await Deno.readFile(await writeShard(`${folder.path}/a.zst`, rows));
  const server = Deno.serve(
    { port: 0, onListen: () => {} },
    (request) => request.url.endsWith("/a.zst") ? new Response(bytes) : new Response("no", { status: 404 }),
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  assert.deepEqual((await readAll(new URL(`${base}/a.zst`))).rows, rows);
  await assert.rejects(readShard(new URL(`${base}/b.zst`)).next(), /the server answers 404/);
  await assert.rejects(
    readShard(`${folder.path}/none.zst`).next(),
    /Cannot read .*none\.zst: there is no such file/,
  );
  await server.shutdown();
});
