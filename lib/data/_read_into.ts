import { createHash } from "node:crypto";
import { basename } from "node:path";
import { DataError, type LongWork } from "../common/mod.ts";
import { type PositionRows, SKIP_REASONS, type SkipReason } from "./_position_rows.ts";
import { ShardError, type ShardRow } from "./shard.ts";
import { readSourceBatches } from "./source.ts";

/** What came of one source. */
export interface ShardReport {
  /** Its name without folders. */
  readonly name: string;
  /** SHA-256 of the bytes that were read. */
  readonly sha256: string;
  /** Positions that were whole; with a share, those that the lot fell on. */
  readonly read: number;
  /** Rows that were good. */
  readonly kept: number;
  /** How many of the others were skipped for which reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Where and why it could not be read to its end, if so. */
  readonly problem?: string;
  /** Set if it was not read to its end because there were enough rows. */
  readonly stopped?: true;
}

/** How far reading has come: bytes where all sources are on this machine, else without an end. */
export interface ReadProgress {
  /** Bytes read so far. */
  done: number;
  /** Bytes of all sources. */
  readonly total: number | undefined;
}

/** Reads a source into rows until its end, or until there are `most` rows in all. */
export async function readInto(
  rows: PositionRows,
  source: string | URL,
  progress: ReadProgress,
  work: LongWork,
  limits: { readonly most?: number; readonly picks?: ((text: string) => boolean) | undefined } = {},
): Promise<ShardReport> {
  const { most = Infinity, picks } = limits;
  const hash = createHash("sha256");
  const before = rows.count;
  const skipped: Partial<Record<SkipReason, number>> = {};
  let read = 0;
  let problem: string | undefined;
  let stopped = rows.count >= most;
  const skip = (reason: SkipReason) => {
    read++;
    skipped[reason] = (skipped[reason] ?? 0) + 1;
  };
  const take = (row: ShardRow) => {
    const reason = rows.add(row);
    if (reason === undefined) read++;
    else skip(reason);
  };
  const onBytes = (bytes: Uint8Array) => {
    hash.update(bytes);
    progress.done += bytes.length;
  };
  const report = () => {
    const { done, total } = progress;
    const reading = { task: "reading positions", done };
    if (most < Infinity) work.onProgress?.({ ...reading, done: rows.count, total: most, unit: "positions" });
    else work.onProgress?.({ ...reading, ...total === undefined ? {} : { total }, unit: "bytes" });
  };
  try {
    if (!stopped) {
      for await (const batch of readSourceBatches(source, { signal: work.signal, onBytes, picks })) {
        work.signal?.throwIfAborted();
        batch.skipped.forEach(skip);
        for (const row of batch.rows) {
          stopped = rows.count >= most;
          if (stopped) break;
          take(row);
        }
        report();
        if (stopped) break;
      }
    }
  } catch (error) {
    if (!(error instanceof ShardError)) throw error;
    problem = error.message;
  }
  return {
    name: basename(source instanceof URL ? source.pathname : source),
    sha256: hash.digest("hex"),
    read,
    kept: rows.count - before,
    skipped,
    ...(problem === undefined ? {} : { problem }),
    ...(stopped ? { stopped: true as const } : {}),
  };
}

/**
 * Bytes of all files together; `undefined` if one is not on this machine.
 *
 * @throws {DataError} If a file is missing.
 */
export async function fileSizes(sources: readonly (string | URL)[]): Promise<number | undefined> {
  let total = 0;
  for (const source of sources) {
    if (source instanceof URL && source.protocol !== "file:") return undefined;
    try {
      total += (await Deno.stat(source)).size;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new DataError(
        `Cannot read ${source}: there is no such file, a shard (*.msgpack.zst), bag, Lichess dump (*.jsonl.zst) ` +
          "or PGN is wanted",
      );
    }
  }
  return total;
}

/** How much was skipped in all, by reason. */
export function sumSkipped(shards: readonly ShardReport[]): Partial<Record<SkipReason, number>> {
  const sums: Partial<Record<SkipReason, number>> = {};
  for (const reason of Object.keys(SKIP_REASONS) as SkipReason[]) {
    const sum = shards.reduce((total, shard) => total + (shard.skipped[reason] ?? 0), 0);
    if (sum > 0) sums[reason] = sum;
  }
  return sums;
}
