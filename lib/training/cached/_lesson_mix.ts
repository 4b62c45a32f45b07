import type { Random } from "../../common/mod.ts";
import { MAX_BEST } from "../../data/positions.ts";
import type { Deck } from "../../readout/mod.ts";

/** Rows whose best move wins so many tenths of a percent are left out next to a curriculum (reference, section 7). */
const DECIDED = 995;

/** The rows of a deck; without those that are decided, where lessons in finishing take their place. */
export function rowsOf(
  deck: Deck,
  most: number,
  undecided: boolean,
  isLeftOut: (row: number) => boolean,
): Int32Array {
  return Int32Array.from({ length: Math.min(deck.count, most) }, (_, i) => i)
    .filter((row) => !(undecided && deck.win[row * MAX_BEST]! >= DECIDED || isLeftOut(row)));
}

/** Hands out the curriculum's rows in random order, again and again. */
export class Lessons {
  readonly #order: Int32Array;
  readonly #random: Random;
  #at = 0;

  constructor(curriculum: Deck | undefined, random: Random) {
    this.#random = random;
    this.#order = random.shuffle(Int32Array.from({ length: curriculum?.count ?? 0 }, (_, i) => i));
  }

  /** Rows with a share of lessons in every batch, which stand for `~row`. */
  mixInto(rows: Int32Array, batch: number, share: number): Int32Array {
    const lessons = Math.round(share * batch);
    if (lessons === 0) return rows;
    const own = batch - lessons;
    const batches = Math.ceil(rows.length / own);
    const mixed = new Int32Array(rows.length + batches * lessons);
    for (let b = 0, at = 0; b < batches; b++) {
      const some = rows.subarray(b * own, (b + 1) * own);
      mixed.set(some, at);
      at += some.length;
      for (let i = 0; i < lessons; i++, at++) mixed[at] = ~this.#next();
    }
    return mixed;
  }

  #next(): number {
    if (this.#at === this.#order.length) {
      this.#random.shuffle(this.#order);
      this.#at = 0;
    }
    return this.#order[this.#at++]!;
  }
}
