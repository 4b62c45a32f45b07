import type { Drive } from "../../eye/mod.ts";

/**
 * dL / dx of each entry of a drive: x is added to u at every step, so it is the sum of the blame dL / du over the
 * steps walked (reference, section 6).
 *
 * @param neurons How many neurons the brain has.
 * @param blame Step to `[positions][neurons]`.
 * @returns In the order of `drive.neuron`.
 */
export function driveGradient(
  { positions, start, neuron }: Drive,
  neurons: number,
  blame: ReadonlyMap<number, Float32Array | Float64Array>,
): Float64Array {
  const gradient = new Float64Array(neuron.length);
  for (const values of blame.values()) {
    for (let position = 0; position < positions; position++) {
      for (let k = start[position]!; k < start[position + 1]!; k++) {
        gradient[k]! += values[position * neurons + neuron[k]!]!;
      }
    }
  }
  return gradient;
}
