import type { Counts } from "./_counts.ts";
import { pairs, type Roster } from "./_roster.ts";

/** The lobes, and Kenyon cell types in them: name, share of all Kenyon cells, whether they mostly see. */
const KENYON: readonly (readonly [string, string, number, boolean])[] = [
  ["KCg-m", "gamma", 0.3, false],
  ["KCg-d", "gamma", 0.05, true],
  ["KCg-s", "gamma", 0.02, false],
  ["KCa'b'-ap", "prime", 0.1, false],
  ["KCa'b'-m", "prime", 0.08, false],
  ["KCab-s", "alphabeta", 0.13, false],
  ["KCab-m", "alphabeta", 0.12, false],
  ["KCab-c", "alphabeta", 0.15, false],
  ["KCab-p", "alphabeta", 0.05, true],
];

/** The fifteen compartments: name, lobe, output types, dopamine types (Aso et al. 2014; Li et al. 2020). */
export const COMPARTMENTS: readonly (readonly [string, string, string, string])[] = [
  ["gamma1", "gamma", "MBON11:g MBON20:g MBON30:u", "PPL101 PPL102"],
  ["gamma2", "gamma", "MBON12:a MBON25:u MBON32:g MBON34:u MBON35:a", "PPL103"],
  ["gamma3", "gamma", "MBON09:g MBON33:a", "PAM12"],
  ["gamma4", "gamma", "MBON05:u MBON21:a", "PAM07 PAM08"],
  ["gamma5", "gamma", "MBON01:u MBON27:a MBON29:a", "PAM01 PAM15"],
  ["alpha'1", "prime", "MBON15:a MBON31:g", "PPL107"],
  ["alpha'2", "prime", "MBON13:a", "PPL105"],
  ["alpha'3", "prime", "MBON16:a MBON17:a MBON28:a", "PPL104"],
  ["beta'1", "prime", "MBON10:g", "PAM13 PAM14"],
  ["beta'2", "prime", "MBON03:u MBON04:u MBON26:a", "PAM02 PAM05 PAM06"],
  ["alpha1", "alphabeta", "MBON07:u", "PAM11"],
  ["alpha2", "alphabeta", "MBON18:a MBON19:a MBON23:a", "PPL108"],
  ["alpha3", "alphabeta", "MBON14:a", "PPL106"],
  ["beta1", "alphabeta", "MBON06:u MBON24:a", "PAM09 PAM10"],
  ["beta2", "alphabeta", "MBON02:u MBON22:a", "PAM03 PAM04"],
];

const TRANSMITTER: Readonly<Record<string, string>> = { a: "acetylcholine", g: "gaba", u: "glutamate" };

/** Deals `count` neurons out over types as evenly as whole pairs allow. */
function deal<T>(types: readonly T[], count: number): [T, number][] {
  return types.map((type, k) =>
    [type, Math.floor(count * (k + 1) / types.length) - Math.floor(count * k / types.length)] as [T, number]
  );
}

/** Adds Kenyon cells, output neurons, dopamine neurons, APL and DPM, wired by compartment. */
export function addMushroomBody(roster: Roster, counts: Counts): void {
  const kenyon = counts.of("Kenyon_Cell");
  let owed = 0;
  for (const [type, lobe, share, sees] of KENYON) {
    owed += kenyon * share;
    const count = Math.floor(owed + 1e-6);
    owed -= count;
    roster.add({
      type,
      superclass: "cb_intrinsic",
      class: "Kenyon_Cell",
      region: "Kenyon cell",
      transmitter: "acetylcholine",
      groups: ["Kenyon cell", `KC ${lobe}`],
      cells: pairs(count),
      // About six projection neurons each (Caron et al. 2013), other Kenyon cells of the lobe, dopamine.
      recipe: {
        inputs: 16,
        spread: 0.25,
        sources: [
          { group: "ALPN", weight: sees ? 0.5 : 5, own: 0.97 },
          { group: "visual projection", weight: sees ? 5.5 : 1, own: 0.9 },
          { group: `KC ${lobe}`, weight: 7, own: 1 },
          { group: `DAN ${lobe}`, weight: 2 },
          { group: "CB SLP", weight: 0.5 },
        ],
        wholes: [{ group: "APL", chance: 1 }, { group: "DPM", chance: 1 }],
      },
    });
  }
  addOutputs(roster, counts.of("MBON"));
  addDopamine(roster, counts);
  for (const [type, transmitter] of [["APL", "gaba"], ["DPM", "gaba"]] as const) {
    roster.add({
      type,
      superclass: "cb_intrinsic",
      region: "central brain",
      transmitter,
      groups: [type],
      cells: pairs(2),
      recipe: {
        inputs: 40,
        spread: 0.1,
        sources: [{ group: "ALPN", weight: 1 }, { group: "DAN", weight: 1 }, { group: "MBON", weight: 1 }],
        wholes: [{ group: "Kenyon cell", chance: type === "APL" ? 0.97 : 0.8 }],
      },
    });
  }
}

function addOutputs(roster: Roster, count: number): void {
  const types = COMPARTMENTS.flatMap(([compartment, lobe, outputs]) =>
    outputs.split(" ").map((output) => ({ compartment, lobe, output }))
  );
  // The first type of every compartment comes first, so that a small fly has some of each.
  const order = [...types].sort((a, b) => rankOf(a) - rankOf(b));
  function rankOf(entry: typeof types[number]): number {
    return types.filter((other) => other.compartment === entry.compartment).indexOf(entry);
  }
  const used = order.slice(0, Math.max(1, Math.floor(count / 2)));
  for (const [{ compartment, lobe, output }, cells] of deal(used, count)) {
    const [type, letter] = output.split(":");
    roster.add({
      type: type!,
      superclass: "cb_intrinsic",
      class: "MBON",
      region: "MBON",
      transmitter: TRANSMITTER[letter!]!,
      groups: ["MBON", `MBON ${compartment}`],
      cells: pairs(cells),
      recipe: {
        inputs: 60,
        spread: 0.3,
        sources: [
          { group: "central brain", weight: 1 },
          { group: "CB SMP", weight: 2 },
          { group: "MBON", weight: 1.5 },
          { group: "visual projection", weight: 0.1 },
        ],
        wholes: [
          { group: `KC ${lobe}`, chance: 0.45 },
          { group: `DAN ${compartment}`, chance: 0.7, bothSides: true },
          { group: "APL", chance: 1 },
          { group: "DPM", chance: 1 },
        ],
      },
    });
  }
}

function addDopamine(roster: Roster, counts: Counts): void {
  const types = COMPARTMENTS.flatMap(([compartment, lobe, , dopamine]) =>
    dopamine.split(" ").map((type) => ({ compartment, lobe, type }))
  );
  const add = (type: string, count: number, groups: string[], compartment?: string) =>
    roster.add({
      type,
      superclass: "cb_intrinsic",
      class: "DAN",
      region: "DAN",
      transmitter: "dopamine",
      groups,
      cells: pairs(count),
      recipe: {
        inputs: 55,
        spread: 0.4,
        sources: [
          ...(compartment ? [{ group: `MBON ${compartment}`, weight: 1.5 }] : []),
          { group: "MBON", weight: 1 },
          { group: "CB SMP", weight: 4 },
          { group: "CB CRE", weight: 2 },
          { group: "CB SLP", weight: 1.5 },
          { group: "central brain", weight: 1 },
        ],
      },
    });
  for (const cluster of ["PAM", "PPL1"]) {
    const own = types.filter(({ type }) => type.startsWith(cluster));
    for (const [{ type, compartment, lobe }, count] of deal(own, counts.of(cluster))) {
      add(type, count, ["DAN", `DAN ${lobe}`, `DAN ${compartment}`], compartment);
    }
  }
  const others = ["PPL201", "PPM1201", "PAL01", "PPM1205"];
  for (const [type, count] of deal(others, counts.of("DAN"))) add(type, count, ["DAN"]);
}
