import type { BrainModel } from "../../engine.ts";
import { PAIR_BYTES, type ThinkLayout } from "./_layout.ts";
import { LINE_BYTES } from "./_layout.ts";
import type { Wiring } from "./_plan.ts";

/** The engine's own numbering of the neurons. The caller never sees it. */
export interface Numbering {
  /** `[neurons]`: which neuron has each place. */
  readonly order: Int32Array;
  /** `[neurons]`: the place of each neuron. */
  readonly place: Int32Array;
}

/** The numbering with these neurons in this order. */
export function numberingOf(order: Int32Array): Numbering {
  const place = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) place[order[at]!] = at;
  return { order, place };
}

/** Writes the wiring into the memory, renumbered; the weights come with `writeStrengths`. */
export function writeWiring(
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  { rowStart, pre }: BrainModel,
  { order, place }: Numbering,
): Wiring {
  const { neurons } = layout;
  const starts = new Int32Array(memory.buffer, layout.rowStart, neurons + 1);
  const senders = new Int32Array(pre.length);
  const pairs = new Uint32Array(memory.buffer, layout.pairs, pre.length * PAIR_BYTES / 4);
  let to = 0;
  for (let at = 0; at < neurons; at++) {
    const row = order[at]!;
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
      senders[to] = place[pre[k]!]!;
      pairs[2 * to] = senders[to]! * LINE_BYTES;
      to++;
    }
    starts[at + 1] = to;
  }
  return { rowStart: starts, pre: senders };
}

/**
 * Homeostasis, gain and bias as one multiply-add: z = scale u + shift. The shift makes up for the rounding of the
 * scale. kernels.as does the same while calibrating, to the last bit.
 */
export function foldHomeostasis(
  gain: number,
  bias: number,
  mean: number,
  spread: number,
): { scale: number; shift: number } {
  const scale = Math.fround(gain / spread);
  return { scale, shift: bias - scale * mean };
}

/** Writes weights, gains, biases and homeostasis into the memory. */
export function writeStrengths(
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  { rowStart, weight, gain, bias, mean, spread }: BrainModel,
  { order }: Numbering,
): void {
  const { neurons, steps } = layout;
  const pairs = new Float32Array(memory.buffer, layout.pairs, weight.length * PAIR_BYTES / 4);
  let to = 1;
  for (let at = 0; at < neurons; at++) {
    const row = order[at]!;
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++, to += 2) pairs[to] = weight[k]!;
  }
  const scales = new Float32Array(memory.buffer, layout.scale, steps * neurons);
  const shifts = new Float32Array(memory.buffer, layout.shift, steps * neurons);
  for (let step = 0; step < steps; step++) {
    for (let at = 0; at < neurons; at++) {
      const neuron = order[at]!, from = step * neurons + neuron, into = step * neurons + at;
      const { scale, shift } = foldHomeostasis(
        gain[neuron]!,
        bias[neuron]!,
        mean?.[from] ?? 0,
        spread?.[from] ?? 1,
      );
      scales[into] = scale;
      shifts[into] = shift;
    }
  }
}
