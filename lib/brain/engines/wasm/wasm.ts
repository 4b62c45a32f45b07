import { availableParallelism } from "node:os";
import type { BrainModel, Engine, LoadedBrain } from "../../engine.ts";
import { bestSimd, compileKernels, type Simd } from "./_instantiate.ts";
import { WasmBrain } from "./_wasm_brain.ts";

/** More workers than this wait for memory, not for arithmetic. */
const MOST_WORKERS = 8;

/** How the `wasm` engine runs. */
export interface WasmEngineOptions {
  /** Threads that think, each about 16 positions at a time; 0 is the calling thread. By default one a core, at most 8. */
  readonly workers?: number;
  /** Which arithmetic: `relaxed` rounds multiply-adds once. By default the best the machine offers. */
  readonly simd?: Simd;
  /** Whether to leave out neurons that the board cannot have reached or that cannot reach what is read. */
  readonly lightCone?: boolean;
}

/**
 * The default engine: WebAssembly in float32, 16 positions to a cache line, several workers on one shared memory.
 * Rates are within 2e-5 of the `reference` engine and do not depend on how many workers there are, to the last bit.
 *
 * @throws {RangeError} If the number of workers is not a whole number from 0.
 */
export function wasmEngine(options: WasmEngineOptions = {}): Engine {
  const { workers = Math.min(availableParallelism(), MOST_WORKERS), lightCone = true } = options;
  if (!Number.isInteger(workers) || workers < 0) {
    throw new RangeError(`Cannot make the wasm engine: ${workers} workers, a whole number from 0 is wanted`);
  }
  const simd = options.simd ?? bestSimd();
  const threads = workers === 0 ? "calling thread" : workers === 1 ? "1 worker" : `${workers} workers`;
  return {
    name: "wasm",
    description: `WebAssembly, ${simd} SIMD, float32, ${threads}`,
    async load(model: BrainModel): Promise<LoadedBrain> {
      return new WasmBrain(model, { module: await compileKernels(simd), workers, lightCone });
    },
  };
}
