import {
  byteAreaParts,
  type ByteCalibrationLayout,
  type ByteLayout,
  type ByteWiringLayout,
  HEARD_BYTES,
  INPUT_BYTES,
} from "./_byte_layout.ts";
import type { Kernels } from "./_instantiate.ts";
import { CONTROL, type STEP } from "./_layout.ts";
import { planWord } from "./_think_step.ts";

/** Rows that a worker takes at once while calibrating. */
const CHUNK_ROWS = 4096;

/** Sixteen positions through the steps from `first` to `last`; dark: seeing nothing, to the constant rates. */
export interface ByteJob {
  readonly kind: "bytes";
  /** Which worker's area. */
  readonly area: number;
  /** First step, from 1. */
  readonly first: number;
  /** Last step. */
  readonly last: number;
  /** Whether no eye adds anything and the rates are kept as the constant ones. */
  readonly dark: boolean;
}

/** Half a calibration step; all workers get the same job and take chunks until there are none. */
export interface ByteCalibrateJob {
  readonly kind: "calibrate bytes";
  /** First the inputs of all positions, then the means, deviations and rates that follow from them. */
  readonly half: "inputs" | "rates";
  /** The step, from 1. */
  readonly step: number;
  /** Smallest sigma. */
  readonly floor: number;
  /** Whether an input that does not move gets sigma 1. */
  readonly calm: boolean;
}

/** Adds up the inputs of all rows, tile by tile; `done` is told when a band has all of them. */
function addTiles(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  { neurons, senders, receivers, tileTable }: ByteWiringLayout,
  before: number,
  inputs: number,
  done: (from: number, to: number) => void,
): void {
  const columns = Math.ceil(neurons / senders), bands = Math.ceil(neurons / receivers);
  const table = new Uint32Array(memory.buffer, tileTable, columns * bands + 1);
  for (let tile = 0; tile < columns * bands; tile++) {
    const column = Math.floor(tile / bands),
      from = tile % bands * receivers,
      to = Math.min(from + receivers, neurons);
    if (column === 0) kernels.begin(from, to, 0, 0, 0, inputs);
    kernels.addByteTile(table[tile]!, table[tile + 1]!, before + column * senders * HEARD_BYTES, inputs);
    if (column === columns - 1) done(from, to);
  }
}

/** One step of a think. */
export function byteStep(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ByteLayout,
  { area, dark }: ByteJob,
  step: number,
): void {
  const { neurons, leak, units, quartetsAt, rowStart, readRows } = layout;
  const { inputs, drive, sums, rates, odd, even } = byteAreaParts(layout, area);
  const [before, after] = step === 1 ? [0, odd] : step % 2 === 1 ? [even, odd] : [odd, even];
  const at = 4 * (step - 1) * neurons, scale = layout.scale + at, shift = layout.shift + at;
  const constants = layout.constants + at / 2, word = planWord(memory, layout, step);
  const count = dark ? 0 : word("drivenCount");
  if (dark || word("tiled") !== 0) {
    // Before the first step all rates are 0: there is nothing to add up.
    if (before === 0) {
      const bytes = new Uint8Array(memory.buffer);
      bytes.fill(0, inputs, inputs + neurons * INPUT_BYTES);
      bytes.fill(0, rates, rates + neurons * 32);
    }
    const driven = new Uint32Array(memory.buffer, word("driven"), count);
    let done = 0;
    const move = (from: number, to: number) => {
      let next = done;
      while (next < count && driven[next]! < to) next++;
      const list = word("driven") + 4 * done;
      kernels.moveBytes(from, to, units, scale, shift, leak, inputs, rates, after, list, next - done, drive);
      done = next;
    };
    if (before === 0) move(0, neurons);
    else addTiles(kernels, memory, layout, before, inputs, move);
  } else {
    kernels.fillBytes(word("constant"), word("constantCount"), constants, rates, after);
    for (const [kind, x] of [["driven", drive], ["plain", 0]] as const) {
      const rows = word(kind), many = word(`${kind}Count` as keyof typeof STEP);
      kernels.stepBytes(rows, many, quartetsAt, rowStart, units, scale, shift, leak, before, rates, after, x);
    }
  }
  if (dark) {
    kernels.keepFirstBytes(neurons, rates, constants);
    return;
  }
  const collect = word("collect");
  if (collect !== 0) kernels.collectBytes(readRows, word("readCount"), rates, sums, collect === 2);
}

/** Takes chunks of a calibration step until there are none. */
export function* calibrateBytes(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ByteCalibrationLayout,
  { half, step, floor, calm }: ByteCalibrateJob,
): Generator<void, void> {
  const { neurons, lines, stride, positions, gain, bias, mean, spread, leak, units, place, drive } = layout;
  const control = new Int32Array(memory.buffer, 0, 2);
  const chunks = half === "inputs" ? lines : Math.ceil(neurons / CHUNK_ROWS);
  while (Atomics.load(control, CONTROL.stop) === 0) {
    const chunk = Atomics.add(control, CONTROL.nextChunk, 1);
    if (chunk >= chunks) return;
    if (half === "inputs") {
      const to = chunk * stride;
      // Inputs are zeros at first, and so they stay in the first step.
      if (step > 1) addTiles(kernels, memory, layout, layout.heard + to, layout.inputs + to, () => {});
    } else {
      const row = chunk * CHUNK_ROWS, endRow = Math.min(row + CHUNK_ROWS, neurons);
      const numbers = [row, endRow, stride, positions, gain, bias, mean, spread, floor, calm, leak] as const;
      const { inputs, rates, heard } = layout;
      kernels.settleBytes(...numbers, units, place, drive, inputs, rates, heard, step === 1);
    }
    yield;
  }
}
