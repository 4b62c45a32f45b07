import type { Counts } from "./_counts.ts";
import type { Region } from "../connectome.ts";
import { pairs, type Recipe, type Roster } from "./_roster.ts";

/** A population outside the brain proper, or at its edge: superclass, region, type name, cells a type, groups. */
interface Population {
  readonly superclass: string;
  readonly counted?: string;
  readonly class?: string;
  readonly region: Region;
  readonly name: string;
  readonly each: number;
  readonly groups: readonly string[];
  readonly transmitter?: string;
  readonly inputs: number;
  readonly sources: readonly (readonly [string, number])[];
}

/** How many segments of the nerve cord its neurons are grouped in. */
const SEGMENTS = ["T1", "T2", "T3", "AB"] as const;

const CORD: readonly Population[] = SEGMENTS.map((segment) => ({
  superclass: "vnc_intrinsic",
  region: "nerve cord",
  name: `IN${segment}x`,
  each: 5,
  groups: ["nerve cord", `VNC ${segment}`],
  inputs: 48,
  sources: [[`VNC ${segment}`, 8], ["nerve cord", 2], ["body sensory", 2.2], ["descending", 1.2], [
    "ascending",
    0.8,
  ]],
}));

const POPULATIONS: readonly Population[] = [
  {
    superclass: "ol_sensory",
    class: "visual",
    region: "sensory",
    name: "HBeyelet",
    each: 200,
    groups: ["other eyes"],
    transmitter: "histamine",
    inputs: 2,
    sources: [["VP aMe1", 1], ["central brain", 1]],
  },
  {
    superclass: "cb_sensory",
    counted: "olfactory",
    class: "olfactory",
    region: "sensory",
    name: "ORN",
    each: 52,
    groups: ["ORN"],
    transmitter: "acetylcholine",
    inputs: 14,
    sources: [["ALLN", 8], ["ALPN", 1]],
  },
  {
    superclass: "cb_sensory",
    region: "sensory",
    name: "BM",
    each: 40,
    groups: ["brain sensory"],
    inputs: 4,
    sources: [["CB GNG", 2], ["brain sensory", 2], ["ascending", 0.3]],
  },
  {
    superclass: "vnc_sensory",
    region: "sensory",
    name: "SN",
    each: 60,
    groups: ["body sensory"],
    inputs: 5,
    sources: [["nerve cord", 4], ["body sensory", 1]],
  },
  {
    superclass: "sensory_ascending",
    region: "sensory",
    name: "SA",
    each: 20,
    groups: ["body sensory", "brain sensory"],
    inputs: 10,
    sources: [["nerve cord", 3], ["CB GNG", 2], ["ascending", 1]],
  },
  {
    superclass: "sensory_descending",
    region: "sensory",
    name: "SD",
    each: 4,
    groups: ["body sensory", "brain sensory"],
    inputs: 10,
    sources: [["nerve cord", 3], ["CB GNG", 2]],
  },
  {
    superclass: "ascending_neuron",
    region: "ascending",
    name: "AN",
    each: 3,
    groups: ["ascending"],
    inputs: 75,
    sources: [
      ["nerve cord", 8],
      ["body sensory", 2],
      ["descending", 1.5],
      ["ascending", 1.5],
      ["CB GNG", 2],
      ["CB SAD", 1],
    ],
  },
  ...CORD,
  {
    superclass: "cb_motor",
    region: "motor",
    name: "MNx",
    each: 2,
    groups: ["motor"],
    transmitter: "acetylcholine",
    inputs: 110,
    sources: [["CB GNG", 6], ["brain sensory", 1], ["descending", 0.5], ["CB PRW", 2]],
  },
  {
    superclass: "vnc_motor",
    region: "motor",
    name: "MN",
    each: 4,
    groups: ["motor"],
    transmitter: "acetylcholine",
    inputs: 150,
    sources: [["nerve cord", 8], ["descending", 1.2], ["body sensory", 1], ["ascending", 0.5]],
  },
];

/** Small populations at the edges: superclass, type name, transmitter, and where they listen. */
const EDGES: readonly (readonly [string, string, string | undefined, string])[] = [
  ["vnc_efferent", "EN", "octopamine", "nerve cord"],
  ["cb_endocrine", "NSC", undefined, "CB PRW"],
  ["ENS", "ENS", undefined, "CB PRW"],
  ["vnc_tbc", "VTBC", undefined, "nerve cord"],
  ["vnc_sensory_tbc", "SNTBC", undefined, "nerve cord"],
  ["vnc_endocrine", "VNSC", undefined, "nerve cord"],
  ["cb_sensory_tbc", "BSTBC", undefined, "CB GNG"],
  ["efferent_ascending", "EA", "octopamine", "nerve cord"],
  ["efferent_descending", "ED", undefined, "CB GNG"],
  ["cb_efferent", "CEN", undefined, "CB GNG"],
  ["visual_projection_tbc", "VPTBC", undefined, "late"],
  ["sensory_ascending_tbc", "SATBC", undefined, "nerve cord"],
  ["descending_neuron_tbc", "DNTBC", undefined, "CB GNG"],
];

/** Adds everything that is neither eye nor brain proper: sensory, ascending, nerve cord, motor and the rest. */
export function addBody(roster: Roster, counts: Counts): void {
  for (const population of POPULATIONS) {
    const parts = population.superclass === "vnc_intrinsic" ? SEGMENTS.length : 1;
    const count = Math.round(counts.of(population.counted ?? population.superclass) / parts * 1e6) / 1e6;
    const part = CORD.indexOf(population);
    const cells = parts === 1
      ? count
      : Math.floor(count * (part + 1) + 1e-6) - Math.floor(count * part + 1e-6);
    const recipe: Recipe = {
      inputs: population.inputs,
      spread: 0.5,
      sources: population.sources.map(([group, weight]) => ({ group, weight })),
    };
    const types = Math.max(1, Math.round(cells / population.each));
    for (let k = 0; k < types; k++) {
      roster.add({
        type: types === 1 ? population.name : `${population.name}${String(k + 1).padStart(2, "0")}`,
        superclass: population.superclass,
        ...(population.class === undefined ? {} : { class: population.class }),
        region: population.region,
        ...(population.transmitter === undefined ? {} : { transmitter: population.transmitter }),
        groups: population.groups,
        cells: pairs(Math.floor(cells * (k + 1) / types) - Math.floor(cells * k / types)),
        recipe,
      });
    }
  }
  for (const [superclass, name, transmitter, group] of EDGES) {
    const sensory = /sensory/.test(superclass);
    roster.add({
      type: name,
      superclass,
      region: "other",
      ...(transmitter === undefined ? {} : { transmitter }),
      groups: ["edge"],
      cells: pairs(counts.of(superclass)),
      recipe: { inputs: sensory ? 5 : 50, spread: 0.5, sources: [{ group, weight: 1 }] },
    });
  }
}
