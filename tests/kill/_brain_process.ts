/** A brain that learns in a process of its own, which can be killed: the folder is the argument. */
import { wasmEngine } from "../../lib/brain/mod.ts";
import { learnBrain, learnBrainRunConfig, openRun } from "../../lib/training/mod.ts";
import { cachedCase } from "../training/_cached_case.ts";

const { connectome, positions } = cachedCase();
const settings = {
  eye: "larva",
  brainSteps: 3,
  read: [2, 3],
  batch: 32,
  batches: 40,
  checkEvery: 8,
  calibration: 64,
  dropout: 0.1,
  dark: 0.1,
  echo: 0.1,
  average: 0.9,
} as const;
await using run = await openRun(Deno.args[0]!, { ...learnBrainRunConfig(settings), inputs: {} });
const outcome = await learnBrain(run, connectome, positions, {
  ...settings,
  saveSeconds: 0,
  brain: { engine: wasmEngine({ workers: 0 }) },
});
await outcome?.brain[Symbol.asyncDispose]();
