import assert from "node:assert/strict";
import { join } from "node:path";
import { DataError } from "../../../lib/common/mod.ts";
import {
  type Checkpoint,
  openRun,
  readCheckpoint,
  readLog,
  type RunConfig,
} from "../../../lib/training/mod.ts";
import { keepPrevious } from "../../../lib/training/run/checkpoint.ts";
import { TemporaryFolder } from "../../_temporary_folder.ts";

const CONFIG: RunConfig = {
  kind: "counting",
  seed: 1,
  inputs: { connectome: "ab12", positions: "cd34" },
  steps: [9, 10],
};

function checkpointOf(count: number): Checkpoint {
  return {
    tensors: { numbers: { shape: [2], data: Float32Array.of(count, 2 * count) } },
    metadata: { about: "a count" },
    state: { count },
  };
}

/** Changes a byte in the middle of a file. */
async function flip(path: string): Promise<void> {
  const bytes = await Deno.readFile(path);
  bytes[bytes.length >> 1]! ^= 4;
  await Deno.writeFile(path, bytes);
}

Deno.test("`openRun()` makes the folder, and the run has no checkpoint", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "runs", "first");
  await using run = await openRun(path, CONFIG);
  assert.equal(run.resumed, false);
  assert.equal(await run.checkpoint(), undefined);
  assert.deepEqual(JSON.parse(await Deno.readTextFile(join(path, "config.json"))), CONFIG);
});

Deno.test("a run goes on from its last checkpoint, and its log is cut back to it", async () => {
  using folder = new TemporaryFolder();
  {
    await using run = await openRun(folder.path, CONFIG);
    for (const count of [1, 2]) {
      await run.log("counted", { count });
      await run.save(checkpointOf(count));
    }
    await run.log("counted", { count: 3 });
    await Deno.writeTextFile(join(folder.path, "log.jsonl"), '{"time":"2026-0', { append: true });
  }
  await using run = await openRun(folder.path, CONFIG);
  assert.equal(run.resumed, true);
  assert.deepEqual(await run.checkpoint(), {
    ...checkpointOf(2),
    metadata: { ...checkpointOf(2).metadata, sha256: (await run.checkpoint())!.metadata["sha256"] },
  });
  assert.deepEqual((await readLog(folder.path)).map(({ event }) => event), [
    "counted",
    "checkpoint",
    "counted",
    "checkpoint",
  ]);
});

Deno.test("a run that was stopped before its first checkpoint begins again with an empty log", async () => {
  using folder = new TemporaryFolder();
  {
    await using run = await openRun(folder.path, CONFIG);
    await run.log("counted", { count: 1 });
  }
  await using run = await openRun(folder.path, CONFIG);
  assert.equal(run.resumed, false);
  assert.deepEqual(await readLog(folder.path), []);
});

Deno.test("a line about a checkpoint that was never written is cut off", async () => {
  using folder = new TemporaryFolder();
  {
    await using run = await openRun(folder.path, CONFIG);
    await run.log("counted", { count: 1 });
    await run.save(checkpointOf(1));
    const kept = await Deno.readFile(join(folder.path, "checkpoint.safetensors"));
    await run.log("counted", { count: 2 });
    await run.save(checkpointOf(2));
    // As a kill between the log's line and the file would leave it.
    await Deno.writeFile(join(folder.path, "checkpoint.safetensors"), kept);
  }
  await using run = await openRun(folder.path, CONFIG);
  assert.deepEqual((await run.checkpoint())?.state, { count: 1 });
  assert.deepEqual((await readLog(folder.path)).map(({ event }) => event), ["counted", "checkpoint"]);
});

Deno.test("what half-written files a kill leaves is cleared away", async () => {
  using folder = new TemporaryFolder();
  (await openRun(folder.path, CONFIG))[Symbol.asyncDispose]();
  const part = join(folder.path, "checkpoint.safetensors.4711.0a1b2c3d.part");
  await Deno.writeTextFile(part, "half");
  await using _run = await openRun(folder.path, CONFIG);
  await assert.rejects(Deno.stat(part), Deno.errors.NotFound);
});

Deno.test("another config is refused, and the message says what differs", async () => {
  using folder = new TemporaryFolder();
  (await openRun(folder.path, CONFIG))[Symbol.asyncDispose]();
  const before = await Deno.readTextFile(join(folder.path, "config.json"));
  const others: [RunConfig, RegExp][] = [
    [{ ...CONFIG, seed: 2 }, /began with seed 1, 2 is wanted now/],
    [{ ...CONFIG, inputs: { ...CONFIG.inputs, positions: "ef56" } }, /inputs\.positions "cd34", "ef56"/],
    [{ ...CONFIG, steps: [12] }, /steps \[9,10\], \[12\]/],
    [{ ...CONFIG, batch: 128 }, /batch nothing, 128/],
    [
      { ...CONFIG, seed: 2, inputs: { ...CONFIG.inputs, positions: "a1b2c3d4".repeat(8) } },
      /it began with inputs\.positions "cd34", a1b2c3d4a1b2 is wanted now; with seed 1, 2 is wanted now\. Start it as it began, give the new run another name \(--name\), or remove /,
    ],
  ];
  for (const [config, message] of others) {
    await assert.rejects(openRun(folder.path, config), (error) => {
      assert.ok(error instanceof DataError);
      assert.match(error.message, message);
      return true;
    });
  }
  assert.equal(await Deno.readTextFile(join(folder.path, "config.json")), before);
  // Fields in another order are the same config.
  const { kind, ...rest } = CONFIG;
  await using _run = await openRun(folder.path, { ...rest, kind });
});

Deno.test("two runs on one folder are refused until the first is done", async () => {
  using folder = new TemporaryFolder();
  {
    await using _first = await openRun(folder.path, CONFIG);
    await assert.rejects(openRun(folder.path, CONFIG), (error) => {
      assert.ok(error instanceof DataError);
      assert.match(error.message, /another process works on it/);
      return true;
    });
  }
  await using _second = await openRun(folder.path, CONFIG);
});

Deno.test("a folder is free again once its process was killed", async () => {
  using folder = new TemporaryFolder();
  const url = new URL("../../../lib/training/mod.ts", import.meta.url).href;
  const code = `const { openRun } = await import("${url}");
    await openRun(Deno.args[0], ${
    JSON.stringify(CONFIG)
  }); console.log("open"); setInterval(() => {}, 1000);`;
  const script = join(folder.path, "hold.ts");
  await Deno.writeTextFile(script, code);
  const run = join(folder.path, "run");
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-q",
      "-A",
      "--config",
      new URL("../../../deno.json", import.meta.url).pathname,
      script,
      run,
    ],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await assert.rejects(openRun(run, CONFIG), /another process works on it/);
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
  await using _run = await openRun(run, CONFIG);
});

Deno.test("a broken checkpoint is refused and left as it is; removed, the one before it takes its place", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "checkpoint.safetensors");
  {
    await using run = await openRun(folder.path, CONFIG);
    for (const count of [1, 2]) {
      await run.log("counted", { count });
      await run.save(checkpointOf(count));
    }
  }
  await flip(path);
  const broken = await Deno.readFile(path);
  {
    await using run = await openRun(folder.path, CONFIG);
    await assert.rejects(run.checkpoint(), (error) => {
      assert.ok(error instanceof DataError);
      assert.match(error.message, /Cannot open .*Remove it to go on from the one before it/);
      return true;
    });
  }
  assert.deepEqual(await Deno.readFile(path), broken);
  await Deno.remove(path);
  await using run = await openRun(folder.path, CONFIG);
  assert.deepEqual((await run.checkpoint())?.state, { count: 1 });
  assert.deepEqual((await readLog(folder.path)).map(({ count }) => count), [1, undefined]);
});

Deno.test("a checkpoint whose config is gone is refused", async () => {
  using folder = new TemporaryFolder();
  {
    await using run = await openRun(folder.path, CONFIG);
    await run.save(checkpointOf(1));
  }
  await Deno.remove(join(folder.path, "config.json"));
  await assert.rejects(openRun(folder.path, CONFIG), /has a checkpoint.safetensors, but no config.json/);
});

Deno.test("a decision is made once", async () => {
  using folder = new TemporaryFolder();
  {
    await using run = await openRun(folder.path, CONFIG);
    assert.deepEqual(await run.decide("plan", () => ({ batches: 7 })), { batches: 7 });
  }
  await using run = await openRun(folder.path, CONFIG);
  assert.deepEqual(await run.decide("plan", () => ({ batches: 8 })), { batches: 7 });
});

Deno.test("a file named `stop` asks a run to stop, for as long as it is there", async () => {
  using folder = new TemporaryFolder();
  const stop = join(folder.path, "stop");
  await using run = await openRun(folder.path, CONFIG);
  assert.equal(await run.stopAsked(), false);
  await Deno.writeTextFile(stop, "");
  assert.equal(await run.stopAsked(), true);
  await Deno.remove(stop);
  assert.equal(await run.stopAsked(), false);
});

Deno.test("a run in which nothing was learned gives its name back, one with a checkpoint does not", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "run");
  {
    await using run = await openRun(path, CONFIG);
    await run.decide("plan", () => 3);
    await run.forget();
  }
  await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
  {
    await using run = await openRun(path, { ...CONFIG, seed: 2 });
    await Deno.writeTextFile(join(path, "notes.txt"), "mine");
    await run.forget();
  }
  assert.deepEqual([...Deno.readDirSync(path)].map(({ name }) => name), ["notes.txt"]);
  await using run = await openRun(path, CONFIG);
  await run.save({ tensors: {}, metadata: {}, state: 1 });
  await run.forget();
  assert.equal((await run.checkpoint())?.state, 1);
  assert.ok((await Deno.stat(join(path, "config.json"))).isFile);
});

Deno.test("where nothing can be written, a run says so", async () => {
  await assert.rejects(
    openRun("/sys/flychess-run", CONFIG),
    /Cannot write into \/sys\/flychess-run: .* is wanted/,
  );
});

/** Fills a run's folder in a process whose files may be 8 kB long, as on a full disk: writes fail. */
async function saveOnFullDisk(folder: string, what: string): Promise<string> {
  const url = new URL("../../../lib/training/mod.ts", import.meta.url).href;
  const code = `
    import { openRun } from "${url}";
    await using run = await openRun("${folder}", ${JSON.stringify(CONFIG)});
    try { ${what} } catch (error) { console.log(error.message); }`;
  const script = `${folder}.ts`;
  await Deno.writeTextFile(script, code);
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const { stdout } = await new Deno.Command("bash", {
    args: [
      "-c",
      `trap '' XFSZ; ulimit -f 8; exec '${Deno.execPath()}' run -q --no-check -A --config '${config}' '${script}'`,
    ],
    stderr: "inherit",
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("a full disk is called by its name; the last checkpoint and the log stay whole", async () => {
  using folder = new TemporaryFolder();
  const path = join(folder.path, "run");
  {
    await using run = await openRun(path, CONFIG);
    await run.log("counted", { count: 1 });
    await run.save(checkpointOf(1));
  }
  const large =
    `{ tensors: { numbers: { shape: [9000], data: new Float32Array(9000) } }, metadata: {}, state: 2 }`;
  assert.match(
    await saveOnFullDisk(path, `await run.save(${large});`),
    /Cannot write .*checkpoint.safetensors: file too large/,
  );
  assert.deepEqual((await readCheckpoint(path))?.state, { count: 1 });
  const tooMuch = `for (let i = 0; i < 200; i++) await run.log("counted", { words: "x".repeat(80) });`;
  assert.match(await saveOnFullDisk(path, tooMuch), /Cannot write .*log.jsonl: file too large/);
  assert.ok((await Deno.readTextFile(join(path, "log.jsonl"))).endsWith("}\n"));
  await using run = await openRun(path, CONFIG);
  assert.deepEqual((await run.checkpoint())?.state, { count: 1 });
  await run.save(checkpointOf(2));
});

Deno.test("a run that is killed between its two renames leaves no third name of its checkpoint", async () => {
  using temporary = new TemporaryFolder();
  const folder = temporary.path;
  const path = join(folder, "checkpoint.safetensors"), previous = join(folder, "previous.safetensors");
  await Deno.writeTextFile(path, "one");
  // As after a kill: the second name is there, the new checkpoint is not yet.
  await keepPrevious(path, previous);
  await keepPrevious(path, previous);
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
    "checkpoint.safetensors",
    "previous.safetensors",
  ]);
  assert.equal(await Deno.readTextFile(previous), "one");
});
