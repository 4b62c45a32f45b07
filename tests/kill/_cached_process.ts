/** A cached run in a process of its own, which can be killed: the folder is the argument. */
import { trainCached } from "../../lib/training/cached_run.ts";
import { cachedCase } from "../training/_cached_case.ts";
import { fileRun } from "../training/_file_run.ts";

const { connectome, positions, curriculum, options } = cachedCase();
await trainCached(fileRun(Deno.args[0]!), connectome, positions, {
  ...options,
  curriculum,
  fit: { ...options.fit, maxPasses: 12 },
});
