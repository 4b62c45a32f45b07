import type { EngineGradients } from "../../engine.ts";
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
import type { Wiring } from "./_plan.ts";
import type { Reading } from "./_readings.ts";

/** A loaded brain, as far as walking back needs it. */
export interface Walked {
  readonly memory: WebAssembly.Memory;
  readonly layout: ThinkLayout;
  readonly numbering: Numbering;
  readonly wiring: Wiring;
}

/** Which batches of 16 positions add to a gradient: always the same ones, in the same order, whoever does them. */
export function batchesOf(gradient: number, batches: number): number[] {
  const mine: number[] = [];
  for (let batch = gradient; batch < batches; batch += GRADIENTS) mine.push(batch);
  return mine;
}

/** Thinks a batch and walks back from its error. The drive lies in the area already. */
export async function walkBatch(
  { memory, layout }: Walked,
  reading: Reading,
  outputGradient: Float32Array | Float64Array,
  { first, count, area, window, gradient, fresh }: {
    readonly first: number;
    readonly count: number;
    readonly area: number;
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
  const width = reading.slots.length;
  for (let lane = 0; lane < count; lane++) {
    for (let i = 0; i < width; i++) {
      errors[reading.slots[i]! * LINE_POSITIONS + lane]! += outputGradient[(first + lane) * width + i]!;
    }
  }
  await run({ kind: "back", area, last, window, gradient, fresh });
}

/** Takes the blame of a batch out of an area: dL / du of every neuron at every step walked. */
export function takeBlame(
  { memory, layout, numbering: { place } }: Walked,
  blame: ReadonlyMap<number, Float32Array>,
  { first, count, area }: { readonly first: number; readonly count: number; readonly area: number },
  rows: ReadonlyMap<number, Uint8Array>,
): void {
  const { neurons } = layout, { inputs } = backParts(layout, area);
  const from = Math.min(...blame.keys());
  for (const [step, values] of blame) {
    const at = inputs + (step - from) * neurons * LINE_BYTES, computed = rows.get(step)!;
    const state = new Float32Array(memory.buffer, at, neurons * LINE_POSITIONS);
    for (let lane = 0; lane < count; lane++) {
      const into = (first + lane) * neurons;
      for (let j = 0; j < neurons; j++) {
        const row = place[j]!;
        values[into + j] = computed[row] === 0 ? 0 : state[row * LINE_POSITIONS + lane]!;
      }
    }
  }
}

/** Adds the gradients up, always in the same order, in the caller's numbering. */
export function sumGradients(
  { memory, layout, numbering: { order }, wiring: { connection } }: Walked,
  gradients: number,
): Omit<EngineGradients, "blame"> {
  const { neurons, connections, slot } = layout;
  const weight = new Float32Array(connections);
  const gain = new Float64Array(neurons), bias = new Float64Array(neurons);
  const slots = new Uint32Array(memory.buffer, slot, connections);
  const sums = new Float32Array(connections);
  for (let number = 0; number < gradients; number++) {
    const parts = gradientParts(layout, number);
    const weights = new Float32Array(memory.buffer, parts.weight, connections);
    for (let k = 0; k < connections; k++) sums[k]! += weights[k]!;
    const gains = new Float64Array(memory.buffer, parts.gain, neurons);
    const biases = new Float64Array(memory.buffer, parts.bias, neurons);
    for (let at = 0; at < neurons; at++) {
      gain[order[at]!]! += gains[at]!;
      bias[order[at]!]! += biases[at]!;
    }
  }
  for (let k = 0; k < connections; k++) weight[connection[k]!] = sums[slots[k]!]!;
  return { weight, gain, bias };
}
