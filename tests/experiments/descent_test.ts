import assert from "node:assert/strict";
import * as descent from "../../experiments/descent.ts";
import * as landscape from "../../experiments/loss_landscape.ts";
import { symmetricEigen } from "../../experiments/training/_eigen.ts";
import { PlaneLoss, planeOf, readoutAt } from "../../experiments/training/plane.ts";
import { Random } from "../../lib/common/mod.ts";
import { denseFeatures, judge, type Readout, READOUT_COLUMNS } from "../../lib/readout/mod.ts";
import { frontRows, quickRun } from "./_quick_run.ts";

/** A readout of random numbers. */
function randomReadout(features: number, seed: number, size = 1): Readout {
  const random = new Random(seed);
  const numbers = (count: number) => Float32Array.from({ length: count }, () => size * random.normal());
  return { features, weight: numbers(features * READOUT_COLUMNS), bias: numbers(READOUT_COLUMNS) };
}

Deno.test("`descent`: chances start alike, add up to 1, and the first copy knows nothing", async () => {
  const { result } = await quickRun("descent", descent);
  const [first] = result.moments;
  assert.equal(result.moves.length, 20);
  assert.ok(first!.chances.every((chance) => chance === 0.05));
  for (const { chances } of result.moments) {
    assert.ok(Math.abs(chances.reduce((sum, each) => sum + each) - 1) < 1e-4);
  }
  assert.deepEqual([...new Set(result.moments.map(({ stage }) => stage))], ["probe", "new positions"]);
  assert.equal(
    result.moments.at(-1)!.lessons,
    8 * result.settings.probe.positions + result.settings.fresh.positions,
  );
});

Deno.test("`loss_landscape`: the path ends at the origin, shares add up, and no point of the grid is below the lowest", async () => {
  const { result } = await quickRun("loss_landscape", landscape);
  for (const { path, shares, grid, lowest, losses } of result.planes) {
    assert.deepEqual(path.at(-1), [0, 0]);
    assert.ok(Math.abs(shares.reduce((sum, each) => sum + each) - 1) < 0.01);
    assert.ok(grid.flat().every((loss) => loss >= lowest.loss - 1e-6));
    assert.ok(lowest.loss <= losses.at(-1)! + 1e-6);
  }
  const page = await landscape.page(result);
  const { surfaces } = JSON.parse(/<script id="numbers"[^>]*>([^<]*)</.exec(page)![1]!);
  for (const [i, { grid, path, losses }] of result.planes.entries()) {
    assert.deepEqual(surfaces[i].z, grid, "the page's surface is the result's");
    assert.deepEqual(surfaces[i].path, { x: path.map(([x]) => x), y: path.map(([, y]) => y), z: losses });
  }
});

Deno.test("`PlaneLoss` is the loss of the readout at each point of the plane", async () => {
  const positions = await frontRows({ hold: 40, val: 0, train: 4 });
  const rows = Int32Array.from({ length: 40 }, (_, i) => i), random = new Random(3);
  const features = denseFeatures(Float32Array.from({ length: 44 * 5 }, () => random.float()), 5);
  const path = [1, 2, 3, 4].map((seed) => randomReadout(5, seed));
  const plane = planeOf(path), loss = new PlaneLoss(plane, features, positions, rows);
  const mean = (readout: Readout) =>
    judge(readout, features, positions, rows).loss.reduce((sum, each) => sum + each) / 40;
  for (const place of [[0, 0], [3, -2], [-10, 7]] as const) {
    assert.ok(Math.abs(loss.at(place) - mean(readoutAt(plane, place))) < 1e-4);
  }
  const row = loss.row(-10, -8, 0.5, 33);
  for (const n of [0, 19, 20, 32]) assert.ok(Math.abs(row[n]! - loss.at([-10, -8 + 0.5 * n])) < 1e-9);
  // A path of four readouts spans three directions; the first two hold the most.
  assert.ok(plane.shares[0]! >= plane.shares[1]! && plane.shares[1]! >= plane.shares[2]!);
  assert.ok(plane.shares[3]! < 1e-9);
});

Deno.test("`symmetricEigen()` finds directions that the matrix only stretches", () => {
  const random = new Random(1), size = 12;
  const half = Array.from({ length: size }, () => Float64Array.from({ length: size }, () => random.normal()));
  const matrix = half.map((a) => half.map((b) => a.reduce((sum, each, k) => sum + each * b[k]!, 0)));
  const { values, vectors } = symmetricEigen(matrix);
  for (const [k, vector] of vectors.entries()) {
    assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-12);
    assert.ok(k === 0 || values[k - 1]! >= values[k]!);
    matrix.forEach((row, i) => {
      const stretched = row.reduce((sum, each, j) => sum + each * vector[j]!, 0);
      assert.ok(Math.abs(stretched - values[k]! * vector[i]!) < 1e-9);
    });
  }
});
