/**
 * A set of pairs of neurons in one flat table (open addressing, linear probing), because a swap asks and changes
 * it millions of times. A pair that was added twice must be removed twice.
 */
export class PairSet {
  /** Sender and receiver by slot, side by side so that a look costs one cache line; sender -1 is an empty slot. */
  readonly #table: Int32Array;
  readonly #mask: number;

  /** @param capacity The most pairs it will hold at once. */
  constructor(capacity: number) {
    let slots = 16;
    while (slots < 2 * capacity) slots *= 2;
    this.#table = new Int32Array(2 * slots).fill(-1);
    this.#mask = slots - 1;
  }

  #home(pre: number, post: number): number {
    let mixed = Math.imul(pre, 0x9e3779b1) ^ Math.imul(post, 0x85ebca77);
    mixed = Math.imul(mixed ^ mixed >>> 15, 0x2c1b3c6d);
    return (mixed ^ mixed >>> 13) & this.#mask;
  }

  /** Whether a pair is in it. */
  has(pre: number, post: number): boolean {
    const table = this.#table;
    for (let slot = this.#home(pre, post);; slot = slot + 1 & this.#mask) {
      const found = table[2 * slot]!;
      if (found === -1) return false;
      if (found === pre && table[2 * slot + 1] === post) return true;
    }
  }

  /** Puts a pair in. */
  add(pre: number, post: number): void {
    const table = this.#table;
    let slot = this.#home(pre, post);
    while (table[2 * slot] !== -1) slot = slot + 1 & this.#mask;
    table[2 * slot] = pre;
    table[2 * slot + 1] = post;
  }

  /** Takes a pair out that is in it. */
  remove(pre: number, post: number): void {
    const table = this.#table;
    let hole = this.#home(pre, post);
    while (table[2 * hole] !== pre || table[2 * hole + 1] !== post) hole = hole + 1 & this.#mask;
    // Later pairs of the same run move up, so that no search stops at the hole too early (Knuth, 6.4 R).
    for (let slot = hole + 1 & this.#mask; table[2 * slot] !== -1; slot = slot + 1 & this.#mask) {
      const home = this.#home(table[2 * slot]!, table[2 * slot + 1]!);
      if ((slot - home & this.#mask) < (slot - hole & this.#mask)) continue;
      table[2 * hole] = table[2 * slot]!;
      table[2 * hole + 1] = table[2 * slot + 1]!;
      hole = slot;
    }
    table[2 * hole] = -1;
  }
}
