import assert from "node:assert/strict";
import { FlyBrain, wasmEngine } from "../../lib/brain/mod.ts";
import { randomConnectome, randomDrive } from "./_small_brains.ts";

async function calibrated(workers: number): Promise<FlyBrain> {
  const connectome = randomConnectome(81, 100, 600);
  const brain = await FlyBrain.create(connectome, { engine: wasmEngine({ workers }) });
  await brain.calibrate(randomDrive(82, 40, connectome.input));
  return brain;
}

for (const workers of [0, 2]) {
  Deno.test(`a poisoned batch is an error that says so, and the engine works on (${workers} workers)`, async () => {
    await using brain = await calibrated(workers);
    const drive = randomDrive(83, 40, brain.connectome.input, true);
    const wanted = await brain.read(drive);
    const value = Float64Array.from(drive.value!);
    value[3] = NaN;
    await assert.rejects(brain.read({ ...drive, value }), /gives neuron \d+ NaN, a finite number is wanted/);
    await assert.rejects(brain.read({ ...drive, value: value.slice(1) }), /values for \d+ entries/);
    await assert.rejects(brain.read({ ...drive, positions: 39 }), /41 starts, 40 are wanted/);
    await assert.rejects(brain.read(drive, { steps: [12, 12] }), /steps 12,12 are asked for, each once/);
    const neuron = drive.neuron.slice();
    neuron[neuron.length - 1] = 100;
    await assert.rejects(
      brain.read({ ...drive, neuron }),
      /drives neuron 100, the brain has neurons 0 to 99/,
    );
    const kept = brain.theta[5]!;
    brain.theta[5] = NaN;
    await assert.rejects(brain.update(), /weight 5 is NaN, a finite number is wanted/);
    brain.theta[5] = kept;
    await brain.update();
    assert.deepEqual(await brain.read(drive), wanted);
  });
}

Deno.test("thinking about a few positions can be aborted between steps, and the engine works on", async () => {
  await using brain = await calibrated(2);
  const drive = randomDrive(84, 3, brain.connectome.input), wanted = await brain.read(drive);
  const stop = new AbortController();
  const think = brain.read(drive, { signal: stop.signal });
  queueMicrotask(() => stop.abort(new Error("enough")));
  await assert.rejects(think, { message: "enough" });
  assert.deepEqual(await brain.read(drive), wanted);
});

Deno.test("ten thousand thinks do not grow memory", async () => {
  await using brain = await calibrated(0);
  const drive = randomDrive(85, 20, brain.connectome.input), one = randomDrive(86, 1, brain.connectome.input);
  const outputs = brain.connectome.output.length, error = new Float32Array(20 * outputs).fill(0.1);
  const some = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      await brain.read(drive);
      await brain.read(one);
      if (round % 10 === 0) await brain.backward(drive, error);
    }
  };
  await some(1000); // compilers and collectors settle
  const before = Deno.memoryUsage();
  await some(4500);
  const after = Deno.memoryUsage();
  // What waits for the collector comes to some megabytes; a kilobyte lost at each think would be ten.
  assert.ok(after.external - before.external < 2e6, `external: ${before.external} to ${after.external}`);
  assert.ok(after.rss - before.rss < 4e7, `resident: ${before.rss} to ${after.rss}`);
});
