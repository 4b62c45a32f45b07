import { DopamineBrain, mushroomBody } from "../../bio/mod.ts";
import type { Connectome } from "../../connectome/mod.ts";
import { type BioSettings, resolveBioSettings } from "./bio_settings.ts";

/** A dopamine fly's brain as a run's settings say; not calibrated. */
export function makeBioBrain(
  connectome: Connectome,
  settings: BioSettings,
  workers?: number,
): DopamineBrain {
  const { share, width, version, gated, precision, valence, punished } = resolveBioSettings(settings);
  return new DopamineBrain(connectome, mushroomBody(connectome, { valence, punished }), {
    gate: { share, width, version },
    gated,
    precision,
    workers,
  });
}

/** What is left of a fly's synapses onto its MBONs, a share of what was measured. */
export function synapsesLeft({ synapses: { strength, measured } }: DopamineBrain): number {
  const sum = (list: Float64Array) => list.reduce((a, b) => a + b, 0);
  return sum(strength) / sum(measured);
}
