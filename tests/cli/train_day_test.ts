import assert from "node:assert/strict";
import { growModelFly, saveConnectome } from "../../lib/connectome/mod.ts";
import { chessbenchShard, savePositions, selectRows, shippedPositions } from "../../lib/data/mod.ts";
import { openFlyRun } from "../../cli/_fly_run.ts";
import { requires } from "../_requirements.ts";
import { randomGame, writeShard } from "../data/_shards.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Small shards of ChessBench's names on a server that says how long they are. */
async function serveShards(folder: string, games: number) {
  for (let shard = 0; shard < 3; shard++) {
    const rows = Array.from({ length: games }, (_, i) => randomGame(100 * shard + i + 1, 40)).flat();
    await writeShard(`${folder}/${chessbenchShard(shard).name}`, rows);
  }
  let downloads = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const bytes = await Deno.readFile(folder + new URL(request.url).pathname);
    const headers = { "content-length": String(bytes.length), etag: '"1"' };
    if (request.method === "HEAD") return new Response(null, { headers });
    downloads++;
    return new Response(bytes, { headers });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    downloads: () => downloads,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function makeInputs(): Promise<string> {
  const folder = await Deno.makeTempDir();
  await saveConnectome(`${folder}/fly.arrow`, growModelFly({ scale: 1 / 64, seed: 1 }));
  const shipped = await shippedPositions();
  const rows = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
  const positions = selectRows(shipped, [
    ...rows(0, 60),
    ...rows(shipped.hold, 60),
    ...rows(shipped.hold + shipped.val, 400),
  ]);
  await savePositions(`${folder}/positions.arrow`, positions);
  return folder;
}

function day(folder: string, name: string, url: string): Deno.Command {
  const args = [
    "train",
    "day",
    "--connectome",
    "fly.arrow",
    "--positions",
    "positions.arrow",
    "--name",
    name,
  ];
  args.push(
    "--shards",
    "0-2",
    "--from",
    url,
    "--fit-every-shards",
    "2",
    "--passes",
    "3",
    "--min-free-gb",
    "0.1",
  );
  args.push("--min-memory-gb", "0.05");
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "-A", "--config", `${ROOT}deno.json`, `${ROOT}cli.ts`, ...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

const events = (folder: string, name: string): Record<string, unknown>[] =>
  Deno.readTextFileSync(`${folder}/runs/${name}/log.jsonl`).trim().split("\n").map((line) =>
    JSON.parse(line)
  );

/** All that a run leaves, but for its log with its times. */
async function leftovers(folder: string): Promise<Map<string, Uint8Array | string>> {
  const files = new Map<string, Uint8Array | string>();
  const walk = async (path: string) => {
    for await (const { name, isDirectory } of Deno.readDir(folder + path)) {
      const at = `${path}/${name}`;
      if (isDirectory) await walk(at);
      else if (name !== "log.jsonl") files.set(at, await Deno.readFile(folder + at));
    }
  };
  await walk("");
  return new Map([...files].sort(([a], [b]) => a < b ? -1 : 1));
}

Deno.test("`fly train day`, killed with kill -9 at several moments, leaves the same files as if it had never been", async () => {
  const folder = await makeInputs();
  await using server = await serveShards(await Deno.makeTempDir(), 8);
  const whole = await day(folder, "whole", server.url).output();
  assert.equal(whole.code, 0, new TextDecoder().decode(whole.stderr));
  assert.match(new TextDecoder().decode(whole.stdout), /^Done: 3 fits, [\d,]+ positions/m);
  const said = events(folder, "whole");
  assert.deepEqual(
    said.map(({ event }) => event).filter((event) =>
      event !== "status" && event !== "pass" && event !== "checkpoint"
    ).join(" "),
    "started ready fitted filled filled fitted filled no more shards fitted done",
  );
  assert.equal(server.downloads(), 3);
  assert.equal([...Deno.readDirSync(`${folder}/runs/whole/downloads`)].length, 0, "shards are thrown away");

  // Killed as soon as it has said something, each time a little later in its life.
  for (const word of ["started", "ready", "pass", "filled", "fitted"]) {
    const process = day(folder, "killed", server.url).spawn();
    let out = "";
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
      out += text;
      if (out.includes(`  ${word}: `)) break;
    }
    assert.ok(out.includes(`  ${word}: `), out);
    process.kill("SIGKILL");
    await process.stderr.cancel();
    await process.status;
  }
  const again = await day(folder, "killed", server.url).output();
  assert.equal(again.code, 0, new TextDecoder().decode(again.stderr));
  const [a, b] = [await leftovers(`${folder}/runs/whole`), await leftovers(`${folder}/runs/killed`)];
  assert.deepEqual([...b.keys()], [...a.keys()]);
  for (const [path, content] of a) assert.deepEqual(b.get(path), content, path);
  const filled = events(folder, "killed").filter(({ event }) => event === "filled").map(({ shard }) => shard);
  assert.deepEqual(filled, [0, 1, 2].map((shard) => chessbenchShard(shard).name));
});

Deno.test("`fly train day` ends cleanly on `touch runs/NAME/stop`, and goes on when it is gone", async () => {
  const folder = await makeInputs();
  await using server = await serveShards(await Deno.makeTempDir(), 2);
  await Deno.mkdir(`${folder}/runs/day`, { recursive: true });
  await Deno.writeTextFile(`${folder}/runs/day/stop`, "");
  const stopped = await day(folder, "day", server.url).output();
  assert.equal(stopped.code, 0, new TextDecoder().decode(stopped.stderr));
  assert.match(new TextDecoder().decode(stopped.stdout), /Stopped, as asked/);
  await Deno.remove(`${folder}/runs/day/stop`);
  const done = await day(folder, "day", server.url).output();
  assert.match(new TextDecoder().decode(done.stdout), /^Done: 3 fits/m);
});

Deno.test({
  name: "`fly train day --games` rates the fly after every fit; a shard may be positions that were prepared",
  ...requires("stockfish"),
  async fn() {
    const folder = await makeInputs();
    const shipped = await shippedPositions();
    const first = shipped.hold + shipped.val + 400;
    const rows = Array.from({ length: 200 }, (_, i) => first + i);
    await savePositions(`${folder}/more.arrow`, selectRows(shipped, rows));
    const command = [
      ..."train day --connectome fly.arrow --positions positions.arrow --name rated".split(" "),
      ..."--file more.arrow --fit-every-shards 1 --passes 2 --min-free-gb 0.1 --min-memory-gb 0.05".split(
        " ",
      ),
      ..."--games 2 --nodes 20 --precision int8".split(" "),
    ];
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-check", "-A", "--config", `${ROOT}deno.json`, `${ROOT}cli.ts`, ...command],
      cwd: folder,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const { precision, steps } = await openFlyRun(`${folder}/runs/rated`);
    assert.deepEqual(
      { precision, steps },
      { precision: "int8", steps: [9, 10, 11, 12] },
      "as it plays later",
    );
    const said = events(folder, "rated");
    assert.deepEqual(said.find(({ event }) => event === "filled")?.["rows"], 200);
    const rated = said.filter(({ event }) => event === "rated");
    assert.deepEqual(rated.map(({ fit, games, trouble }) => ({ fit, games, trouble })), [
      { fit: 1, games: 12, trouble: undefined },
      { fit: 2, games: 12, trouble: undefined },
    ]);
    // 5 matches of neighbouring rungs, played once, and 6 of each fly.
    assert.equal([...Deno.readDirSync(`${folder}/runs/rated/ladder`)].length, 17);
    for (const { elo } of rated) assert.ok(Number(elo) > -500 && Number(elo) < 1600, `an Elo of ${elo}`);
  },
});
