import type { BrainModel } from "../../engine.ts";
import { PAIR_BYTES, SHORT_ONE, type ThinkLayout } from "./_layout.ts";
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

/** The wiring in the engine's own numbering, each row's senders ascending. */
export function renumber({ neurons, rowStart, pre }: BrainModel, { order, place }: Numbering): Wiring {
  const starts = new Int32Array(neurons + 1);
  const senders = new Int32Array(pre.length), connection = new Int32Array(pre.length);
  let to = 0;
  for (let at = 0; at < neurons; at++) {
    const row = order[at]!, from = to;
    let ascending = true;
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++, to++) {
      connection[to] = k;
      senders[to] = place[pre[k]!]!;
      ascending &&= to === from || senders[to - 1]! <= senders[to]!;
    }
    if (!ascending) {
      const sorted = connection.slice(from, to).sort((a, b) => place[pre[a]!]! - place[pre[b]!]! || a - b);
      connection.set(sorted, from);
      for (let k = from; k < to; k++) senders[k] = place[pre[connection[k]!]!]!;
    }
    starts[at + 1] = to;
  }
  return { rowStart: starts, pre: senders, connection };
}

/** Writes the wiring into the memory, row by row; the weights come with `writeStrengths`. */
export function writeWiring(
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  { rowStart, pre }: Wiring,
): void {
  new Int32Array(memory.buffer, layout.rowStart, rowStart.length).set(rowStart);
  const pairs = new Uint32Array(memory.buffer, layout.pairs, pre.length * PAIR_BYTES / 4);
  for (let k = 0; k < pre.length; k++) pairs[2 * k] = pre[k]! * LINE_BYTES;
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

/**
 * Writes weights, gains, biases and homeostasis into the memory.
 *
 * @param tiled `[connections]`: which word of the memory holds each pair's weight in its tile.
 */
export function writeStrengths(
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  { weight, gain, bias, mean, spread }: BrainModel,
  { order }: Numbering,
  { connection }: Wiring,
  tiled: Uint32Array,
): void {
  const { neurons, steps } = layout;
  if (layout.short) {
    writeShortWeights(memory, layout, weight, connection, tiled);
  } else {
    const words = new Float32Array(memory.buffer);
    for (let k = 0, at = layout.pairs / 4 + 1; k < connection.length; k++, at += 2) {
      const value = weight[connection[k]!]!;
      words[at] = value;
      words[tiled[k]!] = value;
    }
  }
  const part = (at: number) => new Float32Array(memory.buffer, at, steps * neurons);
  const scales = part(layout.scale), shifts = part(layout.shift);
  const means = part(layout.mean), narrows = part(layout.narrow);
  for (let step = 0; step < steps; step++) {
    for (let at = 0; at < neurons; at++) {
      const neuron = order[at]!, from = step * neurons + neuron, into = step * neurons + at;
      const mu = mean?.[from] ?? 0, sigma = spread?.[from] ?? 1;
      const { scale, shift } = foldHomeostasis(gain[neuron]!, bias[neuron]!, mu, sigma);
      scales[into] = scale;
      shifts[into] = shift;
      means[into] = mu;
      narrows[into] = 1 / sigma;
    }
  }
}

/**
 * Writes weights as 16-bit numbers, twice in a word, in units of their row: the sum of those that excite, or of those
 * that inhibit if it is larger, is 32767. As no rate is above 1, no input of a row can then be larger.
 */
function writeShortWeights(
  memory: WebAssembly.Memory,
  { neurons, rowStart, pairs, units }: ThinkLayout,
  weight: Float64Array | Float32Array,
  connection: Int32Array,
  tiled: Uint32Array,
): void {
  const words = new Uint32Array(memory.buffer), unit = new Float32Array(memory.buffer, units, neurons);
  const starts = new Uint32Array(memory.buffer, rowStart, neurons + 1);
  for (let row = 0; row < neurons; row++) {
    let up = 0, down = 0;
    for (let k = starts[row]!; k < starts[row + 1]!; k++) {
      const value = weight[connection[k]!]!;
      if (value > 0) up += value;
      else down -= value;
    }
    const largest = Math.max(up, down), times = largest > 0 ? SHORT_ONE / largest : 0;
    // A product of two numbers of 16 bits is taken as a fraction of 32768.
    unit[row] = times > 0 ? 32768 / (SHORT_ONE * times) : 0;
    for (let k = starts[row]!; k < starts[row + 1]!; k++) {
      const word = (Math.round(weight[connection[k]!]! * times) & 0xffff) * 0x10001;
      words[pairs / 4 + 2 * k + 1] = word;
      words[tiled[k]!] = word;
    }
  }
}
