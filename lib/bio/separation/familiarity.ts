/** How a fly gets used to positions of a game. */
export interface FamiliarityOptions {
  /** Share of a synapse that a fully active Kenyon cell takes from it when a position is met, 0 to 1 (0.8). */
  readonly depression?: number | undefined;
  /** Share of the way back to full strength at every later move, 0 to 1 (0.05). */
  readonly recovery?: number | undefined;
}

/**
 * Habituation against repetition (reference, idea 6): a memory of this game's positions that fades. One output neuron,
 * MBON-alpha'3, answers what is new and falls silent for odours that come again, because the synapses of the Kenyon
 * cells that were active weaken; it recovers when they stay away (Hattori et al. 2017). `novelty` is that neuron's
 * answer: 1 for a pattern none of whose cells were active lately, near 0 for one that was there a moment ago.
 *
 * @example The same again is stale, and freshens
 * ```ts
 * import { Familiarity } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const memory = new Familiarity(4);
 * memory.meet([1, 1, 0, 0]);
 * assert.ok(memory.novelty([1, 1, 0, 0]) < 0.3);
 * assert.equal(memory.novelty([0, 0, 1, 1]), 1);
 * for (let move = 0; move < 100; move++) memory.meet([0, 0, 0, 0]);
 * assert.ok(memory.novelty([1, 1, 0, 0]) > 0.99);
 * ```
 */
export class Familiarity {
  /** `[kenyon]`: the synapses onto the novelty neuron, 0 to 1. */
  readonly strength: Float64Array;
  readonly #depression: number;
  readonly #recovery: number;

  /**
   * Has met nothing.
   *
   * @param kenyon Kenyon cells.
   * @param options How fast it gets used to things, and forgets.
   * @throws {RangeError} If an option is out of range.
   */
  constructor(kenyon: number, options: FamiliarityOptions = {}) {
    const { depression = 0.8, recovery = 0.05 } = options;
    for (const [name, value] of [["depression", depression], ["recovery", recovery]] as const) {
      if (!(value >= 0 && value <= 1)) {
        throw new RangeError(`Cannot keep a memory: its ${name} is ${value}, a number from 0 to 1 is wanted`);
      }
    }
    this.strength = new Float64Array(kenyon).fill(1);
    this.#depression = depression;
    this.#recovery = recovery;
  }

  /** Forgets everything: a new game. */
  clear(): void {
    this.strength.fill(1);
  }

  /**
   * Meets the position after the fly's move: everything before fades a little, and this one becomes familiar.
   *
   * @param activity `[kenyon]`: what the cells passed on, 0 to 1.
   * @throws {RangeError} If that is not one number a cell.
   */
  meet(activity: ArrayLike<number>): void {
    this.#check(activity);
    const most = largest(activity);
    for (let k = 0; k < this.strength.length; k++) {
      const freshened = this.strength[k]! + this.#recovery * (1 - this.strength[k]!);
      const active = most > 0 ? Math.max(0, activity[k]!) / most : 0;
      this.strength[k] = freshened * (1 - this.#depression * active);
    }
  }

  /**
   * How new a pattern is.
   *
   * @param activity `[kenyon]`: what the cells pass on, 0 to 1.
   * @returns 0 to 1; 1 where no cell is active.
   * @throws {RangeError} If that is not one number a cell.
   */
  novelty(activity: ArrayLike<number>): number {
    this.#check(activity);
    let answer = 0, full = 0;
    for (let k = 0; k < this.strength.length; k++) {
      answer += activity[k]! * this.strength[k]!;
      full += activity[k]!;
    }
    return full > 0 ? answer / full : 1;
  }

  #check(activity: ArrayLike<number>): void {
    if (activity.length !== this.strength.length) {
      throw new RangeError(
        `Cannot use a memory: there are ${activity.length} cells, ${this.strength.length} are wanted`,
      );
    }
  }
}

function largest(list: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < list.length; i++) most = Math.max(most, list[i]!);
  return most;
}
