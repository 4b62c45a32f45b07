import assert from "node:assert/strict";
import { Random } from "../../lib/common/mod.ts";
import { initialTheta, signedWeights } from "../../lib/brain/mod.ts";
import {
  bestSimd,
  compileKernels,
  instantiate,
  plainKernels,
} from "../../lib/brain/engines/wasm/_instantiate.ts";
import { gradientParts, GRADIENTS, layOutThink } from "../../lib/brain/engines/wasm/_layout.ts";
import {
  foldHomeostasis,
  numberingOf,
  renumber,
  writeStrengths,
  writeWiring,
} from "../../lib/brain/engines/wasm/_model_memory.ts";
import { planTiles, writeTiles } from "../../lib/brain/engines/wasm/_tiles.ts";
import { randomConnectome } from "./_small_brains.ts";

const NEURONS = 300, CONNECTIONS = 9001, STEPS = 3;

/** A brain in memory, its neurons renumbered or not. */
async function settled(order: Int32Array) {
  const connectome = randomConnectome(7, NEURONS, CONNECTIONS), random = new Random(8);
  const { rowStart, pre } = connectome;
  const some = (length: number, least = 0) => Float64Array.from({ length }, () => least + random.float());
  const model = {
    neurons: NEURONS,
    steps: STEPS,
    leak: 0.5,
    rowStart,
    pre,
    weight: signedWeights(connectome, initialTheta(connectome)),
    gain: some(NEURONS),
    bias: some(NEURONS),
    mean: some(STEPS * NEURONS),
    spread: some(STEPS * NEURONS, 0.02),
  };
  const numbering = numberingOf(order), wiring = renumber(model, numbering);
  const tiling = planTiles(wiring, { senders: 70, receivers: 40 });
  const { layout, memory } = layOutThink({
    neurons: NEURONS,
    steps: STEPS,
    leak: 0.5,
    connections: CONNECTIONS,
    workers: 1,
    tiling,
    short: false,
  });
  const kernels = instantiate(
    bestSimd() === "plain" ? plainKernels() : await compileKernels("relaxed"),
    memory,
  );
  writeWiring(memory, layout, wiring);
  writeTiles(memory, { ...layout, table: layout.tileTable }, tiling, wiring);
  writeStrengths(kernels, memory, layout, model, numbering, wiring);
  return { model, numbering, wiring, layout, memory, kernels };
}

const orders = {
  "the model's order": Int32Array.from({ length: NEURONS }, (_, at) => at),
  "another order": Int32Array.from({ length: NEURONS }, (_, at) => (at * 7 + 3) % NEURONS),
};

for (const [name, order] of Object.entries(orders)) {
  Deno.test(`strengths come into the memory to the last bit, in ${name}`, async () => {
    const { model, numbering, wiring, layout, memory } = await settled(order);
    assert.equal(wiring.inOrder, name === "the model's order");
    assert.equal(numbering.inOrder, wiring.inOrder);
    const words = new Float32Array(memory.buffer), tiled = new Uint32Array(memory.buffer, layout.tiled);
    for (let k = 0; k < CONNECTIONS; k++) {
      const value = Math.fround(model.weight[wiring.connection[k]!]!);
      assert.equal(words[layout.pairs / 4 + 2 * k + 1], value);
      assert.equal(words[tiled[k]!], value);
    }
    const part = (at: number) => new Float32Array(memory.buffer, at, STEPS * NEURONS);
    for (let step = 0; step < STEPS; step++) {
      for (let at = 0; at < NEURONS; at++) {
        const neuron = order[at]!, from = step * NEURONS + neuron, into = step * NEURONS + at;
        const mu = model.mean[from]!, sigma = model.spread[from]!;
        const { scale, shift } = foldHomeostasis(model.gain[neuron]!, model.bias[neuron]!, mu, sigma);
        assert.equal(part(layout.scale)[into], scale);
        assert.equal(part(layout.shift)[into], Math.fround(shift));
        assert.equal(part(layout.mean)[into], Math.fround(mu));
        assert.equal(part(layout.narrow)[into], Math.fround(1 / sigma));
      }
    }
  });
}

Deno.test("gradients are added up one after the other, in any pieces", async () => {
  const { layout, memory, kernels } = await settled(orders["the model's order"]), random = new Random(9);
  const slots = new Uint32Array(memory.buffer, layout.slot, CONNECTIONS);
  const { gradientBytes, slot, total } = layout, first = gradientParts(layout, 0).weight;
  const gradients = Array.from({ length: GRADIENTS }, (_, number) => {
    const part = new Float32Array(memory.buffer, gradientParts(layout, number).weight, CONNECTIONS);
    for (let k = 0; k < CONNECTIONS; k++) part[k] = random.normal();
    return part;
  });
  for (let count = 1; count <= GRADIENTS; count++) {
    for (const [from, to] of [[0, 5000], [5000, CONNECTIONS]] as const) {
      kernels.sumGradients(to - from, slot + 4 * from, first, count, gradientBytes, total + 4 * from);
    }
    const found = new Float32Array(memory.buffer, total, CONNECTIONS);
    for (let k = 0; k < CONNECTIONS; k++) {
      let sum = 0;
      for (const part of gradients.slice(0, count)) sum = Math.fround(sum + part[slots[k]!]!);
      assert.equal(found[k], sum);
    }
  }
});
