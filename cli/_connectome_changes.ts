import {
  type Connectome,
  lesion,
  randomWiring,
  type Region,
  REGIONS,
  shuffleDegrees,
  shuffleDistances,
  shuffleSigns,
  shuffleWiring,
  shuffleWithinRegions,
} from "../lib/connectome/mod.ts";
import { anyOf, readSeed, readWord, UsageError } from "./_command.ts";

/** The ways to shuffle a wiring, by their names on the command line. */
const SHUFFLES: Readonly<Record<string, (connectome: Connectome, seed: number) => Connectome>> = {
  reference: shuffleWiring,
  degrees: shuffleDegrees,
  distances: shuffleDistances,
  regions: shuffleWithinRegions,
  signs: shuffleSigns,
  random: randomWiring,
};

/** What is done to a connectome before anything is done with it. */
export interface Changes {
  /** Regions to cut out, with commas between. */
  readonly lesion: string | undefined;
  /** How it is rewired. */
  readonly shuffle: string | undefined;
  /** Seed of the rewiring. */
  readonly seed: number;
}

/** The options that change a connectome before anything is done with it. */
export const CHANGE_OPTIONS = {
  lesion: { type: "string" },
  shuffle: { type: "string" },
  "shuffle-seed": { type: "string", default: "1" },
} as const;

/** Their help. */
export const CHANGE_HELP = `
  --lesion REGIONS   cut these regions out, with commas between: ${REGIONS.slice(0, 4).join(", ")}, ...
  --shuffle NAME     rewire it: reference (receiving ends dealt out again), degrees (every neuron keeps its
                     partners' number and no pair stands twice), distances (the same, and stays as far from
                     the eye), regions (within pairs of regions), signs, random (a random graph of equal size)
  --shuffle-seed N   seed of the rewiring (1)`.slice(1);

/**
 * Reads what is to be changed, before anything is loaded.
 *
 * @throws {UsageError} If there is no such shuffle or region.
 */
export function readChanges(
  values: {
    readonly lesion?: string | undefined;
    readonly shuffle?: string | undefined;
    readonly "shuffle-seed": string;
  },
): Changes {
  if (values.lesion !== undefined) regionsOf(values.lesion);
  if (values.shuffle !== undefined) readWord("shuffle", values.shuffle, Object.keys(SHUFFLES));
  return {
    lesion: values.lesion,
    shuffle: values.shuffle,
    seed: readSeed(values["shuffle-seed"], "shuffle-seed"),
  };
}

function regionsOf(text: string): Region[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !(REGIONS as readonly string[]).includes(name));
  if (wrong !== undefined) throw new UsageError(`--lesion is '${wrong}', ${anyOf(REGIONS)} is wanted`);
  return names as Region[];
}

/**
 * The connectome as the command line wants it.
 *
 * @throws {UsageError} If there is no such shuffle or region.
 */
export function changeConnectome(
  connectome: Connectome,
  { lesion: regions, shuffle, seed }: Changes,
): Connectome {
  let changed = connectome;
  if (regions !== undefined) {
    changed = lesion(changed, regionsOf(regions));
  }
  if (shuffle === undefined) return changed;
  return SHUFFLES[readWord("shuffle", shuffle, Object.keys(SHUFFLES))]!(changed, seed);
}

/** What a run's `config.json` says about the changes, so that its fly can be woken from the same file. */
export function changesConfig({ lesion, shuffle, seed }: Changes): Record<string, string | number> {
  return {
    ...lesion === undefined ? {} : { lesion },
    ...shuffle === undefined ? {} : { shuffle, shuffleSeed: seed },
  };
}
