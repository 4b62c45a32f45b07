import assert from "node:assert/strict";
import { Random } from "../../lib/common/mod.ts";
import { BrainOptimiser, FlyBrain, softplus } from "../../lib/brain/mod.ts";
import { randomConnectome, randomDrive } from "./_small_brains.ts";

/** Three numbers of each kind, with a gradient whose groups are 3 and 1/2 long. */
function small() {
  const brain = {
    theta: Float64Array.of(-1, -2, 0.5),
    gain: Float64Array.of(0.5),
    bias: Float64Array.of(0.3),
  };
  const gradients = {
    theta: Float64Array.of(2, -2, 1),
    gain: Float64Array.of(0.3),
    bias: Float64Array.of(-0.4),
    blame: new Map(),
  };
  return { brain, gradients };
}

function assertNear(found: ArrayLike<number>, wanted: readonly number[], tolerance: number): void {
  assert.equal(found.length, wanted.length);
  wanted.forEach((value, i) =>
    assert.ok(Math.abs(found[i]! - value) < tolerance, `${i}: ${found[i]}, ${value}`)
  );
}

Deno.test("descent with momentum, by hand: a long gradient is scaled to 1, a short one is not", () => {
  const { brain, gradients } = small();
  const optimiser = new BrainOptimiser(brain, { method: "sgd" });
  const lengths = optimiser.step(gradients, { synapses: 0.3, neurons: 0.1 });
  assert.deepEqual(lengths, { synapses: 3, neurons: 0.5 });
  assertNear(brain.theta, [-1.2, -1.8, 0.4], 1e-7);
  assertNear([brain.gain[0]!, brain.bias[0]!], [0.47, 0.34], 1e-7);
  optimiser.step(gradients, { synapses: 0.3, neurons: 0.1 }); // 0.9 of the pace, then as much again
  assertNear(brain.theta, [-1.58, -1.42, 0.21], 1e-6);
});

Deno.test("Adam's first steps are as long as the rate, against the gradient's sign", () => {
  const { brain, gradients } = small();
  const optimiser = new BrainOptimiser(brain);
  for (let step = 1; step <= 3; step++) {
    optimiser.step(gradients, { synapses: 0.01, neurons: 0.001 });
    assertNear(brain.theta, [-1 - 0.01 * step, -2 + 0.01 * step, 0.5 - 0.01 * step], 1e-5);
    assertNear([brain.gain[0]!, brain.bias[0]!], [0.5 - 0.001 * step, 0.3 + 0.001 * step], 1e-6);
  }
});

Deno.test("a rate of 0 leaves a group as it is", () => {
  const { brain, gradients } = small();
  new BrainOptimiser(brain).step(gradients, { synapses: 0, neurons: 0.001 });
  assert.deepEqual(brain.theta, small().brain.theta);
  assert.notDeepEqual(brain.gain, small().brain.gain);
});

Deno.test("the leash holds every strength within its share, both ways", () => {
  const { brain, gradients } = small();
  const start = [...brain.theta].map(softplus);
  const optimiser = new BrainOptimiser(brain, { maxChange: 0.2, method: "sgd" });
  for (let step = 0; step < 50; step++) optimiser.step(gradients, { synapses: 1, neurons: 0 });
  assertNear([...brain.theta].map((theta, i) => softplus(theta) / start[i]!), [0.8, 1.2, 0.8], 1e-6);
});

Deno.test("going on from a state is as if it had never stopped", () => {
  for (const method of ["adam", "sgd"] as const) {
    const whole = small(), first = small();
    const rates = { synapses: 0.02, neurons: 0.02 };
    const one = new BrainOptimiser(whole.brain, { method }),
      two = new BrainOptimiser(first.brain, { method });
    for (let step = 0; step < 6; step++) one.step(whole.gradients, rates);
    for (let step = 0; step < 3; step++) two.step(first.gradients, rates);
    const three = new BrainOptimiser(first.brain, { method });
    three.restore(two.state);
    for (let step = 0; step < 3; step++) three.step(first.gradients, rates);
    assert.deepEqual(first.brain, whole.brain);
  }
});

Deno.test("what does not fit is refused by name, and nothing moves", () => {
  const { brain, gradients } = small();
  const optimiser = new BrainOptimiser(brain), rates = { synapses: 1, neurons: 1 };
  assert.throws(() => new BrainOptimiser(brain, { maxChange: 1 }), /maxChange is 1/);
  assert.throws(() => new BrainOptimiser(brain, { maxLength: 0 }), /maxLength is 0/);
  assert.throws(
    () => optimiser.step({ ...gradients, theta: new Float64Array(2) }, rates),
    /2 numbers, 3 are/,
  );
  assert.throws(() => optimiser.step({ ...gradients, bias: Float64Array.of(NaN) }, rates), /NaN long/);
  assert.throws(() => optimiser.restore(new BrainOptimiser(brain, { method: "sgd" }).state), /other sizes/);
  assert.deepEqual(brain, small().brain);
});

Deno.test("a brain learns: its output gets closer to what is wanted, on the wasm engine", async () => {
  const connectome = randomConnectome(61, 120, 900);
  await using brain = await FlyBrain.create(connectome, { workers: 0 });
  await brain.calibrate(randomDrive(62, 64, connectome.input));
  const drive = randomDrive(63, 32, connectome.input), random = new Random(64);
  // What is wanted can be had: it comes from the same brain with other strengths.
  const start = brain.theta.slice();
  for (let k = 0; k < start.length; k++) brain.theta[k]! += 0.1 * random.normal();
  await brain.update();
  const wanted = await brain.read(drive);
  brain.theta.set(start);
  await brain.update();
  const optimiser = new BrainOptimiser(brain), losses: number[] = [];
  for (let step = 0; step < 30; step++) {
    const found = await brain.read(drive);
    const error = found.map((rate, i) => rate - wanted[i]!);
    losses.push(error.reduce((sum, value) => sum + value * value / 2, 0));
    optimiser.step(await brain.backward(drive, error, { window: 12 }), { synapses: 0.005, neurons: 0 });
    await brain.update();
  }
  assert.ok(losses.at(-1)! < 0.5 * losses[0]!, `${losses[0]} to ${losses.at(-1)}`);
});
