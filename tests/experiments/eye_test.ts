import assert from "node:assert/strict";
import * as eye from "../../experiments/eye.ts";
import { boardBits } from "../../lib/chess/mod.ts";
import { connectomeFromTables } from "../../lib/connectome/mod.ts";
import { litColour, PALETTE } from "../../lib/figures/mod.ts";
import { randomConnectome } from "../brain/_small_brains.ts";
import { quickRun } from "./_quick_run.ts";

Deno.test("`eye`: the first eye is blind in places where the fair one is not", async () => {
  const { result, svg } = await quickRun("eye", eye);
  const [first, fair] = result.eyes;
  assert.deepEqual([first!.name, fair!.name, result.columns], ["first", "fair", true]);
  assert.ok(first!.blind.length > 0 && fair!.blind.length === 0);
  assert.equal(fair!.onSquare.reduce((a, b) => a + b), fair!.cells);
  assert.equal(result.cells.length, fair!.cells);
  assert.ok(result.cells.filter(({ square }) => square === 28).length === fair!.onSquare[28]);
  assert.match(svg, new RegExp(`blind on ${first!.blind.length} squares`));
});

Deno.test("`eye` draws a larva's eye too, and refuses a brain without one", async () => {
  const { result } = await quickRun("eye", eye, { connectome: randomConnectome(5, 3200, 12_000) });
  assert.deepEqual([result.eyes.length, result.columns], [1, false]);
  assert.deepEqual(new Set(result.eyes[0]!.onSquare), new Set([5]));
  const two = connectomeFromTables([{ id: 1 }, { id: 2 }], [{ pre: 1, post: 2, synapses: 5 }], {
    input: [1],
    output: [2],
  });
  assert.match(eye.refuses(two)!, /larva/);
});

Deno.test("`litColour()` says whose piece lights a cell", () => {
  const board = boardBits("8/8/8/3k4/4P3/8/8/4K3 w - - 0 1");
  assert.equal(litColour({ square: 28, planes: 1 }, board), PALETTE.subject);
  assert.equal(litColour({ square: 35, planes: 0b111111 << 6 }, board), PALETTE.second);
  assert.equal(litColour({ square: 35, planes: 0b111111 }, board), PALETTE.quiet);
  assert.equal(litColour({ square: 28, planes: 2 }, board), PALETTE.quiet);
});
