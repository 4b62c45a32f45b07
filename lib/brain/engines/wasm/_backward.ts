import type { Drive } from "../../../eye/mod.ts";
import type { EngineBackwardOptions, EngineGradients } from "../../engine.ts";
import type { Crew } from "./_crew.ts";
import type { Job } from "./_job.ts";
import {
  areaParts,
  backParts,
  gradientParts,
  GRADIENTS,
  LINE_BYTES,
  LINE_POSITIONS,
  type ThinkLayout,
} from "./_layout.ts";
import type { Numbering } from "./_model_memory.ts";
import { computedRows, type Wiring } from "./_plan.ts";
import type { Reading } from "./_readings.ts";

/** Connections whose gradients a worker adds up at once: some milliseconds of work. */
const SUMMED_AT_ONCE = 2 ** 20;

/** A loaded brain, as far as walking back needs it. */
export interface Walked {
  readonly crew: Crew;
  readonly room: number;
  readonly memory: WebAssembly.Memory;
  readonly layout: ThinkLayout;
  readonly numbering: Numbering;
  readonly wiring: Wiring;
}

/** Positions, and the area that they are in. */
export interface Part {
  /** The first one. */
  readonly first: number;
  /** How many. */
  readonly count: number;
  /** Which area. */
  readonly area: number;
}

/** What to find on the way back beside the sums. */
interface Found {
  /** Step to dL / du, or nothing. */
  readonly blame: ReadonlyMap<number, Float32Array>;
  /** dL / dx of the drive's entries, or nothing. */
  readonly entries: Float64Array | undefined;
  /** Step to the rows that it computes, by place. */
  readonly computed: ReadonlyMap<number, Uint8Array>;
}

/**
 * Thinks, then walks an error back.
 *
 * @param lit Keeps the drive of a part in its area while it runs.
 */
export async function walkBack(
  walked: Walked,
  reading: Reading,
  drive: Drive,
  outputGradient: Float32Array | Float64Array,
  { window, blame: wantsBlame = false, drive: wantsDrive = false, signal, onProgress }: EngineBackwardOptions,
  lit: (drive: Drive, part: Part, act: () => Promise<void>) => Promise<void>,
): Promise<EngineGradients> {
  const { crew, room, layout } = walked, { positions } = drive, last = reading.plan.steps.length;
  const blame = new Map<number, Float32Array>(), computed = new Map<number, Uint8Array>();
  for (let step = last; step > last - window; step--) {
    if (wantsBlame) blame.set(step, new Float32Array(positions * layout.neurons));
    if (wantsBlame || wantsDrive) {
      computed.set(step, computedRows(reading.plan.steps[step - 1]!, layout.neurons));
    }
  }
  const entries = wantsDrive ? new Float64Array(drive.neuron.length) : undefined;
  const batches = Math.ceil(positions / LINE_POSITIONS), gradients = Math.min(GRADIENTS, batches);
  let done = 0;
  await crew.deal(room, gradients, signal, async (gradient, area, run) => {
    for (const batch of batchesOf(gradient, batches)) {
      const first = batch * LINE_POSITIONS, count = Math.min(LINE_POSITIONS, positions - first);
      const part = { first, count, area, window, gradient, fresh: batch === gradient };
      await lit(drive, part, () => walkBatch(walked, reading, outputGradient, part, run));
      takeErrors(walked, part, drive, { blame, entries, computed });
      done += count;
      onProgress?.({ task: "walking back", done, total: positions, unit: "positions" });
    }
  }, layout.backHands);
  const sums = await sumGradients(walked, gradients, signal);
  return { ...sums, blame, ...(entries === undefined ? {} : { drive: entries }) };
}

/** Which batches of 16 positions add to a gradient: always the same ones, in the same order, whoever does them. */
function batchesOf(gradient: number, batches: number): number[] {
  const mine: number[] = [];
  for (let batch = gradient; batch < batches; batch += GRADIENTS) mine.push(batch);
  return mine;
}

/** Thinks a batch and walks back from its error. The drive lies in the area already. */
async function walkBatch(
  { memory, layout }: Walked,
  reading: Reading,
  outputGradient: Float32Array | Float64Array,
  { first, count, area, window, gradient, fresh }: Part & {
    readonly window: number;
    readonly gradient: number;
    readonly fresh: boolean;
  },
  run: (job: Job) => Promise<void>,
): Promise<void> {
  const last = reading.plan.steps.length;
  await run({ kind: "think", area, first: 1, last, window });
  const errors = new Float32Array(
    memory.buffer,
    areaParts(layout, area).sums,
    reading.rows.length * LINE_POSITIONS,
  );
  errors.fill(0);
  const width = reading.slots.length, share = 1 / reading.steps.size;
  for (let lane = 0; lane < count; lane++) {
    for (let i = 0; i < width; i++) {
      errors[reading.slots[i]! * LINE_POSITIONS + lane]! += share *
        outputGradient[(first + lane) * width + i]!;
    }
  }
  await run({ kind: "back", area, last, window, gradient, fresh });
}

/** Takes the errors at the inputs out of an area: of every neuron, or of those that the drive goes to. */
function takeErrors(
  { memory, layout, numbering: { place } }: Walked,
  { first, count, area }: Part,
  { start, neuron }: Drive,
  { blame, entries, computed }: Found,
): void {
  const { neurons } = layout, { inputs } = backParts(layout, area);
  const from = Math.min(...computed.keys());
  for (const [step, known] of computed) {
    const at = inputs + (step - from) * neurons * LINE_BYTES, values = blame.get(step);
    const state = new Float32Array(memory.buffer, at, neurons * LINE_POSITIONS);
    const error = (row: number, lane: number) => known[row] === 0 ? 0 : state[row * LINE_POSITIONS + lane]!;
    for (let lane = 0; lane < count; lane++) {
      const into = (first + lane) * neurons;
      for (let j = 0; values !== undefined && j < neurons; j++) values[into + j] = error(place[j]!, lane);
      if (entries === undefined) continue;
      for (let k = start[first + lane]!; k < start[first + lane + 1]!; k++) {
        entries[k]! += error(place[neuron[k]!]!, lane);
      }
    }
  }
}

/** Adds the gradients up, always in the same order, in the caller's numbering. The hands share the weights. */
async function sumGradients(
  { crew, room, memory, layout, numbering: { order }, wiring: { connection, inOrder } }: Walked,
  gradients: number,
  signal: AbortSignal | undefined,
): Promise<Omit<EngineGradients, "blame">> {
  const { neurons, connections, total } = layout;
  await crew.deal(room, Math.ceil(connections / SUMMED_AT_ONCE), signal, async (part, _area, run) => {
    const from = part * SUMMED_AT_ONCE, count = Math.min(SUMMED_AT_ONCE, connections - from);
    await run({ kind: "sum", from, count, gradients });
  });
  const sums = new Float32Array(memory.buffer, total, connections);
  const weight = new Float32Array(connections);
  if (inOrder) weight.set(sums);
  else for (let k = 0; k < connections; k++) weight[connection[k]!] = sums[k]!;
  const gain = new Float64Array(neurons), bias = new Float64Array(neurons);
  for (let number = 0; number < gradients; number++) {
    const parts = gradientParts(layout, number);
    const gains = new Float64Array(memory.buffer, parts.gain, neurons);
    const biases = new Float64Array(memory.buffer, parts.bias, neurons);
    for (let at = 0; at < neurons; at++) {
      gain[order[at]!]! += gains[at]!;
      bias[order[at]!]! += biases[at]!;
    }
  }
  return { weight, gain, bias };
}
