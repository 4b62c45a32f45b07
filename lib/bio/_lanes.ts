import type { Drive } from "../eye/mod.ts";
import type { TakenOut } from "./plastic_synapses.ts";
import type { PlasticSynapses } from "./dopamine.ts";

/** Positions that are thought about side by side: arrays are `[neurons][LANES]`. Each sum is the same with any company. */
export const LANES = 8;

/** x of up to `LANES` positions from `first`; lanes left over see nothing. */
export function setLaneDrive(drive: Drive, first: number, input: Float64Array): void {
  input.fill(0);
  for (let lane = 0; lane < LANES && first + lane < drive.positions; lane++) {
    for (let k = drive.start[first + lane]!; k < drive.start[first + lane + 1]!; k++) {
      input[drive.neuron[k]! * LANES + lane] = drive.value?.[k] ?? 1;
    }
  }
}

/** Adds W' times what every neuron sends; written out because eight local sums are what the compiler keeps in registers. */
export function addRest(rest: TakenOut["rest"], sent: Float64Array, input: Float64Array): void {
  const { neurons, rowStart, pre, weight } = rest;
  for (let row = 0; row < neurons; row++) {
    let a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    const end = rowStart[row + 1]!;
    for (let k = rowStart[row]!; k < end; k++) {
      const w = weight[k]!, at = pre[k]! * LANES;
      a += w * sent[at]!;
      b += w * sent[at + 1]!;
      c += w * sent[at + 2]!;
      d += w * sent[at + 3]!;
      e += w * sent[at + 4]!;
      f += w * sent[at + 5]!;
      g += w * sent[at + 6]!;
      h += w * sent[at + 7]!;
    }
    const to = row * LANES;
    input[to]! += a;
    input[to + 1]! += b;
    input[to + 2]! += c;
    input[to + 3]! += d;
    input[to + 4]! += e;
    input[to + 5]! += f;
    input[to + 6]! += g;
    input[to + 7]! += h;
  }
}

/** Adds M times what the Kenyon cells pass on, `[kenyon][LANES]`, to the MBONs. */
export function addPlastic(
  { kenyon, mbon, strength }: PlasticSynapses,
  neurons: Int32Array,
  passed: Float64Array,
  input: Float64Array,
): void {
  for (let n = 0; n < mbon; n++) {
    const to = neurons[n]! * LANES;
    for (let lane = 0; lane < LANES; lane++) {
      let sum = 0;
      for (let k = 0; k < kenyon; k++) sum += strength[k * mbon + n]! * passed[k * LANES + lane]!;
      input[to + lane]! += sum;
    }
  }
}

/** One step of every neuron: input u becomes part of the rate r (reference, section 3). `mean` and `spread` are of this step. */
export function moveLanes(
  rates: Float64Array,
  input: Float64Array,
  mean: ArrayLike<number>,
  spread: ArrayLike<number>,
  constants: { readonly gain: number; readonly bias: number; readonly leak: number },
): void {
  const { gain, bias, leak } = constants;
  for (let j = 0; j < mean.length; j++) {
    for (let at = j * LANES; at < (j + 1) * LANES; at++) {
      const activation = gain * ((input[at]! - mean[j]!) / spread[j]!) + bias;
      rates[at] = (1 - leak) * rates[at]! + leak * Math.max(0, Math.tanh(activation));
    }
  }
}
