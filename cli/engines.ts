import {
  chooseEngine,
  type Engine,
  findWebgpu,
  FlyBrain,
  referenceEngine,
  tensorflowEngine,
  wasmEngine,
  webgpuEngine,
} from "../lib/brain/mod.ts";
import { type Board, boardBits, legalMoves, parseFen, playMove, START_FEN } from "../lib/chess/mod.ts";
import { Random } from "../lib/common/mod.ts";
import { type Connectome, growModelFly } from "../lib/connectome/mod.ts";
import { type Drive, drive, eyeFor } from "../lib/eye/mod.ts";
import { type Command, readNumber, readOptions } from "./_command.ts";
import { interruptSignal } from "./_progress.ts";
import { table } from "./_table.ts";

/** Positions that are thought about at once, and calibrated on. */
const POSITIONS = 64;
/** What one engine did. */
interface Measurement {
  /** Median of one position at a time. */
  readonly oneMilliseconds: number;
  /** With 64 at a time. */
  readonly positionsPerSecond: number;
  readonly rates: Float32Array;
}

/** `fly engines` */
export const command: Command = {
  name: "engines",
  summary: "list what can run a brain on this machine, with a short measurement of each",
  help: `
Usage: deno task fly engines [--seconds 1]

Lists the engines and how each would run on this machine, and lets each think about positions with a model fly of
scale 1/32 (a brain grown by a seeded program): one position at a time, and 64 at a time. Says which one
engine: "auto" picks and why. Takes about ten seconds.

  --seconds N   how long each of the two measurements of an engine goes on (1)

Example: deno task fly engines`,

  async run(args) {
    const { values } = readOptions(args, { seconds: { type: "string", default: "1" } });
    const patience = 1000 * readNumber("seconds", values.seconds, { least: 0, most: 3600 });
    const signal = interruptSignal();
    await using _quiet = await quietDrivers();
    const connectome = growModelFly({ scale: 1 / 32, seed: 1 }, { signal });
    const boards = randomBoards(2 * POSITIONS);
    const eye = eyeFor(connectome, "auto");
    const half = 96 * POSITIONS;
    const shown = { calibration: drive(eye, boards.slice(0, half)), boards: drive(eye, boards.slice(half)) };

    const neurons = connectome.sign.length.toLocaleString("en-US");
    const connections = connectome.pre.length.toLocaleString("en-US");
    console.log(
      `Measured on a model fly (scale 1/32): ${neurons} neurons, ${connections} connections, 12 steps.\n`,
    );

    // Before anything looks for a GPU: TensorFlow cannot be loaded after Mesa's drivers.
    const tensorflow = await Promise.allSettled([Promise.resolve().then(() => tensorflowEngine())]);
    const gpu = await findWebgpu();
    const engines: [name: string, make: () => Promise<Engine>][] = [
      ["reference", () => Promise.resolve(referenceEngine())],
      ["wasm", () => Promise.resolve(wasmEngine())],
      ["webgpu", () => webgpuEngine()],
      [
        "tensorflow",
        () => {
          const [made] = tensorflow;
          return made.status === "fulfilled" ? Promise.resolve(made.value) : Promise.reject(made.reason);
        },
      ],
    ];
    const rows: string[][] = [], notes: string[][] = [];
    let truth: Float32Array | undefined;
    for (const [name, make] of engines) {
      signal.throwIfAborted();
      try {
        const engine = await make();
        const found = await measure(engine, connectome, { ...shown, patience });
        truth ??= found.rates;
        rows.push([
          name,
          found.oneMilliseconds.toLocaleString("en-US", { maximumSignificantDigits: 3 }),
          found.positionsPerSecond.toLocaleString("en-US", { maximumSignificantDigits: 3 }),
          found.rates === truth ? "" : largestDifference(found.rates, truth).toExponential(0),
        ]);
        notes.push([name, engine.description]);
      } catch (error) {
        rows.push([name, "not here", "", ""]);
        notes.push([name, error instanceof Error ? error.message : String(error)]);
      }
    }
    console.log(table(
      ["engine", "one position, ms", `${POSITIONS} at once, positions a second`, "rates off reference by"],
      rows,
    ));
    console.log("");
    for (const [name, note] of notes) console.log(`${name!.padEnd(10)}  ${note}`);
    if (gpu !== null) {
      const kind = gpu.software ? "a driver that computes on the CPU, right but slow" : "a GPU";
      console.log(`\nThe WebGPU adapter ${gpu.name} is ${kind}; half precision: ${gpu.half ? "yes" : "no"}.`);
    }
    console.log(`\nengine: "auto" picks ${(await chooseEngine({ engine: "auto" })).description}.`);
  },
};

/** Mesa's drivers complain on the error stream where no desktop has named this folder; they leave it empty. */
async function quietDrivers(): Promise<AsyncDisposable> {
  const name = "XDG_RUNTIME_DIR";
  if (Deno.build.os !== "linux" || Deno.env.has(name)) {
    return { [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const folder = await Deno.makeTempDir({ prefix: "flychess-" });
  Deno.env.set(name, folder);
  return {
    [Symbol.asyncDispose]: async () => {
      Deno.env.delete(name);
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Loads, calibrates, and thinks for a while. */
async function measure(
  engine: Engine,
  connectome: Connectome,
  { calibration, boards, patience }: {
    readonly calibration: Drive;
    readonly boards: Drive;
    readonly patience: number;
  },
): Promise<Measurement> {
  await using brain = await FlyBrain.create(connectome, { engine });
  await brain.calibrate(calibration);
  const one = {
    positions: 1,
    start: boards.start.slice(0, 2),
    neuron: boards.neuron.slice(0, boards.start[1]!),
  };
  const rates = await brain.read(boards);
  await brain.read(one);
  return {
    oneMilliseconds: await median(patience, () => brain.read(one)),
    positionsPerSecond: 1000 * POSITIONS / await median(patience, () => brain.read(boards)),
    rates,
  };
}

/** Median time of a think in milliseconds, over as many as fit into that many milliseconds. */
async function median(patience: number, think: () => Promise<unknown>): Promise<number> {
  const times: number[] = [], end = performance.now() + patience;
  do {
    const started = performance.now();
    await think();
    times.push(performance.now() - started);
  } while (performance.now() < end);
  times.sort((a, b) => a - b);
  return times[times.length >> 1]!;
}

/** Positions 8 to 40 random moves from the start, as bits. */
function randomBoards(count: number): Uint8Array {
  const random = new Random(1, "boards"), bits = new Uint8Array(96 * count);
  for (let i = 0; i < count; i++) {
    let board: Board = parseFen(START_FEN);
    for (let ply = 8 + random.int(33); ply > 0; ply--) {
      const moves = legalMoves(board);
      if (moves.length === 0) break;
      board = playMove(board, moves[random.int(moves.length)]!);
    }
    bits.set(boardBits(board), 96 * i);
  }
  return bits;
}

function largestDifference(a: Float32Array, b: Float32Array): number {
  return a.reduce((largest, rate, i) => Math.max(largest, Math.abs(rate - b[i]!)), 0);
}
