import { numberAt } from "./_select.ts";

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

/** For whom a cut is made. */
export interface GateMoment {
  /** The step whose rates are cut, from 1. */
  readonly step: number;
  /** Which of the positions looked at, from 0. */
  readonly position: number;
}

/** Anything that decides what Kenyon cells pass on; `gateOf` makes the reference's. */
export interface KenyonGate {
  /** In a few words, for results. */
  readonly name: string;
  /**
   * What Kenyon cells pass on.
   *
   * @param rates `[kenyon]`: their rates, 0 to 1.
   * @param out `[kenyon]`: to be filled, each from 0 to the cell's own rate; it may be `rates` itself.
   * @param moment Whose rates they are.
   */
  pass(rates: Float64Array, out: Float64Array, moment: GateMoment): void;
}

/** A cut with nothing left to default. */
export interface Gate extends KenyonGate {
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
  const gate = { share, width, version };
  return {
    ...gate,
    name: `${version}, ${share} of the cells, width ${width}`,
    pass: (rates, out) => void cutCells(rates, gate, out),
  };
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
  const gate = gateOf(options);
  if (rates.length === 0) throw new RangeError("Cannot gate Kenyon cells: there are 0, at least 1 is wanted");
  return cutCells(rates, gate, out);
}

/** e to the power of this is 1e-13: a cell so far below the cut passes nothing. */
const NOTHING = -30;

function cutCells(
  rates: ArrayLike<number>,
  { share, width, version }: Pick<Gate, "share" | "width" | "version">,
  out: Float64Array,
): Float64Array {
  const cut = kenyonCut(rates, share);
  for (let k = 0; k < rates.length; k++) {
    const above = rates[k]! - cut;
    if (version === "sigmoid") {
      out[k] = above < NOTHING * width ? 0 : rates[k]! / (1 + Math.exp(-above / width));
    } else if (version === "step") out[k] = above >= 0 ? rates[k]! : 0;
    else out[k] = Math.max(0, above);
  }
  return out;
}

/** Where rates change places while the cut is looked for. */
let scratch = new Float64Array(0);

/**
 * The rate of the weakest Kenyon cell that passes.
 *
 * @param rates `[kenyon]`, at least one.
 * @param share The share that passes, above 0 and at most 1.
 */
export function kenyonCut(rates: ArrayLike<number>, share: number): number {
  if (scratch.length !== rates.length) scratch = new Float64Array(rates.length);
  scratch.set(rates);
  return numberAt(scratch, scratch.length - keptCells(scratch.length, share));
}

/**
 * How much two patterns of Kenyon cells share, whatever the cut: the cells on in both over the mean of those on in
 * each. A cell is on when it passes more than half of its rate.
 *
 * @param first `[kenyon]` each: rates for one position, and what they passed on.
 * @param second The same for another position.
 * @returns From 0, nothing in common, to 1, the same cells; 1 where no cell is on in either.
 *
 * @example One cell in common
 * ```ts
 * import { patternOverlap } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const rates = [0.5, 0.5, 0.5];
 * const overlap = patternOverlap({ rates, passed: [0.5, 0.4, 0] }, { rates, passed: [0, 0.5, 0.4] });
 * assert.equal(overlap, 0.5);
 * ```
 */
export function patternOverlap(
  first: { readonly rates: ArrayLike<number>; readonly passed: ArrayLike<number> },
  second: { readonly rates: ArrayLike<number>; readonly passed: ArrayLike<number> },
): number {
  let both = 0, either = 0;
  for (let k = 0; k < first.rates.length; k++) {
    const a = first.passed[k]! > first.rates[k]! / 2, b = second.passed[k]! > second.rates[k]! / 2;
    if (a && b) both++;
    either += Number(a) + Number(b);
  }
  return either === 0 ? 1 : 2 * both / either;
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
