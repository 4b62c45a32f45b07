import { createHash } from "node:crypto";
import { DataError, type LongWork, writeFileAtomic } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import type { CacheBlock } from "./_cache_index.ts";
import { openBlock } from "./_cache_files.ts";
import { partOf, savePart } from "./_cache_parts.ts";
import type { ShowRows } from "./cache_options.ts";

/** A block that may not be there yet. */
export type PlannedBlock = Omit<CacheBlock, "sha256">;

/** What a cache that is being filled is doing. */
export const FILLING = "showing positions to the brain";

/** What to do about a block that cannot be read. */
const REMEDY = "delete this file and run again: only its positions are shown to the brain again";

/** Positions that a process that is killed loses at most. */
const PART_ROWS = 4096;

/** Bytes that are read at once. */
const CHUNK = 4 << 20;

/** The blocks of some positions: those held out in blocks of their own, then the others. */
export function planBlocks(positions: Positions, blockRows: number): PlannedBlock[] {
  const held = positions.hold + positions.val;
  const plan: PlannedBlock[] = [];
  for (const [from, to, isHeld] of [[0, held, true], [held, positions.count, false]] as const) {
    for (let first = from; first < to; first += blockRows) {
      const rows = Math.min(blockRows, to - first);
      const file = `${positions.digest.slice(0, 16)}-${String(first).padStart(9, "0")}-${rows}.rates`;
      plan.push({ file, positions: positions.digest, first, rows, held: isHeld });
    }
  }
  return plan;
}

/** Parts of a block of so many rows. */
export function partsOf(rows: number): number {
  return Math.ceil(rows / PART_ROWS);
}

/**
 * Shows a block's rows part by part, from where it was left, and writes the whole block; its parts stay.
 *
 * @returns The block's SHA-256.
 */
export async function writeBlock(
  path: string,
  { first, rows }: PlannedBlock,
  columns: number,
  show: ShowRows,
  { signal, onProgress }: LongWork,
): Promise<string> {
  const parts = partsOf(rows);
  const rowsOf = (part: number) => Math.min(PART_ROWS, rows - part * PART_ROWS);
  for (let part = 0; part < parts; part++) {
    signal?.throwIfAborted();
    const count = rowsOf(part);
    if (await partOf(path, part, count * columns) === undefined) {
      const from = first + part * PART_ROWS;
      const bytes = await show(Int32Array.from({ length: count }, (_, i) => from + i));
      if (bytes.length !== count * columns) {
        throw new RangeError(
          `Cannot fill a cache: ${bytes.length} bytes for ${count} rows, ${columns} each are wanted`,
        );
      }
      await savePart(path, part, bytes);
    }
    onProgress?.({
      task: FILLING,
      done: Math.min(rows, (part + 1) * PART_ROWS),
      total: rows,
      unit: "positions",
    });
  }
  const hash = createHash("sha256");
  await writeFileAtomic(path, async (file) => {
    for (let part = 0; part < parts; part++) {
      const bytes = await partOf(path, part, rowsOf(part) * columns);
      if (bytes === undefined) throw new DataError(`Cannot fill ${path}: its part ${part} went missing`);
      hash.update(bytes);
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    }
  });
  return hash.digest("hex");
}

/** Which bytes of a block are wanted, and where they go. */
export interface WantedBytes {
  readonly start: number;
  readonly end: number;
  readonly into: Uint8Array;
  readonly target: number;
}

/**
 * Reads bytes of a block and checks that none of all its bytes has changed.
 *
 * @throws {DataError} If it is gone, cut or changed.
 */
export async function readBlock(
  path: string,
  { rows, sha256 }: CacheBlock,
  columns: number,
  { start, end, into, target }: WantedBytes,
  { signal }: LongWork,
): Promise<void> {
  using file = await openBlock(path);
  checkLength(path, rows * columns, (await file.stat()).size);
  const hash = createHash("sha256");
  const chunk = new Uint8Array(CHUNK);
  for (let at = 0;;) {
    signal?.throwIfAborted();
    const read = await file.read(chunk);
    if (read === null) break;
    const bytes = chunk.subarray(0, read);
    hash.update(bytes);
    const from = Math.max(start, at), to = Math.min(end, at + read);
    if (from < to) into.set(bytes.subarray(from - at, to - at), target + from - start);
    at += read;
  }
  if (hash.digest("hex") !== sha256) {
    throw new DataError(
      `Cannot read ${path}: its bytes have changed since it was written (SHA-256); ${REMEDY}`,
    );
  }
}

/**
 * @throws {DataError} If a block has another length than it should.
 */
export function checkLength(path: string, wanted: number, length: number): void {
  if (length === wanted) return;
  throw new DataError(`Cannot read ${path}: it has ${length} bytes, ${wanted} are wanted; ${REMEDY}`);
}
