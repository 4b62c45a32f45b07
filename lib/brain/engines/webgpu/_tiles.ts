import { HEAVY_ROW } from "./_gather_kernels.ts";

/** Bytes that a tile keeps for a connection in its largest array: a segment of three numbers, if it is alone in its row. */
const SEGMENT_BYTES = 12;

/** Wiring the way one kernel call walks it: rows of one part of the neurons, senders of one part, whole arrays bindable. */
export interface Tile {
  /** Part that the senders are in. */
  readonly from: number;
  /** Part that the rows are in. */
  readonly into: number;
  /** `[connections]`: which connection of the model each is. */
  readonly order: Int32Array;
  /** `[connections]`: the sender, counted within its part. */
  readonly sender: Uint32Array<ArrayBuffer>;
  /** `[connections]`: the row, counted within its part. */
  readonly row: Uint32Array<ArrayBuffer>;
  /** Row, first connection, end: one a row, rows of like length side by side, heavy rows last. */
  readonly segments: Uint32Array<ArrayBuffer>;
  /** Segments that are not heavy. */
  readonly light: number;
}

/** Wiring by rows. */
export interface Rows {
  /** `[rows + 1]` */
  readonly rowStart: Int32Array;
  /** `[connections]`: the other end. */
  readonly sender: Int32Array;
  /** `[connections]`: which connection of the model each is; `null`: in the model's order. */
  readonly order: Int32Array | null;
}

/** Turns wiring round: the rows are then the senders. */
export function transpose(rowStart: Int32Array, pre: Int32Array): Rows {
  const neurons = rowStart.length - 1;
  const start = new Int32Array(neurons + 1);
  for (const sender of pre) start[sender + 1]! += 1;
  for (let row = 0; row < neurons; row++) start[row + 1]! += start[row]!;
  const next = start.slice();
  const receiver = new Int32Array(pre.length), order = new Int32Array(pre.length);
  for (let row = 0; row < neurons; row++) {
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
      const at = next[pre[k]!]!++;
      receiver[at] = row;
      order[at] = k;
    }
  }
  return { rowStart: start, sender: receiver, order };
}

/**
 * Cuts wiring into tiles.
 *
 * @param rows The wiring.
 * @param partSize Neurons a part.
 * @param largestBuffer Bytes that an array may take.
 */
export function cutTiles(rows: Rows, partSize: number, largestBuffer: number): Tile[] {
  const neurons = rows.rowStart.length - 1;
  const parts = Math.ceil(neurons / partSize);
  const most = Math.floor(largestBuffer / SEGMENT_BYTES);
  const tiles: Tile[] = [];
  for (let into = 0; into < parts; into++) {
    for (let from = 0; from < parts; from++) {
      const chosen = connectionsBetween(rows, partSize, from, into);
      for (let first = 0; first < chosen.sender.length; first += most) {
        const end = Math.min(first + most, chosen.sender.length);
        const row = chosen.row.slice(first, end);
        tiles.push({
          from,
          into,
          order: chosen.order.slice(first, end),
          sender: chosen.sender.slice(first, end),
          row,
          ...segmentsOf(row),
        });
      }
    }
  }
  return tiles;
}

/** The connections from one part to another, row after row. */
function connectionsBetween(
  { rowStart, sender, order }: Rows,
  partSize: number,
  from: number,
  into: number,
): Pick<Tile, "order" | "sender" | "row"> {
  const firstRow = into * partSize, endRow = Math.min(firstRow + partSize, rowStart.length - 1);
  const low = from * partSize, high = low + partSize;
  let count = 0;
  for (let k = rowStart[firstRow]!; k < rowStart[endRow]!; k++) {
    if (sender[k]! >= low && sender[k]! < high) count++;
  }
  const found = {
    order: new Int32Array(count),
    sender: new Uint32Array(count),
    row: new Uint32Array(count),
  };
  let at = 0;
  for (let row = firstRow; row < endRow; row++) {
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) {
      if (sender[k]! < low || sender[k]! >= high) continue;
      found.order[at] = order === null ? k : order[k]!;
      found.sender[at] = sender[k]! - low;
      found.row[at++] = row - firstRow;
    }
  }
  return found;
}

/** Buckets: 1, 2, 3 to 4, 5 to 8, ... connections; the last holds every heavy row. */
function bucketOf(connections: number): number {
  const most = 32 - Math.clz32(HEAVY_ROW - 1);
  return connections > HEAVY_ROW ? most + 1 : Math.min(32 - Math.clz32(connections - 1), most);
}

/** Rows of like length side by side, so that threads which run together end together; else in their order. */
function segmentsOf(row: Uint32Array): Pick<Tile, "segments" | "light"> {
  const buckets: [row: number, first: number, end: number][][] = [];
  let light = 0;
  for (let first = 0, end; first < row.length; first = end) {
    for (end = first + 1; end < row.length && row[end] === row[first];) end++;
    (buckets[bucketOf(end - first)] ??= []).push([row[first]!, first, end]);
    if (end - first <= HEAVY_ROW) light++;
  }
  return { segments: Uint32Array.from(buckets.flat(2)), light };
}
