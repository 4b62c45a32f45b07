import { type Engine, wasmEngine, type WasmEngineOptions } from "../lib/brain/mod.ts";
import type { HeadsEngine } from "../lib/readout/mod.ts";
import { ENGINES, readWord, UsageError } from "./_command.ts";

/**
 * What a frozen brain runs on, from `--engine` and `--precision`.
 *
 * @throws {UsageError} If there is no such engine, or it does not think in such numbers.
 */
export function readEngine(
  { engine: name, precision }: { engine: string; precision: string },
): Engine | Exclude<typeof ENGINES[number], "wasm"> {
  const kind = readPrecision(precision);
  const engine = readWord("engine", name, ENGINES);
  if (engine === "wasm") return wasmEngine({ precision: kind });
  if (kind !== "float32") throw new UsageError(`--precision ${kind} is for --engine wasm`);
  return engine;
}

/** The numbers that the wasm engine thinks in, from `--precision`. */
export function readPrecision(text: string): NonNullable<WasmEngineOptions["precision"]> {
  return readWord("precision", text, ["float32", "int16", "int8"]);
}

/** What multiplies in a fit, from `--fit-engine`. */
export function readFitEngine(text: string): HeadsEngine {
  return readWord("fit-engine", text, ["wasm", "tensorflow"]);
}
