import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

/**
 * A seeded stream of random numbers (xoroshiro128+), the only source of chance in this library.
 *
 * The same seed gives the same stream on every machine, so every shuffle, grown brain and fitted readout can
 * be made again from the numbers written beside it.
 *
 * @example The same seed gives the same numbers
 * ```ts
 * import { Random } from "flychess";
 * import assert from "node:assert/strict";
 *
 * assert.equal(new Random(7).float(), new Random(7).float());
 * ```
 */
export class Random {
  #generator: RandomGenerator;

  /**
   * Starts a stream.
   *
   * @param seed A whole number from 0 to 2^32 - 1.
   * @param stream A name that separates streams of the same seed ("columns", "synapses"), so that drawing more
   * numbers in one place moves nothing anywhere else.
   * @throws {RangeError} If the seed is not such a number.
   */
  constructor(seed: number, stream = "") {
    if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) {
      throw new RangeError(
        `Cannot start a random stream: the seed is ${seed}, a whole number from 0 to 2^32 - 1 is wanted`,
      );
    }
    let mixed = seed >>> 0;
    for (let i = 0; i < stream.length; i++) {
      mixed = Math.imul(mixed ^ stream.charCodeAt(i), 0x01000193);
      mixed ^= mixed >>> 15;
    }
    this.#generator = xoroshiro128plus(mixed | 0);
  }

  /** The next 32 bits as a whole number from 0 to 2^32 - 1. */
  uint32(): number {
    return this.#generator.next() >>> 0;
  }

  /** A number from 0 up to, not including, 1, with 53 random bits. */
  float(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  /**
   * A whole number from 0 up to, not including, `limit`, every one equally likely.
   *
   * @param limit At least 1, at most 2^32.
   */
  int(limit: number): number {
    const reject = 0x100000000 - (0x100000000 % limit);
    let bits = this.uint32();
    while (bits >= reject) bits = this.uint32();
    return bits % limit;
  }

  /** A draw from the normal distribution with mean 0 and standard deviation 1 (Box and Muller 1958). */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.float()));
    return radius * Math.cos(2 * Math.PI * this.float());
  }

  /**
   * Puts an array in random order, in place (Fisher and Yates).
   *
   * @param items The array to shuffle.
   * @returns The same array.
   */
  shuffle<T extends { length: number; [index: number]: unknown }>(items: T): T {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.int(i + 1);
      const kept = items[i];
      items[i] = items[j];
      items[j] = kept;
    }
    return items;
  }
}
