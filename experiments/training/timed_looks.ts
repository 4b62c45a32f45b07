import process from "node:process";
import { join } from "node:path";
import type { FlyBrain } from "flychess/brain";
import { readText, writeFileAtomic } from "flychess/common";
import type { Positions } from "flychess/data";
import type { Eye } from "flychess/eye";
import { cacheSetup, RatesCache, showAsBytes } from "flychess/training";
import type { ExperimentOptions } from "../_experiment.ts";

/**
 * Shows positions to a brain, unless an earlier call did.
 *
 * @returns Their rates, and the seconds of processor time that the earlier call took; 0 where this one shows them.
 */
export async function lookTimed(
  brain: FlyBrain,
  eye: Eye,
  positions: Positions,
  folder: string,
  work: Pick<ExperimentOptions, "signal" | "onProgress">,
): Promise<{ cache: RatesCache; seconds: number }> {
  const steps = { steps: [12], apart: false }, path = join(folder, "seconds.json");
  const cache = await RatesCache.open(folder, cacheSetup(brain, eye, steps));
  try {
    if (cache.blocks.some(({ held }) => !held)) return { cache, seconds: await decideOnce(path, 0) };
    const clock = processorClock();
    await cache.fill(positions, showAsBytes(brain, eye, positions, steps, work), work);
    await decideOnce(path, clock());
    return { cache, seconds: 0 };
  } catch (error) {
    cache[Symbol.dispose]();
    throw error;
  }
}

/** A number that is decided once and kept in a file. */
export async function decideOnce(path: string, value: number): Promise<number> {
  const known = await readText(path);
  if (known !== undefined) return JSON.parse(known);
  await writeFileAtomic(path, `${value}\n`);
  return value;
}

/** A clock of processor time, all threads together: the machine's other work does not count. */
export function processorClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
}
