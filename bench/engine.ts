/**
 * `deno task bench`: how fast the wasm engine thinks and learns on this machine, on a model fly and on uniform random
 * wiring of the same size, which no order of the neurons can help. `deno task bench:peers` compares it with other programs.
 *
 * @module
 */
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { writeFileAtomic } from "flychess/common";
import { BrainOptimiser, FlyBrain, wasmEngine } from "flychess/brain";
import { type Connectome, growModelFly, loadConnectome, saveConnectome } from "flychess/connectome";
import { table } from "../cli/_table.ts";
import { measureBandwidth } from "./_bandwidth.ts";
import { randomDrive } from "./_boards.ts";
import { measureSpeed, type Speed } from "./_forward.ts";
import { uniformWiring } from "./_wiring.ts";

const HELP = `Usage: deno task bench [--json FILE] [--quick] [--scale 1] [--seconds 1]

  --json FILE  where the numbers go
  --quick      a model fly of scale 1/8 and fewer measurements: under 50 seconds
  --scale N    how large the model fly is; 1 is MaleCNS's size
  --seconds N  how long each measurement takes at least`;

const BATCHES = [16, 32, 64, 128, 256];
const READS = { "12": [12], "9 to 12": [9, 10, 11, 12] } as const;
const PRECISIONS = ["float32", "int16", "int8"] as const;
const SCALES = [1 / 64, 1 / 16, 1 / 4, 1];
/** Positions that homeostasis is measured on. */
const CALIBRATION = 256;
/** Bytes of a connection in a step: its sender's line, the connection itself, and how many positions share them. */
const MOVED = {
  float32: { line: 64, pair: 8, positions: 16 },
  int16: { line: 64, pair: 8, positions: 32 },
  int8: { line: 16, pair: 5, positions: 16 },
} as const;

interface Row extends Speed {
  readonly what: string;
  readonly precision: typeof PRECISIONS[number];
  readonly batch: number;
}

/** Everything measured on one connectome. */
interface Report {
  readonly name: string;
  readonly neurons: number;
  readonly connections: number;
  readonly createSeconds: number;
  readonly calibrateSeconds: number;
  readonly rows: readonly Row[];
}

interface Plan {
  readonly seconds: number;
  readonly batches: readonly number[];
}

async function seconds<T>(act: () => Promise<T> | T): Promise<[T, number]> {
  const start = performance.now(), result = await act();
  return [result, (performance.now() - start) / 1000];
}

async function measureConnectome(connectome: Connectome, plan: Plan): Promise<Report> {
  const rows: Row[] = [];
  const calibration = randomDrive(connectome, CALIBRATION, 1);
  let created = 0, calibrated = 0;
  for (const precision of PRECISIONS) {
    const [brain, create] = await seconds(() =>
      FlyBrain.create(connectome, { engine: wasmEngine({ precision }) })
    );
    await using _disposed = brain;
    const [, calibrate] = await seconds(() => brain.calibrate(calibration));
    if (precision === "float32") [created, calibrated] = [create, calibrate];
    const add = async (what: string, batch: number, act: () => Promise<unknown>) => {
      await act(); // plans are made and workers woken
      rows.push({ what, precision, batch, ...await measureSpeed(batch, plan.seconds, act) });
    };
    for (const [name, steps] of Object.entries(READS)) {
      for (const batch of plan.batches) {
        const drive = randomDrive(connectome, batch, 2);
        await add(`forward, steps ${name} read`, batch, () => brain.read(drive, { steps }));
      }
    }
    for (const batch of [1, 30]) {
      const drive = randomDrive(connectome, batch, 2);
      await add(batch === 1 ? "one position" : "30 positions", batch, () => brain.read(drive));
    }
    if (precision !== "float32") continue;
    const batch = plan.batches.at(-1)!, drive = randomDrive(connectome, batch, 2);
    const error = new Float32Array(batch * connectome.output.length).fill(1e-6);
    const optimiser = new BrainOptimiser(brain);
    await add("training step", batch, async () => {
      optimiser.step(await brain.backward(drive, error), { synapses: 1e-9, neurons: 1e-9 });
      await brain.update();
    });
  }
  return {
    name: connectome.name,
    neurons: connectome.sign.length,
    connections: connectome.pre.length,
    createSeconds: created,
    calibrateSeconds: calibrated,
    rows,
  };
}

/** Bytes that a position's gathers and connections come to, over all connections and steps, were nothing left out. */
function bytesMoved({ connections }: Report, precision: Row["precision"]): number {
  const { line, pair, positions } = MOVED[precision];
  return 12 * connections * (line + pair) / positions;
}

function describe(report: Report, bandwidth: number): string {
  const count = (value: number) => Math.round(value).toLocaleString("en");
  const body = report.rows.map((row) => [
    row.what,
    row.precision,
    String(row.batch),
    row.positionsPerSecond.toFixed(1),
    row.positionsPerCpuSecond.toFixed(1),
    (1000 * row.batch / row.positionsPerSecond).toFixed(1),
    `${(bytesMoved(report, row.precision) / 1e6).toFixed(0)} MB`,
    `${(100 * row.positionsPerSecond * bytesMoved(report, row.precision) / bandwidth).toFixed(0)} %`,
  ]);
  return [
    `\n${report.name}: ${count(report.neurons)} neurons, ${count(report.connections)} connections`,
    `created in ${report.createSeconds.toFixed(1)} s, calibrated on ${CALIBRATION} positions in ` +
    `${report.calibrateSeconds.toFixed(1)} s`,
    table(
      [
        "What",
        "Precision",
        "Batch",
        "Positions/s",
        "per core-second",
        "ms a batch",
        "Bytes a position",
        "Share of memory's pace",
      ],
      body,
    ),
  ].join("\n");
}

async function measureScales(most: number, plan: Plan): Promise<Record<string, Speed>> {
  const found: Record<string, Speed> = {};
  for (const scale of SCALES.filter((scale) => scale <= most)) {
    const connectome = growModelFly({ scale });
    await using brain = await FlyBrain.create(connectome);
    await brain.calibrate(randomDrive(connectome, 64, 1));
    const drive = randomDrive(connectome, 64, 2);
    await brain.read(drive);
    found[`1/${1 / scale}`] = await measureSpeed(64, plan.seconds, () => brain.read(drive));
  }
  return found;
}

async function loadTime(connectome: Connectome): Promise<number> {
  const folder = await Deno.makeTempDir();
  try {
    await saveConnectome(`${folder}/brain.arrow`, connectome);
    return (await seconds(() => loadConnectome(`${folder}/brain.arrow`)))[1];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: "string" },
      quick: { type: "boolean", default: false },
      scale: { type: "string" },
      seconds: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const [above = 1, below = 1] = (values.scale ?? (values.quick ? "1/8" : "1")).split("/").map(Number);
  const scale = above / below;
  const plan = {
    seconds: Number(values.seconds ?? (values.quick ? 0.3 : 1)),
    batches: values.quick ? [16, 64, 256] : BATCHES,
  };
  const bandwidth = await measureBandwidth();
  const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores`;
  console.log(`${machine}; memory is read at ${(bandwidth / 1e9).toFixed(1)} GB/s by all cores together`);
  const [fly, grown] = await seconds(() => growModelFly({ scale }));
  const loaded = await loadTime(fly);
  console.log(
    `the model fly was grown in ${grown.toFixed(1)} s and is loaded from its file in ${loaded.toFixed(2)} s`,
  );
  const reports: Report[] = [];
  for (const connectome of [fly, uniformWiring(fly, 1)]) {
    reports.push(await measureConnectome(connectome, plan));
    console.log(describe(reports.at(-1)!, bandwidth));
  }
  const peak = Deno.memoryUsage().rss;
  const scales = await measureScales(scale, plan);
  console.log(`\nAs the model fly grows, 64 positions at once:`);
  console.log(table(
    ["Scale", "Positions/s", "per core-second"],
    Object.entries(scales).map(([name, speed]) => [
      name,
      speed.positionsPerSecond.toFixed(1),
      speed.positionsPerCpuSecond.toFixed(1),
    ]),
  ));
  if (values.json === undefined) return;
  const result = {
    command: ["deno task bench", ...Deno.args].join(" "),
    machine,
    date: new Date().toISOString().slice(0, 10),
    bandwidth,
    growSeconds: grown,
    loadSeconds: loaded,
    memoryBytes: peak,
    reports,
    scales,
  };
  await writeFileAtomic(values.json, JSON.stringify(result, null, 2) + "\n");
}

if (import.meta.main) await main();
