import type { GateMoment, KenyonGate } from "../kenyon_gate.ts";

/** How a trace is kept. */
export interface HeardTraceOptions {
  /** Steps of the brain's think. */
  readonly steps: number;
  /** What is left of the trace a step later, 0 to 1 (0.5: MBONs' rates fade as fast, the leak of section 3). */
  readonly decay?: number | undefined;
}

/**
 * Remembers what MBONs have heard from the Kenyon cells when a look ends: what cells passed at the steps before the last,
 * those long ago less. What cells pass at the last step itself no MBON has heard yet, so where a look is short and the pattern
 * still moves, a tag of the last step would teach the wrong cells. In flies too it is the synapse that remembers for
 * some seconds which Kenyon cells were active (Handler et al. 2019).
 */
export class HeardTrace implements KenyonGate {
  /** The name of the gate within. */
  readonly name: string;
  readonly #gate: KenyonGate;
  readonly #steps: number;
  readonly #decay: number;
  #trace: (Float64Array | undefined)[] = [];

  /**
   * Listens to a gate; use it in the gate's place.
   *
   * @throws {RangeError} If the decay is out of range.
   */
  constructor(gate: KenyonGate, options: HeardTraceOptions) {
    const { steps, decay = 0.5 } = options;
    if (!(decay >= 0 && decay <= 1)) {
      throw new RangeError(`Cannot keep a trace: the decay is ${decay}, a number from 0 to 1 is wanted`);
    }
    this.name = gate.name;
    this.#gate = gate;
    this.#steps = steps;
    this.#decay = decay;
  }

  /** The gate within, listened to. */
  pass(rates: Float64Array, out: Float64Array, moment: GateMoment): void {
    this.#gate.pass(rates, out, moment);
    const { step, position } = moment;
    if (step >= this.#steps) return;
    // The newest counts fully times 1 - decay, so that a pattern that stays has the trace of itself.
    const kept = step === 1 ? undefined : this.#trace[position];
    const trace = kept?.length === out.length ? kept : new Float64Array(out.length);
    for (let k = 0; k < out.length; k++) trace[k] = this.#decay * trace[k]! + (1 - this.#decay) * out[k]!;
    this.#trace[position] = trace;
  }

  /**
   * The trace of the last look.
   *
   * @param position Which of its positions.
   * @returns `[kenyon]`: a weighted mean of what the cells passed; not changed by later looks.
   * @throws {RangeError} If nothing was heard of it.
   */
  heard(position: number): Float64Array {
    const trace = this.#trace[position];
    if (trace === undefined) {
      throw new RangeError(`Cannot say what was heard of position ${position}: nothing`);
    }
    return trace.slice();
  }
}
