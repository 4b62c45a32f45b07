import assert from "node:assert/strict";
import * as confusion from "../../experiments/confusion.ts";
import * as occlusion from "../../experiments/occlusion.ts";
import { dependence, effectsOf, occlude } from "../../experiments/signal/occlusion_measure.ts";
import { boardBits, legalMoves, packMove } from "../../lib/chess/mod.ts";
import { READOUT_COLUMNS } from "../../lib/readout/mod.ts";
import { frontRows, quickRun } from "./_quick_run.ts";

/** White: king e1, pawn e4; Black: king e8, pawn d5 that can be taken. */
const FEN = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";

Deno.test("`occlude()` takes the pieces off one by one", () => {
  const { squares, planes, boards } = occlude(boardBits(FEN));
  assert.deepEqual(squares, [4, 28, 35, 60]);
  assert.deepEqual(planes, [5, 0, 6, 11]);
  assert.deepEqual(boards.subarray(0, 96), boardBits(FEN));
  assert.deepEqual(boards.subarray(2 * 96, 3 * 96), boardBits("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"));
});

Deno.test("`effectsOf()` measures what a covered piece moves, and knows which piece it was", () => {
  const covered = occlude(boardBits(FEN)), moves = legalMoves(FEN).map(packMove);
  const scores = new Float32Array(5 * READOUT_COLUMNS);
  // Whole, and without the kings: exd5 is nearly certain; without its pawn: e5 is; without the one taken: all are equal.
  for (const row of [0, 1, 4]) scores[row * READOUT_COLUMNS + 64 + 35] = 30;
  scores[2 * READOUT_COLUMNS + 64 + 36] = 30;
  const effects = effectsOf(covered, scores, READOUT_COLUMNS, moves);
  assert.deepEqual(effects.roles, [2, 0, 1, 4]);
  assert.deepEqual(effects.changed.slice(0, 2), [0, 1]);
  assert.ok(Math.abs(effects.moved[1]! - 1) < 1e-9 && effects.moved[0]! < 1e-9);
  assert.ok(Math.abs(effects.moved[2]! - (1 - 1 / moves.length)) < 1e-9);
  assert.equal(effects.favourite, 28 | 35 << 6);

  const { roles, types, squares, hangsOn } = dependence([effects, effects], Int32Array.of(1, 2), 1);
  assert.deepEqual(roles.map(({ kind, pieces }) => [kind, pieces]), [
    ["the piece that moves", 2],
    ["the piece that is taken", 2],
    ["own king", 2],
    ["opponent's king", 2],
  ]);
  assert.deepEqual(types.map(({ kind }) => kind), [
    "own pawn",
    "own king",
    "opponent's pawn",
    "opponent's king",
  ]);
  assert.equal(squares[28]!.moved, effects.moved[1]);
  assert.equal(squares[0]!.moved, null);
  assert.ok(hangsOn!.value > 1.9 && hangsOn!.value < 2.01, "two pieces of about equal weight");
});

Deno.test("`occlusion` and `confusion` give the same numbers twice and draw them", async () => {
  const rows = { hold: 48, val: 64, train: 512 };
  const covered = await quickRun("occlusion", occlusion, { rows });
  const { fly, "direct input": direct } = covered.result.readers;
  assert.equal(covered.result.positionsCovered, 24);
  assert.equal(fly.example.pieces.filter((piece) => piece !== "").length, 32);
  for (const { squares } of [fly, direct]) {
    assert.equal(squares.reduce((sum, { pieces }) => sum + pieces, 0), 24 * covered.result.piecesEach);
  }
  assert.ok(direct.roles.every(({ moved }) => moved.value >= 0 && moved.value <= 1));

  const { result, svg } = await quickRun("confusion", confusion, { rows });
  const positions = await frontRows(rows);
  assert.equal(result.judged, positions.hold);
  for (const { reader, matrix, samePiece, sameMove } of result.readers) {
    assert.ok(sameMove.value <= samePiece.value, reader);
    if (matrix === null) continue;
    assert.equal(matrix.flat().reduce((a, b) => a + b), 48);
    const same = matrix.reduce((sum, row, piece) => sum + row[piece]!, 0);
    assert.ok(Math.abs(samePiece.value - same / 48) < 1e-12);
  }
  assert.match(svg, /the teacher moves/);
});
