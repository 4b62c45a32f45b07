import assert from "node:assert/strict";
import { openBlockStore } from "../../../lib/training/rates/block_store.ts";
import { planCacheJobs, readJobBlock } from "../../../lib/training/rates/cache_jobs.ts";
import { countCacheJobs, enqueueCacheJobs, workOnCache } from "../../../lib/training/rates/cache_queue.ts";
import { startRedis } from "../../_redis.ts";
import { requires } from "../../_requirements.ts";
import { fakeRates } from "../_fake_rates.ts";

const SETUP = {
  key: { connectome: "c", eye: "e", brain: "b", engine: "wasm", read: "mean of steps 12" },
  columns: 7,
};
const JOBS = planCacheJobs({ count: 600, digest: "ab".repeat(32) }, SETUP, { rows: 50 });

/** A worker in a process of its own, and what it has said. */
function startWorker(redis: string, folder: string, name: string) {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", new URL("../_slow_worker.ts", import.meta.url).pathname, redis, folder, name],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines: string[] = [];
  const finished = (async () => {
    let rest = "";
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split("\n");
      rest = parts.pop()!;
      lines.push(...parts);
    }
    return await process.status;
  })();
  const says = async (word: string) => {
    for (let tries = 0; !lines.some((line) => line.includes(word)); tries++) {
      assert.ok(tries < 500, `${name} says: ${lines.join("; ")}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { process, lines, finished, says };
}

async function everyBlockIsRight(folder: string): Promise<void> {
  const store = openBlockStore(folder);
  for (const job of JOBS) {
    const rows = Int32Array.from({ length: job.rows }, (_, i) => job.first + i);
    assert.deepEqual(new Uint8Array(await readJobBlock(job, store)), fakeRates(rows, job.columns));
  }
  const files = [...Deno.readDirSync(`${folder}/${JOBS[0]!.block.split("/")[0]}`)].map(({ name }) => name);
  assert.equal(files.filter((name) => name.endsWith(".sealed")).length, JOBS.length);
}

const options = { ...requires("redis"), sanitizeOps: false, sanitizeResources: false };

Deno.test(
  "two workers, one killed with kill -9 in the middle of a block: every block is written once",
  options,
  async () => {
    await using server = await startRedis();
    const folder = await Deno.makeTempDir();
    const settings = { redis: server.redis, store: openBlockStore(folder) };
    assert.deepEqual(await enqueueCacheJobs(JOBS, { milliseconds: 200 }, settings), {
      enqueued: 12,
      there: 0,
    });
    // Asked for again: not twice in the queue.
    await enqueueCacheJobs(JOBS, { milliseconds: 200 }, settings);
    assert.equal((await countCacheJobs(settings)).waiting, 12);

    const first = startWorker(server.redis, folder, "first");
    const second = startWorker(server.redis, folder, "second");
    await second.says("second filled");
    await first.says("first takes");
    const taken = () => second.lines.filter((line) => line.includes("takes")).length;
    const before = taken();
    while (taken() === before) await new Promise((resolve) => setTimeout(resolve, 5));
    second.process.kill("SIGKILL");
    const lost = second.lines.filter((line) => line.includes("takes")).at(-1)!.split(" ").at(-1)!;
    const third = startWorker(server.redis, folder, "third");
    await Promise.all([first.finished, second.finished, third.finished]);

    await everyBlockIsRight(folder);
    const said = [first, second, third].flatMap(({ lines }) => lines);
    const filled = said.filter((line) => line.includes(" filled ")).map((line) => line.split(" ").at(-1)!);
    assert.deepEqual(filled.sort(), JOBS.map(({ block }) => block).sort(), "each was filled, none twice");
    assert.ok(
      [...first.lines, ...third.lines].some((line) => line.includes(`filled ${lost}`)),
      "what the killed worker had begun was taken over",
    );
    assert.deepEqual(await enqueueCacheJobs(JOBS, { milliseconds: 0 }, settings), { enqueued: 0, there: 12 });
  },
);

Deno.test(
  "a worker that is told to stop gives its job back at once, and the next one goes on",
  options,
  async () => {
    await using server = await startRedis();
    const folder = await Deno.makeTempDir();
    const settings = { redis: server.redis, store: openBlockStore(folder) };
    await enqueueCacheJobs(JOBS, {}, settings);
    const controller = new AbortController();
    const stopped = await workOnCache({
      ...settings,
      signal: controller.signal,
      show: () => {
        controller.abort(new Error("enough"));
        return Promise.resolve((rows: Int32Array) => Promise.resolve(fakeRates(rows, 7)));
      },
    });
    assert.deepEqual(stopped, { done: 0, failed: 0 });
    assert.deepEqual(await countCacheJobs(settings), { waiting: 12, active: 0, done: 0, failed: 0 });
    const worked = await workOnCache({
      ...settings,
      drain: true,
      show: () => Promise.resolve((rows: Int32Array) => Promise.resolve(fakeRates(rows, 7))),
    });
    assert.deepEqual(worked, { done: 12, failed: 0 });
    await everyBlockIsRight(folder);
  },
);

Deno.test(
  "a job that failed is tried again, and a block that was deleted is filled again",
  options,
  async () => {
    await using server = await startRedis();
    const folder = await Deno.makeTempDir();
    const settings = { redis: server.redis, store: openBlockStore(folder) };
    const few = JOBS.slice(0, 2);
    const troubles: string[] = [];
    let tries = 0;
    const work = () =>
      workOnCache({
        ...settings,
        drain: true,
        onTrouble: (problem) => void troubles.push(problem),
        show: () =>
          Promise.resolve((rows: Int32Array) => {
            if (tries++ === 0) throw new Error("the folder is not there yet");
            return Promise.resolve(fakeRates(rows, 7));
          }),
      });
    await enqueueCacheJobs(few, {}, settings);
    assert.deepEqual(await work(), { done: 2, failed: 0 });
    assert.match(troubles[0]!, /failed \(try 1\): the folder is not there yet/);
    await Deno.remove(`${folder}/${few[1]!.block}`);
    assert.deepEqual(await enqueueCacheJobs(few, {}, settings), { enqueued: 1, there: 1 });
    assert.deepEqual(await work(), { done: 1, failed: 0 });
  },
);

Deno.test("without a server the queue says so", async () => {
  await assert.rejects(countCacheJobs({ redis: "redis://127.0.0.1:9" }), /Cannot reach the queue's server/);
  await assert.rejects(countCacheJobs({ redis: "nonsense" }), RangeError);
});
