import assert from "node:assert/strict";
import { meanReach, reachOf } from "../../experiments/wiring/reach.ts";
import { growModelFly, hopsFrom } from "../../lib/connectome/mod.ts";
import { eyeFor } from "../../lib/eye/mod.ts";

Deno.test("`reachOf()` counts every neuron that is read once, at its distance, and the eye's cells that it hears", () => {
  const fly = growModelFly({ scale: 1 / 64, seed: 1 }), cells = new Set(eyeFor(fly, "auto").cell);
  const { hops, direct, cells: heard } = reachOf(fly);
  const far = hopsFrom(fly, Int32Array.from(cells));
  assert.equal(hops.reduce((sum, each) => sum + each, 0), fly.output.filter((n) => far[n]! > 0).length);
  const straight = (n: number) =>
    fly.pre.subarray(fly.rowStart[n], fly.rowStart[n + 1]).filter((m) => cells.has(m));
  assert.equal(direct, Array.from(fly.output, (n) => straight(n).length).reduce((a, b) => a + b, 0));
  assert.ok(heard >= direct / fly.output.length && heard <= cells.size);
});

Deno.test("`meanReach()` counts a distance that one brain does not have as 0 there", () => {
  const some = [{ hops: [2], direct: 4, cells: 1 }, { hops: [1, 1], direct: 2, cells: 3 }];
  assert.deepEqual(meanReach(some), { hops: [1.5, 0.5], direct: 3, cells: 2 });
});
