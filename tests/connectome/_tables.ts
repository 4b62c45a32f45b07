import { PYTHON } from "../_requirements.ts";
import * as arrow from "apache-arrow";
import lz4 from "lz4js";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { ArrowFile } from "../../lib/connectome/_arrow_file.ts";

/** How a table's buffers are packed. */
export type Packing = "plain" | "lz4" | "zstd";

arrow.compressionRegistry.set(arrow.CompressionType.LZ4_FRAME, {
  encode: (bytes) => lz4.compress(bytes),
  decode: (bytes) => lz4.decompress(bytes),
});
arrow.compressionRegistry.set(arrow.CompressionType.ZSTD, {
  encode: (bytes) => new Uint8Array(zstdCompressSync(bytes)),
  decode: (bytes) => new Uint8Array(zstdDecompressSync(bytes)),
});

/** Columns of a table: values, `null` among them, and what they are stored as. */
export type Columns = Readonly<Record<string, { type: arrow.DataType; values: readonly unknown[] }>>;

/**
 * Writes a Feather V2 table with apache-arrow's own writer.
 *
 * @param batchRows Rows of a record batch; all in one if left out.
 */
export async function writeTable(
  path: string,
  columns: Columns,
  { packing = "plain", batchRows = Infinity }: { packing?: Packing; batchRows?: number } = {},
): Promise<void> {
  const rows = Math.max(...Object.values(columns).map(({ values }) => values.length));
  const tables: arrow.Table[] = [];
  for (let at = 0; at === 0 || at < rows; at += batchRows) {
    tables.push(
      new arrow.Table(Object.fromEntries(
        Object.entries(columns).map((
          [name, { type, values }],
        ) => [name, arrow.vectorFromArray(values.slice(at, at + batchRows), type)]),
      )),
    );
  }
  const table = tables[0]!.concat(...tables.slice(1));
  const compressionType = packing === "lz4"
    ? arrow.CompressionType.LZ4_FRAME
    : packing === "zstd"
    ? arrow.CompressionType.ZSTD
    : null;
  const writer = new arrow.RecordBatchFileWriter({ compressionType });
  writer.writeAll(table);
  writer.finish();
  await Deno.writeFile(path, await writer.toUint8Array());
  if (packing !== "plain") await correctLengths(path, packing);
}

/**
 * Puts the unpacked length before every packed buffer, as the format wants it: apache-arrow 21.2 writes the packed
 * length there, and pyarrow refuses its files.
 */
async function correctLengths(path: string, packing: "lz4" | "zstd"): Promise<void> {
  const bytes = await Deno.readFile(path);
  const view = new DataView(bytes.buffer);
  using file = await ArrowFile.open(path);
  for (const block of [...file.dictionaries, ...file.batches]) {
    for (const [offset, length] of block.buffers as [number, number][]) {
      const at = block.body + offset;
      if (length === 0 || view.getBigInt64(at, true) === -1n) continue;
      const packed = bytes.subarray(at + 8, at + length);
      const unpacked = packing === "lz4" ? lz4.decompress(packed) : zstdDecompressSync(packed);
      view.setBigInt64(at, BigInt(unpacked.length), true);
    }
  }
  await Deno.writeFile(path, bytes);
}

/** Ids as Arrow wants them. */
export function int64(values: readonly (number | null)[]) {
  return { type: new arrow.Int64(), values: values.map((value) => value === null ? null : BigInt(value)) };
}

/** Texts. */
export function utf8(values: readonly (string | null)[]) {
  return { type: new arrow.Utf8(), values };
}

/** Floats. */
export function float64(values: readonly (number | null)[]) {
  return { type: new arrow.Float64(), values };
}

/** Runs a Python program, with the folder as its first argument; its exit status must be 0. */
export async function python(program: string, folder: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(PYTHON, { args: ["-c", program, folder] })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
