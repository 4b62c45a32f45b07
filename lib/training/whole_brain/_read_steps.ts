import type { FlyBrain } from "../../brain/mod.ts";
import type { Drive } from "../../eye/mod.ts";

/**
 * What heads of a brain read.
 *
 * @returns `[positions][features]`: the mean over the steps, or the steps side by side.
 */
export async function readSteps(
  brain: FlyBrain,
  shown: Drive,
  { read, apart }: { readonly read: readonly number[]; readonly apart: boolean },
  signal?: AbortSignal,
): Promise<Float32Array> {
  return await brain[apart ? "readEach" : "read"](shown, { steps: read, signal });
}

/** `[positions][parts][outputs]` to `[positions][outputs]`; with one part, as it is. */
export function meanOf(rates: Float64Array, positions: number, parts: number, outputs: number): Float64Array {
  if (parts === 1) return rates;
  const mean = new Float64Array(positions * outputs);
  for (let b = 0, from = 0; b < positions; b++) {
    for (let r = 0; r < parts; r++) {
      for (let i = 0; i < outputs; i++) mean[b * outputs + i]! += rates[from++]! / parts;
    }
  }
  return mean;
}

/** The error of a mean as the error of what it is the mean of. */
export function shareOut(
  error: Float64Array,
  positions: number,
  parts: number,
  outputs: number,
): Float64Array {
  if (parts === 1) return error;
  const shared = new Float64Array(positions * parts * outputs);
  for (let b = 0, to = 0; b < positions; b++) {
    for (let r = 0; r < parts; r++) {
      for (let i = 0; i < outputs; i++) shared[to++] = error[b * outputs + i]! / parts;
    }
  }
  return shared;
}
