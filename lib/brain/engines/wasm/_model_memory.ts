import type { BrainModel } from "../../engine.ts";
import type { Kernels } from "./_instantiate.ts";
import { LINE_BYTES, PAIR_BYTES, SHORT_ONE, type ThinkLayout, WEIGHTS_AT_ONCE } from "./_layout.ts";
import type { Wiring } from "./_plan.ts";

/** The engine's own numbering of the neurons. The caller never sees it. */
export interface Numbering {
  /** `[neurons]`: which neuron has each place. */
  readonly order: Int32Array;
  /** `[neurons]`: the place of each neuron. */
  readonly place: Int32Array;
  /** Whether it is the model's own. */
  readonly inOrder: boolean;
}

/** The numbering with these neurons in this order. */
export function numberingOf(order: Int32Array): Numbering {
  const place = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) place[order[at]!] = at;
  return { order, place, inOrder: order.every((neuron, at) => neuron === at) };
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
  return { rowStart: starts, pre: senders, connection, inOrder: connection.every((k, at) => k === at) };
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

/** Writes weights, gains, biases and homeostasis into the memory. */
export function writeStrengths(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  model: BrainModel,
  numbering: Numbering,
  wiring: Wiring,
): void {
  if (layout.short) writeShortWeights(memory, layout, model.weight, wiring.connection);
  else writeWeights(kernels, memory, layout, model.weight, wiring);
  writeHomeostasis(kernels, memory, layout, model, numbering);
}

/** A piece at a time through the scratch, which a core's own cache holds. */
function writeWeights(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  { scratch, pairs, tiled }: ThinkLayout,
  weight: Float64Array | Float32Array,
  { connection, inOrder }: Wiring,
): void {
  for (let from = 0; from < connection.length; from += WEIGHTS_AT_ONCE) {
    const count = Math.min(WEIGHTS_AT_ONCE, connection.length - from);
    const values = new Float64Array(memory.buffer, scratch, count);
    if (inOrder) values.set(weight.subarray(from, from + count));
    else for (let k = 0; k < count; k++) values[k] = weight[connection[from + k]!]!;
    kernels.writeWeights(count, scratch, pairs + from * PAIR_BYTES, tiled + 4 * from);
  }
}

function writeHomeostasis(
  kernels: Kernels,
  memory: WebAssembly.Memory,
  layout: ThinkLayout,
  model: BrainModel,
  { order, inOrder }: Numbering,
): void {
  const { neurons, steps, scratch } = layout, wide = 8 * neurons;
  const [gain, bias, mean, spread] = [scratch, scratch + wide, scratch + 2 * wide, scratch + 3 * wide];
  const fill = (at: number, values: Float64Array | Float32Array | null, missing: number, from = 0) => {
    const part = new Float64Array(memory.buffer, at, neurons);
    if (values === null) part.fill(missing);
    else if (inOrder) part.set(values.subarray(from, from + neurons));
    else for (let k = 0; k < neurons; k++) part[k] = values[from + order[k]!]!;
  };
  fill(gain, model.gain, 0);
  fill(bias, model.bias, 0);
  for (let step = 0; step < steps; step++) {
    fill(mean, model.mean, 0, step * neurons);
    fill(spread, model.spread, 1, step * neurons);
    const into = 4 * step * neurons;
    const scale = layout.scale + into, shift = layout.shift + into;
    kernels.fold(neurons, gain, bias, mean, spread, scale, shift, layout.mean + into, layout.narrow + into);
  }
}

/**
 * Writes weights as 16-bit numbers, twice in a word, in units of their row: the sum of those that excite, or of those
 * that inhibit if it is larger, is 32767. As no rate is above 1, no input of a row can then be larger.
 */
function writeShortWeights(
  memory: WebAssembly.Memory,
  { neurons, connections, rowStart, pairs, units, tiled: tiledAt }: ThinkLayout,
  weight: Float64Array | Float32Array,
  connection: Int32Array,
): void {
  const tiled = new Uint32Array(memory.buffer, tiledAt, connections);
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
