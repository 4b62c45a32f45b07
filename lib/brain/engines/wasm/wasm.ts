import { availableParallelism } from "node:os";
import type { BrainModel, Engine, LoadedBrain } from "../../engine.ts";
import { bestSimd, compileKernels } from "./_instantiate.ts";
import { ByteBrain } from "./_byte_brain.ts";
import { WasmBrain } from "./_wasm_brain.ts";

/** More workers than this wait for memory, not for arithmetic. */
const MOST_WORKERS = 8;

/** How the `wasm` engine runs. */
export interface WasmEngineOptions {
  /** Threads that think, each about 16 positions at a time; 0 is the calling thread. By default one a core, at most 8. */
  readonly workers?: number;
  /** Which arithmetic: `relaxed` rounds multiply-adds once. By default the best the machine offers. */
  readonly simd?: "plain" | "relaxed";
  /** Whether to leave out neurons that the board cannot have reached or that cannot reach what is read. */
  readonly lightCone?: boolean;
  /**
   * `float32`; `int16`: rates and weights of 16 bits; or `int8`: neurons hear each other in steps of 1/127 through
   * weights of 8 bits, about twice as many positions in the same time as `float32`. What that does to moves is
   * measured in docs/engine.md. A brain must be calibrated with the precision it runs in, and learns in `float32` only.
   */
  readonly precision?: "float32" | "int16" | "int8";
  /**
   * How many neurons' rates a core keeps in its own cache at once, 64 bytes each: senders (12,288; `int8`: 54,656 of 16
   * bytes, at most 65,536) and receivers (2,048). The defaults suit a core with 2 MB of cache; no number changes a
   * result.
   */
  readonly tile?: { readonly senders: number; readonly receivers: number };
}

/** Senders of a tile take 768 kB, its receivers 128 kB: with the connections that stream by, they fit 2 MB. */
const TILE = { senders: 12_288, receivers: 2048 };
/** Three columns hold the whole fly, 875 kB of bytes each. */
const BYTE_TILE = { senders: 54_656, receivers: 2048 };
/** Senders in a tile of bytes have numbers of 16 bits. */
const MOST_BYTE_SENDERS = 65_536;

/**
 * The default engine: WebAssembly in float32, 16 positions to a cache line, several workers on one shared memory.
 * Rates are within 2e-5 of the `reference` engine and do not depend on how many workers there are, to the last bit.
 *
 * @throws {RangeError} If the number of workers is not a whole number from 0.
 *
 * @example A neuron that nothing drives moves towards tanh of its bias
 * ```ts
 * import { wasmEngine } from "flychess/brain";
 * import assert from "node:assert/strict";
 *
 * await using brain = await wasmEngine({ workers: 0 }).load({
 *   neurons: 1,
 *   steps: 2,
 *   leak: 0.5,
 *   rowStart: Int32Array.of(0, 0),
 *   pre: Int32Array.of(),
 *   weight: Float64Array.of(),
 *   gain: Float64Array.of(0.5),
 *   bias: Float64Array.of(0.3),
 *   mean: null,
 *   spread: null,
 * });
 * const dark = { positions: 1, start: Int32Array.of(0, 0), neuron: Int32Array.of() };
 * const [rate] = await brain.read(dark, Int32Array.of(0), [2]);
 * assert.ok(Math.abs(rate! - 0.75 * Math.tanh(0.3)) < 1e-6);
 * ```
 */
export function wasmEngine(options: WasmEngineOptions = {}): Engine {
  const {
    workers = Math.min(availableParallelism(), MOST_WORKERS),
    lightCone = true,
    precision = "float32",
    tile = precision === "int8" ? BYTE_TILE : TILE,
  } = options;
  if (!Number.isInteger(workers) || workers < 0) {
    throw new RangeError(`Cannot make the wasm engine: ${workers} workers, a whole number from 0 is wanted`);
  }
  for (const [name, neurons] of [["senders", tile.senders], ["receivers", tile.receivers]] as const) {
    if (Number.isInteger(neurons) && neurons > 0) continue;
    throw new RangeError(`Cannot make the wasm engine: a tile of ${neurons} ${name}, at least 1 is wanted`);
  }
  if (precision !== "float32" && precision !== "int16" && precision !== "int8") {
    throw new TypeError(
      `Cannot make the wasm engine: there is no precision ${precision}, float32, int16 or int8 is wanted`,
    );
  }
  if (precision === "int8" && tile.senders > MOST_BYTE_SENDERS) {
    throw new RangeError(
      `Cannot make the wasm engine: a tile of ${tile.senders} senders, at most 65,536 are wanted for int8`,
    );
  }
  const simd = options.simd ?? bestSimd();
  const threads = workers === 0 ? "calling thread" : workers === 1 ? "1 worker" : `${workers} workers`;
  return {
    name: "wasm",
    description: `WebAssembly, ${simd} SIMD, ${precision}, ${threads}`,
    async load(model: BrainModel): Promise<LoadedBrain> {
      const module = await compileKernels(simd);
      if (precision === "int8") return new ByteBrain(model, { module, workers, lightCone, tile });
      return new WasmBrain(model, {
        module,
        workers,
        lightCone,
        tile,
        short: precision === "int16",
      });
    },
  };
}
