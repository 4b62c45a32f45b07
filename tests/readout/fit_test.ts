import assert from "node:assert/strict";
import * as tf from "@tensorflow/tfjs-core";
import { type Progress, Random } from "../../lib/common/mod.ts";
import {
  boardFeatures,
  constantFeatures,
  denseFeatures,
  fitBlind,
  fitProbe,
  fitReadout,
  fitToEnd,
  judge,
  noFeatures,
  PROBE,
} from "../../lib/readout/mod.ts";
import { randomPositions, rowsFrom, writtenPositions } from "./_positions.ts";

/** Positions whose best move and value are told by one piece's place: square s of plane 0 means move s, of 8. */
function separable(count: number, seed: number) {
  const random = new Random(seed);
  return writtenPositions(Array.from({ length: count }, () => {
    const answer = random.int(8);
    return {
      bits: [answer],
      moves: Array.from({ length: 8 }, (_, i) => [i, 63 - i] as const),
      best: [[answer, 125 * answer]] as const,
    };
  }));
}

Deno.test("`fitReadout()` learns positions whose answer stands on the board", async () => {
  const positions = separable(600, 1);
  const features = boardFeatures(positions);
  const readout = await fitReadout(features, positions, rowsFrom(0, 500), { learningRate: 0.05, batch: 50 });
  const judged = judge(readout, features, positions, rowsFrom(500, 600));
  assert.equal(judged.top1.reduce((sum, each) => sum + each, 0), 100);
  assert.ok(judged.loss.every((loss) => loss < 0.1));
  assert.ok(judged.valueError.every((error) => error < 0.05));
  assert.equal(readout.history.passes, 8);
  assert.ok(readout.history.trainLoss.at(-1)! < readout.history.trainLoss[0]!);
});

Deno.test("`fitReadout()` gives the same bits for the same inputs, others for another seed, and leaves no tensor", async () => {
  const positions = randomPositions(300, 2);
  const features = boardFeatures(positions);
  const rows = rowsFrom(0, 300);
  const one = await fitReadout(features, positions, rows, { passes: 2, seed: 5 });
  const before = tf.memory().numTensors;
  const two = await fitReadout(features, positions, rows, { passes: 2, seed: 5 });
  const three = await fitReadout(features, positions, rows, { passes: 2, seed: 6 });
  assert.equal(tf.memory().numTensors, before);
  assert.deepEqual(two, one);
  assert.notDeepEqual(three.weight, one.weight);
  assert.equal(one.features, 768);
  assert.equal(one.weight.length, 768 * 134);
});

Deno.test("`fitReadout()` takes Adam's steps: the first moves every number by the step, against its gradient", async () => {
  const positions = separable(8, 3);
  const features = denseFeatures(new Float32Array(8).fill(1), 1);
  const { weight, bias } = await fitReadout(features, positions, rowsFrom(0, 8), {
    passes: 1,
    batch: 8,
    learningRate: 0.01,
  });
  const sizes = [...bias].map((each) => Math.abs(each));
  assert.ok(sizes.every((size) => size < 1e-4 || Math.abs(size - 0.01) < 1e-4));
  assert.ok(sizes.filter((size) => size > 0.009).length > 8);
  assert.deepEqual(weight, bias);
});

Deno.test("`fitReadout()` on features that never change ends at the blind baseline", async () => {
  const positions = randomPositions(400, 4);
  const rows = rowsFrom(0, 400);
  const mean = (numbers: Float64Array) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const blind = mean(
    judge(await fitBlind(positions, rows, { ridge: 0 }), noFeatures(400), positions, rows).loss,
  );
  const silent = constantFeatures(Float32Array.of(0.3, 0.8), 400);
  const readout = await fitReadout(silent, positions, rows, { passes: 300, batch: 400, learningRate: 0.05 });
  const loss = mean(judge(readout, silent, positions, rows).loss);
  assert.ok(loss >= blind - 1e-6 && loss < blind + 2e-3, `${loss} and ${blind}`);
});

Deno.test("`fitToEnd()` keeps the best readout by VAL and stops when it gets no better", async () => {
  const positions = randomPositions(400, 6); // chance: whatever is learned is wrong for VAL
  const features = boardFeatures(positions);
  const [train, val] = [rowsFrom(0, 300), rowsFrom(300, 400)];
  const readout = await fitToEnd(features, positions, train, val);
  const { valLoss, passes } = readout.history;
  assert.equal(valLoss.length, passes + 1);
  assert.ok(passes < 60);
  const judged = judge(readout, features, positions, val);
  const loss = judged.loss.reduce((sum, each) => sum + each, 0) / val.length;
  assert.ok(Math.abs(loss - Math.min(...valLoss)) < 2e-4);
  assert.ok(loss <= valLoss[0]!);
});

Deno.test("`fitReadout()` never ends worse on VAL than it started, however large the step", async () => {
  const positions = randomPositions(200, 7);
  const features = boardFeatures(positions);
  const val = rowsFrom(150, 200);
  const readout = await fitReadout(features, positions, rowsFrom(0, 150), {
    learningRate: 1000,
    stopOn: { rows: val, patience: 2, maxPasses: 5 },
  });
  assert.equal(readout.history.passes, 2);
  assert.ok(readout.weight.every((each) => each === 0));
});

Deno.test("`fitReadout()` shortens long gradients: the path is another, and a limit never reached changes nothing", async () => {
  const positions = separable(200, 8);
  const features = boardFeatures(positions);
  const fit = (maxGradient?: number) =>
    fitReadout(features, positions, rowsFrom(0, 200), { passes: 1, batch: 20, maxGradient });
  const free = await fit();
  assert.deepEqual(await fit(1e9), free);
  assert.notDeepEqual((await fit(0.05)).weight, free.weight);
});

Deno.test("`fitProbe()` is `fitReadout()` with the reference's settings, and reports how far it is", async () => {
  const positions = randomPositions(600, 9);
  const features = boardFeatures(positions);
  const seen: Progress[] = [];
  const probe = await fitProbe(features, positions, rowsFrom(0, 600), {
    onProgress: (each) => seen.push(each),
  });
  const { passes, batch, learningRate } = PROBE;
  assert.deepEqual(
    probe,
    await fitReadout(features, positions, rowsFrom(0, 600), { passes, batch, learningRate }),
  );
  assert.equal(seen.at(-1)!.done, 4800);
  assert.ok(seen.every(({ done, total }) => total === 4800 && done <= total));
});

Deno.test("`fitReadout()` stops when it is told to and leaves no tensor", async () => {
  const positions = randomPositions(500, 10);
  const features = boardFeatures(positions);
  const rows = rowsFrom(0, 500);
  await fitReadout(features, positions, rows, { passes: 1 });
  const before = tf.memory().numTensors;
  const stop = new AbortController();
  await assert.rejects(
    fitReadout(features, positions, rows, {
      passes: 100_000,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    }),
    /enough/,
  );
  assert.equal(tf.memory().numTensors, before);
});

Deno.test("`fitReadout()` refuses odd rows and settings", async () => {
  const positions = randomPositions(10, 1);
  const features = boardFeatures(positions);
  const rows = rowsFrom(0, 10);
  await assert.rejects(fitReadout(features, positions, Int32Array.of(10)), RangeError);
  await assert.rejects(fitReadout(noFeatures(10), positions, rows), RangeError);
  await assert.rejects(fitReadout(features, positions, rows, { batch: 0 }), RangeError);
  await assert.rejects(fitReadout(features, positions, rows, { passes: 1.5 }), RangeError);
  await assert.rejects(fitReadout(features, positions, rows, { learningRate: 0 }), RangeError);
});
