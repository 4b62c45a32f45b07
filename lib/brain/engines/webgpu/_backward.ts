import type { Drive } from "../../../eye/mod.ts";
import { driveGradient } from "../_drive_gradient.ts";
import type { EngineBackwardOptions, EngineGradients } from "../../engine.ts";
import type { Gpu } from "./_gpu.ts";
import { LINE_POSITIONS } from "./_kernel.ts";
import { LINE_BYTES, type Lines, makeLines, type Parts, readBuffer } from "./_parts.ts";
import {
  type Numbers,
  numbersOf,
  recordInputs,
  recordRates,
  ResidentWiring,
  rowCounts,
  type Stage,
} from "./_resident.ts";
import { putDrive, SparseLines } from "./_sparse.ts";
import { transpose } from "./_tiles.ts";

/** What the way back needs beside the way there: wiring turned round, what the last steps went through, sums. */
export class BackwardRoom {
  /** From receivers to senders. */
  readonly wiring: ResidentWiring;
  /** By forward tile: the rows of its connections, and their errors. */
  readonly connections: readonly { readonly row: GPUBuffer; readonly error: GPUBuffer }[];
  readonly rateError: Lines;
  readonly inputError: Lines;
  /** `[neurons]` pairs: what gain and bias get. */
  readonly sums: Lines;
  readonly errors: SparseLines;
  /** By step: u. */
  readonly inputs = new Map<number, Lines>();
  /** By step: r after it. */
  readonly rates = new Map<number, Lines>();
  readonly #gpu: Gpu;
  readonly #parts: Parts;
  readonly #rateBytes: number;

  constructor({ gpu, parts, wiring }: Stage, rowStart: Int32Array, pre: Int32Array) {
    this.#gpu = gpu;
    this.#parts = parts;
    this.#rateBytes = gpu.half ? LINE_BYTES / 2 : LINE_BYTES;
    this.wiring = new ResidentWiring(gpu, transpose(rowStart, pre), parts);
    this.connections = wiring.tiles.map(({ row }) => ({
      row: gpu.upload(row),
      error: gpu.buffer(4 * row.length),
    }));
    this.rateError = makeLines(gpu, parts);
    this.inputError = makeLines(gpu, parts);
    this.sums = makeLines(gpu, parts, 8);
    this.errors = new SparseLines(gpu, parts);
  }

  /** Makes room for what these steps go through. */
  keep(steps: number, window: number): void {
    for (let step = steps; step > steps - window; step--) {
      if (!this.inputs.has(step)) this.inputs.set(step, makeLines(this.#gpu, this.#parts));
      if (step > 1 && !this.rates.has(step - 1)) {
        this.rates.set(step - 1, makeLines(this.#gpu, this.#parts, this.#rateBytes));
      }
    }
  }
}

/** A brain in GPU memory, as far as walking back needs it. */
export interface Walker {
  readonly stage: Stage;
  readonly numbers: Numbers;
  readonly drive: SparseLines;
  readonly rates: Lines;
  readonly input: Lines;
  readonly room: BackwardRoom;
  readonly steps: number;
}

/**
 * Walks an error back, 32 positions at a time.
 *
 * @param neurons Which neurons the error belongs to; one that stands twice gets the sum.
 * @param error `[positions][neurons]`: dL / d rate after each step read.
 */
export async function walkBack(
  walker: Walker,
  drive: Drive,
  neurons: Int32Array,
  error: Float32Array | Float64Array,
  options: EngineBackwardOptions,
): Promise<EngineGradients> {
  const { stage: { gpu, parts }, room, steps } = walker, action = "walk back";
  const { window, blame = false, drive: wantsDrive = false, steps: read = [steps], signal, onProgress } =
    options;
  const { positions } = drive;
  const blames = new Map<number, Float32Array>();
  for (let step = steps; (blame || wantsDrive) && step > steps - window; step--) {
    blames.set(step, new Float32Array(positions * parts.neurons));
  }
  const columns = Map.groupBy(neurons.keys(), (column) => neurons[column]!);
  await gpu.submit(action, (encoder) => {
    room.keep(steps, window);
    for (const buffer of [...room.sums, ...room.connections.map(({ error }) => error)]) {
      encoder.clearBuffer(buffer);
    }
  });
  for (let first = 0; first < positions; first += LINE_POSITIONS) {
    signal?.throwIfAborted();
    const count = Math.min(LINE_POSITIONS, positions - first);
    await gpu.submit(action, (encoder) => {
      putDrive(walker.drive, drive, first, count);
      putErrors(room.errors, columns, error, neurons.length, first, count);
      recordForward(walker, encoder, window);
      for (const buffer of room.rateError) encoder.clearBuffer(buffer);
      const pass = encoder.beginComputePass();
      room.errors.addTo(pass, room.rateError);
      pass.end();
    });
    for (let step = steps; step > steps - window; step--) {
      await gpu.submit(
        action,
        (encoder) =>
          recordStepBack(walker, encoder, step, {
            share: step < steps && read.includes(step),
            last: step === steps - window + 1,
          }),
      );
      const into = blames.get(step);
      if (into !== undefined) await readBlame(walker, into, first, count);
    }
    await gpu.settled(action);
    onProgress?.({ task: "walking back", done: first + count, total: positions, unit: "positions" });
  }
  const connections = walker.stage.wiring.tiles.reduce((sum, { order }) => sum + order.length, 0);
  return {
    ...await readSums(walker, connections),
    blame: blame ? blames : new Map(),
    ...(wantsDrive ? { drive: driveGradient(drive, parts.neurons, blames) } : {}),
  };
}

function putErrors(
  lines: SparseLines,
  columns: ReadonlyMap<number, readonly number[]>,
  error: Float32Array | Float64Array,
  width: number,
  first: number,
  count: number,
): void {
  lines.write((put) => {
    for (const [neuron, own] of columns) {
      for (let position = 0; position < count; position++) {
        let sum = 0;
        for (const column of own) sum += error[(first + position) * width + column]!;
        if (sum !== 0) put(neuron, position, sum);
      }
    }
  });
}

/** Thinks, and keeps what the steps of the window go through. */
function recordForward(
  { stage, numbers, drive, rates, input: scratch, steps, room }: Walker,
  encoder: GPUCommandEncoder,
  window: number,
): void {
  for (const buffer of rates) encoder.clearBuffer(buffer);
  for (let step = 1; step <= steps; step++) {
    const input = step > steps - window ? room.inputs.get(step)! : scratch;
    recordInputs(stage, encoder, { step, drive, rates, input });
    const pass = encoder.beginComputePass();
    recordRates(stage, pass, { step, numbers, rates, input });
    pass.end();
    if (step < steps - window || step === steps) continue;
    for (const [part, buffer] of room.rates.get(step)!.entries()) {
      encoder.copyBufferToBuffer(rates[part]!, 0, buffer, 0, buffer.size);
    }
  }
}

function recordStepBack(
  { stage, numbers, room }: Walker,
  encoder: GPUCommandEncoder,
  step: number,
  { share, last }: { readonly share: boolean; readonly last: boolean },
): void {
  const { gpu, parts, leak, wiring } = stage, input = room.inputs.get(step)!;
  const pass = encoder.beginComputePass();
  // A step before the last one that is read too gets its share of the error.
  if (share) room.errors.addTo(pass, room.rateError);
  for (const [part, count] of rowCounts(parts).entries()) {
    gpu.dispatch(pass, "blame", {
      params: { count, offset: (step - 1) * count, leak },
      buffers: [
        ...numbersOf(numbers, part),
        input[part]!,
        room.rateError[part]!,
        room.inputError[part]!,
        room.sums[part]!,
      ],
    });
  }
  // Before the first step all rates are 0, and so is what connections get.
  const before = room.rates.get(step - 1);
  if (before !== undefined) {
    for (const [i, { from, into, order, buffers }] of wiring.tiles.entries()) {
      const { row, error } = room.connections[i]!;
      gpu.dispatch(pass, "connectionErrors", {
        params: { count: order.length },
        buffers: [buffers.sender, row, room.inputError[into]!, before[from]!, error],
      });
    }
  }
  if (!last) room.wiring.addTo(pass, "gatherBlame", room.inputError, room.rateError);
  pass.end();
}

async function readBlame(
  { stage: { gpu, parts }, room }: Walker,
  into: Float32Array,
  first: number,
  count: number,
): Promise<void> {
  for (const [part, rows] of rowCounts(parts).entries()) {
    const lines = await readBuffer(gpu, room.inputError[part]!, rows * LINE_BYTES, "walk back");
    for (let position = 0; position < count; position++) {
      const at = (first + position) * parts.neurons + part * parts.size;
      for (let j = 0; j < rows; j++) into[at + j] = lines[j * LINE_POSITIONS + position]!;
    }
  }
}

async function readSums(
  { stage: { gpu, parts, wiring }, room }: Walker,
  connections: number,
): Promise<Omit<EngineGradients, "blame">> {
  const weight = new Float32Array(connections);
  for (const [i, { order }] of wiring.tiles.entries()) {
    const errors = await readBuffer(gpu, room.connections[i]!.error, 4 * order.length, "walk back");
    for (let k = 0; k < order.length; k++) weight[order[k]!] = errors[k]!;
  }
  const gain = new Float64Array(parts.neurons), bias = new Float64Array(parts.neurons);
  for (const [part, rows] of rowCounts(parts).entries()) {
    const pairs = await readBuffer(gpu, room.sums[part]!, 8 * rows, "walk back");
    for (let j = 0; j < rows; j++) {
      gain[part * parts.size + j] = pairs[2 * j]!;
      bias[part * parts.size + j] = pairs[2 * j + 1]!;
    }
  }
  return { weight, gain, bias };
}
