import { LANES } from "./_lanes.ts";

/** An input that varies less than this between boards has not been reached by them (reference, section 3). */
const UNREACHED_VARIANCE = 1e-10;

/** Mean and spread of every neuron's input over the positions, which lie in blocks of `LANES`. */
export function measure(
  inputs: readonly Float64Array[],
  positions: number,
  mean: Float64Array,
  spread: Float64Array,
  { floor, calm }: { readonly floor: number; readonly calm: boolean },
): void {
  const input = (j: number, position: number) =>
    inputs[Math.floor(position / LANES)]![j * LANES + position % LANES]!;
  for (let j = 0; j < mean.length; j++) {
    // Around the first input: an input that never moves then has a variance of exactly 0.
    const around = input(j, 0);
    let sum = 0, squares = 0;
    for (let position = 0; position < positions; position++) sum += input(j, position) - around;
    mean[j] = around + sum / positions;
    for (let position = 0; position < positions; position++) squares += (input(j, position) - mean[j]!) ** 2;
    const variance = squares / positions;
    spread[j] = calm && variance < UNREACHED_VARIANCE ? 1 : Math.max(Math.sqrt(variance), floor);
  }
}
