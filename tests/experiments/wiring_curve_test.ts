import assert from "node:assert/strict";
import { originOf } from "../../experiments/_experiment.ts";
import * as curve from "../../experiments/wiring_curve.ts";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";
import { cachedCase } from "../training/_cached_case.ts";

Deno.test("`wiring_curve` sets a brain beside its shuffles at every number of positions, and says how the difference moves", async () => {
  using folder = new TemporaryFolder();
  const { positions } = cachedCase(), connectome = growModelFly({ scale: 1 / 128, seed: 1 });
  const options = { connectome, positions, seed: 1, quick: true, keep: folder.path, workers: 1 };
  const result = await curve.run(options);
  assert.deepEqual(result.ways.map(({ way }) => way), ["frozen", "trained"]);
  for (const { points, change } of result.ways) {
    const [first, last] = points;
    assert.equal(points.length, 2);
    assert.ok(last!.positions > 1.5 * first!.positions);
    for (const { loss, shuffles, difference, among } of points) {
      assert.equal(shuffles.length, 2);
      assert.ok(Math.abs(difference.loss.value - (loss - among.mean)) < 1e-9);
      assert.equal(among.chance, null, "so few tell no rank");
    }
    assert.ok(
      Math.abs(change.value - (last!.difference.loss.value - first!.difference.loss.value)) < 1e-9,
    );
  }
  const [frozen, trained] = result.ways.map(({ points }) => points.at(-1)!.difference.loss.value);
  assert.ok(Math.abs(result.learning.at(-1)!.change.value - (trained! - frozen!)) < 1e-9);
  let learned = 0;
  const again = await curve.run({
    ...options,
    onProgress: ({ task }) => learned += Number(/shuffle/.test(task)),
  });
  assert.deepEqual(again, result);
  assert.equal(learned, 0, "nothing learns twice");
  const whole = { ...originOf("wiring_curve", options, { command: "", measured: false }), ...result };
  assert.match(curve.figure(whole), /positions learned from/);
  // The finding follows the numbers.
  const rising = (value: number) => ({ value, low: value - 0.001, high: value + 0.001 });
  const moved = (value: number) =>
    curve.figure({ ...whole, ways: whole.ways.map((way) => ({ ...way, change: rising(value) })) });
  assert.match(moved(0.01), /loses ground to its shuffles: /);
  assert.match(moved(-0.01), /gains on its shuffles: /);
  assert.match(moved(0), /keeps its distance from its shuffles: /);
  assert.match(curve.tables(whole)["points"]!, /trained whole/);
});
