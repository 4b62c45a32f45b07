import { join } from "node:path";
import { removeTemporaries } from "../../common/atomic_file.ts";
import { DataError, type LongWork, removeIfThere } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import {
  CACHE_KIND,
  type CacheBlock,
  type CacheIndex,
  type CacheKey,
  readIndex,
  refuseOther,
  type RetiredBlock,
  writeIndex,
} from "./_cache_index.ts";
import {
  checkLength,
  FILLING,
  partsOf,
  planBlocks,
  type PlannedBlock,
  readBlock,
  writeBlock,
} from "./_cache_blocks.ts";
import { freeOf, lengthOf } from "./_cache_files.ts";
import type { CacheLimits, CacheSetup, FillOptions, ShowRows } from "./cache_options.ts";
import { clearParts } from "./_cache_parts.ts";

export type { CacheBlock, CacheKey, RetiredBlock } from "./_cache_index.ts";
export type { CacheLimits, CacheSetup, FillOptions, ShowRows } from "./cache_options.ts";

/** Positions of a block (reference, "A day on a laptop"). */
export const BLOCK_ROWS = 262_144;

/**
 * Rates of descending neurons as bytes, round(255 r), kept in files: with the brain frozen a position's rates never change,
 * so that the brain runs once a position (reference, "A day on a laptop" and section 7).
 *
 * The folder holds blocks (`[rows][columns]` bytes; `numpy.fromfile(path, "u1").reshape(-1, columns)` opens one),
 * `index.json` with what they are and their SHA-256, and the parts of the block that is being filled. Every file appears
 * whole or not at all. One process at a time: dispose it when done.
 */
export class RatesCache implements Disposable {
  /** The folder. */
  readonly folder: string;
  #index: CacheIndex;
  readonly #blockRows: number;
  readonly #lock: Deno.FsFile;

  private constructor(folder: string, index: CacheIndex, blockRows: number, lock: Deno.FsFile) {
    this.folder = folder;
    this.#index = index;
    this.#blockRows = blockRows;
    this.#lock = lock;
  }

  /**
   * Opens a cache or starts one.
   *
   * @param folder Its folder.
   * @param setup What it is for.
   * @throws {DataError} If it was made with another brain, eye, engine or steps, if its index is broken, or if another
   * process has it open.
   */
  static async open(folder: string, setup: CacheSetup): Promise<RatesCache> {
    const { key, columns, kept = 1, blockRows = BLOCK_ROWS } = setup;
    if (!Number.isInteger(blockRows) || blockRows < 1) {
      throw new RangeError(`Cannot open a cache: blocks of ${blockRows} rows, at least 1 is wanted`);
    }
    await Deno.mkdir(folder, { recursive: true });
    const lock = await Deno.open(join(folder, "lock"), { create: true, write: true });
    try {
      if (!await lock.tryLock(true)) {
        throw new DataError(
          `Cannot open the cache in ${folder}: another process is using it, one at a time is wanted`,
        );
      }
      let index = await readIndex(folder);
      if (index === undefined) {
        index = { kind: CACHE_KIND, key, columns, kept, blocks: [], retired: [] };
        await writeIndex(folder, index);
      }
      refuseOther(folder, index, { key, columns, kept });
      const cache = new RatesCache(folder, index, blockRows, lock);
      await removeTemporaries(folder);
      // A process that was killed between the index and the deletion left the file.
      for (const { file } of index.retired) {
        if (!index.blocks.some((block) => block.file === file)) await removeIfThere(join(folder, file));
      }
      return cache;
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  /** Bytes of a position. */
  get columns(): number {
    return this.#index.columns;
  }

  /** Steps kept apart. */
  get kept(): number {
    return this.#index.kept;
  }

  /** What its rates depend on. */
  get key(): CacheKey {
    return this.#index.key;
  }

  /** The blocks that are there, oldest first. */
  get blocks(): readonly CacheBlock[] {
    return this.#index.blocks;
  }

  /** Blocks that were deleted to make room. */
  get retired(): readonly RetiredBlock[] {
    return this.#index.retired;
  }

  /** Bytes of all blocks. */
  get bytes(): number {
    return this.blocks.reduce((sum, { rows }) => sum + rows * this.columns, 0);
  }

  /**
   * Fills in all rows of some positions that are not there yet and were not retired: first those held out, in blocks of
   * their own, then the others. Killed at any moment, it goes on where it was and ends with the same bytes.
   *
   * @param positions The rows.
   * @param show What the brain does with some of them.
   * @throws {DataError} If a block has another length than it should, or there is no room even without old blocks.
   * @throws The signal's reason, if it is aborted, and what the disk throws; what is there stays.
   */
  async fill(positions: Positions, show: ShowRows, options: FillOptions = {}): Promise<void> {
    const { signal, onProgress, before = Infinity } = options;
    const plans = planBlocks(positions, this.#blockRows).filter(({ first }) => first < before);
    const total = plans.reduce((sum, { rows }) => sum + rows, 0);
    let done = 0;
    for (const plan of plans) {
      const known = this.blocks.find(({ file }) => file === plan.file);
      const path = join(this.folder, plan.file), length = await lengthOf(path);
      const skip = known !== undefined && length !== undefined ||
        this.retired.some(({ file }) => file === plan.file);
      if (known !== undefined && length !== undefined) {
        checkLength(path, plan.rows * this.columns, length);
        await clearParts(path, partsOf(plan.rows));
      }
      if (!skip) {
        if (known === undefined) await this.retire(options, plan.rows * this.columns);
        const work: LongWork = {
          signal,
          onProgress: onProgress && ((progress) =>
            onProgress({
              ...progress,
              done: done + progress.done,
              total,
            })),
        };
        const block = await this.#fillBlock(plan, show, work, known);
        await options.onBlock?.(block);
      }
      done += plan.rows;
    }
    onProgress?.({ task: FILLING, done, total, unit: "positions" });
  }

  async #fillBlock(
    plan: PlannedBlock,
    show: ShowRows,
    work: LongWork,
    known: CacheBlock | undefined,
  ): Promise<CacheBlock> {
    const path = join(this.folder, plan.file);
    const block: CacheBlock = { ...plan, sha256: await writeBlock(path, plan, this.columns, show, work) };
    if (known !== undefined && known.sha256 !== block.sha256) {
      throw new DataError(
        `Cannot fill ${path} again: the brain gives other rates than when the index was written; ` +
          "delete the folder to show all positions to it again",
      );
    }
    if (known === undefined) {
      this.#index = { ...this.#index, blocks: [...this.blocks, block] };
      await writeIndex(this.folder, this.#index);
    }
    await clearParts(path, partsOf(plan.rows));
    return block;
  }

  /**
   * Deletes whole oldest blocks, never those held out, until the limits are kept.
   *
   * @param limits How much room the cache may take.
   * @param more Bytes that are about to be written.
   * @returns What went.
   * @throws {DataError} If the limits are not kept even without any old block.
   */
  async retire(limits: CacheLimits, more = 0): Promise<RetiredBlock[]> {
    const { minFreeGb = 0, maxCacheGb = Infinity, freeBytes = freeOf, onRetire } = limits;
    const gone: RetiredBlock[] = [];
    for (;;) {
      // Filling needs its bytes twice for a moment: as parts and as the block.
      const free = await freeBytes(this.folder) - 2 * more;
      const large = this.bytes + more;
      const reason = large > maxCacheGb * 1e9
        ? `the cache would hold ${gb(large)} GB, at most ${maxCacheGb} are wanted`
        : free < minFreeGb * 1e9
        ? `the disk would have ${gb(free)} GB left, at least ${minFreeGb} are wanted`
        : undefined;
      if (reason === undefined) return gone;
      const oldest = this.blocks.find(({ held }) => !held);
      if (oldest === undefined) {
        throw new DataError(`Cannot keep the cache in ${this.folder}: ${reason}, and no old block is left`);
      }
      const retired = { ...oldest, reason };
      this.#index = {
        ...this.#index,
        blocks: this.blocks.filter((block) => block !== oldest),
        retired: [...this.retired, retired],
      };
      await writeIndex(this.folder, this.#index);
      await removeIfThere(join(this.folder, oldest.file));
      gone.push(retired);
      await onRetire?.(retired);
    }
  }

  /**
   * Reads rows, block by block, and checks that not a byte of the blocks has changed.
   *
   * @param digest Digest of the positions that they are from.
   * @param first The first row there.
   * @param count How many.
   * @param into `[count][columns]`; it may be shared memory.
   * @throws {DataError} If a block is missing, cut or changed, saying which and what to do.
   */
  async read(
    digest: string,
    first: number,
    count: number,
    into: Uint8Array,
    work: LongWork = {},
  ): Promise<void> {
    let found = 0;
    for (const block of this.blocks) {
      if (block.positions !== digest) continue;
      const from = Math.max(first, block.first);
      const to = Math.min(first + count, block.first + block.rows);
      if (from >= to) continue;
      found += to - from;
      // Where the wanted bytes begin and end in the block, and where they go.
      const start = (from - block.first) * this.columns, end = (to - block.first) * this.columns;
      const target = (from - first) * this.columns;
      const path = join(this.folder, block.file);
      await readBlock(path, block, this.columns, { start, end, into, target }, work);
    }
    if (found !== count) {
      throw new DataError(
        `Cannot read the cache in ${this.folder}: ${found} of the rows ${first} to ${
          first + count - 1
        } are there`,
      );
    }
  }

  /** Lets another process have the folder. */
  [Symbol.dispose](): void {
    this.#lock.close();
  }
}

function gb(bytes: number): string {
  return (bytes / 1e9).toFixed(2);
}
