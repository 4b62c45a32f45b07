import assert from "node:assert/strict";
import fc from "fast-check";
import { Random } from "../../lib/common/mod.ts";
import { MAX_BEST, MAX_MOVES } from "../../lib/data/positions.ts";
import { type PositionLoss, positionLoss } from "../../lib/readout/_legal_softmax.ts";
import { policyLoss, READOUT_COLUMNS, targetShares, valueLoss, valueTarget } from "../../lib/readout/mod.ts";
import { randomPositions } from "./_positions.ts";

const positions = randomPositions(200, 3);
const anyRow = fc.integer({ min: 0, max: positions.count - 1 });
const anySeed = fc.integer({ min: 0, max: 1e6 });

function randomScores(seed: number): Float64Array {
  const random = new Random(seed);
  return Float64Array.from({ length: READOUT_COLUMNS }, () => 2 * random.normal());
}

function lossAt(row: number, scores: Float64Array): PositionLoss {
  const result: PositionLoss = { policy: 0, value: 0, favourite: 0 };
  positionLoss(positions, row, scores, 0, result);
  return result;
}

Deno.test("the loss over packed moves equals the pure functions on written-out moves", () => {
  fc.assert(fc.property(anyRow, anySeed, (row, seed) => {
    const scores = randomScores(seed);
    const score = (place: number): number => {
      const packed = positions.move[row * MAX_MOVES + place]!;
      return scores[packed & 63]! + scores[64 + (packed >> 6 & 63)]! + scores[128 + (packed >> 12)]!;
    };
    const best = [...positions.best.subarray(row * MAX_BEST, row * MAX_BEST + positions.bestCount[row]!)];
    const others = Array.from({ length: positions.moveCount[row]! }, (_, i) => i).filter((i) =>
      !best.includes(i)
    );
    const win = best.map((_, k) => positions.win[row * MAX_BEST + k]! / 10);
    const { policy, value, favourite } = lossAt(row, scores);
    assert.ok(Math.abs(policy - policyLoss([...best, ...others].map(score), targetShares(win))) < 1e-9);
    assert.ok(Math.abs(value - valueLoss(Math.tanh(scores[133]!), valueTarget(win[0]!))) < 1e-12);
    assert.equal(score(favourite), Math.max(...best.map(score), ...others.map(score)));
  }));
});

Deno.test("the gradient over packed moves equals finite differences in float64", () => {
  fc.assert(
    fc.property(anyRow, anySeed, (row, seed) => {
      const scores = randomScores(seed);
      const gradient = new Float64Array(READOUT_COLUMNS).fill(7);
      positionLoss(positions, row, scores, 0, { policy: 0, value: 0, favourite: 0 }, gradient, 0.5);
      for (let c = 0; c < READOUT_COLUMNS; c++) {
        const total = (change: number): number => {
          const moved = scores.slice();
          moved[c]! += change;
          const { policy, value } = lossAt(row, moved);
          return policy + value;
        };
        const slope = (total(1e-5) - total(-1e-5)) / 2e-5;
        assert.ok(
          Math.abs(gradient[c]! - 0.5 * slope) < 1e-8,
          `column ${c}: ${gradient[c]} and ${0.5 * slope}`,
        );
      }
    }),
    { numRuns: 30 },
  );
});

Deno.test("the gradient of a batch's custom operation is that of the mean loss", async () => {
  const tf = await import("@tensorflow/tfjs-core");
  const { batchLoss, linearScores } = await import("../../lib/readout/_head_ops.ts");
  const { readyTensorflow } = await import("../../lib/readout/_tensorflow.ts");
  await readyTensorflow();
  const rows = Int32Array.of(5, 17, 5);
  const random = new Random(9);
  const numbers = Float32Array.from({ length: 3 * 4 }, () => random.float());
  const weights = Float32Array.from({ length: 4 * READOUT_COLUMNS }, () => random.normal());
  const before = tf.memory().numTensors;
  const [cost, slope] = tf.tidy(() => {
    const scores = linearScores(tf.tensor2d(numbers, [3, 4]));
    const loss = batchLoss(positions, rows, { policy: 0, value: 0 });
    const { value, grads } = tf.valueAndGrads((weight, bias) => loss(scores(weight!, bias!)))([
      tf.tensor2d(weights, [4, READOUT_COLUMNS]),
      tf.zeros([READOUT_COLUMNS]),
    ]);
    return [value.dataSync()[0]!, grads[0]!.dataSync()];
  });
  assert.equal(tf.memory().numTensors, before);
  const mean = (matrix: Float64Array): number => {
    let sum = 0;
    for (const [i, row] of rows.entries()) {
      const scores = new Float64Array(READOUT_COLUMNS);
      for (let f = 0; f < 4; f++) {
        for (let c = 0; c < READOUT_COLUMNS; c++) {
          scores[c]! += numbers[i * 4 + f]! * matrix[f * READOUT_COLUMNS + c]!;
        }
      }
      const { policy, value } = lossAt(row, scores);
      sum += policy + value;
    }
    return sum / rows.length;
  };
  const matrix = Float64Array.from(weights);
  assert.ok(Math.abs(cost - mean(matrix)) < 1e-5);
  for (let w = 0; w < matrix.length; w += 7) {
    const kept = matrix[w]!;
    matrix[w] = kept + 1e-5;
    const above = mean(matrix);
    matrix[w] = kept - 1e-5;
    const wanted = (above - mean(matrix)) / 2e-5;
    matrix[w] = kept;
    assert.ok(Math.abs(slope[w]! - wanted) < 1e-5, `weight ${w}: ${slope[w]} and ${wanted}`);
  }
});
