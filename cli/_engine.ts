import { type Engine, wasmEngine } from "../lib/brain/mod.ts";
import { ENGINES, readWord, UsageError } from "./_command.ts";

/**
 * What a frozen brain runs on, from `--engine` and `--precision`.
 *
 * @throws {UsageError} If there is no such engine, or it does not think in such numbers.
 */
export function readEngine(
  { engine: name, precision }: { engine: string; precision: string },
): Engine | Exclude<typeof ENGINES[number], "wasm"> {
  const kind = readWord("precision", precision, ["float32", "int16", "int8"]);
  const engine = readWord("engine", name, ENGINES);
  if (engine === "wasm") return wasmEngine({ precision: kind });
  if (kind !== "float32") throw new UsageError(`--precision ${kind} is for --engine wasm`);
  return engine;
}
