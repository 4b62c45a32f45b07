/** Arrays by name. */
type Parts = Readonly<Record<string, Float32Array | Float64Array>>;

/**
 * The running average of numbers that learn (Polyak and Juditsky 1992, exponential as in Kingma and Ba 2015): what they
 * were lately, without the last steps' noise.
 */
export class RunningAverage {
  /** The average so far, by name. */
  readonly values: Parts;
  readonly #keep: number;

  /** @param keep The share that a step leaves of it, under 1. */
  constructor(parts: Parts, keep: number) {
    this.values = Object.fromEntries(Object.entries(parts).map(([name, own]) => [name, own.slice()]));
    this.#keep = keep;
  }

  /**
   * Takes in what was learned in a step. The first ones weigh more, so that the start is soon forgotten.
   *
   * @param step Counted from 1.
   */
  add(parts: Parts, step: number): void {
    const share = 1 - Math.min(this.#keep, step / (step + 9));
    for (const [name, values] of Object.entries(this.values)) {
      const own = parts[name]!;
      for (let i = 0; i < values.length; i++) values[i]! += share * (own[i]! - values[i]!);
    }
  }

  /** Puts the average where the numbers are, and them where it was; a second time, back. */
  swap(parts: Parts): void {
    for (const [name, values] of Object.entries(this.values)) {
      const own = parts[name]!, kept = own.slice();
      own.set(values);
      values.set(kept);
    }
  }
}
