import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Resvg } from "@resvg/resvg-js";
import { connectomeFromTables } from "../../lib/connectome/mod.ts";
import { brainLevels, brainPicture, brainPlaces } from "../../lib/figures/mod.ts";

/** Four neurons: two in one pixel, one elsewhere, one nowhere. */
function four() {
  return connectomeFromTables(
    [
      { id: 1, soma: [0, 5, 0] },
      { id: 2, soma: [0, 6, 1] },
      { id: 3, soma: [30, 7, 100] },
      { id: 4 },
    ],
    [{ pre: 1, post: 2, synapses: 1 }],
    { input: [1], output: [2] },
  );
}

Deno.test("`brainPlaces()` puts neurons in pixels, the longer of y and z down, and says which are unknown", () => {
  const { view, place, drawn } = brainPlaces(four(), { width: 4 });
  assert.deepEqual([view.width, view.height, drawn], [4, 11, 3]);
  assert.deepEqual([...place], [0, 0, 1, -1]);
  assert.equal(view.mask, "8" + "0".repeat(9) + "1");
});

Deno.test("`brainPlaces()` refuses a nervous system without cell bodies", () => {
  const fly = four(), soma = fly.neurons.soma.map(() => NaN);
  assert.throws(() => brainPlaces({ ...fly, neurons: { ...fly.neurons, soma } }, { width: 10 }), RangeError);
});

Deno.test("`brainPicture()` shows the brightest neuron of a pixel, in a PNG that a renderer reads", () => {
  const places = brainPlaces(four(), { width: 4 });
  const levels = brainLevels(places, [0.1, 0.5, 0, 9], 1);
  assert.equal(levels, "80");
  const svg = brainPicture(places.view, levels).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  const { pixels } = new Resvg(svg).render();
  const at = (x: number, y: number) => Buffer.from(pixels).subarray(4 * (4 * y + x), 4 * (4 * y + x) + 4);
  assert.equal(at(3, 10).toString("hex"), "e3e8eeff");
  assert.equal(at(1, 1)[3], 0, "nothing where no neuron is");
  assert.equal(at(0, 0)[3], 255);
  assert.ok(at(0, 0)[0]! < 0xa0);
  assert.throws(() => brainPicture(places.view, "8"), RangeError);
  assert.throws(() => brainPicture(places.view, "800"), RangeError);
});
