import assert from "node:assert/strict";
import * as awakening from "../../experiments/awakening.ts";
import { quickRun } from "./_quick_run.ts";
import { jackknife, signalByRegion, spreadRows } from "../../experiments/signal/board_signal.ts";
import { frontRows } from "./_quick_run.ts";
import { connectomeFromTables } from "../../lib/connectome/mod.ts";

Deno.test("`awakening`: nothing passes an eye that inhibits, homeostasis brings the most", async () => {
  const { result, svg } = await quickRun("awakening", awakening);
  const descending = result.attempts.map(({ regions }) =>
    regions.find(({ region }) => region === "descending")!
  );
  assert.equal(result.attempts.length, 4);
  assert.equal(descending[0]!.signal.value, 0);
  assert.equal(descending[0]!.silent, 1);
  assert.ok(descending[3]!.signal.value > 5 * descending[2]!.signal.value);
  assert.ok(result.attempts[0]!.regions[0]!.signal.value > 0, "the eye itself sees");
  assert.match(svg, /Homeostasis brings/);
});

Deno.test("`signalByRegion()` is the mean of the neurons' standard deviations, with an interval by game", () => {
  const connectome = connectomeFromTables(
    [{ id: 1, region: "motor" }, { id: 2, region: "motor" }, { id: 3, region: "DAN" }],
    [{ pre: 1, post: 2, synapses: 1 }],
    { input: [1], output: [2] },
  );
  const rates = Float32Array.of(0, 1, 0.5, 1, 1, 0.5, 0, 1, 0.5, 1, 1, 0.5);
  const { regions, without } = signalByRegion(connectome, rates, {
    group: Int32Array.of(0, 0, 1, 2),
    groups: 3,
  });
  assert.deepEqual(regions.map(({ region, neurons }) => [region, neurons]), [["DAN", 1], ["motor", 2]]);
  assert.equal(regions[0]!.signal.value, 0);
  assert.equal(regions[1]!.signal.value, 0.25, "0.5 and 0");
  assert.equal(regions[1]!.saturated, 0.5);
  assert.ok(Math.abs(without[1]![1]! - Math.sqrt(2) / 6) < 1e-12, "of 0, 1, 1");
  const { low, high } = jackknife(2, [1, 2, 3]);
  assert.ok(Math.abs(high - (2 + 1.96 * Math.sqrt(4 / 3))) < 1e-12 && Math.abs(low + high - 4) < 1e-12);
});

Deno.test("`spreadRows()` takes a game again only when there is no other", async () => {
  const positions = await frontRows({ hold: 64, val: 0, train: 0 });
  const rows = Int32Array.from(positions.game.keys());
  const games = new Set(positions.game);
  const some = spreadRows(rows, positions, games.size);
  assert.equal(new Set(Array.from(some, (row) => positions.game[row])).size, games.size);
  assert.deepEqual(spreadRows(rows, positions, 64), rows);
});
