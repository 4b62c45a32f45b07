import assert from "node:assert/strict";
import { growModelFly } from "../../lib/connectome/mod.ts";
import { type Positions, shippedPositions } from "../../lib/data/mod.ts";
import { compareBrains, holdRows, trainRows, usualControls, valRows, wake } from "../../lib/training/mod.ts";
import { eyeFor } from "../../lib/eye/mod.ts";

/** The shipped positions, read once for all tests. */
let shipped: Positions | undefined;
async function positions(): Promise<Positions> {
  return shipped ??= await shippedPositions();
}

Deno.test("HOLD, VAL and training rows share no row, and no game", async () => {
  const all = await positions();
  const games = (rows: Int32Array) => new Set(Array.from(rows, (row) => all.game[row]!));
  const parts = [holdRows(all), valRows(all), trainRows(all)];
  assert.equal(parts.reduce((sum, rows) => sum + rows.length, 0), all.count);
  const seen = new Set<number>();
  for (const part of parts.map(games)) {
    for (const game of part) {
      assert.ok(!seen.has(game), `game ${game} is in two parts`);
      seen.add(game);
    }
  }
});

Deno.test("`compareBrains()` sets a model fly beside its controls, the same way every time", async () => {
  const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
  const compare = async () => {
    const tasks = new Set<string>();
    const comparison = await compareBrains(connectome, await positions(), {
      name: "model fly",
      train: 3000,
      resamples: 200,
      controls: usualControls(connectome, { shuffles: 1 }),
      onProgress: ({ task }) => tasks.add(task),
    });
    await comparison.brain[Symbol.asyncDispose]();
    return { comparison, tasks };
  };
  const { comparison, tasks } = await compare();
  const { brains } = comparison;
  assert.deepEqual(
    brains.map(({ name }) => name),
    ["blind", "direct input", "silenced", "model fly", "shuffle 1", "no optic lobe"],
  );
  const line = Object.fromEntries(brains.map((brain) => [brain.name, brain]));
  // What is compared with itself differs by nothing, and a dark eye knows no more than a blind player.
  assert.deepEqual(line["blind"]!.lossAgainstBlind, { value: 0, low: 0, high: 0 });
  assert.ok(line["silenced"]!.lossAgainstBlind.high >= 0);
  assert.deepEqual(line["model fly"]!.lossAgainstBrain, { value: 0, low: 0, high: 0 });
  const gap = line["model fly"]!.lossAgainstBlind.value + line["blind"]!.lossAgainstBrain.value;
  assert.ok(Math.abs(gap) < 1e-12);
  // The same readout straight on the photoreceptors reads the board, even from 3,000 positions.
  assert.ok(line["direct input"]!.lossAgainstBlind.high < 0);
  assert.equal(line["direct input"]!.features, comparison.eye.cell.length);
  assert.equal(line["model fly"]!.features, connectome.output.length);
  for (const { scores: { top1, good, loss } } of brains) {
    for (const { value, low, high } of [top1, good, loss]) assert.ok(low <= value && value <= high);
  }
  assert.ok(tasks.has("model fly: showing positions") && tasks.has("shuffle 1: calibrating"));

  const again = (await compare()).comparison;
  assert.deepEqual(
    again.brains.map(({ scores, lossAgainstBlind }) => ({ scores, lossAgainstBlind })),
    brains.map(({ scores, lossAgainstBlind }) => ({ scores, lossAgainstBlind })),
  );
});

Deno.test("`compareBrains()` stops when it is told to", async () => {
  const controller = new AbortController();
  await assert.rejects(
    compareBrains(growModelFly({ scale: 1 / 64, seed: 1 }), await positions(), {
      train: 3000,
      signal: controller.signal,
      onProgress: ({ task }) => task.includes("showing") && controller.abort(new Error("enough")),
    }),
    /enough/,
  );
});

Deno.test("`usualControls()` leaves out the optic lobe of a brain that has none", () => {
  const fly = growModelFly({ scale: 1 / 64, seed: 1 });
  const names = fly.neurons.region.names.map((name) => name === "optic lobe" ? "other lobe" : name);
  const without = { ...fly, neurons: { ...fly.neurons, region: { ...fly.neurons.region, names } } };
  assert.deepEqual(usualControls(fly, { shuffles: 0 }).map(({ name }) => name), ["no optic lobe"]);
  assert.deepEqual(usualControls(without, { shuffles: 2 }).map(({ name }) => name), [
    "shuffle 1",
    "shuffle 2",
  ]);
});

Deno.test("`wake()` refuses to calibrate on fewer positions than it needs", async () => {
  const connectome = growModelFly({ scale: 1 / 64, seed: 1 });
  const all = await positions();
  await assert.rejects(
    wake(connectome, eyeFor(connectome), all, { calibrationPositions: all.count }),
    RangeError,
  );
});
