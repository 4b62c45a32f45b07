import assert from "node:assert/strict";
import * as patternSeparation from "../../experiments/pattern_separation.ts";
import { summarizeArm } from "../../experiments/separation/summary.ts";
import { armsOf, BASE } from "../../experiments/separation/arms.ts";
import { NOT_JUDGED } from "../../experiments/separation/measure.ts";
import { measureLonger, measurePart, measureShared } from "../../experiments/separation/shared.ts";
import { connectomeFromTables, growModelFly } from "../../lib/connectome/mod.ts";
import { shippedPositions } from "../../lib/data/mod.ts";
import { quickRun } from "./_quick_run.ts";

Deno.test("pattern separation: a quick run gives the same numbers twice and a picture", async () => {
  const { result } = await quickRun("pattern_separation", patternSeparation);
  assert.deepEqual(result.arms.map(({ seeds }) => seeds), [2, 2, 1, 1]);
  const [base, together] = result.arms;
  assert.equal(base!.againstBase, null);
  // An eye that sees only what changed cannot make Kenyon cells answer alike to different moves.
  assert.ok(together!.overlap.value < base!.overlap.value);
  for (const { before, after, ceiling } of result.arms) {
    for (const { value, low, high } of [before, after, ceiling!]) assert.ok(low <= value && value <= high);
  }
});

Deno.test("pattern separation: what is summed up of an arm is the mean over seeds and pairs", () => {
  const point = (after: number[], ceiling: number[]) => ({
    before: Uint8Array.of(0, 2, 1, 1),
    after: Uint8Array.from(after),
    ceiling: Uint8Array.from(ceiling),
    overlap: 0.5,
    active: 0.05,
    penalty: 0.01,
  });
  const points = [point([2, 2, 0, 2], [2, 2, 2, 2]), point([2, 0, 0, 2], [2, 2, 0, 2])];
  const base = [point([0, 2, 0, 2], [0, 2, 2, 2]), point([0, 2, 0, 2], [0, 2, 2, 2])];
  const sum = summarizeArm(BASE, points, base, Int32Array.of(1, 1, 2, -1));
  assert.equal(sum.before.value, 0.5);
  assert.equal(sum.after.value, 0.625);
  assert.equal(sum.ceiling!.value, 0.875);
  assert.ok(Math.abs(sum.way!.value - 1 / 3) < 1e-12);
  assert.equal(sum.againstBase!.value, 0.125);
  assert.equal(sum.ceilingAgainstBase!.value, 0.125);
  assert.equal(sum.againstTogether, null);
  const more = summarizeArm(BASE, points, base, Int32Array.of(1, 1, 2, -1), points);
  assert.equal(more.againstTogether!.value, 0);
  // Without a regression nothing is said of one.
  const without = points.map((each) => ({ ...each, ceiling: null, penalty: null }));
  const plain = summarizeArm(BASE, without, base, Int32Array.of(1, 1, 2, -1));
  assert.deepEqual(plain, { ...sum, ceiling: null, way: null, ceilingAgainstBase: null });
  assert.ok(sum.after.low < 0.625 && sum.after.high > 0.625);
});

Deno.test("pattern separation makes no sense without a mushroom body", () => {
  const none = connectomeFromTables([{ id: 1 }], [], { input: [1], output: [1] }, { name: "one cell" });
  assert.match(patternSeparation.refuses(none)!, /no mushroom body/);
});

Deno.test("pattern separation: seeds that share an untrained fly each judge their own part of the pairs", async () => {
  const connectome = await growModelFly({ scale: 1 / 64 }), positions = await shippedPositions();
  const keep = await Deno.makeTempDir({ prefix: "flychess-" });
  try {
    const options = { connectome, positions, seed: 1, quick: true, keep, workers: 0 };
    const amounts = { lessons: 64, held: 24, val: 8, calibration: 16, parts: 2 };
    const points = await measureShared(options, BASE, 2, amounts);
    const judged = points.map(({ after }) => Array.from(after, (bit) => bit !== NOT_JUDGED));
    assert.ok(judged[0]!.every((is, i) => is === (i % 2 === 0) && is !== judged[1]![i]));
    for (const { before, ceiling, after } of points) {
      after.forEach((bit, i) => {
        for (const other of [before[i]!, ceiling![i]!]) {
          assert.equal(other === NOT_JUDGED, bit === NOT_JUDGED);
        }
      });
    }
    // A seed alone is the same fly, asked the same.
    const { before, after } = await measurePart(options, BASE, 2, amounts);
    assert.deepEqual([before, after], [points[1]!.before, points[1]!.after]);
    // One that remembers more than homeostasis can be measured so.
    const own = armsOf(5).side.find(({ cut }) => cut === "own thresholds")!;
    const alone = await measurePart(options, own, 1, amounts);
    assert.equal(alone.ceiling, null);
    assert.deepEqual(Array.from(alone.after, (bit) => bit !== NOT_JUDGED), judged[0]);
    const sum = summarizeArm(BASE, points, points, Int32Array.from(judged[0]!.keys()));
    const mean = (bits: number[]) => bits.reduce((a, b) => a + b) / bits.length / 2;
    const all = points.flatMap(({ after }) => [...after].filter((bit) => bit !== NOT_JUDGED));
    assert.ok(Math.abs(sum.after.value - mean(all)) < 1e-12);
    assert.equal(sum.againstBase!.value, 0);
    // Longer lessons of one fly: all pairs are asked, and it is the same untrained fly.
    const [longer] = await measureLonger(options, BASE, amounts, points, { lessons: 128, seeds: 1 });
    for (const bits of [longer!.before, longer!.after, longer!.ceiling!]) {
      assert.ok(!bits.includes(NOT_JUDGED));
    }
    points.forEach(({ before }) =>
      before.forEach((bit, i) => assert.ok(bit === NOT_JUDGED || bit === longer!.before[i]))
    );
    // Finished pieces are there, and say the same.
    assert.deepEqual(await measureShared(options, BASE, 2, amounts), points);
  } finally {
    await Deno.remove(keep, { recursive: true });
  }
});
