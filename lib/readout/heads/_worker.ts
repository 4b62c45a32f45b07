/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { instantiateHeads } from "./_layout.ts";
import { type Bench, type BenchSetup, type HeadsJob, workHeads } from "./_work.ts";

let bench: Bench | undefined;

self.addEventListener("message", ({ data }: MessageEvent<{ setup: BenchSetup } | { job: HeadsJob }>) => {
  if ("setup" in data) {
    const { module, ...rest } = data.setup;
    bench = { ...rest, kernels: instantiateHeads(module, rest.memory) };
    return;
  }
  let error: string | null = null;
  try {
    workHeads(bench!, data.job);
  } catch (problem) {
    error = String(problem);
  }
  self.postMessage({ error });
});
