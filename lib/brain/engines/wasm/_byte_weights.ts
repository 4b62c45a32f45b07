import type { BrainModel } from "../../engine.ts";
import {
  type ByteLayout,
  type ByteWiringLayout,
  HEARD_BYTES,
  HEARD_ONE,
  INPUT_BYTES,
  TILE_QUARTET_BYTES,
} from "./_byte_layout.ts";
import type { TileSize } from "./_layout.ts";
import type { Wiring } from "./_plan.ts";

/** Largest weight of one connection, in units of its row. */
const LARGEST = 127;
/** A row's unit is made finer as long as its list gets no longer than this, up to whole quartets. */
const LONGER = 1.05;
/** Each try makes the unit finer by so much, and there are so many. */
const FINER = 2 ** 0.25, TRIES = 13;
/** The weights of a row come to at most so many units: times 127, they stay far below 2^31. */
const LARGEST_SUM = 2 ** 23;

/** Weights as whole numbers, -127 to 127, in units of their row. A weight of more units is several connections. */
export interface ByteWeights {
  /** `[neurons + 1]`: where a row's connections start. */
  readonly start: Int32Array;
  /** Senders, ascending in a row. */
  readonly sender: Int32Array;
  /** Weights in units of the row. */
  readonly weight: Int8Array;
  /** `[neurons]`: what 1 in a row's input stands for, as a rate of 1 is heard as 127. */
  readonly unit: Float32Array;
}

/** In how many units at most: one in which the row's list, large weights split, is not much longer. */
function finestUnit(weight: ArrayLike<number>, from: number, to: number, connection: Int32Array): number {
  let largest = 0, sum = 0;
  for (let k = from; k < to; k++) {
    const size = Math.abs(weight[connection[k]!]!);
    largest = Math.max(largest, size);
    sum += size;
  }
  if (largest === 0) return 0;
  const coarsest = Math.max(largest / LARGEST, sum / LARGEST_SUM),
    room = 4 * Math.ceil((to - from) * LONGER / 4);
  let finest = coarsest;
  for (let power = 1; power <= TRIES; power++) {
    const unit = coarsest / FINER ** power;
    if (sum / unit > LARGEST_SUM) break;
    let length = 0;
    for (let k = from; k < to; k++) {
      length += Math.ceil(Math.round(Math.abs(weight[connection[k]!]!) / unit) / LARGEST);
    }
    if (length > room) break;
    finest = unit;
  }
  return finest;
}

/** Rounds weights to whole numbers. It does not depend on how the wiring is cut. */
export function roundWeights(
  weight: BrainModel["weight"],
  { rowStart, pre, connection }: Wiring,
): ByteWeights {
  const neurons = rowStart.length - 1;
  const fine = new Float64Array(neurons), start = new Int32Array(neurons + 1);
  const rounded = new Int32Array(pre.length);
  for (let row = 0; row < neurons; row++) {
    const from = rowStart[row]!, to = rowStart[row + 1]!, unit = finestUnit(weight, from, to, connection);
    fine[row] = unit;
    let length = 0;
    for (let k = from; k < to && unit > 0; k++) {
      rounded[k] = Math.round(weight[connection[k]!]! / unit);
      length += Math.ceil(Math.abs(rounded[k]!) / LARGEST);
    }
    start[row + 1] = start[row]! + length;
  }
  const sender = new Int32Array(start[neurons]!), small = new Int8Array(start[neurons]!);
  let at = 0;
  for (let k = 0; k < pre.length; k++) {
    for (let rest = rounded[k]!; rest !== 0; at++) {
      const part = Math.max(-LARGEST, Math.min(LARGEST, rest));
      sender[at] = pre[k]!;
      small[at] = part;
      rest -= part;
    }
  }
  return { start, sender, weight: small, unit: Float32Array.from(fine, (unit) => unit / HEARD_ONE) };
}

/** Where tiles and rows start. */
export interface ByteTiling extends TileSize {
  readonly columns: number;
  readonly bands: number;
  /** `[neurons][columns]`: connections of a row in each column. */
  readonly sizes: Int32Array;
  /** Quartets of all rows. */
  readonly quartets: number;
  /** Bytes of all tiles. */
  readonly tileBytes: number;
}

/** Counts what the tiles need. */
export function planByteTiles({ start, sender }: ByteWeights, { senders, receivers }: TileSize): ByteTiling {
  const neurons = start.length - 1, columns = Math.max(1, Math.ceil(neurons / senders));
  const sizes = new Int32Array(neurons * columns);
  let quartets = 0, tileBytes = 0;
  for (let row = 0; row < neurons; row++) {
    for (let k = start[row]!; k < start[row + 1]!; k++) {
      sizes[row * columns + Math.floor(sender[k]! / senders)]! += 1;
    }
    quartets += Math.ceil((start[row + 1]! - start[row]!) / 4);
    for (let column = 0; column < columns; column++) {
      const size = sizes[row * columns + column]!;
      if (size > 0) tileBytes += 8 + TILE_QUARTET_BYTES * Math.ceil(size / 4);
    }
  }
  const bands = Math.max(1, Math.ceil(neurons / receivers));
  return { senders, receivers, columns, bands, sizes, quartets, tileBytes };
}

/** The rows of a band that a column has connections for, sorted by how many quartets, then by row. */
function rowsByQuartets({ sizes, columns }: ByteTiling, column: number, from: number, to: number): number[] {
  const lists: number[][] = [];
  for (let row = from; row < to; row++) {
    const size = sizes[row * columns + column]!;
    if (size > 0) (lists[Math.ceil(size / 4)] ??= []).push(row);
  }
  return lists.flat();
}

/** Writes tiles and units. What fills a quartet up has weight 0. */
export function writeByteTiles(
  memory: WebAssembly.Memory,
  layout: ByteWiringLayout,
  tiling: ByteTiling,
  { start, sender, weight, unit }: ByteWeights,
): void {
  const { columns, bands, senders, receivers, sizes } = tiling, neurons = start.length - 1;
  const words = new Uint32Array(memory.buffer), halves = new Uint16Array(memory.buffer);
  const bytes = new Int8Array(memory.buffer), next = start.slice();
  let at = layout.tiles, entry = layout.tileTable / 4;
  for (let column = 0; column < columns; column++) {
    for (let band = 0; band < bands; band++) {
      words[entry++] = at;
      const to = Math.min((band + 1) * receivers, neurons);
      for (const row of rowsByQuartets(tiling, column, band * receivers, to)) {
        const size = sizes[row * columns + column]!, quartets = Math.ceil(size / 4), from = next[row]!;
        next[row] = from + size;
        words[at / 4] = row * INPUT_BYTES;
        words[at / 4 + 1] = quartets * TILE_QUARTET_BYTES;
        at += 8;
        for (let k = 0; k < size; k++) {
          const quartet = at + (k >> 2) * TILE_QUARTET_BYTES;
          halves[quartet / 2 + (k & 3)] = sender[from + k]! - column * senders;
          bytes[quartet + 8 + (k & 3)] = weight[from + k]!;
        }
        at += quartets * TILE_QUARTET_BYTES;
      }
    }
  }
  words[entry] = at;
  if (at !== layout.tiles + tiling.tileBytes) throw new Error("Cannot write the tiles: their size is off");
  new Float32Array(memory.buffer, layout.units, neurons).set(unit);
}

/** Writes the connections row by row. */
export function writeByteRows(
  memory: WebAssembly.Memory,
  { quartetsAt, rowStart }: ByteLayout,
  { start, sender, weight }: ByteWeights,
): void {
  const neurons = start.length - 1, starts = new Uint32Array(memory.buffer, rowStart, neurons + 1);
  const words = new Uint32Array(memory.buffer), bytes = new Int8Array(memory.buffer);
  for (let row = 0; row < neurons; row++) {
    const from = start[row]!, size = start[row + 1]! - from;
    for (let k = 0; k < size; k++) {
      const quartet = quartetsAt + 20 * (starts[row]! + (k >> 2));
      words[quartet / 4 + (k & 3)] = sender[from + k]! * HEARD_BYTES;
      bytes[quartet + 16 + (k & 3)] = weight[from + k]!;
    }
    starts[row + 1] = starts[row]! + Math.ceil(size / 4);
  }
}
