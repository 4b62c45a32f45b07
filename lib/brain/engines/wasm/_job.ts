import type { Kernels } from "./_instantiate.ts";
import { areaParts, type CalibrationLayout, CONTROL, LINE_BYTES, STEP, STEP_WORDS } from "./_layout.ts";
import type { ThinkLayout } from "./_layout.ts";

/** Rows that a worker takes at once while calibrating: some milliseconds of work. */
const CHUNK_ROWS = 4096;

/** Sixteen positions, or one that sees nothing (`dark`), through the steps from `first` to `last`. */
export interface ThinkJob {
  readonly kind: "think" | "dark";
  /** Which worker's area. */
  readonly area: number;
  /** First step, from 1. */
  readonly first: number;
  /** Last step. */
  readonly last: number;
}

/** Half a calibration step; all workers get the same job and take chunks until there are none. */
export interface CalibrateJob {
  readonly kind: "calibrate";
  /** First u of all positions, then the means, deviations and rates that follow from it. */
  readonly half: "inputs" | "rates";
  /** The step, from 1. */
  readonly step: number;
  /** Smallest sigma. */
  readonly floor: number;
  /** Whether an input that does not move gets sigma 1. */
  readonly calm: boolean;
}

/** A piece of work for one worker. */
export type Job = ThinkJob | CalibrateJob;

/** A memory with the kernels on it. */
export interface Room {
  readonly memory: WebAssembly.Memory;
  readonly kernels: Kernels;
  readonly think?: ThinkLayout | undefined;
  readonly calibration?: CalibrationLayout | undefined;
}

/** Does a job, and stops for breath between steps or chunks. It ends early when the control block says stop. */
export function* work(room: Room, job: Job): Generator<void, void> {
  const control = new Int32Array(room.memory.buffer, 0, 2);
  if (job.kind === "calibrate") {
    if (room.calibration === undefined) throw new Error("Cannot calibrate: there is no memory for it");
    yield* calibrateRows(room.kernels, room.calibration, job, control);
    return;
  }
  if (room.think === undefined) throw new Error("Cannot think: there is no memory for it");
  const table = new Uint32Array(room.memory.buffer, room.think.table, room.think.steps * STEP_WORDS);
  for (let step = job.first; step <= job.last; step++) {
    if (Atomics.load(control, CONTROL.stop) !== 0) return;
    if (job.kind === "dark") darkStep(room.kernels, room.think, job.area, step);
    else thinkStep(room.kernels, room.think, table, job.area, step);
    yield;
  }
}

/** The states around a step; nothing comes before the first, when all rates are 0. */
function statesOf(
  { odd, even }: { odd: number; even: number },
  step: number,
): { before: number; after: number } {
  if (step === 1) return { before: 0, after: odd };
  return step % 2 === 1 ? { before: even, after: odd } : { before: odd, after: even };
}

function thinkStep(
  kernels: Kernels,
  layout: ThinkLayout,
  table: Uint32Array,
  area: number,
  step: number,
): void {
  const { pairs, rowStart, leak, silence, neurons, readRows } = layout;
  const parts = areaParts(layout, area);
  const { before, after } = statesOf(parts, step);
  const row = 4 * (step - 1) * neurons;
  const scale = layout.scale + row, shift = layout.shift + row;
  const word = (name: keyof typeof STEP) => table[(step - 1) * STEP_WORDS + STEP[name]]!;
  kernels.fill(word("constant"), word("constantCount"), layout.constants + row, after);
  for (
    const [rows, count, drive] of [["driven", "drivenCount", parts.drive], [
      "plain",
      "plainCount",
      0,
    ]] as const
  ) {
    kernels.step(
      word(rows),
      word(count),
      pairs,
      rowStart,
      scale,
      shift,
      leak,
      before,
      after,
      drive,
      silence,
    );
  }
  const collect = word("collect");
  if (collect !== 0) kernels.collect(readRows, word("readCount"), after, parts.sums, collect === 2);
}

function darkStep(kernels: Kernels, layout: ThinkLayout, area: number, step: number): void {
  const { neurons, pairs, rowStart, leak, silence } = layout;
  const { before, after } = statesOf(areaParts(layout, area), step);
  const row = 4 * (step - 1) * neurons;
  const scale = layout.scale + row, shift = layout.shift + row;
  kernels.step(0, neurons, pairs, rowStart, scale, shift, leak, before, after, 0, silence);
  kernels.keepFirst(neurons, after, layout.constants + row);
}

function* calibrateRows(
  kernels: Kernels,
  layout: CalibrationLayout,
  { half, step, floor, calm }: CalibrateJob,
  control: Int32Array,
): Generator<void, void> {
  const { neurons, lines, positions, pairs, rowStart, place, gain, bias, mean, spread, leak } = layout;
  const stride = neurons * LINE_BYTES, chunksInState = Math.ceil(neurons / CHUNK_ROWS);
  const chunks = half === "inputs" ? lines * chunksInState : chunksInState;
  while (Atomics.load(control, CONTROL.stop) === 0) {
    const chunk = Atomics.add(control, CONTROL.nextChunk, 1);
    if (chunk >= chunks) return;
    const line = Math.floor(chunk / chunksInState), row = (chunk % chunksInState) * CHUNK_ROWS;
    const endRow = Math.min(row + CHUNK_ROWS, neurons);
    const rates = layout.rates + line * stride, inputs = layout.inputs + line * stride;
    if (half === "inputs") {
      const drive = layout.drive + line * LINE_BYTES;
      kernels.gatherInputs(row, endRow, pairs, rowStart, place, drive, step === 1, rates, inputs);
    } else {
      kernels.settle(
        row,
        endRow,
        stride,
        positions,
        gain,
        bias,
        mean,
        spread,
        floor,
        calm,
        leak,
        rates,
        inputs,
      );
    }
    yield;
  }
}
