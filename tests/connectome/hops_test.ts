import assert from "node:assert/strict";
import fc from "fast-check";
import { csrFromEdges } from "../../lib/connectome/csr.ts";
import { hopHistogram, hopsFrom, hopsTo } from "../../lib/connectome/hops.ts";
import { medianDistance, reverseCuthillMcKee } from "../../lib/connectome/locality.ts";
import { edgeLists } from "./_edge_lists.ts";

function rowsOf(neurons: number, edges: readonly (readonly [number, number, number])[]) {
  return csrFromEdges(neurons, edges.map((e) => e[0]), edges.map((e) => e[1]), edges.map((e) => e[2]));
}

Deno.test("`hopsFrom()` is one more than the nearest sender's, and `hopsTo()` is the same with every connection turned", () => {
  fc.assert(fc.property(edgeLists, ({ neurons, edges }) => {
    const rows = rowsOf(neurons, edges);
    const hops = hopsFrom(rows, Int32Array.of(0));
    for (let j = 0; j < neurons; j++) {
      const before = edges.filter((e) => e[1] === j && hops[e[0]]! >= 0).map((e) => hops[e[0]]!);
      const wanted = j === 0 ? 0 : before.length === 0 ? -1 : 1 + Math.min(...before);
      assert.equal(hops[j], wanted);
    }
    const turned = rowsOf(neurons, edges.map(([from, to, count]) => [to, from, count] as const));
    assert.deepEqual(hopsTo(turned, Int32Array.of(0)), hops);
  }));
});

Deno.test("`hopHistogram()` counts hops, takes the median of those reached and keeps the others apart", () => {
  assert.deepEqual(hopHistogram(Int32Array.of(0, 2, 2, 1, -1)), {
    counts: [1, 1, 2],
    unreachable: 1,
    median: 1.5,
  });
  assert.deepEqual(hopHistogram(Int32Array.of(0, 2, 3, 1, -1), Int32Array.of(2, 4)), {
    counts: [0, 0, 0, 1],
    unreachable: 1,
    median: 3,
  });
});

Deno.test("`hopsFrom()` refuses a source that is not a neuron", () => {
  assert.throws(() => hopsFrom(rowsOf(2, []), Int32Array.of(2)), RangeError);
});

Deno.test("`reverseCuthillMcKee()` names every neuron once, and `medianDistance()` agrees with sorting", () => {
  fc.assert(fc.property(edgeLists, ({ neurons, edges }) => {
    const rows = rowsOf(neurons, edges);
    const order = reverseCuthillMcKee(rows);
    assert.deepEqual([...order].sort((a, b) => a - b), Array.from({ length: neurons }, (_, i) => i));
    const place = new Map([...order].map((neuron, k) => [neuron, k]));
    const distances = edges.map((e) => Math.abs(place.get(e[0])! - place.get(e[1])!)).sort((a, b) => a - b);
    const middle = (distances.length - 1) / 2;
    const wanted = distances.length === 0
      ? NaN
      : (distances[Math.floor(middle)]! + distances[Math.ceil(middle)]!) / 2;
    assert.equal(medianDistance(rows, order), wanted);
  }));
});

Deno.test("`reverseCuthillMcKee()` lays a shuffled chain out in a row", () => {
  const names = [3, 0, 4, 1, 5, 2];
  const edges = names.slice(1).map((to, i) => [names[i]!, to, 5] as const);
  const rows = rowsOf(6, edges);
  assert.equal(medianDistance(rows, reverseCuthillMcKee(rows)), 1);
  assert.throws(() => medianDistance(rows, Int32Array.of(0, 0, 1, 2, 3, 4)), RangeError);
});
