import assert from "node:assert/strict";
import { applyReadout, fitBlind, judge, noFeatures } from "../../lib/readout/mod.ts";
import { positionLoss } from "../../lib/readout/_legal_softmax.ts";
import { randomPositions, rowsFrom, writtenPositions } from "./_positions.ts";

Deno.test("`fitBlind()` finds the analytic optimum where one move is chosen in 3 of 4 positions", async () => {
  // From the same square to one of two: the best score difference is log(3), and nothing else matters.
  const positions = writtenPositions(Array.from({ length: 4 }, (_, i) => ({
    moves: [[0, 1], [0, 2]] as const,
    best: [[i === 0 ? 1 : 0, i === 0 ? 900 : 100]] as const,
  })));
  const { bias } = await fitBlind(positions, rowsFrom(0, 4), { ridge: 0 });
  assert.ok(Math.abs(bias[65]! - bias[66]! - Math.log(3)) < 1e-6);
  // Mean target: (3 * -0.8 + 0.8) / 4.
  assert.ok(Math.abs(Math.tanh(bias[133]!) - -0.4) < 1e-6);
});

Deno.test("`fitBlind()` ends where the loss and its ridge are flat", async () => {
  const positions = randomPositions(300, 11);
  const rows = rowsFrom(0, 300);
  for (const ridge of [0.5, 1, 20]) {
    const readout = await fitBlind(positions, rows, { ridge });
    const bias = Float64Array.from(readout.bias);
    const gradient = new Float64Array(134);
    const part = new Float64Array(134);
    for (const row of rows) {
      positionLoss(positions, row, bias, 0, { policy: 0, value: 0, favourite: 0 }, part);
      part.forEach((each, c) => gradient[c]! += each);
    }
    for (let c = 0; c < 133; c++) {
      // What is left is the rounding of the bias to float32.
      assert.ok(Math.abs(gradient[c]! + ridge * bias[c]!) < 1e-4, `ridge ${ridge}, column ${c}`);
    }
    assert.ok(Math.abs(gradient[133]!) < 1e-3);
  }
});

Deno.test("`fitBlind()` survives moves that are never played, with and without a ridge", async () => {
  const positions = writtenPositions([{ moves: [[0, 1], [2, 3], [4, 5, 4]], best: [[1, 500]] }]);
  for (const ridge of [0, 1]) {
    const readout = await fitBlind(positions, Int32Array.of(0), { ridge });
    assert.ok(readout.bias.every(Number.isFinite));
    assert.equal(judge(readout, noFeatures(1), positions, Int32Array.of(0)).top1[0], 1);
  }
});

Deno.test("`fitBlind()` gives a readout of no features with the same scores for every position", async () => {
  const positions = randomPositions(50, 12);
  const readout = await fitBlind(positions, rowsFrom(0, 50));
  assert.equal(readout.features, 0);
  const scores = applyReadout(readout, noFeatures(50), Int32Array.of(3, 40));
  assert.deepEqual(scores.subarray(0, 134), scores.subarray(134));
  assert.deepEqual(scores.subarray(0, 134), readout.bias);
  const { trainLoss, passes } = readout.history;
  assert.equal(trainLoss.length, passes + 1);
  assert.ok(trainLoss.at(-1)! < trainLoss[0]!);
});

Deno.test("`fitBlind()` stops when it is told to, and refuses odd settings", async () => {
  const positions = randomPositions(50, 13);
  await assert.rejects(
    fitBlind(positions, rowsFrom(0, 50), { signal: AbortSignal.abort(new Error("enough")) }),
    /enough/,
  );
  await assert.rejects(fitBlind(positions, rowsFrom(0, 50), { ridge: -1 }), RangeError);
  await assert.rejects(fitBlind(positions, new Int32Array(0)), RangeError);
});
