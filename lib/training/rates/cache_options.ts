import type { LongWork } from "../../common/mod.ts";
import type { CacheBlock, CacheKey, RetiredBlock } from "./_cache_index.ts";

/** What a cache is for. */
export interface CacheSetup {
  /** What its rates depend on. */
  readonly key: CacheKey;
  /** Bytes of a position: descending neurons times steps kept apart. */
  readonly columns: number;
  /** Steps kept apart; 1 by default. */
  readonly kept?: number;
  /** Positions of a block; 262,144 by default. */
  readonly blockRows?: number;
}

/** How much room a cache may take. */
export interface CacheLimits {
  /** Oldest blocks go while the disk has less left than this, in GB (10^9 bytes); 0 by default. */
  readonly minFreeGb?: number | undefined;
  /** Oldest blocks go while the cache is larger than this, in GB; no limit by default. */
  readonly maxCacheGb?: number | undefined;
  /** Free bytes of the disk that holds a folder; tests put in their own. */
  readonly freeBytes?: ((folder: string) => Promise<number>) | undefined;
  /** Told of every block that went. */
  readonly onRetire?: ((block: RetiredBlock) => void | Promise<void>) | undefined;
}

/** How positions are filled in. */
export interface FillOptions extends LongWork, CacheLimits {
  /** Blocks that begin at this row or later are not filled in; by default all are. */
  readonly before?: number | undefined;
  /** Told of every block that was written. */
  readonly onBlock?: ((block: CacheBlock) => void | Promise<void>) | undefined;
}

/** Gives the rates of some rows as bytes, `[rows][columns]`. */
export type ShowRows = (rows: Int32Array) => Promise<Uint8Array>;
