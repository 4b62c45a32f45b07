import assert from "node:assert/strict";
import { eyeFor } from "../../lib/eye/mod.ts";
import { growModelFly, saveConnectome } from "../../lib/connectome/mod.ts";
import { savePositions, selectRows, shippedPositions } from "../../lib/data/mod.ts";
import { cacheSetup, showAsBytes } from "../../lib/training/rates/cache_rates.ts";
import { wake } from "../../lib/training/mod.ts";
import { RatesCache } from "../../lib/training/rates/rates_cache.ts";
import { startRedis } from "../_redis.ts";
import { requires } from "../_requirements.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

function fly(args: string[], cwd: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "-A", "--config", `${ROOT}deno.json`, `${ROOT}cli.ts`, ...args],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function said(process: Deno.ChildProcess): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await process.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

const options = { ...requires("redis"), sanitizeOps: false, sanitizeResources: false };

Deno.test(
  "`fly cache`: what two workers filled, one of them killed, equals what one machine fills by itself",
  options,
  async () => {
    await using server = await startRedis();
    const folder = await Deno.makeTempDir();
    const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
    await saveConnectome(`${folder}/fly.arrow`, connectome);
    const shipped = await shippedPositions();
    const first = shipped.hold + shipped.val;
    const positions = selectRows(shipped, [
      0,
      1,
      shipped.hold,
      ...Array.from({ length: 900 }, (_, i) => first + i),
    ]);
    await savePositions(`${folder}/positions.arrow`, positions);

    const brain = ["--connectome", "fly.arrow", "--read", "11,12", "--rows", "100", "positions.arrow"];
    const queue = ["--redis", server.redis, "--store", "store"];
    const enqueued = await said(fly(["cache", "enqueue", ...queue, ...brain], folder));
    assert.equal(enqueued.code, 0, enqueued.err);
    assert.match(enqueued.out, /^10 blocks: 10 in the queue, 0 in store$/m);

    const worker = ["cache", "worker", ...queue, "--drain", "--lock", "2"];
    const killed = fly(worker, folder);
    // Killed once it has filled a block: it is in the middle of another, or just about to be.
    const reader = killed.stdout.getReader();
    let seen = "";
    while (!seen.includes("filled")) {
      const { value, done } = await reader.read();
      assert.ok(!done, seen);
      seen += new TextDecoder().decode(value);
    }
    killed.kill("SIGKILL");
    await reader.cancel();
    await killed.stderr.cancel();
    await killed.status;
    const workers = await Promise.all([said(fly(worker, folder)), said(fly(worker, folder))]);
    for (const { code, err } of workers) assert.equal(code, 0, err);

    const gathered = await said(
      fly(["cache", "gather", "--store", "store", "--cache", "gathered", ...brain], folder),
    );
    assert.equal(gathered.code, 0, gathered.err);
    assert.match(gathered.out, /^gathered: 903 positions/m);

    const eye = eyeFor(connectome, "auto");
    const kept = { steps: [11, 12], apart: false };
    await using awake = await wake(connectome, eye, positions);
    using alone = await RatesCache.open(`${folder}/alone`, cacheSetup(awake, eye, kept));
    await alone.fill(positions, showAsBytes(awake, eye, positions, kept));
    for (const { file } of alone.blocks) {
      assert.deepEqual(
        await Deno.readFile(`${folder}/gathered/${file}`),
        await Deno.readFile(`${folder}/alone/${file}`),
      );
    }
  },
);

Deno.test(
  "`fly cache worker` ends if its brain is another one, and leaves the block to others",
  options,
  async () => {
    await using server = await startRedis();
    const folder = await Deno.makeTempDir();
    await saveConnectome(`${folder}/fly.arrow`, growModelFly({ scale: 1 / 64, seed: 1 }));
    const shipped = await shippedPositions();
    const first = shipped.hold + shipped.val;
    await savePositions(
      `${folder}/positions.arrow`,
      selectRows(shipped, Array.from({ length: 300 }, (_, i) => first + i)),
    );
    const queue = ["--redis", server.redis, "--store", "store"];
    const enqueue = [
      "cache",
      "enqueue",
      ...queue,
      "--connectome",
      "fly.arrow",
      "--rows",
      "300",
      "positions.arrow",
    ];
    assert.equal((await said(fly(enqueue, folder))).code, 0);
    await saveConnectome(`${folder}/fly.arrow`, growModelFly({ scale: 1 / 64, seed: 2 }));
    const { code, err } = await said(fly(["cache", "worker", ...queue, "--drain"], folder));
    assert.equal(code, 1);
    assert.match(err, /this machine's brain is \w{12}, \w{12} is wanted/);
    // It is still there for a worker that has the right one.
    assert.match((await said(fly(enqueue, folder))).out, /^The queue: 2 waiting/m);
  },
);

Deno.test("`fly cache enqueue` says that no server is there before it does anything", async () => {
  const { code, err } = await said(
    fly(["cache", "enqueue", "--redis", "redis://127.0.0.1:9", "--connectome", "none", "none"], ROOT),
  );
  assert.equal(code, 1);
  assert.match(err, /Cannot reach the queue's server at 127\.0\.0\.1:9/);
});
