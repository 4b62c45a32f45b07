import { movePolicy } from "flychess/chess";
import { MAX_BEST, MAX_MOVES, type Positions } from "flychess/data";
import {
  applyReadout,
  denseFeatures,
  type Readout,
  READOUT_COLUMNS,
  targetShares,
  valueTarget,
} from "flychess/readout";

/**
 * d loss / d rate of the neurons read, a position's own loss each (reference, section 6): every legal move's score is pushed
 * by what the fly gives it minus what the teacher does, the value by twice its error.
 */
export function outputGradient(
  readout: Readout,
  rates: Float32Array,
  positions: Positions,
  rows: Int32Array,
): { readonly gradient: Float32Array; readonly loss: number } {
  const { features, weight } = readout;
  const scores = applyReadout(
    readout,
    denseFeatures(rates, features, { rows, of: positions.count }),
    rows,
  );
  const gradient = new Float32Array(rows.length * features);
  let total = 0;
  for (const [b, row] of rows.entries()) {
    const own = scores.subarray(b * READOUT_COLUMNS, (b + 1) * READOUT_COLUMNS);
    const first = row * MAX_MOVES, best = row * MAX_BEST;
    const moves = positions.move.subarray(first, first + positions.moveCount[row]!);
    const push = movePolicy(own, moves);
    const listed = positions.best.subarray(best, best + positions.bestCount[row]!);
    const shares = targetShares(
      Array.from(positions.win.subarray(best, best + listed.length), (tenths) => tenths / 10),
    );
    for (const [k, place] of listed.entries()) {
      total -= shares[k]! * Math.log(push[place]!) / rows.length;
    }
    for (const [k, place] of listed.entries()) push[place]! -= shares[k]!;
    const columns = new Float64Array(READOUT_COLUMNS);
    for (const [i, move] of moves.entries()) {
      columns[move & 63]! += push[i]!;
      columns[64 + (move >> 6 & 63)]! += push[i]!;
      columns[128 + (move >> 12)]! += push[i]!;
    }
    const value = Math.tanh(own[READOUT_COLUMNS - 1]!);
    columns[READOUT_COLUMNS - 1] = 2 * (value - valueTarget(positions.win[best]! / 10)) * (1 - value * value);
    for (let f = 0; f < features; f++) {
      let sum = 0;
      for (let c = 0; c < READOUT_COLUMNS; c++) sum += columns[c]! * weight[f * READOUT_COLUMNS + c]!;
      gradient[b * features + f] = sum;
    }
  }
  return { gradient, loss: total };
}
