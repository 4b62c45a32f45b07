import { zstdDecompressSync } from "node:zlib";
import { DataError } from "../common/mod.ts";
import { type ArrowField, type ArrowPlace, placeFields, readField } from "./_arrow_schema.ts";
import { FlatTable } from "./_flatbuffer.ts";
import { decompressLz4Frame } from "./_lz4.ts";

const MAGIC = "ARROW1";
/** Message header types (Message.fbs, union MessageHeader). */
const DICTIONARY_BATCH = 2;
const RECORD_BATCH = 3;
/**
 * No buffer of a table that this library reads comes near it: a broken length must not take all memory. LZ4 packs at
 * most 255 bytes into one.
 */
const LARGEST_BUFFER = 2 ** 31;

/** Where a record or dictionary batch stands in the file, and what its parts are. */
export interface ArrowBlock {
  /** First byte of the body. */
  readonly body: number;
  /** Bytes of the body. */
  readonly bodyLength: number;
  /** Rows. */
  readonly rows: number;
  /** `[nodes][2]`: length and nulls. */
  readonly nodes: readonly number[][];
  /** `[buffers][2]`: offset in the body and length. */
  readonly buffers: readonly number[][];
  /** How buffers are compressed: 0 LZ4 frame, 1 Zstandard, `undefined` not at all. */
  readonly codec: number | undefined;
  /** Where the columns stand among nodes and buffers. */
  readonly places: readonly ArrowPlace[];
  /** Number of the dictionary, in a dictionary batch. */
  readonly dictionary: number;
  /** Whether a dictionary batch adds to an earlier one. */
  readonly isDelta: boolean;
}

/** An Arrow IPC file (Feather V2) opened for reading: its layout is in memory, its data stay on the disk. */
export class ArrowFile implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #path: string;
  /** The columns. */
  readonly fields: readonly ArrowField[];
  /** Record batches in order. */
  readonly batches: readonly ArrowBlock[];
  /** Dictionary batches in order. */
  readonly dictionaries: readonly ArrowBlock[];

  private constructor(
    file: Deno.FsFile,
    path: string,
    layout: { fields: ArrowField[]; batches: ArrowBlock[]; dictionaries: ArrowBlock[] },
  ) {
    this.#file = file;
    this.#path = path;
    this.fields = layout.fields;
    this.batches = layout.batches;
    this.dictionaries = layout.dictionaries;
  }

  /**
   * Opens a file and reads its layout.
   *
   * @throws {DataError} If it is missing, cut off, or no Arrow file.
   */
  static async open(path: string): Promise<ArrowFile> {
    let file: Deno.FsFile;
    try {
      file = await Deno.open(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new DataError(`Cannot read ${path}: there is no such file, a Feather V2 table is wanted`);
    }
    try {
      return new ArrowFile(file, path, await readLayout(file, path));
    } catch (error) {
      file.close();
      throw error instanceof RangeError
        ? new DataError(
          `Cannot read ${path}: its layout is broken (${error.message}), a whole table is wanted`,
        )
        : error;
    }
  }

  /** The bytes of a batch's body. */
  async body(block: ArrowBlock): Promise<Uint8Array> {
    return await readAt(this.#file, this.#path, block.body, block.bodyLength);
  }

  /** One buffer of a batch, decompressed; 8-byte aligned, so that typed arrays can view it. */
  buffer(block: ArrowBlock, body: Uint8Array, index: number): Uint8Array {
    const place = block.buffers[index];
    if (place === undefined) throw new RangeError("a buffer is missing");
    const [offset, length] = place as [number, number];
    if (!(offset >= 0 && length >= 0 && offset + length <= body.length)) {
      throw new RangeError("a buffer reaches beyond its batch");
    }
    const stored = body.subarray(offset, offset + length);
    if (block.codec === undefined || length === 0) return aligned(stored);
    const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
    const size = view.getInt32(4, true) * 0x100000000 + view.getUint32(0, true);
    const packed = stored.subarray(8);
    // -1 marks a buffer that compression would have made longer.
    if (size === -1) return aligned(packed);
    if (size < 0 || size > LARGEST_BUFFER || (block.codec === 0 && size > 255 * packed.length)) {
      throw new RangeError(`a buffer claims ${size} bytes`);
    }
    if (block.codec === 0) return decompressLz4Frame(packed, size);
    return unpackZstandard(packed, size);
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    this.#file.close();
  }
}

function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

function unpackZstandard(packed: Uint8Array, size: number): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = zstdDecompressSync(packed, { maxOutputLength: Math.max(size, 1) });
  } catch (error) {
    throw new RangeError(`its Zstandard data are broken: ${error instanceof Error ? error.message : error}`);
  }
  if (bytes.length !== size) {
    throw new RangeError(`its Zstandard data hold ${bytes.length} bytes, not the ${size} stated`);
  }
  return aligned(bytes);
}

async function readAt(file: Deno.FsFile, path: string, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  await file.seek(at, Deno.SeekMode.Start);
  for (let done = 0; done < length;) {
    const got = await file.read(bytes.subarray(done));
    if (got === null) throw new DataError(`Cannot read ${path}: it ends early, a whole table is wanted`);
    done += got;
  }
  return bytes;
}

async function readLayout(file: Deno.FsFile, path: string) {
  const { size } = await file.stat();
  const refuse = (found: string): never => {
    throw new DataError(`Cannot read ${path}: ${found}, a Feather V2 (Arrow IPC) table is wanted`);
  };
  const text = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
  const start = text(await readAt(file, path, 0, Math.min(8, size)));
  if (start.startsWith("FEA1")) refuse("it is a Feather V1 table");
  if (!start.startsWith(MAGIC)) refuse("it is not an Arrow file");
  const tail = await readAt(file, path, Math.max(0, size - 10), Math.min(10, size));
  if (size < 24 || text(tail.subarray(4)) !== MAGIC) refuse("its end is missing");
  const footerLength = new DataView(tail.buffer).getInt32(0, true);
  if (footerLength <= 0 || footerLength > size - 18) refuse("its footer is broken");
  const footer = FlatTable.root(await readAt(file, path, size - 10 - footerLength, footerLength));
  const schema = footer.table(1);
  if (schema === undefined) return refuse("it has no schema");
  if (schema.short(0) !== 0) refuse("its numbers are big-endian");
  const fields = schema.tables(1).map(readField);
  const blocks = async (slot: number, kind: number): Promise<ArrowBlock[]> => {
    const list: ArrowBlock[] = [];
    for (const [offset, metadata, bodyLength] of footer.structs(slot, 3) as [number, number, number][]) {
      // The metadata's length is 32 bits wide; what pads it to 64 is unspecified.
      const length = metadata >>> 0;
      if (!(offset >= 8 && bodyLength >= 0 && offset + length + bodyLength <= size)) {
        refuse("a record batch reaches beyond its end");
      }
      list.push(
        readBlock(await readAt(file, path, offset, length), fields, kind, offset + length, bodyLength),
      );
    }
    return list;
  };
  return {
    fields,
    dictionaries: await blocks(2, DICTIONARY_BATCH),
    batches: await blocks(3, RECORD_BATCH),
  };
}

function readBlock(
  bytes: Uint8Array,
  fields: readonly ArrowField[],
  kind: number,
  body: number,
  bodyLength: number,
): ArrowBlock {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Files written before Arrow 0.15 have no continuation mark.
  const prefix = view.getUint32(0, true) === 0xffffffff ? 8 : 4;
  const message = FlatTable.root(bytes.subarray(prefix));
  if (message.byte(1) !== kind) throw new RangeError("a message is not what the footer says");
  const header = message.table(2);
  const record = kind === DICTIONARY_BATCH ? header?.table(1) : header;
  if (header === undefined || record === undefined) throw new RangeError("a message is empty");
  const compression = record.table(3);
  const codec = compression?.byte(0);
  if (codec !== undefined && codec > 1) throw new RangeError(`its compression ${codec} is unknown`);
  const variadic = record.structs(4, 1).map(([count]) => count!);
  return {
    body,
    bodyLength,
    rows: record.long(0),
    nodes: record.structs(1, 2),
    buffers: record.structs(2, 2),
    codec,
    places: kind === DICTIONARY_BATCH ? [] : placeFields(fields, variadic),
    dictionary: kind === DICTIONARY_BATCH ? header.long(0) : -1,
    isDelta: kind === DICTIONARY_BATCH && header.byte(2) !== 0,
  };
}
