import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type BrainGradients, type Engine, FlyBrain, wasmEngine } from "../../lib/brain/mod.ts";
import { Random } from "../../lib/common/mod.ts";
import type { Drive } from "../../lib/eye/mod.ts";
import { largestDifference, randomConnectome, randomDrive, smallBrains } from "./_small_brains.ts";

function randomError(seed: number, length: number): Float32Array {
  const random = new Random(seed, "error");
  return Float32Array.from({ length }, () => random.normal());
}

/** The largest difference of two arrays, as a share of the largest number in the second. */
function share(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
  let largest = 1e-3;
  for (let i = 0; i < wanted.length; i++) largest = Math.max(largest, Math.abs(wanted[i]!));
  return largestDifference(found, wanted) / largest;
}

function assertSame(found: BrainGradients, wanted: BrainGradients, tolerance: number): void {
  for (const name of ["theta", "gain", "bias"] as const) {
    const off = share(found[name], wanted[name]);
    assert.ok(off < tolerance, `${name} is off by ${off}`);
  }
  assert.equal(found.drive === undefined, wanted.drive === undefined);
  if (wanted.drive !== undefined) {
    const off = share(found.drive!, wanted.drive);
    assert.ok(off < tolerance, `the drive's gradient is off by ${off}`);
  }
  assert.deepEqual([...found.blame.keys()], [...wanted.blame.keys()]);
  for (const [step, blame] of wanted.blame) {
    const off = share(found.blame.get(step)!, blame);
    assert.ok(off < tolerance, `blame at step ${step} is off by ${off}`);
  }
}

for (const simd of ["plain", "relaxed"] as const) {
  Deno.test(`small brains: the wasm engine (${simd}) walks back as the reference does`, async () => {
    const engine = wasmEngine({ workers: 0, simd, tile: { senders: 7, receivers: 5 } });
    await fc.assert(
      fc.asyncProperty(
        smallBrains(),
        fc.integer({ min: 1, max: 12 }),
        fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1 })),
        async ({ connectome, calibration, drive, calm }, most, read) => {
          const window = Math.min(most, ...read === null ? [] : [Math.max(...read)]);
          await using truth = await FlyBrain.create(connectome, { engine: "reference" });
          await using brain = await FlyBrain.create(connectome, { engine });
          await truth.calibrate(calibration, { calm });
          await brain.setHomeostasis(truth.homeostasis);
          // A z that rounds to the other side of 0 has another gradient: such brains say nothing here.
          fc.pre(largestDifference(await brain.rates(drive), await truth.rates(drive)) < 1e-6);
          const error = randomError(window, drive.positions * connectome.output.length);
          const steps = read === null ? {} : { steps: read };
          const asked = { window, blame: true, drive: true, ...steps };
          const found = await brain.backward(drive, error, asked);
          assertSame(found, await truth.backward(drive, error, asked), 1e-4);
          const without = await brain.backward(drive, error, { window, drive: true, ...steps });
          assert.deepEqual(without, { ...found, blame: new Map() });
        },
      ),
      { numRuns: 60, seed: 1 },
    );
  });
}

async function calibrated(engine: Engine): Promise<FlyBrain> {
  const connectome = randomConnectome(41, 300, 3000);
  const brain = await FlyBrain.create(connectome, { engine });
  await brain.calibrate(randomDrive(42, 50, connectome.input));
  return brain;
}

/** Positions `from` up to `to` of a drive. */
function part({ start, neuron }: Drive, from: number, to: number): Drive {
  const first = start[from]!;
  return {
    positions: to - from,
    start: start.slice(from, to + 1).map((at) => at - first),
    neuron: neuron.slice(first, start[to]),
  };
}

Deno.test("any number of workers gives the same gradients to the last bit", async () => {
  await using alone = await calibrated(wasmEngine({ workers: 0 }));
  const drive = randomDrive(43, 100, alone.connectome.input);
  const error = randomError(44, 100 * alone.connectome.output.length);
  const wanted = await alone.backward(drive, error, { blame: true });
  assert.ok(wanted.theta.some((value) => value !== 0));
  for (const workers of [1, 2, 3]) {
    await using brain = await calibrated(wasmEngine({ workers }));
    assert.deepEqual(await brain.backward(drive, error, { blame: true }), wanted, `${workers} workers`);
    assert.deepEqual(await brain.backward(drive, error, { blame: true }), wanted, "once more");
  }
});

Deno.test("two engines on half a batch each give the gradient of one on all of it", async () => {
  await using one = await calibrated(wasmEngine({ workers: 1 }));
  await using left = await calibrated(wasmEngine({ workers: 1 }));
  await using right = await calibrated(wasmEngine({ workers: 1 }));
  const drive = randomDrive(45, 64, one.connectome.input), outputs = one.connectome.output.length;
  const error = randomError(46, 64 * outputs);
  const whole = await one.backward(drive, error);
  const halves = await Promise.all([
    left.backward(part(drive, 0, 32), error.slice(0, 32 * outputs)),
    right.backward(part(drive, 32, 64), error.slice(32 * outputs)),
  ]);
  for (const name of ["theta", "gain", "bias"] as const) {
    const sum = Float64Array.from(halves[0][name], (value, i) => value + halves[1][name][i]!);
    assert.ok(share(sum, whole[name]) < 2e-6, name);
  }
});

Deno.test("the light cone changes no gradient by more than rounding", async () => {
  const found = [];
  for (const lightCone of [true, false]) {
    await using brain = await calibrated(wasmEngine({ workers: 0, lightCone }));
    const drive = randomDrive(47, 20, brain.connectome.input);
    const error = randomError(48, 20 * brain.connectome.output.length);
    found.push(await brain.backward(drive, error, { blame: true, window: 12 }));
  }
  assertSame(found[0]!, found[1]!, 2e-6);
});

Deno.test("an error that does not fit is refused by name, and the engine works on", async () => {
  await using brain = await calibrated(wasmEngine({ workers: 2 }));
  const drive = randomDrive(49, 20, brain.connectome.input), outputs = brain.connectome.output.length;
  const error = randomError(50, 20 * outputs);
  const wanted = await brain.backward(drive, error);
  await assert.rejects(brain.backward(drive, error.slice(1)), /the error has 599 values, 20 positions x 30/);
  for (const window of [0, 13, 1.5]) {
    await assert.rejects(brain.backward(drive, error, { window }), /the window is/);
  }
  const poisoned = error.slice();
  poisoned[7] = NaN;
  await assert.rejects(brain.backward(drive, poisoned), /error 7 is NaN, a finite number is wanted/);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(brain.backward(drive, error, { signal }), { message: "enough" });
  const stop = new AbortController();
  await assert.rejects(
    brain.backward(randomDrive(51, 2000, brain.connectome.input), randomError(52, 2000 * outputs), {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough of this")),
    }),
    { message: "enough of this" },
  );
  assert.deepEqual(await brain.backward(drive, error), wanted);
});
