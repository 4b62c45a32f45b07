import assert from "node:assert/strict";
import { FlyBrain, type FlyBrainOptions, wasmEngine } from "../../lib/brain/mod.ts";
import { randomConnectome, randomDrive } from "./_small_brains.ts";

const ENGINES: readonly [name: string, FlyBrainOptions["engine"]][] = [
  ["reference", "reference"],
  ...(["float32", "int16", "int8"] as const).flatMap((precision) => [
    [`${precision} on the calling thread`, wasmEngine({ precision, workers: 0 })] as const,
    [`${precision}, 2 workers`, wasmEngine({ precision, workers: 2 })] as const,
  ]).map(([name, engine]) => [name, engine] as [string, FlyBrainOptions["engine"]]),
];

for (const [name, engine] of ENGINES) {
  Deno.test(`one think read after each of some steps gives the bits of a read a step (${name})`, async () => {
    const connectome = randomConnectome(81, 300, 4000);
    await using brain = await FlyBrain.create(connectome, { engine: engine! });
    await brain.calibrate(randomDrive(82, 60, connectome.input, true));
    for (const positions of [1, 3, 50]) {
      const drive = randomDrive(83, positions, connectome.input), steps = [11, 3, 12];
      // An order of their own, and one neuron twice.
      const neurons = Int32Array.of(299, 7, 120, 7);
      const found = await brain.readEach(drive, { neurons, steps });
      assert.equal(found.length, positions * steps.length * neurons.length);
      assert.ok(found.some((rate) => rate !== found[0]), "rates differ");
      for (const [k, step] of steps.entries()) {
        const alone = await brain.read(drive, { neurons, steps: [step] });
        for (let position = 0; position < positions; position++) {
          const from = (position * steps.length + k) * neurons.length;
          assert.deepEqual(
            found.slice(from, from + neurons.length),
            alone.slice(position * neurons.length, (position + 1) * neurons.length),
            `position ${position} of ${positions}, step ${step}`,
          );
        }
      }
    }
    await assert.rejects(
      brain.readEach(randomDrive(83, 2, connectome.input), { steps: [12, 13] }),
      RangeError,
    );
  });
}
