import { LINE_BYTES, type TileSize, type Tiling } from "./_layout.ts";
import type { Wiring } from "./_plan.ts";

/** How the connections are cut, before memory is laid out for them. */
export interface TilePlan extends Tiling {
  /** `[neurons][columns]`: pairs of a row in each column. */
  readonly sizes: Int32Array;
}

/**
 * Cuts the wiring into tiles: columns of senders whose lines fit a core's own cache, bands of receivers whose lines
 * fit beside them. A step walks down one column after the other, so that a sender's line, once fetched, serves all
 * its receivers from the cache.
 */
export function planTiles(
  { rowStart, pre }: Pick<Wiring, "rowStart" | "pre">,
  { senders, receivers }: TileSize,
): TilePlan {
  const neurons = rowStart.length - 1;
  const columns = Math.max(1, Math.ceil(neurons / senders)),
    bands = Math.max(1, Math.ceil(neurons / receivers));
  const sizes = new Int32Array(neurons * columns);
  let groups = 0;
  for (let row = 0; row < neurons; row++) {
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
      const cell = row * columns + Math.floor(pre[k]! / senders);
      if (sizes[cell]! === 0) groups++;
      sizes[cell]! += 1;
    }
  }
  return { senders, receivers, columns, bands, groups, sizes };
}

/** The rows of a band that a column has pairs for, sorted by how many, then by row. */
function rowsBySize({ sizes, columns }: TilePlan, column: number, from: number, to: number): Int32Array {
  let most = 0, rows = 0;
  for (let row = from; row < to; row++) {
    const size = sizes[row * columns + column]!;
    if (size > 0) rows++;
    most = Math.max(most, size);
  }
  const next = new Int32Array(most + 2);
  for (let row = from; row < to; row++) {
    const size = sizes[row * columns + column]!;
    if (size > 0) next[size + 1]! += 1;
  }
  for (let size = 1; size <= most; size++) next[size + 1]! += next[size]!;
  const sorted = new Int32Array(rows);
  for (let row = from; row < to; row++) {
    const size = sizes[row * columns + column]!;
    if (size > 0) sorted[next[size]!++] = row;
  }
  return sorted;
}

/**
 * Writes the tiles, without weights.
 *
 * @param tiles Address of the groups, as kernels.as wants them.
 * @param table Address of `[columns * bands + 1][2]` u32: where each tile starts, and how many pairs come before it.
 * @param slot Address of `[connections]` u32: which number each pair has among those of all tiles.
 * @param tiled Address of `[connections]` u32: which 4-byte word of the memory holds each pair's weight.
 */
export function writeTiles(
  memory: WebAssembly.Memory,
  { tiles, table, slot, tiled }: { tiles: number; table: number; slot: number; tiled: number },
  plan: TilePlan,
  { rowStart, pre }: Pick<Wiring, "rowStart" | "pre">,
): void {
  const { columns, bands, senders, receivers, groups, sizes } = plan;
  const neurons = rowStart.length - 1, connections = pre.length;
  const words = new Uint32Array(memory.buffer);
  const slots = new Uint32Array(memory.buffer, slot, connections);
  const word = new Uint32Array(neurons * columns), number = new Uint32Array(neurons * columns);
  let at = tiles / 4, pairs = 0, entry = table / 4;
  for (let column = 0; column < columns; column++) {
    for (let band = 0; band < bands; band++) {
      words[entry++] = 4 * at;
      words[entry++] = pairs;
      for (
        const row of rowsBySize(plan, column, band * receivers, Math.min((band + 1) * receivers, neurons))
      ) {
        const cell = row * columns + column, size = sizes[cell]!;
        words[at] = row * LINE_BYTES;
        words[at + 1] = size;
        word[cell] = at + 2;
        number[cell] = pairs;
        at += 2 + 2 * size;
        pairs += size;
      }
    }
  }
  words[entry++] = 4 * at;
  words[entry] = pairs;
  if (at !== tiles / 4 + 2 * (groups + connections)) {
    throw new Error("Cannot write the tiles: their size is off");
  }

  const weights = new Uint32Array(memory.buffer, tiled, connections);
  for (let row = 0; row < neurons; row++) {
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
      const cell = row * columns + Math.floor(pre[k]! / senders);
      words[word[cell]!] = pre[k]! * LINE_BYTES;
      weights[k] = word[cell]! + 1;
      word[cell]! += 2;
      slots[k] = number[cell]!++;
    }
  }
}
