import type { Connectome } from "../../lib/connectome/mod.ts";
import type { Positions } from "../../lib/data/mod.ts";
import type { StreamOptions } from "../../lib/training/mod.ts";
import { wasmEngine } from "../../lib/brain/mod.ts";
import { cachedCase } from "./_cached_case.ts";

/** A small brain that learns with its readout from a stream, in a second or two; the same for whoever asks. */
export function streamCase(): { connectome: Connectome; positions: Positions; options: StreamOptions } {
  const { connectome, positions } = cachedCase();
  return {
    connectome,
    positions,
    options: {
      eye: "larva",
      steps: [3, 4],
      probe: 600,
      batch: 32,
      batches: 60,
      readoutStep: 1e-3,
      synapseStep: 1e-3,
      neuronStep: 1e-3,
      window: 3,
      checkEvery: 15,
      snapshotEvery: 20,
      saveSeconds: 0,
      brain: { engine: wasmEngine({ workers: 2 }), steps: 4 },
    },
  };
}
