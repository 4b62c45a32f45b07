import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";

/** Which of TensorFlow.js's engines is in use. */
export type TensorflowBackend = "wasm" | "cpu";

let chosen: Promise<TensorflowBackend> | undefined;

/**
 * Makes TensorFlow.js ready: its WebAssembly engine where the module beside its package can be read, else plain
 * JavaScript. A step on 256 positions of 1,314 features took 8 ms with the first and 254 ms with the second.
 * Threads stay off (TensorFlow.js allows them in browsers only), so sums are taken in one order on every machine.
 */
export async function readyTensorflow(): Promise<TensorflowBackend> {
  chosen ??= choose();
  const backend = await chosen;
  // Another room may have set a backend of its own in the meantime.
  if (tf.getBackend() !== backend) await tf.setBackend(backend);
  return backend;
}

async function choose(): Promise<TensorflowBackend> {
  // Silences advice that TensorFlow.js prints and checks that it makes for debugging.
  tf.enableProdMode();
  try {
    const folder = fileURLToPath(new URL("./", import.meta.resolve("@tensorflow/tfjs-backend-wasm")));
    // Opened first because the engine prints when it finds nothing (asking for access would need leave to read the user id).
    closeSync(openSync(`${folder}tfjs-backend-wasm-simd.wasm`, "r"));
    setWasmPaths(folder);
    if (await tf.setBackend("wasm")) return "wasm";
  } catch {
    // No permission to read, another runtime's package layout, no WebAssembly: plain JavaScript gives the same numbers.
  }
  await tf.setBackend("cpu");
  return "cpu";
}
