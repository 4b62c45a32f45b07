import type { Random } from "../../common/mod.ts";
import type { Counts } from "./_counts.ts";
import { type Eyes, overColumns } from "./_optic_lobe.ts";
import { oneOf } from "./_one_of.ts";
import { pairs, type Roster, type Source } from "./_roster.ts";

/** Late cells of the optic lobe, which projection neurons listen to. */
const LATE = [
  "Tm",
  "Tm",
  "TmY",
  "TmY",
  "T2",
  "T2a",
  "T3",
  "T4",
  "T5",
  "Tm4",
  "Tm20",
  "Tm5a",
  "Tm5b",
  "Tm5c",
  "MeLo",
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
  for (const [name, allKinds, cells, least, most] of PROJECTION) {
    // Fewer types in a small fly, so that the cells of one still cover the eye.
    const kinds = Math.max(1, Math.round(allKinds * Math.sqrt(total / whole)));
    const sizes = Array.from({ length: kinds }, () => Math.exp(random.normal() * 0.7));
    const sum = sizes.reduce((a, b) => a + b, 0);
    for (let k = 0; k < kinds; k++) {
      owed += total * cells / whole * sizes[k]! / sum;
      const count = Math.floor(owed + 1e-9);
      owed -= count;
      if (count === 0) continue;
      const reach = least * (most / least) ** random.float();
      const sources: Source[] = Array.from({ length: 4 + random.int(4) }, () => ({
        group: oneOf(random, LATE),
        weight: 1 + random.int(5),
        near: reach * shrink,
        own: 1,
      }));
      sources.push({ group: "late", weight: 4, near: reach * shrink, own: 1 });
      sources.push({ group: "Li", weight: 1, near: reach * shrink, own: 1 });
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
