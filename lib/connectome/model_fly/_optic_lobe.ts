import type { Random } from "../../common/mod.ts";
import type { Counts } from "./_counts.ts";
import type { EyeColumns } from "./_eye_columns.ts";
import type { Photoreceptor } from "./_photoreceptors.ts";
import { COLUMNAR, FAMILIES, FIRST_TYPES, LABELLED_TYPES } from "./_optic_lobe_types.ts";
import type { Roster, Source } from "./_roster.ts";

/** The columns of both eyes. */
export interface Eyes {
  readonly L: EyeColumns;
  readonly R: EyeColumns;
}

/** How far the reach of a wide-field partner goes, in columns of the whole eye. */
const WIDE_REACH = 2.5;

/** Adds the photoreceptors of both eyes, by type. */
export function addPhotoreceptors(roster: Roster, cells: readonly Photoreceptor[]): void {
  const types = [...new Set(cells.map((cell) => cell.type))].sort();
  for (const type of types) {
    for (const placed of [true, false]) {
      const group = type === "R1-R6" ? type : type.slice(0, 2);
      roster.add({
        type,
        superclass: "ol_sensory",
        class: "visual",
        region: "photoreceptor",
        transmitter: "histamine",
        groups: placed ? ["photoreceptor", group] : ["photoreceptor", "unplaced"],
        labelled: placed,
        cells: cells.filter((cell) => cell.type === type && (cell.column >= 0) === placed),
        // The few connections that photoreceptors receive come back from lamina and medulla.
        recipe: {
          inputs: placed ? 1.2 : 1,
          spread: 0.6,
          sources: placed
            ? [
              { group: type === "R1-R6" ? "C2" : "Mi9", weight: 1, near: 1 },
              { group: type === "R1-R6" ? "L4" : "Mi4", weight: 1, near: 1 },
              { group: "wide", weight: 2, near: 2 },
            ]
            : [{ group: "wide", weight: 1 }],
        },
      });
    }
  }
}

/** `share` of every column, as evenly as whole cells allow, on both sides. */
export function overColumns(eyes: Eyes, count: number, random: Random): { side: number; column: number }[] {
  const left = Math.round(count * eyes.L.h1.length / (eyes.L.h1.length + eyes.R.h1.length));
  const cells: { side: number; column: number }[] = [];
  for (const [side, columns, wanted] of [[0, eyes.L, left], [1, eyes.R, count - left]] as const) {
    const n = columns.h1.length;
    for (let dealt = 0; dealt < wanted;) {
      const order = random.shuffle(Int32Array.from({ length: n }, (_, c) => c));
      for (let k = 0; k < n && dealt < wanted; k++, dealt++) cells.push({ side, column: order[k]! });
    }
  }
  return cells;
}

function parse(sources: string, reach: number, shrink: number): Source[] {
  return sources.split(" ").map((part) => {
    const [group, weight] = part.split(":");
    return {
      group: group!,
      weight: Number(weight),
      near: (group === "wide" ? WIDE_REACH : reach) * shrink,
      own: 1,
    };
  });
}

/**
 * Adds everything intrinsic to the optic lobes.
 *
 * @param shrink How much closer together the columns of a small fly are, seen from the whole eye: reach in
 * columns is multiplied by it, so that a cell sees the same part of the board at every scale.
 */
export function addOpticLobe(
  roster: Roster,
  eyes: Eyes,
  counts: Counts,
  shrink: number,
  random: Random,
): void {
  const columns = eyes.L.h1.length + eyes.R.h1.length;
  const total = counts.of("ol_intrinsic");
  const giants = 4;
  const first = FIRST_TYPES.length * columns;
  const columnar = COLUMNAR.reduce((sum, [, perColumn]) => sum + perColumn, 0) - FIRST_TYPES.length;
  const families = FAMILIES.reduce((sum, family) => sum + family.perColumn, 0);
  // Columnar types are complete if the lobe is large enough; families take what is left.
  const room = Math.max(0, total - giants - first);
  const complete = Math.min(1, room * (columnar / (columnar + families * 0.8)) / (columnar * columns));
  const wanted: [string, number][] = [];
  let left = room;
  for (const [name, perColumn] of COLUMNAR) {
    const cells = FIRST_TYPES.includes(name) ? columns : Math.round(perColumn * columns * complete);
    wanted.push([name, cells]);
    if (!FIRST_TYPES.includes(name)) left -= cells;
  }
  const sizes = new Map(wanted);
  for (const [name, , reach, inputs, transmitter, sources] of COLUMNAR) {
    const groups = ["optic lobe", name];
    if (/^T[45][a-d]$/.test(name)) groups.push(name.slice(0, 2));
    roster.add({
      type: name,
      superclass: "ol_intrinsic",
      region: "optic lobe",
      transmitter,
      groups,
      labelled: LABELLED_TYPES.includes(name),
      cells: overColumns(eyes, sizes.get(name)!, random),
      recipe: { inputs, spread: 0.3, sources: parse(sources, reach, shrink) },
    });
  }
  addFamilies(roster, eyes, left, shrink, random);
  for (
    const [name, inputs, transmitter, sources] of [
      ["CT1", 4_000, "gaba", ["Mi1", "Tm1", "Tm9", "L5", "Mi9", "T4", "T5"]],
      ["Am1", 3_000, "gaba", ["L1", "L2", "L4", "T1", "C3", "unplaced", "R1-R6"]],
    ] as const
  ) {
    roster.add({
      type: name,
      superclass: "ol_intrinsic",
      region: "optic lobe",
      transmitter,
      groups: ["optic lobe", "wide"],
      cells: [{ side: 0, column: -1 }, { side: 1, column: -1 }],
      recipe: { inputs, spread: 0.05, sources: sources.map((group) => ({ group, weight: 1, own: 1 })) },
    });
  }
}

function addFamilies(roster: Roster, eyes: Eyes, cells: number, shrink: number, random: Random): void {
  const whole = FAMILIES.reduce((sum, family) => sum + family.perColumn, 0);
  // Every type's share first, so that the last rounding error can be put right.
  const plans = FAMILIES.flatMap((family) => {
    const sizes = Array.from({ length: family.types }, () => Math.exp(random.normal() * 0.8));
    const sum = sizes.reduce((a, b) => a + b, 0);
    return sizes.map((size, k) => ({ family, k, cells: cells * family.perColumn / whole * size / sum }));
  });
  let owed = 0;
  for (const { family, k, cells } of plans) {
    owed += cells;
    const count = Math.round(owed);
    owed -= count;
    const place = family.types === 1 ? 0 : k / (family.types - 1);
    const reach = family.reach[0] * (family.reach[1] / family.reach[0]) ** place;
    const sources: Source[] = [];
    const partners = 4 + random.int(5);
    for (let p = 0; p < partners; p++) {
      const group = family.from[random.int(family.from.length)]!;
      sources.push({ group, weight: 1 + random.int(5), near: reach * shrink, own: 1 });
    }
    sources.push({ group: "wide", weight: 2, near: WIDE_REACH * shrink, own: 1 });
    sources.push({ group: family.name, weight: 1, near: reach * shrink, own: 1 });
    sources.push({ group: "visual centrifugal", weight: 0.3 });
    const wide = ["Dm", "Lawf", "Pm", "Li", "LPi"].includes(family.name);
    roster.add({
      type: `${family.name}${k + 1}`,
      superclass: "ol_intrinsic",
      region: "optic lobe",
      ...(family.transmitter === undefined ? {} : { transmitter: family.transmitter }),
      groups: ["optic lobe", family.name, ...(wide ? ["wide"] : []), "late"],
      cells: overColumns(eyes, count, random),
      recipe: { inputs: family.inputs * Math.exp(0.2 * random.normal()), spread: 0.4, sources },
    });
  }
}
