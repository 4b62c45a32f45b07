import assert from "node:assert/strict";
import { join } from "node:path";
import type { Positions } from "../../../lib/data/mod.ts";
import { loadReadout } from "../../../lib/readout/mod.ts";
import { trainCached } from "../../../lib/training/cached/cached_run.ts";
import { scheduleFactor } from "../../../lib/training/stream/schedule.ts";
import { cachedCase } from "../_cached_case.ts";
import { fileRun } from "../_file_run.ts";
import { inFolder } from "../../_temporary_folder.ts";

const passesOf = async (folder: string) =>
  (JSON.parse(await Deno.readTextFile(join(folder, "run.json"))).log as string[])
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "pass");

for (const schedule of ["cosine", "halving"] as const) {
  Deno.test(`a cached run that is stopped after every pass ends with the bits of one that is not (${schedule})`, async () => {
    const { connectome, positions, curriculum, options } = cachedCase();
    const all = { ...options, curriculum, fit: { ...options.fit, schedule } };
    await inFolder(async (folder) => {
      const whole = await trainCached(fileRun(folder), connectome, positions, all);
      const wanted = await Deno.readFile(join(folder, "readout.arrow"));
      const log = await passesOf(folder);
      await inFolder(async (other) => {
        await Deno.writeTextFile(join(other, "stop"), "");
        let starts = 1;
        for (;; starts++) {
          const workers = 1 + starts % 2;
          const outcome = await trainCached(fileRun(other), connectome, positions, { ...all, workers });
          if (outcome === undefined) continue;
          assert.deepEqual(outcome.scores, whole!.scores);
          assert.deepEqual(outcome.fits, whole!.fits);
          break;
        }
        assert.ok(starts > 4, `${starts} starts`);
        assert.deepEqual(await Deno.readFile(join(other, "readout.arrow")), wanted);
        assert.deepEqual(await passesOf(other), log);
      });
    });
  });
}

Deno.test("a cached run does not learn from what its lessons are tested on", async () => {
  const { connectome, positions, curriculum, options } = cachedCase();
  const learned = async (lessons: Positions) =>
    await inFolder(async (folder) => {
      await trainCached(fileRun(folder), connectome, positions, {
        ...options,
        curriculum: lessons,
        curriculumShare: 0,
        sideBySide: false,
        decays: [0],
        fit: { maxPasses: 1, batch: 64 },
      });
      return (await passesOf(folder))[0].positions as number;
    });
  // Seven boards that are trained on, of positions that are not decided, become held-out lessons.
  const board = curriculum.board.slice(), wanted = [];
  for (let row = positions.hold + positions.val; wanted.length < 7; row++) {
    if (positions.win[row * 8]! < 995) wanted.push(row);
  }
  for (const [i, row] of wanted.entries()) {
    board.set(positions.board.subarray(row * 96, row * 96 + 96), i * 96);
  }
  assert.equal(await learned(curriculum) - await learned({ ...curriculum, board }), 7);
});

Deno.test("a cached run saves a readout that reads what a player's brain gives, and says what it is", async () => {
  const { connectome, positions, options } = cachedCase();
  await inFolder(async (folder) => {
    const outcome = await trainCached(fileRun(folder), connectome, positions, {
      ...options,
      sideBySide: false,
    });
    const { readout, metadata } = await loadReadout(join(folder, "readout.arrow"));
    assert.equal(readout.features, connectome.output.length);
    assert.deepEqual(readout.weight, outcome!.readout.weight);
    assert.equal(metadata.positions, positions.digest);
    assert.equal(metadata.read, "mean of steps 3, 4");
    assert.equal(outcome!.judged.rows.length, positions.hold);
    assert.equal(outcome!.trained, 1360);
  });
});

Deno.test("a fit never ends worse on VAL than it started, and side by side never worse than the mean", async () => {
  const { connectome, positions, options } = cachedCase();
  await inFolder(async (folder) => {
    // A step that can only do harm.
    const outcome = await trainCached(fileRun(folder), connectome, positions, {
      ...options,
      decays: [0],
      fit: { ...options.fit, rate: 50 },
    });
    const [mean, apart] = outcome!.fits;
    // It starts from what the blind baseline knows.
    const [{ valLoss, blindLoss }] = await passesOf(folder);
    assert.ok(mean!.valLoss <= blindLoss + 1e-6, `${mean!.valLoss}, ${blindLoss} at the start`);
    assert.ok(apart!.valLoss <= mean!.valLoss);
    assert.ok(valLoss > blindLoss, "the first pass missed");
  });
});

Deno.test("a scheduled fit makes all its passes, misses or not, and its step size ends at 0", async () => {
  const { connectome, positions, options } = cachedCase();
  await inFolder(async (folder) => {
    const outcome = await trainCached(fileRun(folder), connectome, positions, {
      ...options,
      sideBySide: false,
      decays: [0],
      fit: { schedule: "cosine", maxPasses: 20, batch: 64, rate: 0.05 },
    });
    const passes = await passesOf(folder);
    assert.equal(passes.length, 20);
    assert.equal(outcome!.fits[0]!.passes, 20);
    assert.ok(passes.some(({ valLoss, bestLoss }) => valLoss > bestLoss), "some passes missed");
    for (const [i, { rate, valLoss, bestLoss }] of passes.entries()) {
      assert.equal(rate, 0.05 * scheduleFactor((i + 0.5) / 20));
      assert.ok(bestLoss <= valLoss);
    }
    const lowest = Math.min(...passes.map(({ valLoss }) => valLoss));
    assert.ok(outcome!.fits[0]!.valLoss <= lowest);
  });
});

Deno.test("after a miss a cached fit halves its step", async () => {
  const { connectome, positions, options } = cachedCase();
  await inFolder(async (folder) => {
    await trainCached(fileRun(folder), connectome, positions, {
      ...options,
      sideBySide: false,
      decays: [0],
      fit: { schedule: "halving", maxPasses: 20, batch: 64, rate: 0.05 },
    });
    const passes = await passesOf(folder);
    assert.ok(passes.length < 20);
    let misses = 0, best = Infinity;
    for (const [i, { rate, bestLoss }] of passes.entries()) {
      assert.equal(rate, 0.05 / 2 ** misses, `pass ${i + 1}`);
      // The first pass may miss its start too.
      if (i === 0 ? passes[0].valLoss > bestLoss : bestLoss === best) misses++;
      best = bestLoss;
    }
    assert.equal(
      new Set(passes.slice(-5).map(({ bestLoss }) => bestLoss)).size,
      1,
      "four misses in a row end it",
    );
  });
});
