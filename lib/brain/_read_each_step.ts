import type { LongWork } from "../common/mod.ts";
import type { Drive } from "../eye/mod.ts";
import type { LoadedBrain } from "./engine.ts";

/** Rates in single precision, whatever the engine computes in. */
export function asFloat32(rates: Float32Array | Float64Array): Float32Array {
  return rates instanceof Float32Array ? rates : Float32Array.from(rates);
}

/**
 * Reads some neurons after each of some steps: with one think, where the engine can, otherwise with one a step.
 *
 * @returns `[positions][steps][neurons]`.
 */
export async function readEachStep(
  brain: LoadedBrain,
  drive: Drive,
  neurons: Int32Array,
  steps: readonly number[],
  work: LongWork,
): Promise<Float32Array> {
  if (brain.readEach !== undefined) return asFloat32(await brain.readEach(drive, neurons, steps, work));
  const all = new Float32Array(drive.positions * steps.length * neurons.length);
  for (const [k, step] of steps.entries()) {
    const rates = await brain.read(drive, neurons, [step], work);
    for (let position = 0; position < drive.positions; position++) {
      const own = rates.subarray(position * neurons.length, (position + 1) * neurons.length);
      all.set(own, (position * steps.length + k) * neurons.length);
    }
  }
  return all;
}
