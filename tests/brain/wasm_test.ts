import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type Engine, FlyBrain, type LoadedBrain, wasmEngine } from "../../lib/brain/mod.ts";
import { largestDifference, randomConnectome, randomDrive, smallBrains } from "./_small_brains.ts";

for (const simd of ["plain", "relaxed"] as const) {
  Deno.test(`small brains: the wasm engine (${simd}) gives the reference's homeostasis and rates`, async () => {
    const engine = wasmEngine({ workers: 0, simd });
    await fc.assert(
      fc.asyncProperty(smallBrains(), async ({ connectome, calibration, drive, calm }) => {
        await using truth = await FlyBrain.create(connectome, { engine: "reference" });
        await using brain = await FlyBrain.create(connectome, { engine });
        const wanted = await truth.calibrate(calibration, { calm });
        const found = await brain.calibrate(calibration, { calm });
        assert.ok(largestDifference(found.mean, wanted.mean) < 2e-5, "mean");
        assert.ok(largestDifference(found.spread, wanted.spread) < 2e-5, "spread");
        assert.ok(largestDifference(await brain.rates(drive), await truth.rates(drive)) < 2e-5, "rates");
        const steps = [3, 9, 12];
        assert.ok(
          largestDifference(await brain.read(drive, { steps }), await truth.read(drive, { steps })) < 2e-5,
        );
      }),
      { numRuns: 60, seed: 1 },
    );
  });
}

/** A brain of 300 neurons, calibrated, with its wasm engine made as told. */
async function calibrated(engine: Engine): Promise<FlyBrain> {
  const connectome = randomConnectome(21, 300, 1500);
  const brain = await FlyBrain.create(connectome, { engine });
  await brain.calibrate(randomDrive(22, 50, connectome.input));
  return brain;
}

Deno.test("any number of positions gives each the rates it has alone", async () => {
  await using brain = await calibrated(wasmEngine({ workers: 0 }));
  const all = randomDrive(23, 100, brain.connectome.input);
  const outputs = brain.connectome.output.length;
  const wanted = await brain.read(all);
  const steps = [9, 10, 11, 12], averaged = await brain.read(all, { steps });
  for (const positions of [1, 3, 4, 5, 15, 16, 17, 100]) {
    const start = all.start.slice(0, positions + 1);
    const drive = { positions, start, neuron: all.neuron.slice(0, start[positions]) };
    assert.deepEqual(await brain.read(drive), wanted.slice(0, positions * outputs), `${positions} positions`);
    const found = await brain.read(drive, { steps });
    assert.deepEqual(found, averaged.slice(0, positions * outputs), `${positions} positions, four steps`);
  }
});

Deno.test("any number of workers gives the same rates and homeostasis to the last bit", async () => {
  await using alone = await calibrated(wasmEngine({ workers: 0 }));
  const drive = randomDrive(24, 100, alone.connectome.input);
  const read = await alone.read(drive, { steps: [9, 10, 11, 12] }), rates = await alone.rates(drive);
  for (const workers of [1, 2, 3]) {
    await using brain = await calibrated(wasmEngine({ workers }));
    assert.deepEqual(brain.homeostasis, alone.homeostasis, `${workers} workers`);
    assert.deepEqual(await brain.read(drive, { steps: [9, 10, 11, 12] }), read, `${workers} workers`);
    assert.deepEqual(await brain.rates(drive), rates, `${workers} workers`);
  }
});

Deno.test("a few positions shared by many workers have the bits they have with one", async () => {
  await using alone = await calibrated(wasmEngine({ workers: 1 }));
  const tile = { senders: 40, receivers: 5 }; // more bands than a worker takes at once
  await using many = await calibrated(wasmEngine({ workers: 4, tile }));
  for (const positions of [1, 4, 5, 16, 17, 40]) {
    const drive = randomDrive(60 + positions, positions, alone.connectome.input);
    for (const steps of [[12], [9, 10, 11, 12], [1, 3]]) {
      const found = await many.read(drive, { steps });
      assert.deepEqual(found, await alone.read(drive, { steps }), `${positions} positions, steps ${steps}`);
    }
  }
});

Deno.test("the light cone changes no bit, whatever was driven before", async () => {
  const sparse = randomConnectome(25, 200, 300); // many neurons that the boards never reach
  const calibration = randomDrive(26, 40, sparse.input), drive = randomDrive(27, 20, sparse.input);
  const few = { positions: 1, start: Int32Array.of(0, 1), neuron: sparse.input.slice(0, 1) };
  const results: unknown[] = [];
  for (const lightCone of [true, false]) {
    await using brain = await FlyBrain.create(sparse, { engine: wasmEngine({ workers: 0, lightCone }) });
    await using fresh = await FlyBrain.create(sparse, { engine: wasmEngine({ workers: 0, lightCone }) });
    await fresh.setHomeostasis(await brain.calibrate(calibration));
    results.push([
      await fresh.read(few),
      await brain.read(few),
      await brain.read(drive, { steps: [2] }),
      await brain.read(drive, { steps: [11, 12] }),
      await fresh.rates(drive),
      await fresh.read(few),
    ]);
  }
  assert.deepEqual(results[0], results[1]);
});

Deno.test("how the connections are cut into tiles changes no bit", async () => {
  await using whole = await calibrated(wasmEngine({ workers: 0 }));
  const drive = randomDrive(33, 40, whole.connectome.input);
  const read = await whole.read(drive), rates = await whole.rates(drive);
  for (const [senders, receivers] of [[1, 1], [10, 300], [64, 7], [300, 50]] as const) {
    await using brain = await calibrated(wasmEngine({ workers: 0, tile: { senders, receivers } }));
    assert.deepEqual(await brain.read(drive), read, `${senders} senders, ${receivers} receivers`);
    assert.deepEqual(await brain.rates(drive), rates, `${senders} senders, ${receivers} receivers`);
  }
  assert.throws(() => wasmEngine({ tile: { senders: 0, receivers: 1 } }), /a tile of 0 senders/);
});

Deno.test("rows whose senders come in any order are taken", async () => {
  const sorted = randomConnectome(34, 60, 500), pre = sorted.pre.slice(), { rowStart } = sorted;
  for (let row = 0; row < 60; row++) pre.subarray(rowStart[row]!, rowStart[row + 1]!).reverse();
  const connectome = { ...sorted, pre };
  await using truth = await FlyBrain.create(connectome, { engine: "reference" });
  await using brain = await FlyBrain.create(connectome, {
    engine: wasmEngine({ workers: 0, tile: { senders: 16, receivers: 16 } }),
  });
  const calibration = randomDrive(35, 32, sorted.input), drive = randomDrive(36, 16, sorted.input);
  await truth.calibrate(calibration);
  await brain.calibrate(calibration);
  assert.ok(largestDifference(await brain.rates(drive), await truth.rates(drive)) < 2e-5);
});

Deno.test("thinks asked for at the same time do not mix", async () => {
  await using brain = await calibrated(wasmEngine({ workers: 2 }));
  const drives = [1, 2, 3].map((seed) => randomDrive(seed, 40, brain.connectome.input));
  const together = await Promise.all(drives.map((drive) => brain.read(drive)));
  for (const [i, drive] of drives.entries()) assert.deepEqual(together[i], await brain.read(drive));
});

Deno.test("progress ends at the total", async () => {
  await using brain = await calibrated(wasmEngine({ workers: 1 }));
  const seen: [number, number | undefined][] = [];
  const onProgress = (progress: { done: number; total?: number }) => {
    seen.push([progress.done, progress.total]);
  };
  await brain.read(randomDrive(28, 40, brain.connectome.input), { onProgress });
  assert.deepEqual(seen, [[16, 40], [32, 40], [40, 40]]);
});

for (const workers of [0, 2]) {
  Deno.test(`an aborted think rejects with the reason and the engine works on (${workers} workers)`, async () => {
    await using brain = await calibrated(wasmEngine({ workers }));
    const drive = randomDrive(29, 4000, brain.connectome.input);
    const wanted = await brain.read(drive);
    const stop = new AbortController();
    let thought = 0;
    const onProgress = ({ done }: { done: number }) => {
      thought = done;
      if (done >= 160) stop.abort(new Error("enough"));
    };
    await assert.rejects(brain.read(drive, { signal: stop.signal, onProgress }), { message: "enough" });
    assert.ok(thought >= 160 && thought < 400, `${thought} positions`);
    await assert.rejects(brain.read(drive, { signal: stop.signal }), { message: "enough" });
    await assert.rejects(brain.calibrate(drive, { signal: stop.signal }), { message: "enough" });
    assert.deepEqual(await brain.read(drive), wanted);
  });
}

Deno.test("a worker that dies in mid-think is an error that says so, and the engine works on", async () => {
  const Original = globalThis.Worker, made: Worker[] = [];
  globalThis.Worker = class extends Original {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      made.push(this);
    }
  };
  try {
    await using brain = await calibrated(wasmEngine({ workers: 1 }));
    const drive = randomDrive(30, 160, brain.connectome.input);
    const wanted = await brain.read(drive);
    const onProgress = async ({ done }: { done: number }) => {
      if (done !== 32 || made.length > 1) return;
      for (let turn = 0; turn < 20; turn++) await null; // until the next 16 positions are with the worker
      made[0]!.terminate();
      made[0]!.dispatchEvent(new ErrorEvent("error", { message: "out of memory", cancelable: true }));
    };
    await assert.rejects(brain.read(drive, { onProgress }), /a worker died \(out of memory\)/);
    assert.deepEqual(await brain.read(drive, { onProgress }), wanted);
    assert.equal(made.length, 2);
  } finally {
    globalThis.Worker = Original;
  }
});

Deno.test("a worker that is killed without a word is noticed, and the engine works on", async () => {
  const Original = globalThis.Worker, originalInterval = globalThis.setInterval, made: Worker[] = [];
  globalThis.Worker = class extends Original {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      made.push(this);
    }
  };
  // Thirty seconds pass in 0.3.
  globalThis.setInterval =
    ((act: () => void, delay: number) => originalInterval(act, delay / 100)) as typeof setInterval;
  try {
    await using brain = await calibrated(wasmEngine({ workers: 2 }));
    const drive = randomDrive(37, 160, brain.connectome.input);
    const wanted = await brain.read(drive);
    const onProgress = async ({ done }: { done: number }) => {
      if (done !== 48 || made.length > 2) return;
      for (let turn = 0; turn < 20; turn++) await null; // until both have work again
      for (const worker of made) worker.terminate();
    };
    await assert.rejects(
      brain.read(drive, { onProgress }),
      /a worker died \(it did nothing for 30 seconds\)/,
    );
    assert.deepEqual(await brain.read(drive, { onProgress }), wanted);
    assert.equal(made.length, 4);
  } finally {
    globalThis.Worker = Original;
    globalThis.setInterval = originalInterval;
  }
});

Deno.test("workers that have nothing to do go home after two seconds and come back when needed", async () => {
  const Original = globalThis.Worker, living = new Set<Worker>();
  globalThis.Worker = class extends Original {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      living.add(this);
    }
    override terminate() {
      living.delete(this);
      super.terminate();
    }
  };
  try {
    await using brain = await calibrated(wasmEngine({ workers: 2 }));
    const drive = randomDrive(32, 40, brain.connectome.input);
    const wanted = await brain.read(drive);
    assert.equal(living.size, 2);
    await new Promise((resolve) => setTimeout(resolve, 2300));
    assert.equal(living.size, 0);
    assert.deepEqual(await brain.read(drive), wanted);
    assert.equal(living.size, 2);
  } finally {
    globalThis.Worker = Original;
  }
  assert.equal(living.size, 0);
});

Deno.test("a calibration that does not fit the memory says how much it would take", async () => {
  const connectome = randomConnectome(31, 3000, 3000);
  const brain: LoadedBrain = await wasmEngine({ workers: 0 }).load({
    neurons: 3000,
    steps: 12,
    leak: 0.5,
    rowStart: connectome.rowStart,
    pre: connectome.pre,
    weight: new Float64Array(3000),
    gain: new Float64Array(3000),
    bias: new Float64Array(3000),
    mean: null,
    spread: null,
  });
  const positions = 200_000;
  const drive = { positions, start: new Int32Array(positions + 1), neuron: new Int32Array(0) };
  await assert.rejects(
    brain.calibrate(drive, { floor: 0.02, calm: false }),
    /it takes 4.5 GiB, at most 4 GiB/,
  );
});
