import { join } from "node:path";
import { cachedCase } from "../training/_cached_case.ts";

/** A case of some seconds: 1,360 training positions of a small brain. */
export function smallCase(folder: string) {
  const { connectome, positions } = cachedCase();
  return {
    connectome,
    positions,
    sizes: [256, 512, "all"] as const,
    seeds: 2,
    steps: [11, 12],
    penalties: [1e-2, 0],
    contrastPenalties: [1e-1, 1e-3],
    fit: { batch: 64, passes: 3 },
    resamples: 50,
    workers: 1,
    points: join(folder, "points.json"),
    cache: join(folder, "cache"),
  };
}
