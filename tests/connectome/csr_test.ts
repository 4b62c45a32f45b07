import assert from "node:assert/strict";
import fc from "fast-check";
import { edgeLists } from "./_edge_lists.ts";
import { csrFromEdges, outgoing, receivers } from "../../lib/connectome/csr.ts";

function columns(edges: readonly (readonly [number, number, number])[]) {
  return [edges.map((e) => e[0]), edges.map((e) => e[1]), edges.map((e) => e[2])] as const;
}

Deno.test("`csrFromEdges()` gives back every connection, sorted by receiver and sender, equal pairs in their order", () => {
  fc.assert(fc.property(edgeLists, ({ neurons, edges }) => {
    const csr = csrFromEdges(neurons, ...columns(edges));
    const post = receivers(csr.rowStart);
    const found = [...csr.pre].map((pre, e) => [pre, post[e]!, csr.synapses[e]!]);
    const wanted = edges.map((edge, e) => ({ edge, e }))
      .sort((a, b) => a.edge[1] - b.edge[1] || a.edge[0] - b.edge[0] || a.e - b.e)
      .map(({ edge }) => [...edge]);
    assert.deepEqual(found, wanted);
    const large = edges.some((edge) => edge[2] > 65_535);
    assert.equal(csr.synapses instanceof Uint32Array, large);
  }));
});

Deno.test("`csrFromEdges()` drops self-connections and adds up pairs if asked to", () => {
  fc.assert(fc.property(edgeLists, ({ neurons, edges }) => {
    const csr = csrFromEdges(neurons, ...columns(edges), { dropSelf: true, merge: true });
    const post = receivers(csr.rowStart);
    const sums = new Map<string, number>();
    for (const [from, to, count] of edges) {
      if (from !== to) sums.set(`${from} ${to}`, (sums.get(`${from} ${to}`) ?? 0) + count);
    }
    const found = new Map([...csr.pre].map((pre, e) => [`${pre} ${post[e]!}`, csr.synapses[e]!]));
    assert.equal(found.size, csr.pre.length);
    assert.deepEqual(new Map([...found].sort()), new Map([...sums].sort()));
  }));
});

Deno.test("`outgoing()` lists the same connections by sender", () => {
  fc.assert(fc.property(edgeLists, ({ neurons, edges }) => {
    const csr = csrFromEdges(neurons, ...columns(edges));
    const post = receivers(csr.rowStart);
    const sent = outgoing(csr);
    assert.equal(sent.start[neurons], edges.length);
    for (let i = 0; i < neurons; i++) {
      for (let k = sent.start[i]!; k < sent.start[i + 1]!; k++) {
        assert.equal(csr.pre[sent.edge[k]!], i);
        assert.equal(post[sent.edge[k]!], sent.post[k]);
      }
    }
  }));
});

Deno.test("`csrFromEdges()` refuses neurons that do not exist, counts of 0 and lists of different lengths", () => {
  assert.throws(() => csrFromEdges(2, [0], [2], [5]), {
    name: "RangeError",
    message: "Cannot sort connections: number 0 goes from 0 to 2, neurons from 0 to 1 are wanted",
  });
  assert.throws(() => csrFromEdges(2, [0.5], [1], [5]), RangeError);
  assert.throws(() => csrFromEdges(2, [0], [1], [0]), RangeError);
  assert.throws(() => csrFromEdges(2, [0, 1], [1], [5]), RangeError);
});
