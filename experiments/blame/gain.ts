import { type FlyBrain, signedWeights } from "flychess/brain";
import { STEPS } from "./walk.ts";

/** What a neuron that the board does not reach multiplies the error with, where the equations say 11.4. */
export interface GainCheck {
  /** lambda (1 - tanh^2 beta) alpha / floor. */
  readonly predicted: number;
  /** Steps with neurons that the board does not reach and that carry an error. */
  readonly steps: readonly {
    readonly step: number;
    readonly neurons: number;
    /** d loss / d input over d loss / d rate of the same neuron and step, measured: median, least, most. */
    readonly median: number;
    readonly least: number;
    readonly most: number;
  }[];
}

/** Neurons whose input varies less do not hear the board (reference, section 3). */
export const FLOOR = 0.02;

/** `[steps][neurons]`: 1 where no board of the calibration moved the input: calm homeostasis gave it a sigma of 1. */
export function reachOf(measured: FlyBrain, calm: FlyBrain): Uint8Array[] {
  const size = measured.connectome.sign.length;
  const one = measured.homeostasis!.spread, other = calm.homeostasis!.spread;
  return Array.from(
    { length: STEPS },
    (_, t) =>
      Uint8Array.from({ length: size }, (_, j) => {
        const at = t * size + j;
        return one[at]! <= FLOOR * 1.000001 && other[at] === 1 ? 1 : 0;
      }),
  );
}

/** Follows d loss / d rate back through the wiring for the first position, in float64, and sets the engine's blame beside it. */
export function checkGain(
  brain: FlyBrain,
  blame: ReadonlyMap<number, Float32Array | Float64Array>,
  gradient: Float32Array,
  reach: readonly Uint8Array[],
): GainCheck {
  const { connectome, leak, theta } = brain, { rowStart, pre, output } = connectome;
  const size = connectome.sign.length, weight = signedWeights(connectome, theta);
  let error = new Float64Array(size);
  for (const [i, j] of output.entries()) error[j]! += gradient[i]!;
  const steps: GainCheck["steps"][number][] = [];
  for (let t = STEPS - 1; t >= 0; t--) {
    const own = blame.get(t + 1)!, ratios: number[] = [];
    const most = error.reduce((high, each) => Math.max(high, Math.abs(each)), 0);
    for (let j = 0; j < size; j++) {
      // Errors that are nothing but rounding say nothing of a ratio.
      if (reach[t]![j] === 1 && Math.abs(error[j]!) > 1e-4 * most) ratios.push(own[j]! / error[j]!);
    }
    if (ratios.length > 0) {
      ratios.sort((a, b) => a - b);
      steps.push({
        step: t + 1,
        neurons: ratios.length,
        median: ratios[ratios.length >> 1]!,
        least: ratios[0]!,
        most: ratios.at(-1)!,
      });
    }
    const earlier = error.map((each) => (1 - leak) * each);
    for (let j = 0; j < size; j++) {
      const u = own[j]!;
      if (u === 0) continue;
      for (let e = rowStart[j]!; e < rowStart[j + 1]!; e++) earlier[pre[e]!]! += weight[e]! * u;
    }
    error = earlier;
  }
  const bias = brain.bias[0]!;
  return { predicted: leak * (1 - Math.tanh(bias) ** 2) * brain.gain[0]! / FLOOR, steps };
}
