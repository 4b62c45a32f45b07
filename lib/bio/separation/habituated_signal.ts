import type { GateMoment } from "../kenyon_gate.ts";
import type { CellSignal } from "./separating_gate.ts";

/** How Kenyon cells get used to positions. */
export interface HabituatedSignalOptions {
  /** How much of the rate that a cell had for the position is taken off, 0 to 1 (1). */
  readonly amount?: number | undefined;
}

/**
 * Kenyon cells that have got used to the position on the board: when the fly then thinks of the board after a move,
 * each is judged by how much more it fires than before, at the same step. Flies stop answering what stays (Das et al. 2011:
 * projection neurons; Hattori et al. 2017: behind Kenyon cells), and most spikes of a Kenyon cell come in the
 * first second of an odour (Turner, Bazhenov and Laurent 2008); so what is left is the difference that the move makes.
 *
 * Let it `watch` while the brain looks at the positions before; the boards after follow, in the same order, once or
 * several times over.
 *
 * @example A cell that fires as before has nothing to say
 * ```ts
 * import { HabituatedSignal } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const signal = new HabituatedSignal(), left = new Float64Array(2), moment = { step: 1, position: 0 };
 * signal.watch(1);
 * signal.read(Float64Array.of(0.9, 0.1), left, moment);
 * signal.settle();
 * signal.read(Float64Array.of(0.9, 0.4), left, moment);
 * assert.equal(left[0], 0);
 * assert.ok(Math.abs(left[1]! - 0.3) < 1e-12);
 * ```
 */
export class HabituatedSignal implements CellSignal {
  /** In a few words. */
  readonly name: string;
  /** How much is taken off. */
  readonly amount: number;
  #memory = new Map<number, Float64Array[]>();
  #watching = false;
  #positions = 0;

  /**
   * Used to nothing yet: cells are judged by their rates.
   *
   * @throws {RangeError} If the amount is out of range.
   */
  constructor(options: HabituatedSignalOptions = {}) {
    const { amount = 1 } = options;
    if (!(amount >= 0 && amount <= 1)) {
      throw new RangeError(`Cannot habituate: the amount is ${amount}, a number from 0 to 1 is wanted`);
    }
    this.amount = amount;
    this.name = `rate less ${amount} of that before the move`;
  }

  /**
   * Forgets what it knew and, until `settle`, remembers all it reads.
   *
   * @param positions Positions in the look that comes; 0 to forget only.
   */
  watch(positions: number): void {
    this.#memory = new Map();
    this.#positions = positions;
    this.#watching = positions > 0;
  }

  /** Ends watching. */
  settle(): void {
    this.#watching = false;
  }

  /** What is left of the rates; of a step that nothing is remembered of, all. */
  read(rates: Float64Array, signal: Float64Array, { step, position }: GateMoment): void {
    signal.set(rates);
    let before = this.#memory.get(step);
    if (this.#watching) {
      if (before === undefined) this.#memory.set(step, before = []);
      before[position] = rates.slice();
      return;
    }
    const usual = before?.[position % this.#positions];
    if (usual === undefined) return;
    for (let k = 0; k < signal.length; k++) signal[k]! -= this.amount * usual[k]!;
  }
}
