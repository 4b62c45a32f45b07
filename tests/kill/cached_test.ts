import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "../../lib/common/mod.ts";

const PROCESS = fileURLToPath(new URL("./_cached_process.ts", import.meta.url));
/** Kills; a few here, more where FLYCHESS_KILLS asks for them. */
const KILLS = Number(Deno.env.get("FLYCHESS_KILLS") ?? 8);

function start(folder: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", PROCESS, folder],
    stdout: "null",
    stderr: "inherit",
  }).spawn();
}

/** Every file below a folder by its bytes, but for what only says that somebody is there. */
async function filesOf(folder: string, under = ""): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(join(folder, under))) {
    const path = join(under, name);
    if (isDirectory) { for (const [file, text] of await filesOf(folder, path)) files.set(file, text); }
    // What a process was writing when it was killed.
    else if (name.endsWith(".part")) continue;
    // A line says when it was written, too.
    else if (name === "log.jsonl") files.set(path, withoutTimes(await Deno.readTextFile(join(folder, path))));
    else files.set(path, (await Deno.readFile(join(folder, path))).toBase64());
  }
  return files;
}

function withoutTimes(log: string): string {
  return log.replaceAll(/"time":"[^"]*",?/g, "");
}

Deno.test(`a cached run killed ${KILLS} times at random moments ends as if it never was, bit for bit`, async () => {
  const folder = await Deno.makeTempDir();
  try {
    const whole = join(folder, "whole"), killed = join(folder, "killed");
    for (const each of [whole, killed]) await Deno.mkdir(each);
    const started = performance.now();
    assert.ok((await start(whole).status).success);
    const length = performance.now() - started;
    const random = new Random(Number(Deno.env.get("FLYCHESS_SEED") ?? 1), "kills");
    let kills = 0;
    while (kills < KILLS) {
      const process = start(killed);
      const timer = setTimeout(() => process.kill("SIGKILL"), 150 + random.float() * length);
      const { signal } = await process.status;
      clearTimeout(timer);
      if (signal === "SIGKILL") kills++;
      else {
        // Done before it was killed: kill a fresh one.
        assert.deepEqual(await filesOf(killed), await filesOf(whole));
        await Deno.remove(killed, { recursive: true });
        await Deno.mkdir(killed);
      }
    }
    assert.ok((await start(killed).status).success);
    assert.deepEqual(await filesOf(killed), await filesOf(whole));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
