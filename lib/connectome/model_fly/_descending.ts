import type { Random } from "../../common/mod.ts";
import type { Counts } from "./_counts.ts";
import { oneOf } from "./_one_of.ts";
import { pairs, type Roster, type Source } from "./_roster.ts";

/** Neuropils where descending neurons that hear visual neurons listen. */
const VISUAL = ["PVLP", "PLP", "SPS", "IPS", "AVLP", "GOR", "WED", "LAL"];
/** Neuropils where those listen that do not. */
const OTHER = ["GNG", "SMP", "SIP", "FLA", "PRW", "VES", "SAD", "CRE", "AMMC", "LAL", "SLP"];

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
      sources.push({ group: `CB ${oneOf(random, pils)}`, weight: 0.15 + 0.15 * random.float() });
    }
    if (sees[k]) {
      const visualShare = 0.15 + 0.6 * random.float();
      const kinds = 3 + random.int(4);
      for (let p = 0; p < kinds; p++) {
        sources.push({
          group: `VP ${oneOf(random, projection)}`,
          weight: visualShare / kinds,
          own: 0.75,
        });
      }
    }
    roster.add({
      type: `${letters}${String(numbers.get(letters)!).padStart(2, "0")}`,
      superclass: "descending_neuron",
      region: "descending",
      groups: ["descending"],
      cells: pairs(Math.min(2, total - 2 * k)),
      recipe: { inputs: 80 * Math.exp(0.3 * random.normal()), spread: 0.4, sources },
    });
  }
}
