import { gateOf, kenyonCut } from "../kenyon_gate.ts";
import type { GateMoment } from "../kenyon_gate.ts";
import type { CellCut } from "./separating_gate.ts";

/**
 * Thresholds with which every Kenyon cell passes for the same share of positions: the signal that the cell reaches at
 * that share of those it was shown.
 *
 * @param signals `[positions][kenyon]`: the cells' signals at one step.
 * @param kenyon Kenyon cells.
 * @param share Of the positions, above 0 and at most 1 (0.05).
 * @returns `[kenyon]`.
 * @throws {RangeError} If the share is out of range or the signals are no whole number of positions.
 *
 * @example A cell that always fires and one that hardly does pass equally often
 * ```ts
 * import { fairThresholds } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const signals = [0.9, 0.1, 0.8, 0.0, 0.7, 0.3, 0.6, 0.2]; // four positions of two cells
 * assert.deepEqual([...fairThresholds(signals, 2, 0.5)], [0.8, 0.2]);
 * ```
 */
export function fairThresholds(signals: ArrayLike<number>, kenyon: number, share = 0.05): Float64Array {
  gateOf({ share });
  const positions = signals.length / kenyon;
  if (!(positions >= 1) || !Number.isInteger(positions)) {
    throw new RangeError(
      `Cannot set thresholds: there are ${signals.length} signals, a multiple of ${kenyon} is wanted`,
    );
  }
  const own = new Float64Array(positions);
  return Float64Array.from({ length: kenyon }, (_, k) => {
    for (let position = 0; position < positions; position++) own[position] = signals[position * kenyon + k]!;
    return kenyonCut(own, share);
  });
}

/** How cells with thresholds of their own are cut. */
export interface OwnThresholdsOptions {
  /** Of the positions for each cell, and of the cells with `strongest`; above 0 and at most 1 (0.05). */
  readonly share?: number | undefined;
  /**
   * Whether, on top of that, the share of cells that is furthest above its own threshold passes at every position, so
   * that APL still keeps the number the same (false).
   */
  readonly strongest?: boolean | undefined;
}

/**
 * Kenyon cells with thresholds of their own. Until they are settled it cuts at the strongest cells, as the reference
 * does, and watches; `settle` then gives every cell and step the threshold with which it passes for the same
 * share of what was watched. Kenyon cells keep their excitability and inhibition at set points of their own over days
 * (Apostolopoulou and Lin 2020), and in a model cells that do so tell more odours apart (Abdelrahman, Vasilaki and Lin 2021).
 */
export class OwnThresholds implements CellCut {
  /** In a few words. */
  readonly name: string;
  readonly #share: number;
  readonly #strongest: boolean;
  #watched = new Map<number, Float64Array[]>();
  #thresholds: ReadonlyMap<number, Float64Array> | null = null;

  /**
   * Thresholds that are not settled yet.
   *
   * @throws {RangeError} If the share is out of range.
   */
  constructor(options: OwnThresholdsOptions = {}) {
    const { share = 0.05, strongest = false } = options;
    this.#share = gateOf({ share }).share;
    this.#strongest = strongest;
    this.name = strongest
      ? `furthest above own thresholds, ${100 * share} %`
      : `own thresholds, ${100 * share} %`;
  }

  /** Step to `[kenyon]`: the thresholds, or `null` before they are settled. */
  get thresholds(): ReadonlyMap<number, Float64Array> | null {
    return this.#thresholds;
  }

  /** Starts anew: forgets thresholds and what was watched. */
  watch(): void {
    this.#watched = new Map();
    this.#thresholds = null;
  }

  /**
   * Sets the thresholds by what was watched.
   *
   * @throws {Error} If nothing was.
   */
  settle(): void {
    if (this.#watched.size === 0) throw new Error("Cannot set thresholds: no position was watched");
    const thresholds = new Map<number, Float64Array>();
    for (const [step, list] of this.#watched) {
      const kenyon = list[0]!.length, all = new Float64Array(list.length * kenyon);
      list.forEach((signal, i) => all.set(signal, i * kenyon));
      thresholds.set(step, fairThresholds(all, kenyon, this.#share));
    }
    this.#thresholds = thresholds;
    this.#watched = new Map();
  }

  /** Fills in the cuts. */
  place(signal: Float64Array, cut: Float64Array, { step }: GateMoment): void {
    if (this.#thresholds === null) {
      const watched = this.#watched.get(step);
      if (watched === undefined) this.#watched.set(step, [signal.slice()]);
      else watched.push(signal.slice());
      cut.fill(kenyonCut(signal, this.#share));
      return;
    }
    const own = this.#thresholds.get(step);
    if (own?.length !== signal.length) {
      throw new RangeError(
        `Cannot gate Kenyon cells: there are ${own?.length ?? 0} thresholds for step ${step}, ` +
          `${signal.length} are wanted`,
      );
    }
    cut.set(own);
    if (!this.#strongest) return;
    const above = kenyonCut(signal.map((each, k) => each - own[k]!), this.#share);
    for (let k = 0; k < cut.length; k++) cut[k]! += above;
  }
}
