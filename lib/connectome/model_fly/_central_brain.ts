import type { Random } from "../../common/mod.ts";
import type { Counts } from "./_counts.ts";
import { oneOf } from "./_one_of.ts";
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
        { group: `CB ${oneOf(random, NEUROPILS)[0]}`, weight: 0.12 },
        { group: `CB ${oneOf(random, NEUROPILS)[0]}`, weight: 0.08 },
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
        if (visual > 0) {
          sources.push({ group: `VP ${oneOf(random, projection)}`, weight: sees / 5 });
        }
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
      if (visual > 0) sources.push({ group: `VP ${oneOf(random, projection)}`, weight: visual * 4 });
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
