/** Tests of the `tensorflow` engine, which `tensorflow_test.ts` runs in a process of their own. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { FlyBrain, tensorflowEngine } from "../../lib/brain/mod.ts";
import { Random } from "../../lib/common/mod.ts";
import { check } from "../golden_checks/brain.ts";
import { largestDifference, randomConnectome, randomDrive, smallBrains } from "./_small_brains.ts";

/** The largest difference of two arrays, as a share of the largest number in the second. */
function share(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
  let largest = 1e-3;
  for (let i = 0; i < wanted.length; i++) largest = Math.max(largest, Math.abs(wanted[i]!));
  return largestDifference(found, wanted) / largest;
}

Deno.test({
  name: "small brains: the tensorflow engine gives the reference's homeostasis and rates",
  async fn() {
    // 16 at once: most of these need more than one batch.
    const engine = tensorflowEngine({ batch: 16 });
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
        const [read, right] = [await brain.read(drive, { steps }), await truth.read(drive, { steps })];
        assert.ok(largestDifference(read, right) < 2e-5, "read");
      }),
      { numRuns: 40, seed: 1 },
    );
  },
});

Deno.test({
  name: "small brains: the tensorflow engine walks back as the reference does",
  async fn() {
    const engine = tensorflowEngine({ batch: 16 });
    await fc.assert(
      fc.asyncProperty(
        smallBrains(),
        fc.integer({ min: 1, max: 12 }),
        async ({ connectome, calibration, drive, calm }, window) => {
          await using truth = await FlyBrain.create(connectome, { engine: "reference" });
          await using brain = await FlyBrain.create(connectome, { engine });
          await truth.calibrate(calibration, { calm });
          await brain.setHomeostasis(truth.homeostasis);
          // A z that rounds to the other side of 0 has another gradient: such brains say nothing here.
          fc.pre(largestDifference(await brain.rates(drive), await truth.rates(drive)) < 1e-6);
          const random = new Random(window, "error");
          const error = Float32Array.from(
            { length: drive.positions * connectome.output.length },
            () => random.normal(),
          );
          const found = await brain.backward(drive, error, { window, blame: true, drive: true });
          const wanted = await truth.backward(drive, error, { window, blame: true, drive: true });
          for (const name of ["theta", "gain", "bias"] as const) {
            assert.ok(share(found[name], wanted[name]) < 1e-4, name);
          }
          assert.ok(share(found.drive!, wanted.drive!) < 1e-4, "the drive's gradient");
          assert.deepEqual([...found.blame.keys()], [...wanted.blame.keys()]);
          for (const [step, blame] of wanted.blame) {
            assert.ok(share(found.blame.get(step)!, blame) < 1e-4, `blame at step ${step}`);
          }
        },
      ),
      { numRuns: 40, seed: 1 },
    );
  },
});

const golden = new URL("../golden/", import.meta.url);
for (const { name } of [...Deno.readDirSync(golden)].filter(({ name }) => /^brain_.*\.json$/.test(name))) {
  Deno.test({
    name: `the tensorflow engine gives the numbers of ${name}`,
    async fn() {
      await check(JSON.parse(await Deno.readTextFile(new URL(name, golden))), { engine: "tensorflow" });
    },
  });
}

Deno.test({
  name: "the tensorflow engine takes new strengths, stops when told, and works on",
  async fn() {
    const connectome = randomConnectome(61, 200, 2000);
    await using brain = await FlyBrain.create(connectome, { engine: tensorflowEngine({ batch: 16 }) });
    await brain.calibrate(randomDrive(62, 50, connectome.input));
    const drive = randomDrive(63, 40, connectome.input), before = await brain.read(drive);

    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error("enough"));
    await assert.rejects(brain.read(drive, { signal: controller.signal, onProgress }), /enough/);
    assert.deepEqual(await brain.read(drive), before);
    await assert.rejects(brain.backward(drive, new Float32Array(3)), RangeError);

    brain.bias.fill(-1000);
    const reading = brain.read(drive); // asked for before the update: the former strengths
    const updating = brain.update();
    assert.deepEqual(await reading, before);
    await updating;
    assert.ok(before.some((rate) => rate > 0));
    assert.ok((await brain.read(drive)).every((rate) => rate === 0));
  },
});
