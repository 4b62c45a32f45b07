import { cpuUsage } from "node:process";
import { loadConnectome } from "flychess/connectome";
import { type Engine, FlyBrain } from "flychess/brain";
import { randomDrive } from "./_boards.ts";

/** Positions that homeostasis is measured on. */
const CALIBRATION = 256;

/** How fast positions went through a brain. */
export interface Speed {
  /** Positions a second, by the clock. */
  readonly positionsPerSecond: number;
  /** Positions a second of processor time, all threads together. */
  readonly positionsPerCpuSecond: number;
  /** Positions that went through. */
  readonly positions: number;
  /** Seconds it took. */
  readonly seconds: number;
}

/** What to measure. */
export interface ForwardOptions {
  /** Positions a call. */
  readonly batch: number;
  /** Calls go on until so many seconds have passed. */
  readonly seconds: number;
  /** Steps read; the last one by default. */
  readonly steps?: readonly number[];
}

/** A brain ready to be measured, as often as wanted: so that others can be measured in between. */
export interface ForwardBench extends AsyncDisposable {
  /** The brain. */
  readonly brain: FlyBrain;
  /** Measures once. */
  measure(options: ForwardOptions): Promise<Speed>;
}

/** Runs `act` until so many seconds have passed, at least once. */
export async function measureSpeed(
  positions: number,
  seconds: number,
  act: () => Promise<unknown>,
): Promise<Speed> {
  const start = performance.now(), cpu = cpuUsage();
  let done = 0, elapsed = 0;
  do {
    await act();
    done += positions;
    elapsed = (performance.now() - start) / 1000;
  } while (elapsed < seconds);
  const { user, system } = cpuUsage(cpu);
  return {
    positionsPerSecond: done / elapsed,
    positionsPerCpuSecond: done / ((user + system) / 1e6),
    positions: done,
    seconds: elapsed,
  };
}

/**
 * Loads a connectome into an engine and calibrates it.
 *
 * @param connectomePath A `.arrow` file of `saveConnectome`.
 * @param options.engine What runs it; the `wasm` engine by default.
 */
export async function openForward(
  connectomePath: string,
  { engine = "wasm" }: { readonly engine?: "wasm" | Engine } = {},
): Promise<ForwardBench> {
  const connectome = await loadConnectome(connectomePath);
  const brain = await FlyBrain.create(connectome, { engine });
  await brain.calibrate(randomDrive(connectome, CALIBRATION, 1));
  return {
    brain,
    async measure({ batch, seconds, steps = [brain.steps] }) {
      const seen = randomDrive(connectome, batch, 2);
      await brain.read(seen, { steps }); // the first read plans and wakes the workers
      return await measureSpeed(batch, seconds, () => brain.read(seen, { steps }));
    },
    [Symbol.asyncDispose]: () => brain[Symbol.asyncDispose](),
  };
}

/** Measures one brain once; `openForward` is for measuring in turns. */
export async function measureForward(
  connectomePath: string,
  options: ForwardOptions & { readonly engine?: "wasm" | Engine },
): Promise<Speed> {
  await using bench = await openForward(connectomePath, options);
  return await bench.measure(options);
}
