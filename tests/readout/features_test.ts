import assert from "node:assert/strict";
import type { Eye } from "../../lib/eye/eye.ts";
import {
  boardFeatures,
  constantFeatures,
  denseFeatures,
  driveFeatures,
  noFeatures,
} from "../../lib/readout/mod.ts";
import type { FeatureSource } from "../../lib/readout/mod.ts";
import { randomPositions, writtenPositions } from "./_positions.ts";

function read(features: FeatureSource, ...rows: number[]): number[] {
  const out = new Float32Array(rows.length * features.columns).fill(NaN);
  features.batch(Int32Array.from(rows), out);
  return [...out];
}

Deno.test("`denseFeatures()` reads rows of an array in any order", () => {
  const features = denseFeatures(Float32Array.of(1, 2, 3, 4, 5, 6), 2);
  assert.equal(features.rows, 3);
  assert.deepEqual(read(features, 2, 0, 2), [5, 6, 1, 2, 5, 6]);
});

Deno.test("`denseFeatures()` finds positions that were kept in another order, and refuses those that were not kept", () => {
  const features = denseFeatures(Float32Array.of(1, 2, 3, 4), 2, { rows: Int32Array.of(9, 4), of: 20 });
  assert.equal(features.rows, 20);
  assert.deepEqual(read(features, 4, 9), [3, 4, 1, 2]);
  for (const row of [0, 5, 19, 20, -1]) assert.throws(() => read(features, row), RangeError);
});

Deno.test("`denseFeatures()` refuses half rows, repeated positions and the wrong number of positions", () => {
  assert.throws(() => denseFeatures(new Float32Array(5), 2), RangeError);
  assert.throws(() => denseFeatures(new Float32Array(4), 0), RangeError);
  assert.throws(() => denseFeatures(new Float32Array(4), 2, { rows: Int32Array.of(1, 1) }), RangeError);
  assert.throws(() => denseFeatures(new Float32Array(4), 2, { rows: Int32Array.of(1) }), RangeError);
});

Deno.test("`boardFeatures()` is 1 exactly where the board has a bit", () => {
  const positions = writtenPositions([
    { moves: [[0, 1]], best: [[0, 500]] },
    { bits: [0, 9, 400, 767], moves: [[0, 1]], best: [[0, 500]] },
  ]);
  const features = boardFeatures(positions);
  assert.equal(features.columns, 768);
  const [empty, full] = [read(features, 0), read(features, 1)];
  assert.ok(empty.every((bit) => bit === 0));
  assert.deepEqual(full.flatMap((bit, i) => bit === 1 ? [i] : bit === 0 ? [] : [-1]), [0, 9, 400, 767]);
  assert.throws(() => read(features, 2), RangeError);
});

Deno.test("`driveFeatures()` adds up the pieces that a cell reports on its square, as the eye does", () => {
  const positions = randomPositions(20, 5);
  const eye: Eye = {
    name: "test",
    neurons: 100,
    cell: Int32Array.from({ length: 60 }, (_, i) => i),
    square: Uint8Array.from({ length: 60 }, (_, i) => i * 37 % 64),
    planes: Uint16Array.from(
      { length: 60 },
      (_, i) => [0b111111, 0b111111000000, 0b1000001, 0b100000100000][i % 4]!,
    ),
  };
  const board = boardFeatures(positions);
  const features = driveFeatures(eye, positions);
  assert.equal(features.columns, 60);
  let lit = 0;
  for (let row = 0; row < positions.count; row++) {
    const bits = read(board, row);
    const wanted = [...eye.square].map((square, cell) =>
      Array.from({ length: 12 }, (_, plane) => (eye.planes[cell]! >> plane & 1) * bits[plane * 64 + square]!)
        .reduce((sum, each) => sum + each, 0)
    );
    assert.deepEqual(read(features, row), wanted);
    lit += wanted.filter((each) => each > 0).length;
  }
  assert.ok(lit > 20);
});

Deno.test("`constantFeatures()` and `noFeatures()` say the same about every position", () => {
  const silent = constantFeatures(Float32Array.of(0.5, 0.25), 3);
  assert.deepEqual(read(silent, 2, 0), [0.5, 0.25, 0.5, 0.25]);
  assert.equal(noFeatures(3).columns, 0);
  assert.deepEqual(read(noFeatures(3), 2, 0), []);
  assert.throws(() => read(silent, 3), RangeError);
  assert.throws(() => read(noFeatures(3), 3), RangeError);
});
