import { READOUT_COLUMNS } from "../readout.ts";
import { type HeadsLayout, PADDED_COLUMNS, placeOf } from "./_layout.ts";

/** Copies numbers of every weight out of the memory, `[columns * combinations + 1][134]`, the bias last. */
export function takeWeights(memory: WebAssembly.Memory, layout: HeadsLayout, at: number): Float32Array {
  const { columns, combinations, features } = layout;
  const from = new Float32Array(memory.buffer, at, features * PADDED_COLUMNS);
  const to = new Float32Array((columns * combinations + 1) * READOUT_COLUMNS);
  for (let f = 0; f <= columns * combinations; f++) {
    for (let c = 0; c < READOUT_COLUMNS; c++) {
      to[f * READOUT_COLUMNS + c] = from[placeOf(features, f, c)]!;
    }
  }
  return to;
}

/**
 * Puts them in.
 *
 * @throws {RangeError} If there are more or fewer of them.
 */
export function putWeights(
  memory: WebAssembly.Memory,
  layout: HeadsLayout,
  at: number,
  from: Float32Array,
): void {
  const { columns, combinations, features } = layout;
  const wanted = (columns * combinations + 1) * READOUT_COLUMNS;
  if (from.length !== wanted) {
    throw new RangeError(`Cannot put ${from.length} numbers into the heads: ${wanted} are wanted`);
  }
  const to = new Float32Array(memory.buffer, at, features * PADDED_COLUMNS);
  for (let f = 0; f <= columns * combinations; f++) {
    for (let c = 0; c < READOUT_COLUMNS; c++) {
      to[placeOf(features, f, c)] = from[f * READOUT_COLUMNS + c]!;
    }
  }
}
