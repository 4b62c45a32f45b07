import assert from "node:assert/strict";
import { Random } from "../../lib/common/mod.ts";
import { MAX_MOVES } from "../../lib/data/positions.ts";
import {
  applyReadout,
  denseFeatures,
  movesOf,
  type Readout,
  READOUT_COLUMNS,
} from "../../lib/readout/mod.ts";
import { randomPositions, rowsFrom, writtenPositions } from "./_positions.ts";

function randomReadout(features: number, seed: number): Readout {
  const random = new Random(seed);
  const draw = (length: number) => Float32Array.from({ length }, () => random.normal());
  return { features, weight: draw(features * READOUT_COLUMNS), bias: draw(READOUT_COLUMNS) };
}

Deno.test("`applyReadout()` is features times weights plus bias, for more rows than fit in one block", () => {
  const readout = randomReadout(5, 1);
  const random = new Random(2);
  const numbers = Float32Array.from({ length: 150 * 5 }, () => random.int(3) === 0 ? 0 : random.float());
  const rows = rowsFrom(0, 150).reverse();
  const scores = applyReadout(readout, denseFeatures(numbers, 5), rows);
  assert.equal(scores.length, 150 * READOUT_COLUMNS);
  for (const [i, row] of rows.entries()) {
    for (let c = 0; c < READOUT_COLUMNS; c++) {
      let sum = readout.bias[c]!;
      for (let f = 0; f < 5; f++) sum += numbers[row * 5 + f]! * readout.weight[f * READOUT_COLUMNS + c]!;
      assert.ok(Math.abs(scores[i * READOUT_COLUMNS + c]! - sum) < 1e-5);
    }
  }
});

Deno.test("`applyReadout()` refuses features that the readout was not fitted on", () => {
  assert.throws(
    () => applyReadout(randomReadout(5, 1), denseFeatures(new Float32Array(8), 4), Int32Array.of(0)),
    RangeError,
  );
});

Deno.test("`movesOf()` lists every legal move with probabilities that fall and add up to 1", () => {
  const positions = randomPositions(100, 8);
  const random = new Random(4);
  for (let row = 0; row < positions.count; row++) {
    const moves = movesOf(
      Float32Array.from({ length: READOUT_COLUMNS }, () => 3 * random.normal()),
      positions,
      row,
    );
    const stored = [...positions.move.subarray(row * MAX_MOVES, row * MAX_MOVES + positions.moveCount[row]!)];
    assert.deepEqual(moves.map(({ move }) => move).sort(), stored.sort());
    assert.ok(Math.abs(moves.reduce((sum, { probability }) => sum + probability, 0) - 1) < 1e-12);
    assert.ok(moves.every(({ probability }, i) => i === 0 || probability <= moves[i - 1]!.probability));
  }
});

Deno.test("`movesOf()` keeps the row's order among equals", () => {
  const positions = writtenPositions([{ moves: [[9, 17], [1, 2], [52, 60, 1], [4, 5]], best: [[0, 500]] }]);
  const scores = new Float32Array(READOUT_COLUMNS);
  scores[129] = 1;
  assert.deepEqual(movesOf(scores, positions, 0).map(({ move }) => move & 63), [52, 9, 1, 4]);
});
