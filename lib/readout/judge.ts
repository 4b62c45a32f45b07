import { MAX_BEST, type Positions } from "../data/positions.ts";
import { checkRows, type PositionLoss, positionLoss } from "./_legal_softmax.ts";
import { applyReadout } from "./apply.ts";
import type { FeatureSource } from "./features.ts";
import { type Readout, READOUT_COLUMNS } from "./readout.ts";

/** A good move is one of the teacher's best within this many tenths of a percent of the best (reference, section 12). */
const GOOD_WITHIN = 10;

/** How a readout did on each of some positions. */
export interface Judged {
  /** `[count]`: the positions' rows. */
  readonly rows: Int32Array;
  /** `[count]`: 1 where the favourite is the teacher's best move, the first of those it calls equal. */
  readonly top1: Uint8Array;
  /** `[count]`: 1 where the favourite is among the teacher's listed moves and within 1 percent point of the best. */
  readonly good: Uint8Array;
  /** `[count]`: policy loss, in nats. */
  readonly loss: Float64Array;
  /** `[count]`: squared error of the value. */
  readonly valueError: Float64Array;
  /** `[count]`: the game each position comes from, -1 where unknown. */
  readonly game: Int32Array;
}

/**
 * Judges a readout on positions, normally HOLD: is its favourite move the teacher's, is it good, how far is its
 * opinion from the teacher's (reference, section 12). Of moves with equal scores the first in the row's list is
 * the favourite.
 *
 * @param readout The heads.
 * @param features What they read.
 * @param positions What the teacher says.
 * @param rows Which positions.
 * @throws {RangeError} If a row is unknown or the features are not those that the readout was fitted on.
 */
export function judge(
  readout: Readout,
  features: FeatureSource,
  positions: Positions,
  rows: Int32Array,
): Judged {
  checkRows(positions, rows, "judge a readout");
  return judgeScores(applyReadout(readout, features, rows), positions, rows);
}

/**
 * Judges scores that are already there.
 *
 * @param scores `[rows.length][READOUT_COLUMNS]`.
 * @param positions What the teacher says.
 * @param rows Which positions.
 * @throws {RangeError} If a row is unknown or the scores do not fit.
 */
export function judgeScores(
  scores: Float32Array | Float64Array,
  positions: Positions,
  rows: Int32Array,
): Judged {
  checkRows(positions, rows, "judge scores");
  const count = rows.length;
  if (scores.length !== count * READOUT_COLUMNS) {
    throw new RangeError(
      `Cannot judge scores: ${scores.length} of them for ${count} positions, ${READOUT_COLUMNS} each are wanted`,
    );
  }
  const judged = {
    rows: rows.slice(),
    top1: new Uint8Array(count),
    good: new Uint8Array(count),
    loss: new Float64Array(count),
    valueError: new Float64Array(count),
    game: new Int32Array(count),
  };
  const each: PositionLoss = { policy: 0, value: 0, favourite: 0 };
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    positionLoss(positions, row, scores, i * READOUT_COLUMNS, each);
    const first = row * MAX_BEST;
    judged.top1[i] = positions.best[first] === each.favourite ? 1 : 0;
    for (let k = 0; k < positions.bestCount[row]!; k++) {
      if (positions.best[first + k] !== each.favourite) continue;
      judged.good[i] = positions.win[first + k]! >= positions.win[first]! - GOOD_WITHIN ? 1 : 0;
    }
    judged.loss[i] = each.policy;
    judged.valueError[i] = each.value;
    judged.game[i] = positions.game[row]!;
  }
  return judged;
}
