import assert from "node:assert/strict";
import { type Drive } from "../../lib/eye/mod.ts";
import { FlyBrain } from "../../lib/brain/mod.ts";
import { connectomeOf, largestDifference, randomConnectome, randomDrive } from "./_small_brains.ts";

/** One cell sees (0); 1 excites and 2 inhibits what answers (3); 4 listens to 3 and 5 to nobody. */
const SIX = connectomeOf({
  sign: [1, 1, -1, 1, 1, 1],
  connections: [[0, 1, 5], [0, 2, 20], [1, 3, 7], [2, 3, 7], [3, 4, 9]],
  input: [0],
  output: [3, 4],
});
const LIGHT: Drive = { positions: 1, start: Int32Array.of(0, 1), neuron: Int32Array.of(0) };

for (const engine of ["reference", "wasm"] as const) {
  Deno.test(`six neurons written out by hand: two steps on the ${engine} engine`, async () => {
    await using brain = await FlyBrain.create(SIX, { engine, steps: 2, homeostasis: "none" });
    const towards = (z: number) => 0.5 * Math.max(0, Math.tanh(z));
    const rest = towards(0.3), lit = towards(0.5 * 1 + 0.3);
    const first = [lit, rest, rest, rest, rest, rest];
    const second = [
      0.5 * lit + lit,
      0.5 * rest + towards(0.5 * lit + 0.3), // its only input has strength 1
      0.5 * rest + towards(0.5 * lit + 0.3),
      0.5 * rest + towards(0.5 * (0.5 * rest - 0.5 * rest) + 0.3), // half excited, half inhibited
      0.5 * rest + towards(0.5 * rest + 0.3),
      0.5 * rest + towards(0.3),
    ];
    const rates = await brain.rates(LIGHT);
    assert.ok(largestDifference(rates, [...first, ...second]) < 1e-6, `${rates}`);
    const read = await brain.read(LIGHT, { neurons: Int32Array.of(4, 0, 4), steps: [1, 2] });
    const mean = (j: number) => (first[j]! + second[j]!) / 2;
    assert.ok(largestDifference(read, [mean(4), mean(0), mean(4)]) < 1e-6, `${read}`);
  });

  Deno.test(`calibrating on the ${engine} engine gives each step its own mean and deviation`, async () => {
    await using brain = await FlyBrain.create(SIX, { engine });
    const drive = { positions: 4, start: Int32Array.of(0, 1, 1, 2, 2), neuron: Int32Array.of(0, 0) };
    const { mean, spread } = await brain.calibrate(drive);
    assert.equal(mean[0], 0.5); // lit in two of four positions
    assert.equal(spread[0], 0.5);
    assert.equal(mean[1], 0); // no rate before the first step
    assert.equal(spread[1], 0.02);
    assert.ok(spread[6 + 1]! > 0.02); // reached at the second
    await brain.calibrate(drive, { calm: true, floor: 0.1 });
    assert.equal(brain.homeostasis?.spread[1], 1);
    assert.equal(brain.homeostasis?.spread[6 + 5], 1);
    assert.ok(brain.homeostasis?.spread.every((sigma) => sigma >= 0.1));
  });

  Deno.test(`a changed bias counts after update() on the ${engine} engine`, async () => {
    await using brain = await FlyBrain.create(SIX, { engine, homeostasis: "none" });
    const before = await brain.read(LIGHT, { neurons: Int32Array.of(5) });
    brain.bias[5] = 2;
    assert.deepEqual(await brain.read(LIGHT, { neurons: Int32Array.of(5) }), before);
    await brain.update();
    const after = await brain.read(LIGHT, { neurons: Int32Array.of(5) });
    assert.ok(Math.abs(after[0]! - (1 - 2 ** -12) * Math.tanh(2)) < 1e-6);
  });

  Deno.test(`a stronger theta makes a stronger answer on the ${engine} engine`, async () => {
    await using brain = await FlyBrain.create(SIX, { engine, homeostasis: "none" });
    const before = await brain.read(LIGHT);
    brain.theta.fill(3);
    await brain.update();
    assert.ok((await brain.read(LIGHT))[1]! > before[1]!);
  });
}

Deno.test("an uncalibrated brain says that it must be calibrated", async () => {
  await using brain = await FlyBrain.create(SIX);
  await assert.rejects(
    brain.read(LIGHT),
    /Cannot read rates: the brain is not calibrated, call calibrate\(\)/,
  );
  await assert.rejects(brain.rates(LIGHT), /not calibrated/);
});

Deno.test("homeostasis given back gives the same rates", async () => {
  const connectome = randomConnectome(5, 50, 400);
  const drive = randomDrive(6, 20, connectome.input);
  await using brain = await FlyBrain.create(connectome);
  const measured = await brain.calibrate(randomDrive(7, 64, connectome.input));
  await using twin = await FlyBrain.create(connectome);
  await twin.setHomeostasis(measured);
  assert.deepEqual(await twin.read(drive), await brain.read(drive));
  await twin.setHomeostasis(null);
  await assert.rejects(twin.read(drive), /not calibrated/);
});

Deno.test("what does not fit a brain is refused by name", async () => {
  await using brain = await FlyBrain.create(SIX, { homeostasis: "none" });
  const refused = (drive: Drive, text: RegExp) =>
    assert.rejects(brain.read(drive), (error) => error instanceof RangeError && text.test(error.message));
  await refused({ positions: 1, start: Int32Array.of(0, 1), neuron: Int32Array.of(6) }, /drives neuron 6/);
  await refused(
    { positions: 2, start: Int32Array.of(0, 1), neuron: Int32Array.of(0) },
    /2 starts, 3 are wanted/,
  );
  await refused({ positions: 0, start: Int32Array.of(0), neuron: Int32Array.of() }, /0 positions/);
  await refused({ positions: 1, start: Int32Array.of(0, 2), neuron: Int32Array.of(0) }, /go from 0 to 2/);
  await refused({ positions: 1, start: Int32Array.of(0, 2), neuron: Int32Array.of(1, 0) }, /ascending order/);
  await refused({ ...LIGHT, value: Float64Array.of(NaN) }, /gives neuron 0 NaN, a finite number/);
  await refused({ ...LIGHT, value: Float64Array.of() }, /0 values for 1 entries/);
  await assert.rejects(brain.read(LIGHT, { steps: [13] }), /step 13 is asked for, a step from 1 to 12/);
  await assert.rejects(brain.read(LIGHT, { steps: [] }), RangeError);
  await assert.rejects(brain.read(LIGHT, { neurons: Int32Array.of(-1) }), /neuron -1 is asked for/);
  await assert.rejects(brain.calibrate(LIGHT, { floor: 0 }), /the floor is 0, a number above 0/);
  const wrong = { mean: new Float64Array(6), spread: new Float64Array(6).fill(1) };
  await assert.rejects(brain.setHomeostasis(wrong), /mean has 6 values, 12 steps x 6 neurons are wanted/);
  brain.theta[0] = NaN;
  await assert.rejects(brain.update(), /weight 0 is NaN, a finite number is wanted/);
});

Deno.test("a disposed brain says so", async () => {
  const brain = await FlyBrain.create(SIX, { homeostasis: "none" });
  await brain[Symbol.asyncDispose]();
  await brain[Symbol.asyncDispose]();
  await assert.rejects(brain.read(LIGHT), /the brain was disposed/);
});

Deno.test("constants out of range are refused", async () => {
  await assert.rejects(FlyBrain.create(SIX, { steps: 0 }), RangeError);
  await assert.rejects(FlyBrain.create(SIX, { leak: 0 }), RangeError);
  await assert.rejects(FlyBrain.create(SIX, { gain: NaN }), RangeError);
  await assert.rejects(FlyBrain.create(SIX, { workers: -1 }), RangeError);
});
