import assert from "node:assert/strict";
import fc from "fast-check";
import { legalMoves, movePolicy, moveScores, packMove, START_FEN } from "../../lib/chess/mod.ts";
import { positions } from "./_positions.ts";

const rows = fc.array(fc.double({ min: -1e4, max: 1e4, noNaN: true }), { minLength: 134, maxLength: 134 });

Deno.test("probabilities of the legal moves sum to 1, however large the scores", () => {
  fc.assert(fc.property(positions, rows, (board, scores) => {
    const moves = legalMoves(board);
    fc.pre(moves.length > 0);
    const policy = movePolicy(scores, moves);
    assert.equal(policy.length, moves.length);
    assert.ok(policy.every((p) => p >= 0 && p <= 1));
    assert.ok(Math.abs(policy.reduce((sum, p) => sum + p) - 1) < 1e-12);
  }));
});

Deno.test("packed moves and listed moves score alike", () => {
  fc.assert(fc.property(positions, rows, (board, scores) => {
    const moves = legalMoves(board);
    assert.deepEqual(moveScores(scores, Uint16Array.from(moves, packMove)), moveScores(scores, moves));
  }));
});

Deno.test("a move's score is the sum of its from-, to- and promotion score", () => {
  const scores = Float64Array.from({ length: 134 }, (_, i) => 1000 + i * i);
  const [score] = moveScores(scores, [{ uci: "b7a8b", from: 49, to: 56, promotion: 3 }]);
  assert.equal(score, scores[49]! + scores[64 + 56]! + scores[128 + 3]!);
});

Deno.test("the reference's example: scores 2.1, 0.3 and eighteen times -0.5 give the first move 40 %", () => {
  const scores = new Float64Array(134).fill(0);
  const moves = legalMoves(START_FEN);
  scores.fill(-0.5, 64, 128);
  scores[64 + 28] = 2.1; // e4
  scores[64 + 27] = 0.3; // d4
  const policy = movePolicy(scores, moves);
  const e4 = policy[moves.findIndex(({ uci }) => uci === "e2e4")]!;
  assert.equal(Math.round(100 * e4), 40);
});

Deno.test("adding a constant to all from-scores changes no probability", () => {
  fc.assert(fc.property(rows, fc.double({ min: -100, max: 100, noNaN: true }), (scores, shift) => {
    const moves = legalMoves(START_FEN);
    const shifted = scores.map((score, i) => i < 64 ? score + shift : score);
    const before = movePolicy(scores, moves);
    const after = movePolicy(shifted, moves);
    for (const [i, p] of before.entries()) assert.ok(Math.abs(p - after[i]!) < 1e-9);
  }));
});

Deno.test("`movePolicy()` refuses no moves, too few scores and scores that are no numbers", () => {
  const moves = legalMoves(START_FEN);
  assert.throws(() => movePolicy(new Float32Array(134), []), RangeError);
  assert.throws(() => movePolicy(new Float32Array(132), moves), RangeError);
  assert.throws(() => movePolicy(new Float32Array(134).fill(NaN), moves), RangeError);
  assert.throws(() => movePolicy(new Float32Array(134).fill(Infinity), moves), RangeError);
});
