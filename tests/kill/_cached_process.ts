/** A cached run in a process of its own, which can be killed: the folder is the argument, after it what the fit runs on. */
import { cachedRunConfig, openRun, trainCached } from "../../lib/training/mod.ts";
import { cachedCase } from "../training/_cached_case.ts";

const { connectome, positions, curriculum, options } = cachedCase();
const engine = Deno.args[1] === "tensorflow" ? "tensorflow" : "wasm";
const all = { ...options, curriculum, fit: { ...options.fit, maxPasses: 12, engine } } as const;
await using run = await openRun(Deno.args[0]!, {
  seed: 1,
  inputs: {},
  ...cachedRunConfig(all),
  kind: "cached",
});
await trainCached(run, connectome, positions, all);
