/** Drivers that compute on the CPU; not all of them say so themselves. */
const SOFTWARE = /llvmpipe|lavapipe|softpipe|swiftshader|basic render/i;

/** What can be known of a GPU before anything runs on it. */
export interface WebgpuAdapter {
  /** What the driver calls it. */
  readonly name: string;
  /** Whether a driver computes on the CPU in its place: right for tests, slower than the `wasm` engine. */
  readonly software: boolean;
  /** Whether it computes in half precision (`shader-f16`). */
  readonly half: boolean;
}

/** Asks for the fastest GPU there is. */
export async function requestAdapter(): Promise<GPUAdapter | null> {
  // A type says that `navigator.gpu` is always there; browsers without WebGPU and older versions lack it.
  const gpu = (navigator as { gpu?: GPU }).gpu;
  return await gpu?.requestAdapter({ powerPreference: "high-performance" }) ?? null;
}

/** Describes a GPU. */
export function describeAdapter({ info, features }: GPUAdapter): WebgpuAdapter {
  const name = info.description || [info.vendor, info.architecture, info.device].filter(Boolean).join(" ") ||
    "a GPU without a name";
  return {
    name,
    software: info.isFallbackAdapter === true || SOFTWARE.test(name),
    half: features.has("shader-f16"),
  };
}

/**
 * The GPU that the `webgpu` engine would run on, or `null` where the machine offers none.
 *
 * @example Whether there is one
 * ```ts
 * import { findWebgpu } from "flychess/brain";
 * import assert from "node:assert/strict";
 *
 * const gpu = await findWebgpu();
 * assert.ok(gpu === null || gpu.name.length > 0);
 * ```
 */
export async function findWebgpu(): Promise<WebgpuAdapter | null> {
  const adapter = await requestAdapter();
  return adapter === null ? null : describeAdapter(adapter);
}

/**
 * Opens the fastest GPU with the largest buffers that it offers.
 *
 * @param half Whether half precision is wanted.
 * @throws {Error} If there is none, it refuses a device, or it does not offer half precision.
 */
export async function openDevice(half: boolean): Promise<{ adapter: WebgpuAdapter; device: GPUDevice }> {
  const adapter = await requestAdapter();
  if (adapter === null) {
    throw new Error(
      "Cannot start the webgpu engine: this machine offers no GPU, a GPU with its driver is wanted " +
        "(on Linux a Vulkan driver; Mesa's lavapipe is one that computes on the CPU)",
    );
  }
  const described = describeAdapter(adapter);
  if (half && !described.half) {
    throw new Error(
      `Cannot start the webgpu engine in half precision: ${described.name} does not offer shader-f16, ` +
        "a GPU that does is wanted",
    );
  }
  try {
    const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
    const device = await adapter.requestDevice({
      requiredFeatures: half ? ["shader-f16"] : [],
      requiredLimits: { maxStorageBufferBindingSize, maxBufferSize },
    });
    return { adapter: described, device };
  } catch (error) {
    throw new Error(`Cannot start the webgpu engine: ${described.name} refuses a device`, { cause: error });
  }
}
