import { boardKey } from "./_board_key.ts";
import { HeldOut } from "./_held_out.ts";
import { BOARD_BYTES, MAX_BEST, type Positions } from "./positions.ts";
import { selectRows } from "./select_rows.ts";

/** What else not to train on. */
export interface ExcludeOptions {
  /**
   * Training rows whose best move wins this many win% or more are left out too, 0 to 100: 99.5 where a curriculum
   * teaches those (reference, section 7). By default none are.
   */
  readonly wonFrom?: number;
}

/**
 * A set without the training rows that are held out elsewhere: those that show the board of a HOLD or VAL row of
 * another set, or its mirror, or come from its game. A curriculum keeps some of the positions that it is made from to
 * be tested on, so who trains on both calls this first.
 *
 * @param positions The set; its own HOLD and VAL rows stay as they are.
 * @param others Sets whose held-out rows are not to be trained on.
 * @param options What else is left out.
 * @returns The set itself if nothing is left out.
 *
 * @example Main data beside lessons that were made from it
 * ```ts
 * import { excludeHeldOut, selectRows, shippedPositions } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * const positions = await shippedPositions();
 * assert.equal(excludeHeldOut(positions, [positions]), positions); // its own held-out rows are not trained on
 * const unwon = excludeHeldOut(positions, [], { wonFrom: 99.5 });
 * assert.ok(unwon.count < positions.count && unwon.hold === positions.hold);
 * ```
 */
export function excludeHeldOut(
  positions: Positions,
  others: readonly Positions[],
  options: ExcludeOptions = {},
): Positions {
  const { wonFrom = Infinity } = options;
  const { count, hold, val, win } = positions;
  const held = new Set(heldOutElsewhere(positions, others));
  const rows: number[] = [];
  for (let row = 0; row < count; row++) {
    if (row < hold + val || win[row * MAX_BEST]! < 10 * wonFrom && !held.has(row)) rows.push(row);
  }
  return rows.length === count ? positions : selectRows(positions, rows);
}

/**
 * The training rows that `excludeHeldOut` takes out: for who has reasons to keep the set as it is, such as rates that are
 * kept for it.
 *
 * @param positions The set.
 * @param others Sets whose held-out rows are not to be trained on.
 * @returns Rows, ascending.
 */
export function heldOutElsewhere(positions: Positions, others: readonly Positions[]): Int32Array {
  const { count, hold, val, board, game } = positions;
  const held = HeldOut.of(others);
  const rows: number[] = [];
  for (let row = hold + val; row < count; row++) {
    const key = boardKey(board, row * BOARD_BYTES, BOARD_BYTES);
    if (held.reason(game[row]!, key) !== undefined) rows.push(row);
  }
  return Int32Array.from(rows);
}
