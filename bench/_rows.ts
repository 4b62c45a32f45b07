import { BrainOptimiser, FlyBrain, wasmEngine } from "flychess/brain";
import type { Connectome } from "flychess/connectome";
import { table } from "../cli/_table.ts";
import type { Precision } from "./_alone.ts";
import { randomDrive } from "./_boards.ts";
import { measureSpeed, type Speed } from "./_forward.ts";
import { type Traffic, trafficOf } from "./_traffic.ts";

/** What is read, by the name that it has in the table. */
const READS = { "12": [12], "9 to 12": [9, 10, 11, 12] } as const;
/** The engine's arithmetics. */
export const PRECISIONS: readonly Precision[] = ["float32", "int16", "int8"];
/** Positions that homeostasis is measured on. */
const CALIBRATION = 256;

/** One measurement. */
export interface Row extends Speed {
  /** What was done. */
  readonly what: string;
  /** In which arithmetic. */
  readonly precision: Precision;
  /** Positions at once. */
  readonly batch: number;
  /** Bytes that a position moves; not worked out for the training step. */
  readonly traffic: Traffic | null;
}

/** Everything measured on one connectome. */
export interface Report {
  /** The connectome's name. */
  readonly name: string;
  /** Its neurons. */
  readonly neurons: number;
  /** Its connections. */
  readonly connections: number;
  /** Seconds to make a float32 brain and load it into the engine. */
  readonly createSeconds: number;
  /** Seconds to calibrate it on 256 positions. */
  readonly calibrateSeconds: number;
  /** The measurements. */
  readonly rows: readonly Row[];
}

/** How long and how much to measure. */
export interface Plan {
  /** Each measurement takes at least so many seconds. */
  readonly seconds: number;
  /** Positions at once. */
  readonly batches: readonly number[];
}

/** A promise's value and the seconds it took. */
export async function seconds<T>(act: () => Promise<T> | T): Promise<[T, number]> {
  const start = performance.now(), result = await act();
  return [result, (performance.now() - start) / 1000];
}

/** Measures the engine on a connectome. */
export async function measureConnectome(connectome: Connectome, plan: Plan): Promise<Report> {
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
    const add = async (what: string, batch: number, traffic: Traffic | null, act: () => Promise<unknown>) => {
      await act(); // plans are made and workers woken
      rows.push({ what, precision, batch, traffic, ...await measureSpeed(batch, plan.seconds, act) });
    };
    const read = async (what: string, batch: number, steps: readonly number[]) => {
      const drive = randomDrive(connectome, batch, 2);
      const traffic = trafficOf(connectome, precision, steps, batch);
      await add(what, batch, traffic, () => brain.read(drive, { steps }));
    };
    for (const [name, steps] of Object.entries(READS)) {
      for (const batch of plan.batches) await read(`forward, steps ${name} read`, batch, steps);
    }
    await read("one position", 1, [12]);
    await read("30 positions", 30, [12]);
    if (precision !== "float32") continue;
    const batch = plan.batches.at(-1)!, drive = randomDrive(connectome, batch, 2);
    const error = new Float32Array(batch * connectome.output.length).fill(1e-6);
    const optimiser = new BrainOptimiser(brain);
    await add("training step", batch, null, async () => {
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

/**
 * The report as text.
 *
 * @param bandwidth Bytes a second that all cores together read from memory.
 */
export function describe(report: Report, bandwidth: number): string {
  const megabytes = (bytes: number | undefined) =>
    bytes === undefined ? "" : `${(bytes / 1e6).toFixed(0)} MB`;
  const share = ({ traffic, positionsPerSecond }: Row) =>
    traffic === null ? "" : `${(100 * positionsPerSecond * traffic.streamed / bandwidth).toFixed(0)} %`;
  const body = report.rows.map((row) => [
    row.what,
    row.precision,
    String(row.batch),
    row.positionsPerSecond.toFixed(1),
    row.positionsPerCpuSecond.toFixed(1),
    (1000 * row.batch / row.positionsPerSecond).toFixed(1),
    megabytes(row.traffic?.gathered),
    megabytes(row.traffic?.streamed),
    share(row),
  ]);
  const head = ["What", "Precision", "Batch", "Positions/s", "per core-second", "ms a batch"];
  const count = (value: number) => value.toLocaleString("en");
  return [
    `\n${report.name}: ${count(report.neurons)} neurons, ${count(report.connections)} connections`,
    `created in ${report.createSeconds.toFixed(1)} s, calibrated on ${CALIBRATION} positions in ` +
    `${report.calibrateSeconds.toFixed(1)} s`,
    table([...head, "Bytes a position", "past the cache", "Share of memory's pace"], body),
  ].join("\n");
}
