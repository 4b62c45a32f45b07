import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Random } from "../../lib/common/mod.ts";
import { chooseEngine, type Engine, findWebgpu, FlyBrain, webgpuEngine } from "../../lib/brain/mod.ts";
import { Gpu } from "../../lib/brain/engines/webgpu/_gpu.ts";
import { selfCheck } from "../../lib/brain/engines/webgpu/_self_check.ts";
import { requires } from "../_requirements.ts";
import { largestDifference, randomConnectome, randomDrive, smallBrains } from "./_small_brains.ts";

const webgpu = await requires("webgpu");

/** Replaces a method while something runs. */
async function withMethod<T extends object, K extends keyof T>(
  of: T,
  name: K,
  replace: (original: T[K]) => T[K],
  run: () => Promise<void>,
): Promise<void> {
  const original = of[name];
  of[name] = replace(original);
  try {
    await run();
  } finally {
    of[name] = original;
  }
}

/** A brain of 300 neurons, calibrated. */
async function calibrated(engine: Engine | "webgpu" | "reference" = "webgpu"): Promise<FlyBrain> {
  const connectome = randomConnectome(21, 300, 1500);
  const brain = await FlyBrain.create(connectome, { engine });
  await brain.calibrate(randomDrive(22, 50, connectome.input));
  return brain;
}

Deno.test({
  name: "small brains: the webgpu engine gives the reference's homeostasis, rates and gradients",
  ...webgpu,
  async fn() {
    const engine = await webgpuEngine();
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
      { numRuns: 4, seed: 1 },
    );
  },
});

for (const [how, options] of [["whole", {}], ["split", { largestBuffer: 4096 }]] as const) {
  Deno.test({
    name: `rates and gradients of 150 neurons are the reference's (${how} buffers)`,
    ...webgpu,
    async fn() {
      const connectome = randomConnectome(31, 150, 1000); // split: 5 parts, 25 tiles
      await using truth = await FlyBrain.create(connectome, { engine: "reference" });
      await using brain = await FlyBrain.create(connectome, { engine: await webgpuEngine(options) });
      const calibration = randomDrive(32, 40, connectome.input),
        drive = randomDrive(33, 36, connectome.input);
      const wanted = await truth.calibrate(calibration), found = await brain.calibrate(calibration);
      assert.ok(largestDifference(found.mean, wanted.mean) < 2e-5, "mean");
      assert.ok(largestDifference(found.spread, wanted.spread) < 2e-5, "spread");
      await truth.setHomeostasis(found);
      assert.ok(largestDifference(await brain.rates(drive), await truth.rates(drive)) < 2e-5, "rates");
      assert.ok(largestDifference(await brain.read(drive), await truth.read(drive)) < 2e-5, "read");

      const random = new Random(34), width = connectome.output.length;
      const error = Float64Array.from({ length: 36 * width }, () => random.normal() / 36);
      const walk = { window: 5, blame: true, drive: true };
      const right = await truth.backward(drive, error, walk);
      const own = await brain.backward(drive, error, walk);
      for (const name of ["theta", "gain", "bias"] as const) {
        const scale = Math.max(1, ...right[name].map(Math.abs));
        assert.ok(largestDifference(own[name], right[name]) < 2e-5 * scale, name);
      }
      assert.ok(largestDifference(own.drive!, right.drive!) < 2e-5, "the drive's gradient");
      const mean = { window: 5, steps: [5, 8, 11] };
      const rightMean = await truth.backward(drive, error, mean),
        ownMean = await brain.backward(drive, error, mean);
      for (const name of ["theta", "gain", "bias"] as const) {
        const scale = Math.max(1, ...rightMean[name].map(Math.abs));
        assert.ok(
          largestDifference(ownMean[name], rightMean[name]) < 2e-5 * scale,
          `${name} of a mean of steps`,
        );
      }
      assert.deepEqual([...own.blame.keys()], [...right.blame.keys()]);
      for (const [step, blame] of right.blame) {
        assert.ok(largestDifference(own.blame.get(step)!, blame) < 2e-5, `blame at step ${step}`);
      }
    },
  });
}

Deno.test({
  name: "more groups of threads than one side of a dispatch takes are laid out in two",
  ...webgpu,
  async fn() {
    const gpu = await Gpu.open({ half: false, mostGroups: 3 });
    await selfCheck(gpu);
    gpu.close();
  },
});

Deno.test({
  name: "half precision gives rates within 0.005 of the reference",
  ...webgpu,
  ignore: webgpu.ignore || !(await findWebgpu())?.half,
  async fn() {
    await using truth = await calibrated("reference");
    await using brain = await calibrated(await webgpuEngine({ half: true }));
    const drive = randomDrive(23, 40, brain.connectome.input);
    const off = largestDifference(await brain.rates(drive), await truth.rates(drive));
    assert.ok(off > 1e-6 && off < 5e-3, `${off}`);
  },
});

Deno.test({
  name: "any number of positions gives each the rates it has alone, and thinks at the same time do not mix",
  ...webgpu,
  async fn() {
    await using brain = await calibrated();
    const all = randomDrive(23, 70, brain.connectome.input);
    const width = brain.connectome.output.length, wanted = await brain.read(all);
    const together = await Promise.all([1, 31, 32, 33, 70].map(async (positions) => {
      const start = all.start.slice(0, positions + 1);
      return await brain.read({ positions, start, neuron: all.neuron.slice(0, start[positions]) });
    }));
    for (const rates of together) assert.deepEqual(rates, wanted.slice(0, rates.length));
    assert.deepEqual(together.map((rates) => rates.length / width), [1, 31, 32, 33, 70]);
  },
});

Deno.test({
  name: "an aborted think rejects with the reason and the engine works on; progress ends at the total",
  ...webgpu,
  async fn() {
    await using brain = await calibrated();
    const drive = randomDrive(29, 200, brain.connectome.input);
    const seen: number[] = [];
    const wanted = await brain.read(drive, { onProgress: ({ done }) => void seen.push(done) });
    assert.deepEqual(seen, [32, 64, 96, 128, 160, 192, 200]);
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error("enough"));
    await assert.rejects(brain.read(drive, { signal: stop.signal, onProgress }), { message: "enough" });
    await assert.rejects(brain.calibrate(drive, { signal: stop.signal }), { message: "enough" });
    assert.deepEqual(await brain.read(drive), wanted);
  },
});

Deno.test({
  name: "thinking again and again makes no new buffers",
  ...webgpu,
  async fn() {
    await using brain = await calibrated();
    const drives = [1, 2, 3].map((seed) => randomDrive(seed, 40, brain.connectome.input));
    const error = new Float32Array(40 * brain.connectome.output.length).fill(1);
    const once = async () => {
      for (const drive of drives) {
        await brain.read(drive, { steps: [3] });
        await brain.backward(drive, error, { window: 2 });
      }
    };
    await once();
    let kept = 0;
    await withMethod(
      GPUDevice.prototype,
      "createBuffer",
      (original) =>
        function (this: GPUDevice, descriptor) {
          // What results are brought back in is given back at once.
          if ((descriptor.usage & GPUBufferUsage.MAP_READ) === 0) kept++;
          return original.call(this, descriptor);
        },
      async () => {
        for (let round = 0; round < 5; round++) await once();
      },
    );
    assert.equal(kept, 0);
  },
});

Deno.test({
  name: "a GPU that is lost is an error that says so, and update() brings the brain back",
  ...webgpu,
  async fn() {
    const devices: GPUDevice[] = [];
    await withMethod(
      GPUAdapter.prototype,
      "requestDevice",
      (original) =>
        async function (this: GPUAdapter, descriptor) {
          const device = await original.call(this, descriptor);
          devices.push(device);
          return device;
        },
      async () => {
        await using brain = await calibrated();
        const drive = randomDrive(30, 200, brain.connectome.input);
        const wanted = await brain.read(drive);
        const onProgress = ({ done }: { done: number }) => done === 64 && devices.at(-1)!.destroy();
        await assert.rejects(
          brain.read(drive, { onProgress: (progress) => void onProgress(progress) }),
          /Cannot read rates: the GPU .* was lost .*call update\(\)/,
        );
        await assert.rejects(brain.read(drive), /was lost/);
        await brain.update();
        assert.deepEqual(await brain.read(drive), wanted);
      },
    );
  },
});

Deno.test({
  name: "memory that is full is an error that says so, and the engine works on",
  ...webgpu,
  async fn() {
    await using brain = await calibrated();
    const drive = randomDrive(30, 40, brain.connectome.input);
    const wanted = await brain.read(drive);
    let calls = 0;
    await withMethod(
      GPUDevice.prototype,
      "popErrorScope",
      (original) =>
        async function (this: GPUDevice) {
          const error = await original.call(this);
          return calls++ === 0 ? new GPUOutOfMemoryError("no room") : error;
        },
      async () => {
        await assert.rejects(brain.calibrate(drive), /Cannot calibrate: the memory of .* is full/);
      },
    );
    assert.ok(calls > 0);
    assert.deepEqual(await brain.read(drive), wanted);
  },
});

for (
  const [what, change, message] of [
    [
      "compiled to something else",
      (code: string) => code.replace("0.24022650718688965", "0.25"),
      /computes wrong/,
    ],
    ["that is refused", (code: string) => code.replace("params.leak", "params.lea"), /refuses a command/],
    [
      "without a row",
      (code: string) => code.replace("if (item >= params.count)", "if (item > 0u)"),
      /computes wrong/,
    ],
  ] as const
) {
  Deno.test({
    name: `a shader ${what} does not get to think`,
    ...webgpu,
    async fn() {
      await withMethod(
        GPUDevice.prototype,
        "createShaderModule",
        (original) =>
          function (this: GPUDevice, descriptor) {
            return original.call(this, { ...descriptor, code: change(descriptor.code) });
          },
        async () => {
          await assert.rejects(calibrated(), message);
        },
      );
    },
  });
}

Deno.test({
  name: "half precision that the GPU does not offer, and a device that it refuses, are errors that say so",
  ...webgpu,
  async fn() {
    await withMethod(GPUSupportedFeatures.prototype, "has", () => () => false, async () => {
      await assert.rejects(webgpuEngine({ half: true }), /in half precision: .* does not offer shader-f16/);
    });
    const refuse = () => () => Promise.reject(new Error("no"));
    await withMethod(GPUAdapter.prototype, "requestDevice", refuse, async () => {
      await assert.rejects(calibrated(), /Cannot start the webgpu engine: .* refuses a device/);
    });
  },
});

Deno.test("without a GPU the webgpu engine says so, and `auto` picks wasm and says why", async () => {
  await withMethod(GPU.prototype, "requestAdapter", () => () => Promise.resolve(null), async () => {
    await assert.rejects(webgpuEngine(), /Cannot start the webgpu engine: this machine offers no GPU/);
    const { engine, description } = await chooseEngine({ engine: "auto", workers: 0 });
    assert.equal(engine.name, "wasm");
    assert.match(description, /^wasm: .*; picked because this machine offers no GPU$/);
    await using brain = await FlyBrain.create(randomConnectome(1, 20, 50), { engine: "auto", workers: 0 });
    assert.equal(brain.engineDescription, description);
  });
});

Deno.test({
  name: "`auto` picks a GPU only if it is one and computes right",
  ...webgpu,
  async fn() {
    const gpu = (await findWebgpu())!;
    const { engine, description } = await chooseEngine({ engine: "auto" });
    assert.equal(engine.name, gpu.software ? "wasm" : "webgpu");
    assert.match(description, gpu.software ? /computes on the CPU$/ : /passes the self-check$/);

    // The same GPU under a name that no driver on the CPU has.
    const named = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, "info")!;
    Object.defineProperty(GPUAdapter.prototype, "info", {
      ...named,
      get: () => ({ description: "Turbo 3000", isFallbackAdapter: false }),
    });
    try {
      const { description } = await chooseEngine({ engine: "auto" });
      assert.match(description, /^webgpu: WebGPU, float32, Turbo 3000; picked because there is a GPU/);
      await withMethod(
        GPUDevice.prototype,
        "createShaderModule",
        (original) =>
          function (this: GPUDevice, descriptor) {
            return original.call(this, { ...descriptor, code: "nonsense" });
          },
        async () => {
          const { engine, description } = await chooseEngine({ engine: "auto" });
          assert.equal(engine.name, "wasm");
          assert.match(description, /picked because Cannot compile the kernels/);
        },
      );
    } finally {
      Object.defineProperty(GPUAdapter.prototype, "info", named);
    }
  },
});

Deno.test("a buffer too small to split into is refused", async () => {
  await assert.rejects(webgpuEngine({ largestBuffer: 100 }), /100 bytes, at least 4096 are wanted/);
});
