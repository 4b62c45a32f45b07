import { Random } from "../../common/mod.ts";

/**
 * The order in which positions come by in a streaming run, without end: pass after pass over the training rows, each in a
 * seeded order of its own. The first pass begins with rows that the probe has not seen, as long as there are some.
 */
export class StreamOrder {
  readonly #rows: Int32Array;
  readonly #probed: number;
  readonly #seed: number;
  #pass = -1;
  #order = new Int32Array(0);

  /**
   * Takes no row yet.
   *
   * @param rows The training rows; the probe saw those in front.
   * @param probed How many the probe saw.
   */
  constructor(rows: Int32Array, probed: number, seed: number) {
    this.#rows = rows;
    this.#probed = probed < rows.length ? probed : 0;
    this.#seed = seed;
  }

  /** The rows from place `start` on in the endless order. They depend on nothing else: any place may be asked for. */
  take(start: number, count: number): Int32Array {
    const taken = new Int32Array(count);
    const first = this.#rows.length - this.#probed;
    for (let i = 0; i < count;) {
      const at = start + i;
      const pass = at < first ? 0 : 1 + Math.floor((at - first) / this.#rows.length);
      const within = pass === 0 ? at : (at - first) % this.#rows.length;
      const part = this.#orderOf(pass).subarray(within, within + count - i);
      taken.set(part, i);
      i += part.length;
    }
    return taken;
  }

  #orderOf(pass: number): Int32Array {
    if (pass === this.#pass) return this.#order;
    const rows = pass === 0 ? this.#rows.slice(this.#probed) : this.#rows.slice();
    this.#order = new Random(this.#seed, `stream, pass ${pass}`).shuffle(rows);
    this.#pass = pass;
    return this.#order;
  }
}
