import type { BrainModel, Engine, LoadedBrain } from "../../engine.ts";
import { describeAdapter, requestAdapter } from "./_adapter.ts";
import { Gpu, type GpuOptions } from "./_gpu.ts";
import { GpuBrain } from "./_gpu_brain.ts";
import { selfCheck } from "./_self_check.ts";

export { findWebgpu, type WebgpuAdapter } from "./_adapter.ts";

/** How the `webgpu` engine runs. */
export interface WebgpuEngineOptions {
  /** Keeps rates in half precision: less to fetch, rates within about 0.005. Off by default. */
  readonly half?: boolean;
  /** Bytes that one buffer may take, at least 4,096; larger arrays are split. By default what the GPU allows. */
  readonly largestBuffer?: number;
}

/** A buffer smaller than this would split even the lists of a step. */
const SMALLEST_BUFFER = 4096;

/**
 * The engine for a GPU, through WebGPU: no library to install, float32, 32 positions side by side. Rates and
 * gradients are within 2e-5 of the `reference` engine. Loading a brain opens the GPU and first lets it compute a
 * small brain that is compared with the reference, because a shader that a driver gets wrong does not fail by
 * itself. If the GPU is lost, calls say so until `update` (of `FlyBrain` or of the loaded brain) opens it again.
 *
 * @param options How it runs.
 * @returns The engine; its description names the GPU.
 * @throws {Error} If the machine offers no GPU, or half precision is asked for and not offered.
 * @throws {RangeError} If `largestBuffer` is too small.
 *
 * @example A neuron that nothing drives moves towards tanh of its bias, on a GPU too
 * ```ts
 * import { findWebgpu, webgpuEngine } from "flychess/brain";
 * import assert from "node:assert/strict";
 *
 * if (await findWebgpu() !== null) {
 *   const engine = await webgpuEngine();
 *   await using brain = await engine.load({
 *     neurons: 1,
 *     steps: 2,
 *     leak: 0.5,
 *     rowStart: Int32Array.of(0, 0),
 *     pre: Int32Array.of(),
 *     weight: Float64Array.of(),
 *     gain: Float64Array.of(0.5),
 *     bias: Float64Array.of(0.3),
 *     mean: null,
 *     spread: null,
 *   });
 *   const dark = { positions: 1, start: Int32Array.of(0, 0), neuron: Int32Array.of() };
 *   const [rate] = await brain.read(dark, Int32Array.of(0), [2]);
 *   assert.ok(Math.abs(rate! - 0.75 * Math.tanh(0.3)) < 1e-6);
 * }
 * ```
 */
export async function webgpuEngine(options: WebgpuEngineOptions = {}): Promise<Engine> {
  const { half = false, largestBuffer } = options;
  if (largestBuffer !== undefined && !(largestBuffer >= SMALLEST_BUFFER)) {
    throw new RangeError(
      `Cannot make the webgpu engine: a buffer may take ${largestBuffer} bytes, ` +
        `at least ${SMALLEST_BUFFER} are wanted`,
    );
  }
  const adapter = await requestAdapter();
  const described = adapter === null ? null : describeAdapter(adapter);
  const open = () => openChecked({ half, largestBuffer });
  // Without a GPU this says so.
  if (described === null || (half && !described.half)) (await open()).close();
  return {
    name: "webgpu",
    description: `WebGPU, ${half ? "rates in half precision" : "float32"}, ${described?.name}` +
      (described?.software ? " (computed on the CPU)" : ""),
    async load(model: BrainModel): Promise<LoadedBrain> {
      return await GpuBrain.load(model, open);
    },
  };
}

/** Opens the GPU; only one that computes a small brain right. */
async function openChecked(options: GpuOptions): Promise<Gpu> {
  const gpu = await Gpu.open(options);
  try {
    await selfCheck(gpu);
    gpu.clear();
    return gpu;
  } catch (error) {
    gpu.close();
    throw error;
  }
}

/**
 * Lets the GPU compute a small brain and compares it with the reference engine.
 *
 * @throws {Error} If there is no GPU, or what it computes is wrong.
 */
export async function checkWebgpu(): Promise<void> {
  (await openChecked({ half: false })).close();
}
