import assert from "node:assert/strict";
import { join } from "node:path";
import { digest, Random } from "../../lib/common/mod.ts";

/** Something that goes on where it was when it is started again, and so may be killed. */
export interface Killable {
  /** Its name: what `deno task test:kill` prints. */
  readonly name: string;
  /** What comes after `deno`, for work in this folder; where there is nothing yet it begins. */
  readonly args: (folder: string) => readonly string[];
  /** Where it runs; by default where the test does. */
  readonly cwd?: (folder: string) => string;
  /** Files that may differ between two runs that end alike; logs are compared without their times. */
  readonly mayDiffer?: RegExp;
  /** Events that its log may tell of at every start. */
  readonly mayRepeat?: readonly string[];
}

/** What came of the kills. */
export interface KillReport {
  /** SHA-256 of all that an uninterrupted run leaves, and every killed one too. */
  readonly digest: string;
  /** Kills that hit a living process. */
  readonly kills: number;
  /** How often a killed run came to its end. */
  readonly ends: number;
  /** What the log said last when a kill hit, and how often. */
  readonly moments: ReadonlyMap<string, number>;
}

/** What a killed process leaves beside its results. */
const REMAINS = /\.part$|(^|\/)lock$|(^|\/)checkpoint\.previous\.safetensors$/;
/** Fields of a log's line that tell of time, and lines that come with time. */
const TIMES = /^(time|.*[sS]econds.*)$/, TIMED = new Set(["checkpoint", "status", "progress"]);

/**
 * Kills a piece of work with kill -9 at random moments and starts it again, over and over, and holds what it leaves each time
 * it comes to its end against what an uninterrupted run leaves.
 *
 * @throws {assert.AssertionError} If a byte differs, a line of the log is missing or stands twice, or it fails.
 */
export async function killAtRandomMoments(
  work: Killable,
  { kills, seed, folder, onKill }: {
    /** How many. */
    readonly kills: number;
    /** Seed of the moments. */
    readonly seed: number;
    /** An empty folder. */
    readonly folder: string;
    /** Told of every kill. */
    readonly onKill?: (kills: number, moment: string) => void;
  },
): Promise<KillReport> {
  const whole = join(folder, "whole"), killed = join(folder, "killed");
  const started = performance.now();
  await toItsEnd(work, whole);
  const length = performance.now() - started;
  const wanted = await leftovers(whole, work);
  const random = new Random(seed, `kills, ${work.name}`), moments = new Map<string, number>();
  let done = 0, ends = 0;
  const compare = async () => {
    const found = await leftovers(killed, work);
    assert.deepEqual([...found.keys()], [...wanted.keys()], `${work.name}: other files after ${done} kills`);
    for (const [path, content] of wanted) {
      assert.equal(found.get(path), content, `${work.name}: ${path} differs after ${done} kills`);
    }
    ends++;
  };
  while (done < kills) {
    await Deno.mkdir(killed, { recursive: true });
    const process = spawn(work, killed);
    const output = process.output();
    const timer = setTimeout(() => {
      try {
        process.kill("SIGKILL");
      } catch (error) {
        // It ended by itself a moment ago, and nobody has been told yet.
        if (!(error instanceof TypeError)) throw error;
      }
    }, random.float() * length);
    const { signal, success, stderr } = await output;
    clearTimeout(timer);
    if (signal === "SIGKILL") {
      done++;
      const moment = await lastEvent(killed) ??
        `with ${await countFiles(killed)} files, before its log said anything`;
      moments.set(moment, (moments.get(moment) ?? 0) + 1);
      onKill?.(done, moment);
      continue;
    }
    assert.ok(success, `${work.name} fails after ${done} kills: ${new TextDecoder().decode(stderr)}`);
    // Done before it was hit: the next kills hit a new one.
    await compare();
    await Deno.remove(killed, { recursive: true });
  }
  await toItsEnd(work, killed);
  await compare();
  return { digest: digest([...wanted].flat()), kills: done, ends, moments };
}

function spawn(work: Killable, folder: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [...work.args(folder)],
    ...work.cwd ? { cwd: work.cwd(folder) } : {},
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

async function toItsEnd(work: Killable, folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const { success, stderr } = await spawn(work, folder).output();
  assert.ok(success, `${work.name} fails: ${new TextDecoder().decode(stderr)}`);
}

/** Every file below a folder by its SHA-256, logs without times, in the order of their names. */
async function leftovers(
  folder: string,
  { mayDiffer, mayRepeat = [] }: Killable,
): Promise<Map<string, string>> {
  const files: [string, string][] = [];
  const walk = async (under: string) => {
    for await (const { name, isDirectory } of Deno.readDir(join(folder, under))) {
      const path = join(under, name);
      if (isDirectory) await walk(path);
      else if (name === "log.jsonl") files.push([path, await logOf(join(folder, path), mayRepeat)]);
      else if (!REMAINS.test(path) && !mayDiffer?.test(path)) {
        files.push([path, digest([await Deno.readFile(join(folder, path))])]);
      }
    }
  };
  await walk("");
  return new Map(files.sort(([a], [b]) => a < b ? -1 : 1));
}

async function logOf(path: string, mayRepeat: readonly string[]): Promise<string> {
  return (await Deno.readTextFile(path)).trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ event }) => !TIMED.has(event) && !mayRepeat.includes(event))
    .map((line) =>
      JSON.stringify(Object.fromEntries(Object.entries(line).filter(([name]) => !TIMES.test(name))))
    )
    .join("\n");
}

/** What the log said last; the run may have died in the middle of a line. */
async function lastEvent(folder: string): Promise<string | undefined> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory && name !== "snapshots" && name !== "probe") {
      const found = await lastEvent(join(folder, name));
      if (found !== undefined) return found;
    }
    if (name !== "log.jsonl") continue;
    const lines = (await Deno.readTextFile(join(folder, name))).split("\n").slice(0, -1).reverse();
    for (const line of lines) {
      const event = String(JSON.parse(line).event);
      if (!TIMED.has(event)) return `after '${event}'`;
    }
  }
  return undefined;
}

async function countFiles(folder: string): Promise<number> {
  let count = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    count += isDirectory ? await countFiles(join(folder, name)) : 1;
  }
  return count;
}
