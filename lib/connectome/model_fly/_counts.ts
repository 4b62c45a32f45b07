import { CLASSES, NEURONS, PARTLY_TRACED, PHOTORECEPTORS, SUPERCLASSES } from "./_published.ts";

/** A floor that kept a population from shrinking with the scale. */
export interface Floor {
  /** The population, in words. */
  readonly population: string;
  /** How many the scale alone would leave. */
  readonly scaled: number;
  /** How many there are. */
  readonly kept: number;
}

/** How many neurons of each population a model fly has, and which floors that took. */
export interface Counts {
  /** Neurons of a superclass, or of a class within `cb_intrinsic`. */
  readonly of: (population: string) => number;
  /** The floors that applied. */
  readonly floors: Floor[];
}

/** Dopamine neurons of the reward and of the punishment cluster, both sides (Aso et al. 2014, Li et al. 2020). */
export const PAM = 300;
/** See `PAM`. */
export const PPL1 = 16;

/** The least number of neurons that a fly of any scale keeps. */
const LEAST: Readonly<Record<string, number>> = {
  descending_neuron: 128,
  Kenyon_Cell: 400,
  MBON: 48,
  PAM: 30,
  PPL1: 16,
  visual_projection: 512,
  APL: 2,
  DPM: 2,
};

/**
 * Populations that shrink with the cube root of the scale: what leaves the brain is all that a readout sees, so a
 * small fly keeps more of it. Everything else shrinks with the scale.
 */
const GENTLY: readonly string[] = ["descending_neuron"];

/** Plans the populations at a scale. */
export function planCounts(scale: number): Counts {
  const published = Object.values(SUPERCLASSES).reduce((sum, n) => sum + n, 0);
  const partly = PARTLY_TRACED.reduce((sum, name) => sum + SUPERCLASSES[name]!, 0);
  const whole = new Map<string, number>(Object.entries(SUPERCLASSES));
  let surplus = published - NEURONS;
  PARTLY_TRACED.forEach((name, i) => {
    const less = i + 1 === PARTLY_TRACED.length
      ? surplus
      : Math.round((published - NEURONS) * SUPERCLASSES[name]! / partly);
    whole.set(name, SUPERCLASSES[name]! - less);
    surplus -= less;
  });
  for (const name of ["Kenyon_Cell", "CX", "ALPN", "ALLN", "MBON", "olfactory"]) {
    whole.set(name, CLASSES[name]!);
  }
  whole.set("PAM", PAM);
  whole.set("PPL1", PPL1);
  whole.set("DAN", CLASSES["DAN"]! - PAM - PPL1);
  whole.set("APL", 2);
  whole.set("DPM", 2);
  const within = ["Kenyon_Cell", "CX", "ALPN", "ALLN", "MBON", "PAM", "PPL1", "DAN", "APL", "DPM"]
    .reduce((sum, name) => sum + whole.get(name)!, 0);
  whole.set("cb_intrinsic", whole.get("cb_intrinsic")! - within);
  whole.set("ol_sensory", SUPERCLASSES["ol_sensory"]! - PHOTORECEPTORS);
  whole.set("cb_sensory", whole.get("cb_sensory")! - CLASSES["olfactory"]!);

  const floors: Floor[] = [];
  const counts = new Map<string, number>();
  for (const [population, full] of whole) {
    const gently = GENTLY.includes(population) ? Math.cbrt(scale) : scale;
    const scaled = Math.round(full * scale);
    const kept = Math.min(full, Math.max(Math.round(full * gently), LEAST[population] ?? 1));
    counts.set(population, kept);
    if (kept > scaled) floors.push({ population, scaled, kept });
  }
  return { of: (population) => counts.get(population) ?? 0, floors };
}
