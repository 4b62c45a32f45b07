import type { BrainModel, Engine, LoadedBrain } from "../../engine.ts";
import { defaultFolder, loadBinding } from "../../../common/_tensorflow_addon.ts";
import { TensorflowBrain } from "./_tensorflow_brain.ts";

/** How the `tensorflow` engine runs. */
export interface TensorflowEngineOptions {
  /** Where `deno task setup:tensorflow` put the addon; by default `.tensorflow` in the repository. */
  readonly folder?: string;
  /** Positions at once, rounded up to a multiple of 16 (64). */
  readonly batch?: number;
}

/**
 * The engine for those who have TensorFlow: its own library, through the addon of TensorFlow.js for Node, on the CPU or
 * with CUDA. Connections are a CSR matrix, a step is one product and a few operations on whole batches, float32.
 * Rates and gradients are within 2e-5 of the `reference` engine. It works on the calling thread, and TensorFlow's
 * kernels on all cores.
 *
 * `deno task setup:tensorflow` builds the addon, once; nothing is loaded before an engine is made.
 *
 * @param options Where the addon is, how many positions go through at once.
 * @throws {Error} If the addon is not there or does not load, saying what to do.
 * @throws {RangeError} If `batch` is not a whole number from 1.
 *
 * @example What it says where it is not set up
 * ```ts
 * import { tensorflowEngine } from "flychess/brain";
 * import assert from "node:assert/strict";
 *
 * assert.throws(() => tensorflowEngine({ folder: "/nowhere" }), /run 'deno task setup:tensorflow' first/);
 * ```
 */
export function tensorflowEngine(options: TensorflowEngineOptions = {}): Engine {
  const { folder = defaultFolder(), batch = 64 } = options;
  if (!Number.isInteger(batch) || batch < 1) {
    throw new RangeError(
      `Cannot make the tensorflow engine: ${batch} positions at once, a whole number from 1 is wanted`,
    );
  }
  const binding = loadBinding(folder);
  const device = binding.isUsingGpuDevice() ? "CUDA" : "CPU";
  return {
    name: "tensorflow",
    description: `TensorFlow ${binding.TF_Version}, ${device}, float32`,
    load(model: BrainModel): Promise<LoadedBrain> {
      return Promise.resolve().then(() => new TensorflowBrain(model, binding, 16 * Math.ceil(batch / 16)));
    },
  };
}
