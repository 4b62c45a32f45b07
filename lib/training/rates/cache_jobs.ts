import { createHash } from "node:crypto";
import { DataError, digest } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import type { BlockStore } from "./block_store.ts";
import type { CacheSetup, ShowRows } from "./rates_cache.ts";

/** Rows of a block by default: some 3 minutes of work at 350 positions a second (reference, "A day on a laptop"). */
export const JOB_ROWS = 65_536;

/** One block to be filled: rows of a positions file. */
export interface CacheJob {
  /** Its name in the store. */
  readonly block: string;
  /** Digest of the positions. */
  readonly positions: string;
  /** The first row. */
  readonly first: number;
  /** How many rows. */
  readonly rows: number;
  /** Bytes of a row. */
  readonly columns: number;
}

/** What a cache is for, in one word: everything that its rates depend on. */
export function setupDigest(setup: CacheSetup): string {
  const { key, columns, kept = 1 } = setup;
  return digest([key.connectome, key.eye, key.brain, key.engine, key.read, `${columns} bytes of ${kept}`]);
}

/**
 * Cuts positions into blocks. Their names follow from what they hold, so that a block asked for twice is one block.
 *
 * @param positions The positions; only count and digest are looked at.
 * @param setup What the cache is for.
 * @param options How many rows a block has; 65,536 by default.
 * @throws {RangeError} If a block has no rows.
 *
 * @example
 * ```ts
 * import { planCacheJobs } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const key = { connectome: "c", eye: "e", brain: "b", engine: "wasm", read: "mean of steps 12" };
 * const jobs = planCacheJobs({ count: 100, digest: "d".repeat(64) }, { key, columns: 9 }, { rows: 60 });
 * assert.deepEqual(jobs.map(({ first, rows }) => [first, rows]), [[0, 60], [60, 40]]);
 * ```
 */
export function planCacheJobs(
  positions: Pick<Positions, "count" | "digest">,
  setup: CacheSetup,
  { rows = JOB_ROWS }: { readonly rows?: number } = {},
): CacheJob[] {
  if (!Number.isInteger(rows) || rows < 1) {
    throw new RangeError(`Cannot cut positions into blocks of ${rows} rows: at least 1 is wanted`);
  }
  const folder = setupDigest(setup).slice(0, 16);
  const jobs: CacheJob[] = [];
  for (let first = 0; first < positions.count; first += rows) {
    const length = Math.min(rows, positions.count - first);
    const name = `${positions.digest.slice(0, 16)}-${String(first).padStart(9, "0")}-${length}.sealed`;
    jobs.push({
      block: `${folder}/${name}`,
      positions: positions.digest,
      first,
      rows: length,
      columns: setup.columns,
    });
  }
  return jobs;
}

/** Bytes of the SHA-256 that ends a block. */
const SEAL = 32;

/** What became of a job. */
export type JobOutcome = "filled" | "there already" | "somebody was faster";

/**
 * Does one job, unless its block is there. May be killed at any moment and done again by anybody: the block appears
 * whole, once.
 *
 * @param job The block.
 * @param store Where it goes.
 * @param show What the brain does with rows: `[rows][columns]` bytes.
 * @throws {RangeError} If there are too few or too many bytes.
 */
export async function doCacheJob(
  job: CacheJob,
  store: BlockStore,
  show: ShowRows,
  signal?: AbortSignal,
): Promise<JobOutcome> {
  if (await store.has(job.block, signal)) return "there already";
  const rates = await show(Int32Array.from({ length: job.rows }, (_, i) => job.first + i));
  signal?.throwIfAborted();
  const wanted = job.rows * job.columns;
  if (rates.length !== wanted) {
    throw new RangeError(`Cannot fill ${job.block}: ${rates.length} bytes of rates, ${wanted} are wanted`);
  }
  const sealed = new Uint8Array(wanted + SEAL);
  sealed.set(rates);
  sealed.set(createHash("sha256").update(rates).digest(), wanted);
  return await store.put(job.block, sealed, signal) ? "filled" : "somebody was faster";
}

/**
 * Reads a block's rates.
 *
 * @throws {DataError} If it is not there, was cut or was changed.
 */
export async function readJobBlock(
  job: CacheJob,
  store: BlockStore,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const refuse = (what: string): never => {
    throw new DataError(`Cannot read ${store.address}/${job.block}: ${what}`);
  };
  const sealed = await store.get(job.block, signal) ??
    refuse("it is not there yet, a worker has to fill it in");
  const wanted = job.rows * job.columns;
  if (sealed.length !== wanted + SEAL) {
    refuse(`it has ${sealed.length} bytes, ${wanted + SEAL} are wanted; delete it and enqueue it again`);
  }
  const rates = sealed.subarray(0, wanted);
  const seal = createHash("sha256").update(rates).digest();
  if (!sealed.subarray(wanted).every((byte, i) => byte === seal[i])) {
    refuse("its bytes have changed since they were written (SHA-256); delete it and enqueue it again");
  }
  return rates;
}

/**
 * Gives rows out of a store's blocks as a brain would, so that a cache can be filled from what many machines did.
 *
 * @param jobs All blocks of the positions, in order.
 * @param store Where they are.
 */
export function showFromStore(jobs: readonly CacheJob[], store: BlockStore, signal?: AbortSignal): ShowRows {
  // Rows are asked for in order: one block at a time is kept.
  let held: { job: CacheJob; rates: Uint8Array } | undefined;
  return async (rows) => {
    const columns = jobs[0]?.columns ?? 0;
    const bytes = new Uint8Array(rows.length * columns);
    for (const [i, row] of rows.entries()) {
      if (held === undefined || row < held.job.first || row >= held.job.first + held.job.rows) {
        const job = jobs.find(({ first, rows }) => row >= first && row < first + rows);
        if (job === undefined) throw new RangeError(`Cannot show row ${row}: no block holds it`);
        held = { job, rates: await readJobBlock(job, store, signal) };
      }
      const from = (row - held.job.first) * columns;
      bytes.set(held.rates.subarray(from, from + columns), i * columns);
    }
    return bytes;
  };
}
