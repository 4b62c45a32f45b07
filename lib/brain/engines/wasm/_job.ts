import type { Kernels } from "./_instantiate.ts";
import type { ByteCalibrationLayout, ByteLayout } from "./_byte_layout.ts";
import { type ByteCalibrateJob, type ByteJob, byteStep, calibrateBytes } from "./_byte_step.ts";
import { type BackJob, backStep, startBack, type SumJob, sumStep } from "./_back_step.ts";
import type { CalibrationLayout } from "./_calibration_layout.ts";
import { CONTROL, LINE_BYTES, type ThinkLayout } from "./_layout.ts";
import { type DarkJob, darkStep, type NarrowJob, narrowStep } from "./_narrow_step.ts";
import { type ThinkJob, thinkStep, tilesOf } from "./_think_step.ts";

/** Rows that a worker settles at once while calibrating: some milliseconds of work. */
const CHUNK_ROWS = 4096;

/** Half a calibration step; all workers get the same job and take chunks until there are none. */
export interface CalibrateJob {
  readonly kind: "calibrate";
  /** First u of all positions, then the means, deviations and rates that follow from it. */
  readonly half: "inputs" | "rates";
  /** The step, from 1. */
  readonly step: number;
  /** How many pieces the bands of tiles are cut into, for the inputs. */
  readonly parts: number;
  /** Smallest sigma. */
  readonly floor: number;
  /** Whether an input that does not move gets sigma 1. */
  readonly calm: boolean;
}

/** A piece of work for one worker. */
export type Job =
  | ThinkJob
  | NarrowJob
  | DarkJob
  | BackJob
  | SumJob
  | CalibrateJob
  | ByteJob
  | ByteCalibrateJob;

/** A memory with the kernels on it. */
export interface Room {
  readonly memory: WebAssembly.Memory;
  readonly kernels: Kernels;
  readonly think?: ThinkLayout | undefined;
  readonly calibration?: CalibrationLayout | undefined;
  readonly bytes?: ByteLayout | undefined;
  readonly byteCalibration?: ByteCalibrationLayout | undefined;
}

/** Does a job, and stops for breath between steps or chunks. It ends early when the control block says stop. */
export function* work(room: Room, job: Job): Generator<void, void> {
  const control = new Int32Array(room.memory.buffer, 0, 2);
  if (job.kind === "calibrate") {
    if (room.calibration === undefined) throw new Error("Cannot calibrate: there is no memory for it");
    yield* calibrateStep(room.kernels, room.memory, room.calibration, job, control);
    return;
  }
  if (job.kind === "calibrate bytes") {
    if (room.byteCalibration === undefined) throw new Error("Cannot calibrate: there is no memory for it");
    yield* calibrateBytes(room.kernels, room.memory, room.byteCalibration, job);
    return;
  }
  if (job.kind === "bytes") {
    if (room.bytes === undefined) throw new Error("Cannot think: there is no memory for it");
    for (let step = job.first; step <= job.last && Atomics.load(control, CONTROL.stop) === 0; step++) {
      byteStep(room.kernels, room.memory, room.bytes, job, step);
      yield;
    }
    return;
  }
  if (room.think === undefined) throw new Error("Cannot think: there is no memory for it");
  const { kernels, memory, think: layout } = room;
  const stopped = () => Atomics.load(control, CONTROL.stop) !== 0;
  if (job.kind === "back") {
    startBack(memory, layout, job);
    for (let step = job.last; step > job.last - job.window && !stopped(); step--) {
      backStep(kernels, memory, layout, job, step);
      yield;
    }
    return;
  }
  if (job.kind === "sum") return sumStep(kernels, layout, job);
  if (job.kind === "narrow") return narrowStep(kernels, memory, layout, job);
  for (let step = job.kind === "dark" ? 1 : job.first; step <= job.last && !stopped(); step++) {
    if (job.kind === "dark") darkStep(kernels, layout, step);
    else thinkStep(kernels, memory, layout, job, step);
    yield;
  }
}

function* calibrateStep(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: CalibrationLayout,
  { half, step, parts, floor, calm }: CalibrateJob,
  control: Int32Array,
): Generator<void, void> {
  const { neurons, lines, positions, place, gain, bias, mean, spread, leak } = layout;
  const stride = neurons * LINE_BYTES;
  const chunks = half === "inputs" ? lines * parts : Math.ceil(neurons / CHUNK_ROWS);
  while (Atomics.load(control, CONTROL.stop) === 0) {
    const chunk = Atomics.add(control, CONTROL.nextChunk, 1);
    if (chunk >= chunks) return;
    if (half === "inputs") {
      addInputs(kernels, memory, layout, {
        line: Math.floor(chunk / parts),
        part: chunk % parts,
        parts,
        step,
      });
    } else {
      const row = chunk * CHUNK_ROWS, endRow = Math.min(row + CHUNK_ROWS, neurons);
      const numbers = [row, endRow, stride, positions, gain, bias, mean, spread, floor, calm, leak] as const;
      if (layout.short) {
        kernels.settleShort(...numbers, layout.rates, layout.inputs, layout.units, place, layout.drive);
      } else {
        kernels.settle(...numbers, layout.rates, layout.inputs);
      }
    }
    yield;
  }
}

/** Inputs of a line of positions, for a part of the bands: tile by tile, as a think adds them up. */
function addInputs(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: CalibrationLayout,
  { line, part, parts, step }: { line: number; part: number; parts: number; step: number },
): void {
  const { neurons, place, short, tiling: { bands, receivers } } = layout, state = line * neurons * LINE_BYTES;
  const rates = layout.rates + state, inputs = layout.inputs + state;
  const first = Math.floor(part * bands / parts), end = Math.floor((part + 1) * bands / parts);
  for (const { column, band, start, end: tileEnd } of tilesOf(memory, layout)) {
    if (band < first || band >= end) continue;
    const from = band * receivers, to = Math.min(from + receivers, neurons);
    if (column === 0) {
      // What the eye adds to numbers of 16 bits comes later, in `settleShort`.
      if (short) kernels.begin(from, to, 0, 0, 0, inputs);
      else kernels.beginDriven(from, to, place, layout.drive + line * LINE_BYTES, inputs);
    }
    // Before the first step all rates are 0.
    if (step === 1) continue;
    if (short) kernels.addShortTile(start, tileEnd, rates, inputs);
    else kernels.addTile(start, tileEnd, rates, inputs);
  }
}
