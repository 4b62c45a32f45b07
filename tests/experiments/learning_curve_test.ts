import assert from "node:assert/strict";
import { join } from "node:path";
import { DataError } from "../../lib/common/mod.ts";
import { type LearningCurve, run } from "../../experiments/learning_curve.ts";
import type { FittedPoint } from "../../experiments/learning_curve/points.ts";
import { compareCurves } from "../../experiments/compare_curves.ts";
import { passInOwnProcess } from "../_own_process.ts";
import { requires } from "../_requirements.ts";
import { inFolder } from "../_temporary_folder.ts";
import { smallCase } from "./_small_curve.ts";

Deno.test("a learning curve that is stopped again and again ends with the numbers of one that is not", () =>
  inFolder(async (one) => {
    const whole = await run(smallCase(one));
    await inFolder(async (other) => {
      let made = 0, starts = 0, stopped: LearningCurve | undefined;
      while (stopped === undefined) {
        starts++;
        const controller = new AbortController();
        let own = 0;
        try {
          stopped = await run({
            ...smallCase(other),
            workers: 1 + starts % 2,
            signal: controller.signal,
            onPoint: () => {
              made++;
              if (++own === 11) controller.abort();
            },
          });
        } catch (error) {
          if (!controller.signal.aborted) throw error;
        }
      }
      assert.ok(starts === 3, `${starts} starts`);
      assert.equal(made, (2 * 2 + 1) * 5, "no point is made twice, and there is one draw of all positions");
      assert.deepEqual(stopped, whole);
    });

    assert.deepEqual(whole.sizes, [256, 512, 1360]);
    assert.equal(whole.rows.length, 15);
    const row = (reading: string) =>
      whole.rows.filter((each) => each.reading === reading).map(({ seedLosses }) => seedLosses);
    assert.deepEqual(
      new Set(row("blind")[2]!).size,
      1,
      "all positions are the same positions, whatever the seed",
    );
    assert.equal(new Set(row("blind")[0]!).size, 2, "each seed draws its own positions");
    const { value, seeds } = whole.slopes.find(({ reading }) => reading === "blind")!;
    assert.ok(Math.abs(value - (seeds[0]! + seeds[1]!) / 2) < 1e-12);
    const [last] = whole.doublings.filter(({ reading, to }) => reading === "step 12" && to === 1360);
    const [, half, full] = row("step 12");
    assert.ok(Math.abs(last!.seedLosses[0]! * Math.log2(1360 / 512) - (full![0]! - half![0]!)) < 1e-12);

    await assert.rejects(run({ ...smallCase(one), penalties: [0] }), (error) => {
      assert.ok(error instanceof DataError);
      assert.match(error.message, /its penalties is \[0.01,0\], \[0\] is wanted/);
      return true;
    });
  }));

Deno.test(
  "a learning curve that TensorFlow fits is that of our own kernels",
  requires("tensorflow"),
  () => passInOwnProcess(new URL("./_tensorflow_curve_cases.ts", import.meta.url)),
);

Deno.test("`run()` draws no size that is not a multiple of the smallest", () =>
  inFolder(async (folder) => {
    await assert.rejects(run({ ...smallCase(folder), sizes: [256, 300] }), RangeError);
    await assert.rejects(run({ ...smallCase(folder), sizes: [256, 2048] }), RangeError);
  }));

Deno.test("`compareCurves()` pairs what both curves have, seed by seed", () => {
  const point = (reading: string, positions: number, seed: number, loss: number): FittedPoint => ({
    reading,
    positions,
    seed,
    penalty: 0,
    contrastPenalty: null,
    passes: 1,
    valLoss: loss,
    judged: {
      rows: Int32Array.of(0, 1),
      top1: Uint8Array.of(1, 0),
      good: Uint8Array.of(1, 1),
      loss: Float64Array.of(loss, loss + 1),
      valueError: Float64Array.of(0, 0),
      game: Int32Array.of(0, 1),
    },
  });
  const one = [point("step 12", 10, 1, 3), point("step 12", 10, 2, 4), point("step 12", 20, 1, 2)];
  const other = [point("step 12", 10, 1, 2.5), point("blind", 10, 2, 9)];
  const [only, ...more] = compareCurves(one, other);
  assert.deepEqual(more, []);
  assert.deepEqual([only!.positions, only!.seeds, only!.seedLosses], [10, [1], [0.5]]);
  assert.deepEqual(only!.scores.loss, { value: 0.5, low: 0.5, high: 0.5 });
});

Deno.test("a learning curve reads other steps too; all else stays as it was", () =>
  inFolder(async (one) => {
    const options = { ...smallCase(one), sizes: [256], seeds: 1 };
    const before = await run(options);
    const only = await run({ ...options, points: join(one, "only.points.json"), only: ["step 12"] });
    assert.deepEqual(only.rows.map(({ reading }) => reading), ["blind", "step 12"]);
    const after = await run({ ...options, also: [[11], [10, 11]] });
    assert.equal(before.also, undefined);
    assert.deepEqual(after.also, ["step 11", "mean of steps 10 to 11", "steps 10 to 11 side by side"]);
    const of = (curve: LearningCurve, name: string) => curve.rows.filter(({ reading }) => reading === name);
    for (const name of Object.values(before.readings)) {
      assert.deepEqual(of(after, name), of(before, name));
    }
    assert.ok(
      after.differences.some(({ of, against }) => of === "step 11" && against === "direct input"),
    );
    await inFolder(async (other) => {
      const early = await run({ ...options, ...smallCase(other), sizes: [256], seeds: 1, steps: [10, 11] });
      for (const name of after.also!) assert.deepEqual(of(after, name), of(early, name), name);
    });
  }));
