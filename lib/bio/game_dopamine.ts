import type { Board, Side } from "../chess/mod.ts";

/** Worth of a pawn, knight, bishop, rook, queen and king (reference, section 10). */
const WORTH = [0, 1, 3, 3, 5, 9, 0] as const;

/**
 * The material of a side less that of the other, in pawns: knight and bishop 3, rook 5, queen 9.
 *
 * @param board The position.
 * @param side Whose.
 */
export function materialBalance(board: Board, side: Side): number {
  let white = 0;
  for (const piece of board.squares) white += Math.sign(piece) * WORTH[Math.abs(piece)]!;
  return side === "white" ? white : -white;
}

/** What happened between a fly's move and the opponent's reply. */
export interface Exchange {
  /** Its material balance before the move, in pawns. */
  readonly before: number;
  /** Its material balance after the reply, in pawns. */
  readonly after: number;
  /** Whether it is in check now. */
  readonly inCheck: boolean;
}

/**
 * The dopamine of an exchange: 0.1 a pawn won, -0.05 for a check (reference, section 10). Above 0 it is reward,
 * below 0 punishment. At the end of a game it is 1, 0 or -1 instead.
 */
export function exchangeDopamine({ before, after, inCheck }: Exchange): number {
  return 0.1 * (after - before) - (inCheck ? 0.05 : 0);
}

/**
 * What Kenyon cells remember of a game so far: at every move of the fly the trace fades and their activity for the
 * position after it is added (reference, section 10).
 *
 * @example The first move fades as the second is made
 * ```ts
 * import { EligibilityTrace } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const trace = new EligibilityTrace(2);
 * trace.add([1, 0]);
 * trace.add([0, 1]);
 * assert.deepEqual([...trace.value], [0.8, 1]);
 * assert.deepEqual([...trace.tags(-0.5).shock], [0.4, 0.5]);
 * ```
 */
export class EligibilityTrace {
  /** `[kenyon]`: the trace, each at least 0. */
  readonly value: Float64Array;
  /** What is left of it a move later. */
  readonly decay: number;

  /**
   * Starts with nothing.
   *
   * @param kenyon Kenyon cells.
   * @param options `decay`: what is left a move later, 0 to 1 (0.8).
   * @throws {RangeError} If the decay is out of range.
   */
  constructor(kenyon: number, options: { readonly decay?: number | undefined } = {}) {
    const { decay = 0.8 } = options;
    if (!(decay >= 0 && decay <= 1)) {
      throw new RangeError(`Cannot keep a trace: the decay is ${decay}, a number from 0 to 1 is wanted`);
    }
    this.value = new Float64Array(kenyon);
    this.decay = decay;
  }

  /** Forgets everything: a new game. */
  clear(): void {
    this.value.fill(0);
  }

  /**
   * Adds the position after a move of the fly.
   *
   * @param activity `[kenyon]`: what the cells passed on.
   * @throws {RangeError} If that is not one number a cell.
   */
  add(activity: ArrayLike<number>): void {
    const { value, decay } = this;
    if (activity.length !== value.length) {
      throw new RangeError(
        `Cannot add to a trace: there are ${activity.length} numbers, ${value.length} are wanted`,
      );
    }
    for (let k = 0; k < value.length; k++) value[k] = decay * value[k]! + activity[k]!;
  }

  /**
   * The tags that dopamine meets now.
   *
   * @param dopamine Reward above 0, punishment below.
   */
  tags(dopamine: number): { sugar: Float64Array; shock: Float64Array } {
    return {
      sugar: this.value.map((trace) => trace * Math.max(dopamine, 0)),
      shock: this.value.map((trace) => trace * Math.max(-dopamine, 0)),
    };
  }
}
