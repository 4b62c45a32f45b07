import type { GateMoment, KenyonGate } from "../kenyon_gate.ts";

/** What a Kenyon cell is judged by when the cut is made: its rate, or its rate less what it is used to. */
export interface CellSignal {
  /** In a few words, for results. */
  readonly name: string;
  /**
   * Works out the signals.
   *
   * @param rates `[kenyon]`: the cells' rates, 0 to 1.
   * @param signal `[kenyon]`: to be filled.
   * @param moment The step and the position.
   */
  read(rates: Float64Array, signal: Float64Array, moment: GateMoment): void;
}

/** How much signal every Kenyon cell needs to pass. */
export interface CellCut {
  /** In a few words, for results. */
  readonly name: string;
  /**
   * Works out the cuts.
   *
   * @param signal `[kenyon]`: what the cells are judged by.
   * @param cut `[kenyon]`: to be filled with the signal at which each cell passes half of its rate.
   * @param moment The step and the position.
   */
  place(signal: Float64Array, cut: Float64Array, moment: GateMoment): void;
}

/** What a separating gate is made of. */
export interface SeparatingGateOptions {
  /** What cells are judged by (`plainSignal`). */
  readonly signal?: CellSignal | undefined;
  /** How much of it each needs. */
  readonly cut: CellCut;
  /** Width of the sigmoid, in rate, above 0 (0.01, as in the reference's section 9). */
  readonly width?: number | undefined;
}

/** A cell that is judged by its rate alone. */
export const plainSignal: CellSignal = { name: "rate", read: (rates, signal) => signal.set(rates) };

/**
 * A cut among Kenyon cells of two parts that can be changed one by one: what a cell is judged by, and how much of it
 * the cell needs. It passes r sigmoid((signal - cut) / width), the reference's slope (section 9). With `plainSignal` and
 * `strongestCut` it is `kenyonGate` itself.
 *
 * @param options The parts.
 * @returns A gate for `DopamineBrain`.
 * @throws {RangeError} If the width is not above 0.
 *
 * @example Each cell with a cut of its own
 * ```ts
 * import { separatingGate } from "flychess/bio";
 * import assert from "node:assert/strict";
 *
 * const own = [0.1, 0.8];
 * const gate = separatingGate({ cut: { name: "own", place: (_, cut) => cut.set(own) } });
 * const passed = new Float64Array(2);
 * gate.pass(Float64Array.of(0.6, 0.6), passed, { step: 1, position: 0 });
 * assert.equal(passed[0], 0.6);
 * assert.ok(passed[1]! < 1e-8);
 * ```
 */
export function separatingGate(options: SeparatingGateOptions): KenyonGate {
  const { signal = plainSignal, cut, width = 0.01 } = options;
  if (!(width > 0 && width < Infinity)) {
    throw new RangeError(`Cannot gate Kenyon cells: the width is ${width}, a number above 0 is wanted`);
  }
  let signals = new Float64Array(0), cuts = signals;
  return {
    name: `${signal.name}; ${cut.name}`,
    pass: (rates, out, moment) => {
      if (signals.length !== rates.length) {
        signals = new Float64Array(rates.length);
        cuts = new Float64Array(rates.length);
      }
      signal.read(rates, signals, moment);
      cut.place(signals, cuts, moment);
      for (let k = 0; k < rates.length; k++) {
        out[k] = rates[k]! / (1 + Math.exp((cuts[k]! - signals[k]!) / width));
      }
    },
  };
}
