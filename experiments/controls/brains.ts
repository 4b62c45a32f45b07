import {
  type Connectome,
  growModelFly,
  lesion,
  REGIONS,
  shuffleDegrees,
  shuffleSigns,
  shuffleWiring,
  shuffleWithinRegions,
} from "flychess/connectome";
import type { Control } from "flychess/training";

/** A brain beside others of its kind. */
export interface GroupedControl extends Control {
  /** What was done to it: `degree-preserving shuffle`, `lesion`, ... */
  readonly group: string;
}

/** The kinds of brains, in the order of the table; the names of the four shuffles say what they keep. */
export const GROUPS = {
  real: "real wiring",
  grown: "grown again",
  reference: "reference shuffle",
  degrees: "degree-preserving shuffle",
  regions: "shuffle within regions",
  signs: "shuffle of signs",
  lesion: "lesion",
  silenced: "silenced",
  blind: "blind",
  direct: "direct input",
} as const;

/** How many brains of each kind. */
export interface ControlCounts {
  readonly grown: number;
  readonly reference: number;
  readonly degrees: number;
  readonly regions: number;
  readonly signs: number;
  /** Regions cut out, from the first; all of them where left out. */
  readonly lesions?: number;
}

/**
 * Brains of at most so many connections get 19 degree-preserving shuffles, the strictest kind: then the best rank has a
 * probability of 1/20.
 */
export const SMALL = 200_000;

/** How many brains of each kind are looked at. */
export function controlCounts(connections: number, quick: boolean): ControlCounts {
  if (quick) return { grown: 1, reference: 1, degrees: 2, regions: 1, signs: 1, lesions: 4 };
  if (connections > SMALL) return { grown: 2, reference: 1, degrees: 3, regions: 1, signs: 1 };
  return { grown: 2, reference: 9, degrees: 19, regions: 9, signs: 9 };
}

/**
 * The brains beside a brain: shuffles, lesions of every region that sends connections, and other draws of the same
 * generator where it was drawn.
 *
 * @param seed Of the first shuffle of each kind; a fixed one gives the same brains.
 */
export function controlBrains(connectome: Connectome, counts: ControlCounts, seed: number): GroupedControl[] {
  const { provenance, sign, neurons, pre } = connectome;
  const many = (
    group: string,
    count: number,
    make: (wired: Connectome, seed: number) => Connectome,
  ): GroupedControl[] =>
    Array.from({ length: count }, (_, i) => ({
      group,
      name: `${group} ${i + 1}`,
      make: (wired) => make(wired, seed + i),
    }));
  const { scale, seed: drawn } = provenance;
  const grows = provenance["generator"] === "growModelFly" && typeof scale === "number" &&
    typeof drawn === "number";
  const bothSigns = sign.some((each) => each !== sign[0]);
  const sends = new Set<string>();
  for (const sender of pre) sends.add(neurons.region.names[neurons.region.index[sender]!]!);
  return [
    ...many(GROUPS.degrees, counts.degrees, shuffleDegrees),
    ...many(GROUPS.reference, counts.reference, shuffleWiring),
    ...many(GROUPS.regions, counts.regions, shuffleWithinRegions),
    ...bothSigns ? many(GROUPS.signs, counts.signs, shuffleSigns) : [],
    ...REGIONS.filter((region) => sends.has(region)).slice(0, counts.lesions).map((region) => ({
      group: GROUPS.lesion,
      name: `no ${region}`,
      make: (wired: Connectome) => lesion(wired, region),
    })),
    ...grows
      ? Array.from({ length: counts.grown }, (_, i) => ({
        group: GROUPS.grown,
        name: `${GROUPS.grown}, seed ${drawn + 1 + i}`,
        make: () => growModelFly({ scale, seed: drawn + 1 + i }),
      }))
      : [],
  ];
}
