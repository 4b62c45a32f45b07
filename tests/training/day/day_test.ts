import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { DataError } from "../../../lib/common/mod.ts";
import type { JsonValue } from "../../../lib/common/mod.ts";
import type { RunCheckpoint, RunFolder } from "../../../lib/training/cached/cached_run_folder.ts";
import { runDay } from "../../../lib/training/day/day.ts";
import type { DayMachine, DaySettings, DaySteps } from "../../../lib/training/day/day_steps.ts";

/** What kill -9 does to a process, for a process that cannot be spared. */
class Killed extends Error {}

/** What stays when a process dies: the disk. */
interface Disk {
  log: { event: string; values: Readonly<Record<string, JsonValue>> }[];
  checkpoint: RunCheckpoint | undefined;
  logged: number;
  here: Set<string>;
  cache: Map<string, number>;
  fits: number[];
  ratings: number[];
  downloads: string[];
  fills: string[];
}

const SHARDS = ["a", "b", "c", "d", "e"];

function emptyDisk(): Disk {
  return {
    log: [],
    checkpoint: undefined,
    logged: 0,
    here: new Set(),
    cache: new Map(),
    fits: [],
    ratings: [],
    downloads: [],
    fills: [],
  };
}

/** A process on a disk: dies before its `dies`-th touch of it, if it gets so far. */
function boot(disk: Disk, dies = Infinity) {
  let touches = 0;
  let dead = false;
  const touch = () => {
    if (dead || ++touches > dies) {
      dead = true;
      throw new Killed();
    }
  };
  const pause = () => new Promise<void>((resolve) => void setImmediate(resolve));
  // Opening a run cuts the log back to what the checkpoint remembers.
  disk.log.length = disk.logged;
  let stop = false;
  const run: RunFolder = {
    folder: "/nowhere",
    checkpoint: () => Promise.resolve(disk.checkpoint && structuredClone(disk.checkpoint)),
    async save(checkpoint) {
      await pause();
      touch();
      disk.checkpoint = structuredClone(checkpoint);
      disk.logged = disk.log.length;
    },
    async log(event, values = {}) {
      await pause();
      touch();
      disk.log.push({ event, values });
    },
    stopAsked: () => Promise.resolve(stop),
  };
  const steps: DaySteps = {
    shards: SHARDS,
    async download(shard) {
      await pause();
      touch();
      if (disk.here.has(shard)) return;
      await pause();
      touch();
      disk.here.add(shard);
      disk.downloads.push(shard);
    },
    async fill(shard) {
      await pause();
      touch();
      if (!disk.cache.has(shard)) {
        assert.ok(disk.here.has(shard), `${shard} is filled but not here`);
        await pause();
        touch();
        disk.cache.set(shard, 100);
        disk.fills.push(shard);
      }
      return 100;
    },
    async discard(shard) {
      await pause();
      touch();
      disk.here.delete(shard);
    },
    // A fit of two passes, each of which adds the cache to the weights it starts from.
    async fit(_fits, memory, keep) {
      const { pass = 0, of = [] } = (memory?.state ?? {}) as { pass?: number; of?: string[] };
      let weights = Number(memory?.tensors["weights"]?.data[0] ?? 1);
      let done = pass % 2;
      const seen = [...disk.cache.keys()].sort();
      for (; done < 2; done++) {
        await pause();
        touch();
        weights = weights * 3 + seen.length;
        if (done === 0) await keep(part(weights, 1, of), { valLoss: 3 });
      }
      touch();
      disk.fits.push(seen.length);
      return {
        valLoss: 3 - seen.length / 10,
        values: { top1: 0.2 },
        memory: part(weights, 0, [...of, seen.join("")]),
      };
    },
    async rate(fits) {
      await pause();
      touch();
      disk.ratings.push(fits);
      return { elo: 700 + fits };
    },
  };
  return { run, steps, stop: () => stop = true, touches: () => touches };
}

function part(weights: number, pass: number, of: readonly string[]) {
  return {
    tensors: { weights: { shape: [1], data: new Float32Array([weights]) } },
    state: { pass, of } as JsonValue,
  };
}

const ROOMY: DayMachine = {
  temperature: () => Promise.resolve(61),
  share: () => 1,
  room: () => Promise.resolve({ freeBytes: 1e12, availableBytes: 1e11 }),
};

const OPTIONS = { machine: ROOMY, pollSeconds: 0.01, waitSeconds: 0.01, statusSeconds: 1000 };
const SETTINGS: DaySettings = { shardsPerFit: 2 };

const without = (disk: Disk) =>
  disk.log.filter(({ event }) => event !== "status" && event !== "started").map(({ event, values }) => {
    const { seconds: _seconds, downloadSeconds: _download, ...rest } = values;
    return { event, rest };
  });

Deno.test("`runDay()` downloads, fills, fits and rates, and throws shards away", async () => {
  const disk = emptyDisk();
  const { run, steps } = boot(disk);
  const { ended, state } = await runDay(run, steps, SETTINGS, OPTIONS);
  assert.equal(ended, "done");
  assert.deepEqual(state, {
    stage: "done",
    shard: 5,
    sinceFit: 0,
    skipped: [],
    positions: 500,
    fits: 3,
    shardsPerFit: 2,
    bestLoss: 2.5,
  });
  assert.deepEqual(disk.fits, [2, 4, 5]);
  assert.deepEqual(disk.ratings, [1, 2, 3]);
  assert.equal(disk.here.size, 0);
  assert.deepEqual(
    without(disk).map(({ event }) => event).join(" "),
    "filled filled pass fitted rated filled filled pass fitted rated filled no more shards pass fitted rated done",
  );
});

Deno.test("`runDay()`, killed before every single thing it does to the disk, ends as if it had never been", async () => {
  const whole = emptyDisk();
  const first = boot(whole);
  await runDay(first.run, first.steps, SETTINGS, OPTIONS);
  for (let dies = 0; dies < first.touches(); dies++) {
    const disk = emptyDisk();
    const killed = boot(disk, dies);
    await assert.rejects(runDay(killed.run, killed.steps, SETTINGS, OPTIONS), Killed);
    const again = boot(disk);
    await runDay(again.run, again.steps, SETTINGS, OPTIONS);
    assert.deepEqual(disk.checkpoint, whole.checkpoint, `killed after ${dies}`);
    assert.deepEqual(without(disk), without(whole), `killed after ${dies}`);
    assert.deepEqual(disk.fills, SHARDS, `killed after ${dies}: every shard once`);
    assert.equal(disk.here.size, 0);
  }
});

Deno.test("`runDay()`, killed again and again, gets to its end", async () => {
  const whole = emptyDisk();
  const first = boot(whole);
  await runDay(first.run, first.steps, SETTINGS, OPTIONS);
  const disk = emptyDisk();
  let kills = 0;
  for (;; kills++) {
    // Long enough for the longest way between two checkpoints.
    const process = boot(disk, 16 + kills % 7);
    try {
      await runDay(process.run, process.steps, SETTINGS, OPTIONS);
      break;
    } catch (error) {
      assert.ok(error instanceof Killed);
    }
  }
  assert.ok(kills > 2);
  assert.deepEqual(disk.checkpoint, whole.checkpoint);
});

const downloaded = new Set<string>();

Deno.test("`runDay()` downloads the next shard while the brain works on the last", async () => {
  const { run, steps } = boot(emptyDisk());
  let ahead = 0;
  await runDay(
    run,
    {
      ...steps,
      async fill(shard, work) {
        const next = SHARDS[SHARDS.indexOf(shard) + 1];
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (next !== undefined && downloaded.has(next)) ahead++;
        return await steps.fill(shard, work);
      },
      async download(shard, work) {
        await steps.download(shard, work);
        downloaded.add(shard);
      },
    },
    SETTINGS,
    OPTIONS,
  );
  assert.equal(ahead, 4);
});

Deno.test("`runDay()` ends cleanly when a stop is asked for in the middle of a piece, and goes on later", async () => {
  const whole = emptyDisk();
  const first = boot(whole);
  await runDay(first.run, first.steps, SETTINGS, OPTIONS);
  const disk = emptyDisk();
  const { run, steps, stop } = boot(disk);
  const { ended, state } = await runDay(
    run,
    {
      ...steps,
      fill(shard, work) {
        if (shard !== "c") return steps.fill(shard, work);
        stop();
        return new Promise((_, reject) =>
          work.signal!.addEventListener("abort", () => reject(work.signal!.reason))
        );
      },
    },
    SETTINGS,
    OPTIONS,
  );
  assert.equal(ended, "stopped");
  assert.equal(state.shard, 2);
  assert.equal(disk.log.at(-1)!.event, "stopped");
  const again = boot(disk);
  assert.equal((await runDay(again.run, again.steps, SETTINGS, OPTIONS)).ended, "done");
  assert.deepEqual(disk.checkpoint, whole.checkpoint);
});

Deno.test("`runDay()` tries a download again that failed, and goes on without a shard that is no good", async () => {
  const disk = emptyDisk();
  const { run, steps } = boot(disk);
  let failures = 2;
  const { state } = await runDay(
    run,
    {
      ...steps,
      download(shard, work) {
        if (shard === "b" && failures-- > 0) throw new TypeError("the connection ended");
        return steps.download(shard, work);
      },
      fill(shard, work) {
        if (shard === "d") throw new DataError("Cannot read d to its end");
        return steps.fill(shard, work);
      },
    },
    SETTINGS,
    OPTIONS,
  ).catch((error) => {
    throw error;
  });
  assert.deepEqual([state.skipped, state.positions], [[3], 400]);
  const troubles = disk.log.filter(({ event }) => event === "trouble").map(({ values }) => values["what"]);
  assert.deepEqual(troubles, ["the connection ended", "the connection ended", "Cannot read d to its end"]);
});

Deno.test("`runDay()` breaks a piece off when memory runs short, waits, and does it again", async () => {
  const disk = emptyDisk();
  const { run, steps } = boot(disk);
  let short = true;
  let broken = 0;
  const machine: DayMachine = {
    ...ROOMY,
    room: () => Promise.resolve({ freeBytes: 1e12, availableBytes: short ? 1e8 : 1e11 }),
  };
  const { ended } = await runDay(
    run,
    {
      ...steps,
      fill(shard, work) {
        if (!short) return steps.fill(shard, work);
        return new Promise((_, reject) =>
          work.signal!.addEventListener("abort", () => {
            broken++;
            short = false;
            reject(new Error("whatever the work makes of it"));
          })
        );
      },
    },
    SETTINGS,
    { ...OPTIONS, machine },
  );
  assert.deepEqual([ended, broken], ["done", 1]);
  const trouble = disk.log.find(({ event }) => event === "trouble");
  assert.match(String(trouble?.values["what"]), /0\.1 GB of memory are left, at least 1\.0/);
});

Deno.test("`runDay()` gives up on a disk that stays full, and the last good state stays", async () => {
  const disk = emptyDisk();
  const { run, steps } = boot(disk);
  const machine: DayMachine = {
    ...ROOMY,
    room: () => Promise.resolve({ freeBytes: 1, availableBytes: 1e11 }),
  };
  const slow = (work: { signal?: AbortSignal | undefined }) =>
    new Promise<never>((_, reject) =>
      work.signal!.addEventListener("abort", () => reject(work.signal!.reason))
    );
  await assert.rejects(
    runDay(run, { ...steps, fill: (_, work) => slow(work) }, SETTINGS, { ...OPTIONS, machine, patience: 2 }),
    /0\.0 GB of disk are left/,
  );
  const again = boot(disk);
  assert.equal((await runDay(again.run, again.steps, SETTINGS, OPTIONS)).state.positions, 500);
});

Deno.test("`runDay()` writes down what it does, how far it is, how warm and how full the machine is", async () => {
  const disk = emptyDisk();
  const { run, steps } = boot(disk);
  await runDay(
    run,
    {
      ...steps,
      async fill(shard, work) {
        work.onProgress?.({ task: "showing positions to the brain", done: 4, total: 9, unit: "positions" });
        await new Promise((resolve) => setTimeout(resolve, 60));
        return await steps.fill(shard, work);
      },
    },
    SETTINGS,
    { ...OPTIONS, statusSeconds: 0.02 },
  );
  const status = disk.log.filter(({ event, values }) => event === "status" && values["done"] === 4)[0]
    ?.values;
  assert.deepEqual(status, {
    doing: "showing a to the brain",
    task: "showing positions to the brain",
    done: 4,
    total: 9,
    unit: "positions",
    temperature: 61,
    share: 1,
    freeBytes: 1e12,
    availableBytes: 1e11,
  });
});

Deno.test("`runDay()` fits on the positions that are there from the start before it takes shards", async () => {
  const disk = emptyDisk();
  const { run, steps } = boot(disk);
  const { state } = await runDay(run, { ...steps, ready: () => Promise.resolve(1000) }, SETTINGS, OPTIONS);
  assert.deepEqual([state.positions, state.fits], [1500, 4]);
  assert.match(
    without(disk).map(({ event }) => event).join(" "),
    /^ready pass fitted rated filled filled pass/,
  );
});

Deno.test("`runDay()` goes on when the games for a rating fail", async () => {
  const disk = emptyDisk();
  const { run, steps } = boot(disk);
  const { state } = await runDay(
    run,
    { ...steps, rate: () => Promise.reject(new Error("no Stockfish")) },
    SETTINGS,
    OPTIONS,
  );
  assert.equal(state.fits, 3);
  assert.equal(disk.log.find(({ event }) => event === "rated")?.values["trouble"], "no Stockfish");
});

Deno.test("`runDay()` turns hours into shards after the first one", async () => {
  const { run, steps } = boot(emptyDisk());
  const slow = {
    ...steps,
    async fill(shard: string, work: Parameters<DaySteps["fill"]>[1]) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return await steps.fill(shard, work);
    },
  };
  const { state } = await runDay(run, slow, { fitEveryHours: 0.2 / 3600, fits: 1 }, OPTIONS);
  assert.ok(state.shardsPerFit >= 1 && state.shardsPerFit <= 4, `${state.shardsPerFit}`);
  assert.deepEqual([state.stage, state.fits], ["done", 1]);
});

Deno.test("`runDay()` refuses the checkpoint of another kind of run", async () => {
  const disk = emptyDisk();
  disk.checkpoint = { tensors: {}, metadata: {}, state: { ended: [] } };
  const { run, steps } = boot(disk);
  await assert.rejects(runDay(run, steps, SETTINGS, OPTIONS), DataError);
});
