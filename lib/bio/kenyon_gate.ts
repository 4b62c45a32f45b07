/**
 * How Kenyon cells below the cut are kept silent: `sigmoid`, the steep slope that the fly uses; `step`, all or
 * nothing at the cut; `subtract`, the rate at the cut taken off every rate. The last two are the reference's failed
 * versions, kept so that its comparison can be made again.
 */
export type GateVersion = "sigmoid" | "step" | "subtract";

/** How the cut is made. */
export interface GateOptions {
  /** The share of Kenyon cells that pass, above 0 and at most 1 (0.05). */
  readonly share?: number | undefined;
  /** Width of the sigmoid, in rate, above 0 (0.01). */
  readonly width?: number | undefined;
  /** Which version (`sigmoid`). */
  readonly version?: GateVersion | undefined;
}

/** A cut with nothing left to default. */
export interface Gate {
  /** The share of Kenyon cells that pass. */
  readonly share: number;
  /** Width of the sigmoid, in rate. */
  readonly width: number;
  /** Which version. */
  readonly version: GateVersion;
}

/**
 * Fills in the defaults of a cut and checks them.
 *
 * @throws {RangeError} If the share or the width is out of range.
 * @throws {TypeError} If there is no such version.
 */
export function gateOf(options: GateOptions = {}): Gate {
  const { share = 0.05, width = 0.01, version = "sigmoid" } = options;
  if (!(share > 0 && share <= 1)) {
    throw new RangeError(
      `Cannot gate Kenyon cells: the share is ${share}, a number above 0 and at most 1 is wanted`,
    );
  }
  if (!(width > 0 && width < Infinity)) {
    throw new RangeError(`Cannot gate Kenyon cells: the width is ${width}, a number above 0 is wanted`);
  }
  if (version !== "sigmoid" && version !== "step" && version !== "subtract") {
    throw new TypeError(
      `Cannot gate Kenyon cells: the version is '${version}', sigmoid, step or subtract is wanted`,
    );
  }
  return { share, width, version };
}

/**
 * How many Kenyon cells pass: the share of them, rounded down, and at least 1 (reference, section 9: 203 of 4,064).
 *
 * @param cells Kenyon cells.
 * @param share From 0 to 1.
 */
export function keptCells(cells: number, share: number): number {
  return Math.max(1, Math.floor(share * cells));
}

/**
 * What Kenyon cells pass on when only the strongest do, as the APL neuron keeps them sparse (reference, section 9):
 * r sigmoid((r - cut) / width), where the cut is the rate of the last cell that passes, so that this one passes
 * half of its rate.
 *
 * @param rates `[kenyon]`: their rates, 0 to 1.
 * @param options How the cut is made.
 * @param out `[kenyon]`, where to write; a new array if left out, and it may be `rates` itself.
 * @returns `[kenyon]`: `out`, each from 0 to the cell's own rate.
 * @throws {RangeError} If an option is out of range, or there is no cell.
 *
 * @example One of four cells passes
 * ```ts
 * import { kenyonGate } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const passed = kenyonGate([0.1, 0.9, 0.5, 0.2], { share: 0.5 });
 * assert.equal(passed[1], 0.9); // far above the cut
 * assert.equal(passed[2], 0.25); // at the cut
 * assert.ok(passed[0]! < 1e-12);
 * ```
 */
export function kenyonGate(
  rates: ArrayLike<number>,
  options: GateOptions = {},
  out: Float64Array = new Float64Array(rates.length),
): Float64Array {
  const { width, version, share } = gateOf(options);
  if (rates.length === 0) throw new RangeError("Cannot gate Kenyon cells: there are 0, at least 1 is wanted");
  const cut = kenyonCut(rates, share);
  for (let k = 0; k < rates.length; k++) {
    const above = rates[k]! - cut;
    if (version === "sigmoid") out[k] = rates[k]! / (1 + Math.exp(-above / width));
    else if (version === "step") out[k] = above >= 0 ? rates[k]! : 0;
    else out[k] = Math.max(0, above);
  }
  return out;
}

/**
 * The rate of the weakest Kenyon cell that passes.
 *
 * @param rates `[kenyon]`, at least one.
 * @param share The share that passes, above 0 and at most 1.
 */
export function kenyonCut(rates: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(rates).sort();
  return sorted[sorted.length - keptCells(sorted.length, share)]!;
}

/**
 * How much two patterns of Kenyon cells share: the cells on in both over the mean of those on in each. A cell is
 * on when its gate is above one half, which is when its rate is above the cut.
 *
 * @param first `[kenyon]`: rates for one position.
 * @param second `[kenyon]`: rates for another.
 * @param share The share of cells that passes, above 0 and at most 1 (0.05).
 * @returns From 0, nothing in common, to 1, the same cells; 1 where no cell is on in either.
 * @throws {RangeError} If the two are not of the same length, or empty.
 */
export function kenyonOverlap(first: ArrayLike<number>, second: ArrayLike<number>, share = 0.05): number {
  if (first.length !== second.length || first.length === 0) {
    throw new RangeError(
      `Cannot compare Kenyon cells: there are ${first.length} and ${second.length}, as many are wanted`,
    );
  }
  const cuts = [kenyonCut(first, share), kenyonCut(second, share)] as const;
  let both = 0, either = 0;
  for (let k = 0; k < first.length; k++) {
    const a = first[k]! > cuts[0], b = second[k]! > cuts[1];
    if (a && b) both++;
    either += Number(a) + Number(b);
  }
  return either === 0 ? 1 : 2 * both / either;
}
