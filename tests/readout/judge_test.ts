import assert from "node:assert/strict";
import { judge, judgeScores, noFeatures, type Readout, READOUT_COLUMNS } from "../../lib/readout/mod.ts";
import { rowsFrom, type WrittenPosition, writtenPositions } from "./_positions.ts";

/** Scores that prefer the to-squares in this order. */
function preferring(...squares: number[]): Float32Array {
  const scores = new Float32Array(READOUT_COLUMNS);
  squares.forEach((square, i) => scores[64 + square] = 10 - i);
  return scores;
}

const moves: WrittenPosition["moves"] = [[0, 1], [0, 2], [0, 3], [0, 4]];
const best: WrittenPosition["best"] = [[2, 700], [1, 700], [0, 690], [3, 689]];

Deno.test("`judge()` counts the teacher's best move, good moves and neither, 10 tenths being the edge of good", () => {
  const positions = writtenPositions([{ moves, best, game: 12 }]);
  const outcomes = [3, 2, 1, 4].map((to) => {
    const { top1, good, game } = judgeScores(preferring(to), positions, Int32Array.of(0));
    assert.deepEqual([...game], [12]);
    return [top1[0], good[0]];
  });
  assert.deepEqual(outcomes, [[1, 1], [0, 1], [0, 1], [0, 0]]);
});

Deno.test("`judge()` calls no move outside the teacher's list good", () => {
  const positions = writtenPositions([{ moves, best: [[2, 700]] }]);
  const { top1, good } = judgeScores(preferring(2), positions, Int32Array.of(0));
  assert.deepEqual([top1[0], good[0]], [0, 0]);
});

Deno.test("`judge()` takes the first of the row's moves where scores are equal", () => {
  const tied = writtenPositions([{ moves, best: [[0, 600], [3, 600]] }, { moves, best: [[3, 600]] }]);
  const { top1, good } = judgeScores(new Float32Array(2 * READOUT_COLUMNS), tied, rowsFrom(0, 2));
  assert.deepEqual([...top1], [1, 0]);
  assert.deepEqual([...good], [1, 0]);
});

Deno.test("`judge()` measures the policy loss and the value's squared error", () => {
  const positions = writtenPositions([{ moves, best: [[0, 750]] }]);
  const readout: Readout = {
    features: 0,
    weight: new Float32Array(0),
    bias: new Float32Array(READOUT_COLUMNS),
  };
  readout.bias[133] = 100; // tanh(100) = 1
  const { loss, valueError, rows } = judge(readout, noFeatures(1), positions, Int32Array.of(0));
  assert.ok(Math.abs(loss[0]! - Math.log(4)) < 1e-12);
  assert.ok(Math.abs(valueError[0]! - 0.25) < 1e-12);
  assert.deepEqual([...rows], [0]);
});

Deno.test("`judge()` refuses unknown rows, no rows and rows without moves", () => {
  const positions = writtenPositions([{ moves, best }, { moves: [], best: [] }]);
  const scores = new Float32Array(READOUT_COLUMNS);
  assert.throws(() => judgeScores(scores, positions, Int32Array.of(2)), RangeError);
  assert.throws(() => judgeScores(scores, positions, Int32Array.of(1)), RangeError);
  assert.throws(() => judgeScores(scores, positions, new Int32Array(0)), RangeError);
  assert.throws(() => judgeScores(scores.subarray(1), positions, Int32Array.of(0)), RangeError);
});
