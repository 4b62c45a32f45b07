import assert from "node:assert/strict";
import * as fc from "fast-check";
import { FlyBrain, initialStrengths, initialTheta, signedWeights, softplus } from "../../lib/brain/mod.ts";
import { connectomeOf, randomConnectome } from "./_small_brains.ts";

Deno.test("`initialStrengths()` gives each connection its share of the log synapses", () => {
  const connectome = connectomeOf({
    sign: [1, 1, 1],
    connections: [[0, 2, 5], [1, 2, 100], [2, 0, 7]],
    input: [],
    output: [],
  });
  const sum = Math.log(6) + Math.log(101);
  const found = initialStrengths(connectome);
  for (const [k, wanted] of [1, Math.log(6) / sum, Math.log(101) / sum].entries()) {
    assert.ok(Math.abs(found[k]! - wanted) < 1e-15, `connection ${k}`);
  }
});

Deno.test("`initialStrengths()` counts a pair that stands twice as two connections", () => {
  const { rowStart, synapses } = connectomeOf({
    sign: [1, 1],
    connections: [[0, 1, 5], [0, 1, 5]],
    input: [],
    output: [],
  });
  assert.deepEqual([...initialStrengths({ rowStart, synapses })], [0.5, 0.5]);
});

Deno.test("`initialStrengths()` makes no connection weaker than 1e-4", () => {
  const synapses = new Uint32Array(20_000).fill(5);
  const found = initialStrengths({ rowStart: Int32Array.of(0, synapses.length), synapses });
  assert.ok(found.every((strength) => strength === 1e-4));
});

Deno.test("the initial strengths of a neuron's inputs add up to 1", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 1, max: 50 }), (seed, neurons) => {
      const { rowStart, synapses } = randomConnectome(seed, neurons, neurons * 4);
      const strengths = initialStrengths({ rowStart, synapses });
      for (let row = 0; row < neurons; row++) {
        const inputs = strengths.subarray(rowStart[row]!, rowStart[row + 1]!);
        if (inputs.length > 0) assert.ok(Math.abs(inputs.reduce((a, b) => a + b) - 1) < 1e-12);
      }
    }),
  );
});

Deno.test("the initial strengths of a neuron's inputs add up to what is asked for, above 0", async () => {
  const { rowStart, synapses } = randomConnectome(5, 20, 80);
  const plain = initialStrengths({ rowStart, synapses });
  const loud = initialStrengths({ rowStart, synapses }, { inputTotal: 10 });
  loud.forEach((strength, k) => assert.ok(Math.abs(strength - 10 * plain[k]!) < 1e-14));
  for (const inputTotal of [0, -1, NaN, Infinity]) {
    assert.throws(() => initialStrengths({ rowStart, synapses }, { inputTotal }), RangeError);
  }
  await using brain = await FlyBrain.create(randomConnectome(5, 20, 80), {
    inputTotal: 10,
    engine: "reference",
  });
  brain.theta.forEach((theta, k) => assert.ok(Math.abs(softplus(theta) - loud[k]!) < 1e-13));
});

Deno.test("`signedWeights()` takes the strength from theta and the sign from the sender", () => {
  const connectome = randomConnectome(3, 30, 200);
  const weights = signedWeights(connectome, initialTheta(connectome));
  const strengths = initialStrengths(connectome);
  weights.forEach((weight, k) => {
    assert.ok(Math.abs(weight - connectome.sign[connectome.pre[k]!]! * strengths[k]!) < 1e-15);
  });
  const known = new Float64Array(200),
    found = signedWeights(
      connectome,
      new Float64Array(200).fill(2),
      undefined,
      known,
    );
  assert.equal(found, known);
  assert.ok(Math.abs(found[0]! * connectome.sign[connectome.pre[0]!]! - softplus(2)) < 2e-15);
});
