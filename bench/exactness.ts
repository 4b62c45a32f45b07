/**
 * Whether float32 in WebAssembly is exact enough: the move probabilities of 1,000 positions beside those of the float64
 * reference engine, each engine with the homeostasis that it measured itself. The reference takes a processor's second
 * or two a position, so that its rates are kept in a folder, a few positions a file, and a run that was stopped goes on.
 *
 * @module
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { writeFileAtomic } from "flychess/common";
import { type Connectome, connectomeDigest, growModelFly } from "flychess/connectome";
import { shippedPositions } from "flychess/data";
import { drive, eyeFor } from "flychess/eye";
import { FlyBrain, type Homeostasis, referenceEngine, wasmEngine } from "flychess/brain";
import { denseFeatures, fitProbe } from "flychess/readout";
import { CHUNK, type ExactAnswer, type ExactRequest, STEPS } from "./_exact_worker.ts";
import { compare, type Effect } from "./precision.ts";

const HELP = `Usage: deno run -A bench/exactness.ts [--scale 1] [--positions 1000] [--json FILE]

  --scale N      how large the model fly is; 1 is MaleCNS's size
  --positions N  HOLD positions that both engines think about
  --fit N        positions that the readout is fitted on (6144)
  --calm         inputs that no board moves get sigma 1, as fly train --calm-unreached has it
  --workers N    threads of the reference engine (one a core)
  --work FOLDER  where its rates are kept (data/exactness); a stopped run goes on from there
  --json FILE    where the result goes`;

/** Positions that homeostasis is measured on. */
const CALIBRATION = 256;
/** How far a move's probability may be from the reference's. */
const NEAR = 1e-4;
/** What is read: the last step, or the mean of the last four. */
const READS = { "12": [12], "9 to 12": STEPS } as const;

/** What decides the reference's rates. */
interface Question {
  readonly scale: number;
  readonly calm: boolean;
  readonly connectome: string;
  readonly positions: string;
}

interface Settings {
  readonly question: Question;
  readonly work: string;
  readonly workers: number;
}

function range(from: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => from + i);
}

/** Reads what an earlier run left in a file, or makes it and leaves it there. */
async function kept(path: string, make: () => Promise<Float64Array>): Promise<Float64Array> {
  try {
    return new Float64Array((await Deno.readFile(path)).buffer);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const made = await make();
  await writeFileAtomic(path, new Uint8Array(made.buffer, made.byteOffset, made.byteLength));
  return made;
}

/** Opens the folder of kept rates; what another question left there is refused. */
async function openWork(work: string, question: Question): Promise<void> {
  const path = `${work}/question.json`, text = JSON.stringify(question, null, 2) + "\n";
  await Deno.mkdir(work, { recursive: true });
  const found = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  });
  if (found === undefined) return await writeFileAtomic(path, text);
  if (found !== text) {
    throw new Error(`Cannot go on: ${work} holds rates of another question, remove it first`);
  }
}

/** The reference's own homeostasis. */
async function calibrateReference(
  connectome: Connectome,
  calibration: ReturnType<typeof drive>,
  { question: { calm }, work }: Settings,
): Promise<Homeostasis> {
  const both = await kept(`${work}/homeostasis.f64`, async () => {
    await using brain = await FlyBrain.create(connectome, { engine: referenceEngine() });
    const { mean, spread } = await brain.calibrate(calibration, {
      calm,
      onProgress: ({ done, total }) => console.error(`the reference calibrates: step ${done} of ${total}`),
    });
    return join(mean, spread);
  });
  const half = both.length / 2;
  return { mean: both.subarray(0, half), spread: both.subarray(half) };
}

function join(first: ArrayLike<number>, second: ArrayLike<number>): Float64Array {
  const both = new Float64Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The reference's rates of the first positions after each of `STEPS`, `[positions][STEPS][outputs]`. */
async function referenceRates(
  positions: number,
  homeostasis: Homeostasis,
  { question: { scale }, work, workers }: Settings,
): Promise<Float64Array> {
  const chunks = Math.ceil(positions / CHUNK), parts: Float64Array[] = Array(chunks);
  let next = 0, done = 0;
  const hand = async () => {
    const worker = new Worker(new URL("_exact_worker.ts", import.meta.url), { type: "module" });
    const ask = (request: ExactRequest) =>
      new Promise<ExactAnswer>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<ExactAnswer>) => resolve(data);
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error(event.message));
        };
        worker.postMessage(request);
      });
    let ready = false;
    try {
      while (next < chunks) {
        const chunk = next++, first = chunk * CHUNK, count = Math.min(CHUNK, positions - first);
        parts[chunk] = await kept(`${work}/rates_${first}_${count}.f64`, async () => {
          if (!ready) await ask({ scale, homeostasis });
          ready = true;
          const rates = await ask({ first, count });
          if (rates === null) throw new Error("Cannot think: the worker gave no rates");
          return rates;
        });
        done += count;
        console.error(`the reference has thought about ${done} of ${positions} positions`);
      }
    } finally {
      worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: workers }, hand));
  return parts.reduce((all, part) => join(all, part), new Float64Array(0));
}

/** The mean of some of `STEPS`, `[positions][outputs]`. */
function meanOf(rates: Float64Array, steps: readonly number[], outputs: number): Float64Array {
  const positions = rates.length / STEPS.length / outputs, mean = new Float64Array(positions * outputs);
  for (let position = 0; position < positions; position++) {
    for (const step of steps) {
      const at = (position * STEPS.length + STEPS.indexOf(step)) * outputs;
      for (let i = 0; i < outputs; i++) mean[position * outputs + i]! += rates[at + i]! / steps.length;
    }
  }
  return mean;
}

/** Compares the two engines. */
export async function measureExactness(
  options: {
    readonly scale: number;
    readonly positions: number;
    readonly fit: number;
    readonly calm: boolean;
    readonly workers: number;
    readonly work: string;
  },
): Promise<Question & { readonly near: number; readonly effects: Record<string, Effect> }> {
  const { scale, calm, workers, work } = options;
  const positions = await shippedPositions(), connectome = growModelFly({ scale }), eye = eyeFor(connectome);
  const question = { scale, calm, connectome: connectomeDigest(connectome), positions: positions.digest };
  await openWork(work, question);
  const settings = { question, work, workers };
  const first = positions.hold + positions.val, outputs = connectome.output.length;
  const calibration = drive(eye, positions.board, { rows: range(first, CALIBRATION) });
  const rows = range(0, Math.min(options.positions, positions.hold));
  const train = range(first, Math.min(options.fit, positions.count - first));
  const both = Int32Array.of(...rows, ...train);

  const homeostasis = await calibrateReference(connectome, calibration, settings);
  const truth = await referenceRates(rows.length, homeostasis, settings);
  await using brain = await FlyBrain.create(connectome, { engine: wasmEngine() });
  await brain.calibrate(calibration, { calm });
  const seen = drive(eye, positions.board, { rows: both }), effects: Record<string, Effect> = {};
  for (const [name, steps] of Object.entries(READS)) {
    const rates = await brain.read(seen, { steps });
    const readout = await fitProbe(denseFeatures(rates, outputs, { rows: both }), positions, train);
    const found = rates.subarray(0, rows.length * outputs);
    effects[name] = compare(readout, [meanOf(truth, steps, outputs), found], positions, rows);
  }
  return { ...question, near: NEAR, effects };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      scale: { type: "string", default: "1" },
      positions: { type: "string", default: "1000" },
      fit: { type: "string", default: "6144" },
      calm: { type: "boolean", default: false },
      workers: { type: "string", default: String(availableParallelism()) },
      work: { type: "string", default: "data/exactness" },
      json: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    Deno.exit();
  }
  const [above, below = 1] = values.scale.split("/").map(Number);
  const result = await measureExactness({
    scale: above! / below,
    positions: Number(values.positions),
    fit: Number(values.fit),
    calm: values.calm,
    workers: Number(values.workers),
    work: values.work,
  });
  for (const [name, effect] of Object.entries(result.effects)) {
    const { positions, largestRate, largestProbability, sameFavourite } = effect;
    console.log(
      `steps ${name} read, ${positions.toLocaleString("en")} positions: a move's probability is at most ` +
        `${largestProbability.toExponential(1)} from the reference's (${NEAR} is wanted), a rate ` +
        `${largestRate.toExponential(1)}; ${(100 * sameFavourite).toFixed(2)} % have the same favourite`,
    );
  }
  if (values.json !== undefined) {
    const command = ["deno run -A bench/exactness.ts", ...Deno.args].join(" ");
    await writeFileAtomic(values.json, JSON.stringify({ command, ...result }, null, 2) + "\n");
  }
  if (Object.values(result.effects).some(({ largestProbability }) => !(largestProbability <= NEAR))) {
    Deno.exit(1);
  }
}
