import type { Engine } from "./engine.ts";
import type { FlyBrainOptions } from "./fly_brain_options.ts";
import { referenceEngine } from "./engines/reference.ts";
import { checkWebgpu, findWebgpu, webgpuEngine } from "./engines/webgpu/webgpu.ts";
import { tensorflowEngine } from "./engines/tensorflow/tensorflow.ts";
import { wasmEngine } from "./engines/wasm/wasm.ts";

/** An engine, and why it is this one. */
export interface ChosenEngine {
  /** What runs the brain. */
  readonly engine: Engine;
  /** Its name and how it runs; where it was picked, also why. */
  readonly description: string;
}

/**
 * Makes the engine that a brain is asked to run on. `auto` picks `webgpu` where there is a GPU that passes the
 * engine's self-check, and `wasm` where there is none or a driver computes on the CPU in its place, which is slower.
 *
 * @param options Engine or name (`wasm` by default), workers of the `wasm` engine.
 * @throws {TypeError} If there is no engine of that name.
 * @throws {Error} If `webgpu` is asked for by name and the machine offers no GPU, or `tensorflow` and it is not set up.
 *
 * @example An engine says what it is
 * ```ts
 * import { chooseEngine } from "flychess/brain";
 * import assert from "node:assert/strict";
 *
 * const { engine, description } = await chooseEngine({ engine: "wasm", workers: 1 });
 * assert.equal(engine.name, "wasm");
 * assert.match(description, /^wasm: WebAssembly, .*, 1 worker$/);
 * ```
 */
export async function chooseEngine(
  options: Pick<FlyBrainOptions, "engine" | "workers"> = {},
): Promise<ChosenEngine> {
  const { engine = "wasm", workers } = options;
  const wasm = () => wasmEngine(workers === undefined ? {} : { workers });
  if (typeof engine !== "string") return describe(engine);
  if (engine === "reference") return describe(referenceEngine());
  if (engine === "wasm") return describe(wasm());
  if (engine === "webgpu") return describe(await webgpuEngine());
  if (engine === "tensorflow") return describe(tensorflowEngine());
  if (engine !== "auto") {
    throw new TypeError(
      `Cannot make a brain: there is no engine ${engine}, auto, wasm, webgpu, tensorflow or reference is wanted`,
    );
  }
  const gpu = await findWebgpu();
  if (gpu === null) return describe(wasm(), "this machine offers no GPU");
  if (gpu.software) return describe(wasm(), `its only GPU driver, ${gpu.name}, computes on the CPU`);
  try {
    await checkWebgpu();
  } catch (error) {
    return describe(wasm(), error instanceof Error ? error.message : String(error));
  }
  return describe(await webgpuEngine(), "there is a GPU and it passes the self-check");
}

function describe(engine: Engine, reason?: string): ChosenEngine {
  const description = `${engine.name}: ${engine.description}`;
  return {
    engine,
    description: reason === undefined ? description : `${description}; picked because ${reason}`,
  };
}
