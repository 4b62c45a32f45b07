import type { LongWork } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { dealDeck, type Deck } from "../../readout/mod.ts";
import type { CacheBlock, RatesCache } from "../rates/rates_cache.ts";

/** Gives the positions of a digest. */
export type PositionsOf = (digest: string) => Positions | Promise<Positions>;

/** Rows of some positions with their rates. */
export async function readDeck(
  cache: RatesCache,
  positions: Positions,
  first: number,
  count: number,
  work: LongWork = {},
): Promise<Deck> {
  const deck = dealDeck(positions, first, count, cache.columns);
  await cache.read(positions.digest, first, count, deck.rates, work);
  return deck;
}

/**
 * Reads blocks one ahead of who works on them. Where all of them fit the memory that is allowed, they are read once.
 */
export class BlockReader {
  readonly #cache: RatesCache;
  readonly #positionsOf: PositionsOf;
  readonly #keep: boolean;
  readonly #kept = new Map<string, Promise<Deck>>();
  readonly #signal: AbortSignal | undefined;

  constructor(
    cache: RatesCache,
    blocks: readonly CacheBlock[],
    positionsOf: PositionsOf,
    memoryBytes: number,
    signal: AbortSignal | undefined,
  ) {
    this.#cache = cache;
    this.#positionsOf = positionsOf;
    this.#signal = signal;
    this.#keep = blocks.reduce((sum, { rows }) => sum + rows * cache.columns, 0) <= memoryBytes;
  }

  /** Starts to read a block; whoever takes it later finds it there. */
  ask(block: CacheBlock): Promise<Deck> {
    const known = this.#kept.get(block.file);
    if (known !== undefined) return known;
    const deck = this.#read(block);
    // Whoever takes it hears of the failure.
    deck.catch(() => {});
    this.#kept.set(block.file, deck);
    return deck;
  }

  /** Takes a block. */
  take(block: CacheBlock): Promise<Deck> {
    const deck = this.ask(block);
    if (!this.#keep) this.#kept.delete(block.file);
    return deck;
  }

  async #read(block: CacheBlock): Promise<Deck> {
    const positions = await this.#positionsOf(block.positions);
    return await readDeck(this.#cache, positions, block.first, block.rows, { signal: this.#signal });
  }
}
