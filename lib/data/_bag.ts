import { legalMoves, parseFen } from "../chess/mod.ts";
import { DataError } from "../common/mod.ts";
import { sourceName } from "./_lines.ts";
import { openFile, SourceError } from "./_open_source.ts";
import type { SkipReason } from "./_position_rows.ts";
import { ZstdDecoder } from "./_zstd.ts";
import { type LabelledMove, ShardError, type ShardRow } from "./shard.ts";

/** Bytes of records that are read at once, if one alone has no more. */
const BLOCK = 1 << 20;
/** Records whose ends are read at once. */
const ENDS = 1 << 13;
/** No record is longer: they hold a position, a move and a number. */
const LONGEST_RECORD = 1 << 16;
/** Positions that wait for their other moves at one time. */
const OPEN = 1 << 14;

/** What a piece of a bag gives. */
interface BagBatch {
  readonly rows: ShardRow[];
  readonly skipped: SkipReason[];
}

/** How to read a bag. */
interface BagOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
  /** Whether to take a position, by its FEN. */
  readonly picks?: ((text: string) => boolean) | undefined;
}

/**
 * Reads action values in DeepMind's Bagz format: records, then the end of each as int64, so that the last eight
 * bytes of the file say where the records end. A record is a position, a move and the mover's chance to win after
 * it, encoded by Apache Beam: the length of a text as a varint before it, the chance as a big-endian double.
 *
 * The records of a position are gathered until every legal move is there. They stand together in DeepMind's files;
 * positions that are not complete after 16,384 others have been begun are counted and given up.
 *
 * @param source A path or `file:` URL: the index at the end has to be read first.
 */
export async function* readBag(source: string | URL, options: BagOptions): AsyncGenerator<BagBatch> {
  if (source instanceof URL && source.protocol !== "file:") {
    throw new SourceError(
      `Cannot read ${source}: the index of a bag is its end, a file on this machine is wanted`,
    );
  }
  using file = await openFile(source);
  const name = sourceName(source);
  const packed = name.endsWith(".bagz");
  const gathering = new Gathering(options.picks ?? (() => true));
  let record = 0;
  let at = 0;
  let batch: BagBatch = { rows: [], skipped: [] };
  try {
    const size = (await file.stat()).size;
    const start = await indexStart(file, size);
    const count = (size - start) / 8;
    while (record < count) {
      options.signal?.throwIfAborted();
      const ends = await readAt(file, start + record * 8, 8 * Math.min(ENDS, count - record));
      const view = new DataView(ends.buffer);
      for (let done = 0; done < ends.length / 8;) {
        // As many records as fill a block.
        const first = at;
        let last = done;
        let end = at;
        let problem: DataError | undefined;
        for (; last < ends.length / 8 && end - first < BLOCK; last++) {
          const next = Number(view.getBigInt64(last * 8, true));
          if (next < end || next > start || next - end > LONGEST_RECORD) {
            problem = new DataError(`it is said to end at byte ${next}, which cannot be`);
            break;
          }
          end = next;
        }
        const bytes = await readAt(file, first, end - first);
        options.onBytes?.(bytes);
        for (; done < last; done++) {
          const next = Number(view.getBigInt64(done * 8, true));
          const content = bytes.subarray(at - first, next - first);
          gathering.add(packed ? unpack(content) : content, batch);
          at = next;
          record++;
        }
        if (problem) throw problem;
      }
      yield batch;
      batch = { rows: [], skipped: [] };
    }
    if (at !== start) throw new DataError("there are bytes that belong to no record");
    // So that whoever takes a digest has seen the file from its first byte to its last.
    for (let from = start; from < size; from += BLOCK) {
      options.onBytes?.(await readAt(file, from, Math.min(BLOCK, size - from)));
    }
  } catch (error) {
    if (error instanceof SourceError || !(error instanceof DataError)) throw error;
    yield batch;
    yield gathering.end();
    throw new ShardError(name, error.message, record, at, {
      unit: "record",
      format: "DeepMind's Bagz format with action values",
    });
  }
  yield gathering.end();
}

/** Where the records end and their index begins: the last record's end, which is the last number of the index. */
async function indexStart(file: Deno.FsFile, size: number): Promise<number> {
  if (size === 0) return 0;
  const start = size < 8
    ? -1
    : Number(new DataView((await readAt(file, size - 8, 8)).buffer).getBigUint64(0, true));
  if (start < 0 || start > size - 8 || (size - start) % 8 !== 0) {
    throw new DataError("its last eight bytes do not say where the index begins; it may be cut off");
  }
  return start;
}

async function readAt(file: Deno.FsFile, at: number, count: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(count);
  await file.seek(at, Deno.SeekMode.Start);
  for (let have = 0; have < count;) {
    const got = await file.read(bytes.subarray(have));
    if (got === null) throw new DataError("the file ends");
    have += got;
  }
  return bytes;
}

/** A record of a `.bagz` file: one zstd frame, nothing if it is empty. */
function unpack(bytes: Uint8Array): Uint8Array {
  const decoder = new ZstdDecoder();
  const parts = [...decoder.push(bytes)];
  decoder.end();
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** An action value as Beam's tuple of text, text and float. */
function parseRecord(bytes: Uint8Array): { fen: string; uci: string; winProb: number } {
  let at = 0;
  const texts: string[] = [];
  for (let i = 0; i < 2; i++) {
    let length = 0;
    let shift = 0;
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 14) throw new DataError("it is not a position, a move and a chance");
      length |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) break;
    }
    if (at + length > bytes.length) throw new DataError("it is not a position, a move and a chance");
    texts.push(new TextDecoder().decode(bytes.subarray(at, at + length)));
    at += length;
  }
  if (at + 8 !== bytes.length) throw new DataError("it is not a position, a move and a chance");
  const winProb = new DataView(bytes.buffer, bytes.byteOffset + at, 8).getFloat64(0);
  return { fen: texts[0]!, uci: texts[1]!, winProb };
}

/** Positions whose moves come one by one. */
class Gathering {
  readonly #open = new Map<string, { wanted: number; moves: LabelledMove[] }>();
  readonly #picks: (text: string) => boolean;

  constructor(picks: (text: string) => boolean) {
    this.#picks = picks;
  }

  add(bytes: Uint8Array, batch: BagBatch): void {
    const { fen, uci, winProb } = parseRecord(bytes);
    let position = this.#open.get(fen);
    if (position === undefined) {
      if (!this.#picks(fen)) return;
      position = { wanted: countMoves(fen), moves: [] };
      this.#open.set(fen, position);
      if (position.wanted < 0) batch.skipped.push("badFen");
      if (this.#open.size > OPEN) {
        const [oldest, left] = this.#open.entries().next().value!;
        this.#open.delete(oldest);
        if (left.wanted >= 0) batch.skipped.push("fewMoves");
      }
    }
    if (position.wanted < 0) return;
    position.moves.push({ uci, winProb });
    if (position.moves.length < position.wanted) return;
    this.#open.delete(fen);
    batch.rows.push({ fen, moves: position.moves });
  }

  /** What is left at the end. */
  end(): BagBatch {
    const left = [...this.#open.values()].filter(({ wanted }) => wanted >= 0);
    this.#open.clear();
    return { rows: [], skipped: left.map(() => "fewMoves") };
  }
}

/** Legal moves of a position, -1 if the FEN is wrong. */
function countMoves(fen: string): number {
  try {
    return legalMoves(parseFen(fen)).length;
  } catch (error) {
    if (error instanceof DataError) return -1;
    throw error;
  }
}
