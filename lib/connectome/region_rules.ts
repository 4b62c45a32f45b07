import type { Region } from "./connectome.ts";

/** What a region is told by: three names of the MaleCNS annotations, `""` where there is none. */
export interface CellKind {
  /** For example `cb_intrinsic`. */
  readonly superclass: string;
  /** For example `Kenyon_Cell`. */
  readonly class: string;
  /** For example `R7p`. */
  readonly type: string;
}

const BY_CLASS: ReadonlyMap<string, Region> = new Map([
  ["Kenyon_Cell", "Kenyon cell"],
  ["MBON", "MBON"],
  ["DAN", "DAN"],
  ["CX", "central complex"],
]);

const BY_SUPERCLASS: ReadonlyMap<string, Region> = new Map([
  ["ol_intrinsic", "optic lobe"],
  ["visual_centrifugal", "optic lobe"],
  ["visual_projection", "visual projection"],
  ["cb_intrinsic", "central brain"],
  ["sensory_ascending", "sensory"],
  ["sensory_descending", "sensory"],
  ["descending_neuron", "descending"],
  ["ascending_neuron", "ascending"],
  ["vnc_intrinsic", "nerve cord"],
  ["cb_motor", "motor"],
  ["vnc_motor", "motor"],
]);

/**
 * Whether a cell is one of the eye's own: a sensory cell of the optic lobe of type R1-R6, R7 or R8 in any variant.
 * Other cells of that superclass (the Hofbauer-Buchner eyelet) are not.
 */
export function isPhotoreceptor(cell: Pick<CellKind, "superclass" | "type">): boolean {
  return cell.superclass === "ol_sensory" &&
    (cell.type === "R1-R6" || cell.type.startsWith("R7") || cell.type.startsWith("R8"));
}

/**
 * The region of a MaleCNS cell. The first rule that fits wins: photoreceptors, then the class (Kenyon cell, MBON,
 * DAN, central complex), then the superclass; everything else (efferent, endocrine, enteric, "to be
 * confirmed") is `other`. The reference names only some regions: these rules are inferred from its counts.
 *
 * @example A dopamine neuron of the central brain counts as a DAN
 * ```ts
 * import { regionOf } from "flychess/connectome";
 * import assert from "node:assert/strict";
 *
 * assert.equal(regionOf({ superclass: "cb_intrinsic", class: "DAN", type: "PAM01" }), "DAN");
 * assert.equal(regionOf({ superclass: "cb_intrinsic", class: "", type: "" }), "central brain");
 * ```
 */
export function regionOf(cell: CellKind): Region {
  if (isPhotoreceptor(cell)) return "photoreceptor";
  const region = BY_CLASS.get(cell.class) ?? BY_SUPERCLASS.get(cell.superclass);
  if (region !== undefined) return region;
  return cell.superclass.endsWith("_sensory") ? "sensory" : "other";
}

/**
 * The counts that the reference gives for MaleCNS v1.0 ("The connectome", "The board goes in through the eye"), to compare a
 * build of the real tables with. It does not say exactly which cells its optic lobe and central brain hold.
 */
export const REFERENCE_COUNTS: ReadonlyMap<string, number> = new Map([
  ["neurons", 163_803],
  ["connections", 6_234_868],
  ["photoreceptor", 4_020],
  ["photoreceptors placed", 3_251],
  ["optic lobe", 89_935],
  ["visual projection", 9_201],
  ["central brain", 25_653],
  ["Kenyon cell", 4_064],
  ["MBON", 97],
  ["descending", 1_314],
]);
