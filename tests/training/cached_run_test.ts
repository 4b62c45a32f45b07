import assert from "node:assert/strict";
import { join } from "node:path";
import { loadReadout } from "../../lib/readout/mod.ts";
import { trainCached } from "../../lib/training/cached_run.ts";
import { cachedCase } from "./_cached_case.ts";
import { fileRun } from "./_file_run.ts";

async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    return await act(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const passesOf = async (folder: string) =>
  (JSON.parse(await Deno.readTextFile(join(folder, "run.json"))).log as string[])
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "pass");

Deno.test("a cached run that is stopped after every pass ends with the bits of one that is not", async () => {
  const { connectome, positions, curriculum, options } = cachedCase();
  const all = { ...options, curriculum };
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
    const losses = (await passesOf(folder)).map(({ valLoss }) => valLoss);
    // All weights 0: every legal move is equally likely.
    let even = 0;
    for (let row = 80; row < 140; row++) even += Math.log(positions.moveCount[row]!) / 60;
    assert.ok(mean!.valLoss <= even + 1e-6, `${mean!.valLoss}, ${even} at the start`);
    assert.ok(apart!.valLoss <= mean!.valLoss);
    assert.ok(losses[0] > even, "the first pass missed");
  });
});

Deno.test("after a miss a cached fit halves its step", async () => {
  const { connectome, positions, options } = cachedCase();
  await inFolder(async (folder) => {
    await trainCached(fileRun(folder), connectome, positions, {
      ...options,
      sideBySide: false,
      decays: [0],
      fit: { maxPasses: 20, batch: 64, rate: 0.05 },
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
