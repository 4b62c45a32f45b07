/**
 * Work whose memory is measured in a process of its own: `deno run -A bench/_alone.ts JOB` with a job as JSON; it prints
 * what it came to, as JSON.
 */
import { resourceUsage } from "node:process";
import { fileURLToPath } from "node:url";
import { FlyBrain, wasmEngine } from "flychess/brain";
import { buildMaleCns, loadConnectome, saveConnectome } from "flychess/connectome";
import { randomDrive } from "./_boards.ts";
import type { TableSet } from "./_table_set.ts";

/** Positions that homeostasis is measured on. */
const CALIBRATION = 256;
/** Positions that the frozen brain thinks about at once. */
const THOUGHT = 256;

/** What to do. */
export type Job =
  /** Nothing: what the program itself takes. */
  | { readonly do: "nothing" }
  /** Loads a connectome file. */
  | { readonly do: "load"; readonly connectome: string }
  /** Builds a connectome file from tables and saves it. */
  | { readonly do: "build"; readonly tables: TableSet; readonly out: string }
  /** Measures homeostasis and saves it, the mean and the spread as float64. */
  | {
    readonly do: "calibrate";
    readonly precision: Precision;
    readonly connectome: string;
    readonly homeostasis: string;
  }
  /** Loads a connectome and its homeostasis into the engine and thinks about 256 positions, twice. */
  | {
    readonly do: "forward";
    readonly precision: Precision;
    readonly connectome: string;
    readonly homeostasis: string;
  };

/** An arithmetic of the engine. */
export type Precision = "float32" | "int16" | "int8";

/** What a job came to. */
export interface Spent {
  /** Seconds by the clock, without the start of the process. */
  readonly seconds: number;
  /** The most memory that the process ever held, in bytes. */
  readonly peakBytes: number;
}

async function load(path: string, precision: Precision): Promise<FlyBrain> {
  return await FlyBrain.create(await loadConnectome(path), { engine: wasmEngine({ precision }) });
}

async function work(job: Job): Promise<void> {
  if (job.do === "load") {
    await loadConnectome(job.connectome);
  } else if (job.do === "build") {
    const { connectome } = await buildMaleCns(job.tables);
    await saveConnectome(job.out, connectome);
  } else if (job.do === "calibrate") {
    await using brain = await load(job.connectome, job.precision);
    const { mean, spread } = await brain.calibrate(randomDrive(brain.connectome, CALIBRATION, 1));
    const both = new Float64Array(mean.length + spread.length);
    both.set(mean);
    both.set(spread, mean.length);
    await Deno.writeFile(job.homeostasis, new Uint8Array(both.buffer));
  } else if (job.do === "forward") {
    await using brain = await load(job.connectome, job.precision);
    const both = new Float64Array((await Deno.readFile(job.homeostasis)).buffer), half = both.length / 2;
    await brain.setHomeostasis({ mean: both.subarray(0, half), spread: both.subarray(half) });
    const drive = randomDrive(brain.connectome, THOUGHT, 2);
    for (let turn = 0; turn < 2; turn++) await brain.read(drive);
  }
}

/** The most memory that this process ever held. */
function peak(): number {
  try {
    // What Linux calls the largest resident set of a process may be its parent's; this line is always its own.
    const [, kilobytes] = /VmHWM:\s*(\d+) kB/.exec(Deno.readTextFileSync("/proc/self/status"))!;
    return Number(kilobytes) * 1024;
  } catch {
    return resourceUsage().maxRSS * 1024; // kilobytes on every system
  }
}

/** Does a job in a process of its own. */
export async function alone(job: Job): Promise<Spent> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "-q", fileURLToPath(import.meta.url), JSON.stringify(job)],
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`Cannot measure '${job.do}': its process ended with ${code}, 0 is wanted`);
  return JSON.parse(new TextDecoder().decode(stdout)) as Spent;
}

if (import.meta.main) {
  const start = performance.now();
  await work(JSON.parse(Deno.args[0]!) as Job);
  const seconds = (performance.now() - start) / 1000;
  const spent: Spent = { seconds, peakBytes: peak() };
  console.log(JSON.stringify(spent));
}
