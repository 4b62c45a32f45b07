import { gateOf, type GateOptions, type KenyonGate } from "./kenyon_gate.ts";

/** What projection neurons pass on to Kenyon cells, where it is not their rate as it is. */
export interface CalyxGate {
  /** In a few words, for results. */
  readonly name: string;
  /** The neurons; only their connections onto Kenyon cells change. */
  readonly senders: Int32Array;
  /**
   * What they pass on.
   *
   * @param rates `[senders]`: their rates, 0 to 1.
   * @param out `[senders]`: to be filled.
   */
  pass(rates: Float64Array, out: Float64Array): void;
}

/** How a dopamine fly's brain is set up; the defaults are the reference's. */
export interface DopamineBrainOptions {
  /** How the cut among Kenyon cells is made: the reference's with these options, or one of your own. */
  readonly gate?: GateOptions | KenyonGate | undefined;
  /** What changes on the way from projection neurons to Kenyon cells: nothing by default. Not in `float64`. */
  readonly calyx?: CalyxGate | undefined;
  /** Where the cut acts: on what MBONs receive from Kenyon cells (`mbon`), or on all that Kenyon cells send (`all`). */
  readonly gated?: "mbon" | "all" | undefined;
  /** Steps of a think (12). */
  readonly steps?: number | undefined;
  /** How far a rate moves towards its target each step, above 0 and at most 1 (0.5). */
  readonly leak?: number | undefined;
  /** Every neuron's gain (0.5). */
  readonly gain?: number | undefined;
  /** Every neuron's bias (0.3). */
  readonly bias?: number | undefined;
  /**
   * `float64`: the equations as they stand, in the calling thread. `float32` and `int16`: the `wasm` engine of that
   * precision, many times as fast; each must be calibrated with its own.
   */
  readonly precision?: "float64" | "float32" | "int16" | undefined;
  /** Threads of `float32` and `int16`, as of `wasmEngine`. No number changes a bit. */
  readonly workers?: number | undefined;
}

/** Options with their values, the cut made. */
export interface SettledOptions {
  readonly gate: KenyonGate;
  readonly calyx: CalyxGate | undefined;
  readonly gated: "mbon" | "all";
  readonly steps: number;
  readonly leak: number;
  readonly gain: number;
  readonly bias: number;
  readonly precision: "float64" | "float32" | "int16";
  readonly workers: number | undefined;
}

/**
 * Fills in the defaults.
 *
 * @throws {RangeError} If an option is out of range.
 * @throws {TypeError} If there is no such version of the cut, place for it or precision, or the calyx does not go with them.
 */
export function settledOptions(options: DopamineBrainOptions): SettledOptions {
  const { gated = "mbon", steps = 12, leak = 0.5, gain = 0.5, bias = 0.3 } = options;
  const { gate = {}, precision = "float64", workers, calyx } = options;
  const cannot = "Cannot make a dopamine fly's brain:";
  const wrong = (found: string): never => {
    throw new RangeError(`${cannot} ${found}`);
  };
  if (!Number.isInteger(steps) || steps < 1) wrong(`it takes ${steps} steps, at least 1 is wanted`);
  if (!(leak > 0 && leak <= 1)) wrong(`its leak is ${leak}, a number above 0 and at most 1 is wanted`);
  if (!Number.isFinite(gain)) wrong(`its gain is ${gain}, a finite number is wanted`);
  if (!Number.isFinite(bias)) wrong(`its bias is ${bias}, a finite number is wanted`);
  if (gated !== "mbon" && gated !== "all") {
    throw new TypeError(`${cannot} the cut acts on '${gated}', mbon or all is wanted`);
  }
  if (precision !== "float64" && precision !== "float32" && precision !== "int16") {
    throw new TypeError(`${cannot} the precision is '${precision}', float64, float32 or int16 is wanted`);
  }
  if (calyx !== undefined && (precision === "float64" || gated === "all")) {
    throw new TypeError(
      `${cannot} a calyx with precision ${precision} and a cut on '${gated}', float32 or int16 and mbon are wanted`,
    );
  }
  const cut = "pass" in gate ? gate : gateOf(gate);
  return { gate: cut, calyx, gated, steps, leak, gain, bias, precision, workers };
}
