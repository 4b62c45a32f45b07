import type { Random } from "../../common/mod.ts";
import type { Counts } from "./_counts.ts";
import { type Eyes, overColumns } from "./_optic_lobe.ts";
import { pairs, type Roster, type Source } from "./_roster.ts";

/**
 * Neuropils of the central brain: name, share of its neurons, and how much of what its neurons hear comes
 * straight from the optic lobes (0 to 1). Round numbers after the hemibrain (Scheffer et al. 2020).
 */
const NEUROPILS: readonly (readonly [string, number, number])[] = [
  ["PVLP", 8, 0.3],
  ["PLP", 7, 0.28],
  ["AVLP", 10, 0.12],
  ["AOTU", 3, 0.35],
  ["SPS", 5, 0.25],
  ["IPS", 4, 0.2],
  ["WED", 4, 0.12],
  ["GOR", 1, 0.15],
  ["ICL", 4, 0.08],
  ["IB", 3, 0.08],
  ["SCL", 3, 0.06],
  ["LH", 7, 0.02],
  ["SLP", 9, 0.02],
  ["SMP", 10, 0.02],
  ["SIP", 3, 0.03],
  ["CRE", 3, 0.01],
  ["LAL", 4, 0.03],
  ["VES", 3, 0.03],
  ["SAD", 4, 0.03],
  ["AMMC", 2, 0],
  ["GNG", 10, 0.01],
  ["FLA", 2, 0],
  ["PRW", 2, 0],
];

/** Neuropils where descending neurons that hear visual neurons listen. */
const VISUAL = ["PVLP", "PLP", "SPS", "IPS", "AVLP", "GOR", "WED", "LAL"];
/** Neuropils where those listen that do not. */
const OTHER = ["GNG", "SMP", "SIP", "FLA", "PRW", "VES", "SAD", "CRE", "AMMC", "LAL", "SLP"];

/** Late cells of the optic lobe, which projection neurons listen to. */
const LATE = [
  "Tm",
  "TmY",
  "T2",
  "T2a",
  "T3",
  "T4",
  "T5",
  "MeLo",
  "Tm20",
  "Tm5a",
  "Tm5b",
  "Tm5c",
  "Li",
  "Y",
  "Tlp",
  "Cm",
];

/** Families of projection neurons: name, types, cells in the whole fly, reach across the eye in columns. */
const PROJECTION: readonly (readonly [string, number, number, number, number])[] = [
  ["LC", 34, 3_600, 1.5, 3.5],
  ["LPLC", 4, 600, 2, 3],
  ["MeTu", 10, 1_000, 1.2, 2.5],
  ["LLPC", 4, 700, 1.5, 3],
  ["LoVP", 60, 1_100, 2, 7],
  ["MeVP", 40, 1_000, 2, 7],
  ["LT", 30, 500, 3, 8],
  ["LPT", 16, 200, 4, 9],
  ["aMe", 10, 100, 3, 8],
  ["TmLC", 8, 401, 1.2, 2.5],
];

const pick = <T>(random: Random, from: readonly T[]): T => from[random.int(from.length)]!;

/** Adds visual projection neurons and the centrifugal ones that go back. Returns the projection types. */
export function addVisualPaths(
  roster: Roster,
  eyes: Eyes,
  counts: Counts,
  shrink: number,
  random: Random,
): string[] {
  const total = counts.of("visual_projection");
  const whole = PROJECTION.reduce((sum, family) => sum + family[2], 0);
  const types: string[] = [];
  let owed = 0;
  for (const [name, kinds, cells, least, most] of PROJECTION) {
    const sizes = Array.from({ length: kinds }, () => Math.exp(random.normal() * 0.7));
    const sum = sizes.reduce((a, b) => a + b, 0);
    for (let k = 0; k < kinds; k++) {
      owed += total * cells / whole * sizes[k]! / sum;
      const count = Math.floor(owed + 1e-9);
      owed -= count;
      if (count === 0) continue;
      const reach = least * (most / least) ** random.float();
      const sources: Source[] = Array.from({ length: 4 + random.int(4) }, () => ({
        group: pick(random, LATE),
        weight: 1 + random.int(5),
        near: reach * shrink,
        own: 1,
      }));
      sources.push({ group: "late", weight: 4, near: reach * shrink, own: 1 });
      sources.push({ group: "visual projection", weight: 1.5 });
      sources.push({ group: "central brain", weight: 1.5 });
      const type = `${name}${k + 1}`;
      // Accessory medulla and tubercle cells hear photoreceptors themselves.
      const direct = name === "aMe" || (name === "MeTu" && k < 2) || (name === "MeVP" && k < 8);
      types.push(type);
      roster.add({
        type,
        superclass: "visual_projection",
        region: "visual projection",
        groups: ["visual projection", `VP ${type}`, ...(direct ? ["direct"] : [])],
        cells: overColumns(eyes, count, random),
        recipe: { inputs: 55 * Math.exp(0.25 * random.normal()), spread: 0.4, sources },
      });
    }
  }
  const back = counts.of("visual_centrifugal");
  const backTypes = Math.max(1, Math.round(back / 6));
  for (let k = 0; k < backTypes; k++) {
    roster.add({
      type: `cL${k + 1}`,
      superclass: "visual_centrifugal",
      region: "optic lobe",
      groups: ["visual centrifugal", "wide centrifugal"],
      cells: pairs(Math.floor(back * (k + 1) / backTypes) - Math.floor(back * k / backTypes)),
      recipe: {
        inputs: 70,
        spread: 0.6,
        sources: [
          { group: "CB PVLP", weight: 2 },
          { group: "CB PLP", weight: 2 },
          { group: "central brain", weight: 3 },
          { group: "visual projection", weight: 2 },
          { group: "late", weight: 2 },
        ],
      },
    });
  }
  return types;
}

/** Adds the intrinsic neurons of the central brain outside mushroom body and central complex. */
export function addCentralBrain(
  roster: Roster,
  counts: Counts,
  projection: readonly string[],
  random: Random,
): void {
  const total = counts.of("cb_intrinsic");
  const whole = NEUROPILS.reduce((sum, [, share]) => sum + share, 0);
  let owed = 0;
  for (const [name, share, visual] of NEUROPILS) {
    owed += total * share / whole;
    const cells = Math.floor(owed + 1e-9);
    owed -= cells;
    const types = Math.max(1, Math.round(cells / 5));
    for (let k = 0; k < types; k++) {
      const count = Math.floor(cells * (k + 1) / types) - Math.floor(cells * k / types);
      const sees = visual * Math.exp(0.5 * random.normal());
      const sources: Source[] = [
        { group: `CB ${name}`, weight: 0.5 },
        { group: `CB ${pick(random, NEUROPILS)[0]}`, weight: 0.12 },
        { group: `CB ${pick(random, NEUROPILS)[0]}`, weight: 0.08 },
        { group: "central brain", weight: 0.1 },
        { group: "MBON", weight: ["CRE", "SMP", "SIP", "SLP", "LAL"].includes(name) ? 0.03 : 0.003 },
        { group: "DAN", weight: ["CRE", "SMP", "SIP"].includes(name) ? 0.02 : 0.001 },
        { group: "central complex", weight: ["LAL", "CRE", "SMP", "AOTU"].includes(name) ? 0.06 : 0.005 },
        {
          group: "ascending",
          weight: ["GNG", "SAD", "VES", "AMMC", "WED", "IPS"].includes(name) ? 0.08 : 0.02,
        },
        { group: "descending", weight: 0.01 },
        { group: "brain sensory", weight: ["GNG", "PRW", "FLA", "AMMC", "SAD"].includes(name) ? 0.1 : 0.005 },
        { group: "ALPN", weight: ["LH", "SLP"].includes(name) ? 0.12 : 0.003 },
        { group: "visual centrifugal", weight: 0.005 },
      ];
      for (let p = 0; p < 5; p++) {
        if (visual > 0) sources.push({ group: `VP ${pick(random, projection)}`, weight: sees / 5 });
      }
      roster.add({
        type: `${name}${String(k + 1).padStart(3, "0")}`,
        superclass: "cb_intrinsic",
        region: "central brain",
        groups: ["central brain", `CB ${name}`],
        cells: pairs(count),
        recipe: { inputs: 50 * Math.exp(0.35 * random.normal()), spread: 0.5, sources },
      });
    }
  }
  for (
    const [type, count, inputs, sources] of [
      ["ALPN", counts.of("ALPN"), 40, [["ORN", 6], ["ALLN", 3], ["CB LH", 0.5], ["visual projection", 0.5]]],
      ["ALLN", counts.of("ALLN"), 90, [["ORN", 6], ["ALPN", 4], ["ALLN", 3], ["central brain", 1]]],
    ] as const
  ) {
    const kinds = Math.max(1, Math.round(count / 6));
    for (let k = 0; k < kinds; k++) {
      roster.add({
        type: `${type === "ALPN" ? "PN" : "lLN"}${k + 1}`,
        superclass: "cb_intrinsic",
        class: type,
        region: "central brain",
        groups: [type, "antennal lobe"],
        cells: pairs(Math.floor(count * (k + 1) / kinds) - Math.floor(count * k / kinds)),
        recipe: { inputs, spread: 0.5, sources: sources.map(([group, weight]) => ({ group, weight })) },
      });
    }
  }
}

/** Adds the central complex: a ring of types that mostly talk to each other. */
export function addCentralComplex(
  roster: Roster,
  counts: Counts,
  projection: readonly string[],
  random: Random,
): void {
  const total = counts.of("CX");
  const families = [["ER", 0.1], ["EPG", 0.03], ["PEN", 0.03], ["PFN", 0.2], ["PFL", 0.04], [
    "hDelta",
    0.1,
  ]] as const;
  const plan: [string, number][] = families.map(([name, share]) => [name, Math.round(total * share)]);
  plan.push(["FB", total - plan.reduce((sum, [, n]) => sum + n, 0)]);
  for (const [name, cells] of plan) {
    const types = Math.max(1, Math.round(cells / 16));
    for (let k = 0; k < types; k++) {
      const partners = plan.map(([other]) => ({
        group: `CX ${other}`,
        weight: random.float() ** 2,
        own: 0.5,
      }));
      const visual = name === "ER" ? 0.25 : name === "FB" ? 0.03 : 0;
      const sources: Source[] = [
        ...partners,
        { group: "CB LAL", weight: 0.3 },
        { group: "CB CRE", weight: 0.2 },
        { group: "CB SMP", weight: 0.2 },
        { group: "central brain", weight: 0.1 },
        { group: "MBON", weight: 0.02 },
      ];
      if (visual > 0) sources.push({ group: `VP ${pick(random, projection)}`, weight: visual * 4 });
      if (name === "ER") sources.push({ group: "CB AOTU", weight: 1 });
      roster.add({
        type: name === "FB"
          ? `FB${1 + k % 9}${String.fromCharCode(65 + Math.floor(k / 9) % 26)}`
          : `${name}${k + 1}`,
        superclass: "cb_intrinsic",
        class: "CX",
        region: "central complex",
        groups: ["central complex", `CX ${name}`],
        cells: pairs(Math.floor(cells * (k + 1) / types) - Math.floor(cells * k / types)),
        recipe: { inputs: 60, spread: 0.5, sources },
      });
    }
  }
}

/** Letters of the descending types by where their cell bodies lie, and how many there are of each (of 100). */
const DESCENDING = [["DNp", 30], ["DNg", 40], ["DNa", 8], ["DNb", 6], ["DNc", 3], ["DNd", 3], ["DNde", 5], [
  "DNge",
  5,
]] as const;

/** Adds the descending neurons; `visual` of them hear visual neurons directly. */
export function addDescending(
  roster: Roster,
  counts: Counts,
  share: number,
  projection: readonly string[],
  random: Random,
): void {
  const total = counts.of("descending_neuron");
  const visual = Math.round(total * share);
  // Types come in left and right pairs; which of them see is dealt by chance.
  const types = Math.ceil(total / 2);
  const sees = random.shuffle(
    Uint8Array.from({ length: types }, (_, k) => k < Math.round(visual / 2) ? 1 : 0),
  );
  const numbers = new Map<string, number>();
  for (let k = 0; k < types; k++) {
    let at = (k + 0.5) * 100 / types;
    const letters = DESCENDING.find(([, width]) => (at -= width) < 0)?.[0] ?? "DNg";
    numbers.set(letters, (numbers.get(letters) ?? 0) + 1);
    const sources: Source[] = [
      { group: "descending", weight: 0.06 },
      { group: "ascending", weight: 0.08 },
      { group: "central brain", weight: 0.08 },
      { group: "brain sensory", weight: 0.02 },
      { group: "MBON", weight: 0.004 },
      { group: "CX PFL", weight: 0.02 },
    ];
    const pils = sees[k] ? VISUAL : OTHER;
    for (let p = 0; p < 3; p++) {
      sources.push({ group: `CB ${pick(random, pils)}`, weight: 0.15 + 0.15 * random.float() });
    }
    if (sees[k]) {
      const visualShare = 0.15 + 0.6 * random.float();
      const kinds = 3 + random.int(4);
      for (let p = 0; p < kinds; p++) {
        sources.push({ group: `VP ${pick(random, projection)}`, weight: visualShare / kinds, own: 0.75 });
      }
    }
    roster.add({
      type: `${letters}${String(numbers.get(letters)!).padStart(2, "0")}`,
      superclass: "descending_neuron",
      region: "descending",
      groups: ["descending"],
      cells: pairs(Math.min(2, total - 2 * k)),
      recipe: { inputs: 110 * Math.exp(0.3 * random.normal()), spread: 0.4, sources },
    });
  }
}
