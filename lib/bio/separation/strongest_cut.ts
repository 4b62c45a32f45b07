import { gateOf, kenyonCut } from "../kenyon_gate.ts";
import type { CellCut } from "./separating_gate.ts";

/**
 * The same cut for every cell, at the signal of the weakest of the share that passes: inhibition that knows no cell
 * from another (reference, section 9).
 *
 * @param share The share of Kenyon cells that passes, above 0 and at most 1 (0.05).
 * @throws {RangeError} If the share is out of range.
 */
export function strongestCut(share = 0.05): CellCut {
  gateOf({ share });
  return {
    name: `strongest ${100 * share} %`,
    place: (signal, cut) => void cut.fill(kenyonCut(signal, share)),
  };
}
