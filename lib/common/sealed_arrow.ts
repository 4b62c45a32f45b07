import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import * as arrow from "apache-arrow";
import { writeFileAtomic } from "./atomic_file.ts";
import { DataError } from "./data_error.ts";

/** The schema metadata key that holds the file's own SHA-256. */
const SEAL_KEY = "flychess:sha256";
/** What stands where the SHA-256 goes while it is computed. */
const BLANK = "0".repeat(64);
/** The bytes every Arrow IPC file begins with. */
const MAGIC = "ARROW1";

/** What precedes the digits, so that they can be found without reading the flatbuffer around them. */
const MARK = "flychess-seal:";

/** Every place where the seal stands: the schema may be written as a message and once more in the footer. */
function sealPlaces(bytes: Uint8Array): number[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Both are small and stand near the ends: a file of a gigabyte need not be searched.
  const reach = 1 << 20;
  const places = new Set<number>();
  for (const [start, end] of [[0, reach], [bytes.length - reach, bytes.length]] as const) {
    const from = Math.max(0, start);
    const region = view.subarray(from, end);
    for (let at = region.indexOf(MARK); at >= 0; at = region.indexOf(MARK, at + 1)) {
      const place = from + at + MARK.length;
      if (place + BLANK.length <= bytes.length) places.add(place);
    }
  }
  return [...places].sort((a, b) => a - b);
}

function fileDigest(bytes: Uint8Array, places: readonly number[]): string {
  const hash = createHash("sha256");
  const blank = new TextEncoder().encode(BLANK);
  let at = 0;
  for (const place of places) {
    hash.update(bytes.subarray(at, place));
    hash.update(blank);
    at = place + 64;
  }
  hash.update(bytes.subarray(at));
  return hash.digest("hex");
}

/**
 * Saves a table as an Arrow IPC file that notices any change: its SHA-256, computed with 64 zeros in its place,
 * stands in the schema's metadata. pyarrow, polars and DuckDB open it like any other Arrow file.
 *
 * @param path Where the file goes.
 * @param table What goes in.
 * @param metadata Schema metadata: what the file is, and whatever else names it.
 */
export async function saveSealedArrow(
  path: string,
  table: arrow.Table,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const entries = new Map([...Object.entries(metadata), [SEAL_KEY, MARK + BLANK]]);
  const schema = new arrow.Schema(table.schema.fields, entries);
  const bytes = arrow.tableToIPC(
    new arrow.Table(schema, table.batches.map((batch) => new arrow.RecordBatch(schema, batch.data))),
    "file",
  );
  const places = sealPlaces(bytes);
  if (places.length === 0) throw new Error(`Cannot seal ${path}: its schema is not where it is wanted`);
  const seal = new TextEncoder().encode(fileDigest(bytes, places));
  for (const place of places) bytes.set(seal, place);
  await writeFileAtomic(path, bytes);
}

/**
 * Opens a file of `saveSealedArrow` and checks that not one byte has changed.
 *
 * @param path The file.
 * @param kind What the file should be, the value of the metadata key `flychess:kind`.
 * @returns The table; its columns share memory with the file's bytes.
 * @throws {DataError} If the file is not an Arrow file, has no seal, is another kind, or was changed.
 */
export async function openSealedArrow(path: string, kind: string): Promise<arrow.Table> {
  const bytes = await Deno.readFile(path);
  const refuse = (found: string): never => {
    throw new DataError(`Cannot open ${path}: ${found}, a file with ${kind} written by flychess is wanted`);
  };
  if (bytes.length < 16 || new TextDecoder().decode(bytes.subarray(0, 6)) !== MAGIC) {
    refuse("it is not an Arrow file");
  }
  if (new TextDecoder().decode(bytes.subarray(-6)) !== MAGIC) refuse("its end is missing or changed");
  const places = sealPlaces(bytes);
  const seals = places.map((place) => new TextDecoder().decode(bytes.subarray(place, place + 64)));
  if (seals.length === 0) refuse("it carries no flychess seal");
  const actual = fileDigest(bytes, places);
  if (seals.some((seal) => seal !== actual)) {
    refuse("its bytes have changed since it was written (the SHA-256 in it does not fit)");
  }
  const table = arrow.tableFromIPC(bytes);
  const found = table.schema.metadata.get("flychess:kind");
  if (found !== kind) refuse(`it is ${found ?? "something else"}`);
  return table;
}
