import { basename } from "node:path";
import { DataError } from "../common/mod.ts";
import { RowDecoder } from "./_row_codec.ts";
import { openSource, SourceError } from "./_open_source.ts";
import { ZstdDecoder } from "./_zstd.ts";

/** A teacher's opinion of one move. */
export interface LabelledMove {
  /** The move in UCI notation, on the real board. */
  readonly uci: string;
  /** Chance to win after it, for the side to move, 0 to 1. */
  readonly winProb: number;
  /** Moves until mate, negative where the side to move is mated, `"#"` for mate at once; absent where none is seen. */
  readonly mate?: number | "#";
}

/** One row of a shard: a position and what the teacher thinks of its moves. */
export interface ShardRow {
  /** The position. */
  readonly fen: string;
  /** The moves, in the order of the file. */
  readonly moves: readonly LabelledMove[];
  /** The game it comes from, where the source says. */
  readonly game?: number;
}

/** A shard that is cut off, corrupt, or something else. What stood before the place was still given. */
export class ShardError extends DataError {
  /** The row that could not be read, counted from 0: as many rows as this were whole. */
  readonly row: number;
  /** Where that row starts among the unpacked bytes. */
  readonly byte: number;

  /**
   * An error that names the file and the place.
   *
   * @param wanted What whole rows are called in this format, and which format that is.
   */
  constructor(
    name: string,
    what: string,
    row: number,
    byte: number,
    wanted: { readonly unit: string; readonly format: string } = {
      unit: "row",
      format: "ChessBench's format",
    },
  ) {
    super(
      `Cannot read ${name} to its end: ${what} in ${wanted.unit} ${
        row.toLocaleString("en-US")
      }, which starts at unpacked ` +
        `byte ${byte.toLocaleString("en-US")}; whole ${wanted.unit}s in ${wanted.format} are wanted`,
    );
    this.row = row;
    this.byte = byte;
  }
}

/** How to read a shard. */
export interface ReadShardOptions {
  /** Stops the reading: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every piece of the file as it is read, for example to compute its digest. */
  readonly onBytes?: ((bytes: Uint8Array) => void) | undefined;
}

/** No row is longer: longest are some 10 kB. A broken length would otherwise be waited for to the file's end. */
const LONGEST_ROW = 1 << 20;

/**
 * `readShard`, some hundred rows at a time: waiting for every single one would take as long as decoding it.
 *
 * @param source As for `readShard`.
 * @throws {ShardError} As `readShard`.
 */
export async function* readShardBatches(
  source: string | URL,
  options: ReadShardOptions = {},
): AsyncGenerator<ShardRow[]> {
  const name = source instanceof URL ? source.href : basename(source);
  const unpacker = new ZstdDecoder();
  const decoder = new RowDecoder();
  let left: Uint8Array = new Uint8Array(0);
  let row = 0;
  let byte = 0;

  /** Decodes what whole rows there are; a broken one is noted and thrown after those before it were given. */
  function decode(block: Uint8Array): { rows: ShardRow[]; problem: unknown } {
    const bytes = new Uint8Array(left.length + block.length);
    bytes.set(left);
    bytes.set(block, left.length);
    decoder.reset(bytes);
    const rows: ShardRow[] = [];
    let problem: unknown;
    try {
      for (let next = decoder.next(); next !== undefined; next = decoder.next()) rows.push(next);
    } catch (error) {
      problem = error;
    }
    row += rows.length;
    byte += decoder.position;
    left = bytes.subarray(decoder.position);
    if (left.length > LONGEST_ROW) problem ??= new DataError("there is no end");
    return { rows, problem };
  }

  try {
    for await (const chunk of openSource(source, { signal: options.signal })) {
      options.signal?.throwIfAborted();
      options.onBytes?.(chunk);
      for (const block of unpacker.push(chunk)) {
        const { rows, problem } = decode(block);
        if (rows.length > 0) yield rows;
        if (problem !== undefined) throw problem;
      }
    }
    unpacker.end();
    if (left.length > 0) throw new DataError("the data ends");
  } catch (error) {
    if (error instanceof SourceError) throw error;
    if (error instanceof DataError) throw new ShardError(name, error.message, row, byte);
    throw error;
  }
}

/**
 * Reads a shard in the format of the ChessBench mirror: a zstd stream, of one frame or many, of MessagePack maps
 * `{"fen", "moves": {uci: {"win_prob", "mate"?}}, "game"?}`; keys it does not know are passed over. It is read as a
 * stream: a shard of any size needs some megabytes of memory.
 *
 * @param source A path, or a URL (`file:` or `http(s):`).
 * @param options Stops it or looks at the bytes.
 * @returns The rows in the order of the file. Only the format is checked here, not the chess.
 * @throws {ShardError} Where the file is cut off, corrupt or foreign, after every whole row before the place.
 * @throws {DataError} If there is no such file.
 *
 * @example Counting the positions that the library ships
 * ```ts
 * import { readShard, SHIPPED } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * let rows = 0;
 * for await (const { fen, moves } of readShard(SHIPPED.heldout[0]!)) {
 *   assert.ok(fen.length > 0 && moves.length > 0);
 *   rows++;
 * }
 * assert.equal(rows, 4096 + 2048); // HOLD, then VAL
 * ```
 */
export async function* readShard(
  source: string | URL,
  options: ReadShardOptions = {},
): AsyncGenerator<ShardRow> {
  for await (const rows of readShardBatches(source, options)) yield* rows;
}
