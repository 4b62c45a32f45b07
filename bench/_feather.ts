import * as arrow from "apache-arrow";
import lz4 from "lz4js";
import { ArrowFile } from "../lib/connectome/_arrow_file.ts";

/** Rows of a record batch, as in the published tables. */
export const BATCH_ROWS = 65_536;

/** One column of one record batch. */
export type Column = arrow.Data;

/** A batch's columns by name: every batch has the same names and types. */
export type Batch = Readonly<Record<string, Column>>;

/** Whole numbers of 64 bits. */
export function int64(length: number, value: (row: number) => number): arrow.Data<arrow.Int64> {
  const data = new BigInt64Array(length);
  // Two words each: making a BigInt of every number takes several times as long.
  const words = new Int32Array(data.buffer);
  for (let row = 0; row < length; row++) {
    const number = value(row);
    words[2 * row] = number | 0;
    words[2 * row + 1] = Math.floor(number / 2 ** 32);
  }
  return arrow.makeData({ type: new arrow.Int64(), length, nullCount: 0, data });
}

/** Whole numbers of 32 bits. */
export function int32(length: number, value: (row: number) => number): Column {
  const data = Int32Array.from({ length }, (_, row) => value(row));
  return arrow.makeData({ type: new arrow.Int32(), length, nullCount: 0, data });
}

/** Floating-point numbers. */
export function float64(length: number, value: (row: number) => number): Column {
  const data = Float64Array.from({ length }, (_, row) => value(row));
  return arrow.makeData({ type: new arrow.Float64(), length, nullCount: 0, data });
}

/** Names of some vocabulary, already in UTF-8. */
export function texts(length: number, words: readonly Uint8Array[], which: (row: number) => number): Column {
  const valueOffsets = new Int32Array(length + 1);
  for (let row = 0; row < length; row++) {
    valueOffsets[row + 1] = valueOffsets[row]! + words[which(row)]!.length;
  }
  const data = new Uint8Array(valueOffsets[length]!);
  for (let row = 0; row < length; row++) data.set(words[which(row)]!, valueOffsets[row]!);
  return arrow.makeData({ type: new arrow.Utf8(), length, nullCount: 0, valueOffsets, data });
}

/** Lists of whole numbers. */
export function lists(length: number, value: (row: number) => readonly number[]): Column {
  const rows = Array.from({ length }, (_, row) => value(row)), all = rows.flat();
  const valueOffsets = new Int32Array(length + 1);
  rows.forEach((list, row) => {
    valueOffsets[row + 1] = valueOffsets[row]! + list.length;
  });
  return arrow.makeData({
    type: new arrow.List(new arrow.Field("item", new arrow.Int64(), true)),
    length,
    nullCount: 0,
    valueOffsets,
    child: int64(all.length, (i) => all[i]!),
  });
}

/**
 * Writes a Feather V2 table with LZ4 buffers, batch by batch: only one of them is in memory.
 *
 * @param path The file.
 * @param rows Rows of the whole table.
 * @param batch Makes the rows from `first` on.
 */
export async function writeFeather(
  path: string,
  rows: number,
  batch: (first: number, length: number) => Batch,
): Promise<void> {
  const lengths: number[] = [];
  arrow.compressionRegistry.set(arrow.CompressionType.LZ4_FRAME, {
    encode(bytes: Uint8Array) {
      lengths.push(bytes.length);
      return lz4.compress(bytes);
    },
    decode: (bytes: Uint8Array) => lz4.decompress(bytes),
  });
  lengths.length = 0; // the registry has tried the codec
  const writer = new arrow.RecordBatchFileWriter({ compressionType: arrow.CompressionType.LZ4_FRAME });
  const file = await Deno.create(path);
  const written = writer.toDOMStream().pipeTo(file.writable);
  let schema: arrow.Schema | undefined;
  for (let first = 0; first === 0 || first < rows; first += BATCH_ROWS) {
    const length = Math.min(BATCH_ROWS, rows - first), columns = Object.entries(batch(first, length));
    schema ??= new arrow.Schema(columns.map(([name, { type }]) => new arrow.Field(name, type, true)));
    const type = new arrow.Struct(schema.fields), children = columns.map(([, column]) => column);
    writer.write(new arrow.RecordBatch(schema, arrow.makeData({ type, length, nullCount: 0, children })));
    await new Promise((resolve) => setTimeout(resolve)); // lets the bytes go to the disk
  }
  writer.finish();
  await written;
  await correctLengths(path, lengths);
}

/** Puts the unpacked length before every packed buffer, as the format wants it: apache-arrow 21.2 writes the packed one. */
async function correctLengths(path: string, lengths: readonly number[]): Promise<void> {
  using layout = await ArrowFile.open(path);
  using file = await Deno.open(path, { read: true, write: true });
  const word = new BigInt64Array(1), bytes = new Uint8Array(word.buffer);
  let next = 0;
  for (const { body, buffers } of layout.batches) {
    for (const [offset, length] of buffers as [number, number][]) {
      if (length === 0) continue;
      const at = body + offset;
      await file.seek(at, Deno.SeekMode.Start);
      await file.read(bytes);
      // -1 marks a buffer that packing would have made longer.
      if (word[0] !== -1n) {
        word[0] = BigInt(lengths[next]!);
        await file.seek(at, Deno.SeekMode.Start);
        await file.write(bytes);
      }
      next++;
    }
  }
  if (next !== lengths.length) {
    throw new Error(`Cannot write ${path}: ${next} of ${lengths.length} packed buffers were found`);
  }
}
