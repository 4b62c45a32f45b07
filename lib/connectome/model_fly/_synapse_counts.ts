import type { Random } from "../../common/mod.ts";
import { TEN_SYNAPSES } from "./_published.ts";

/** The least number of synapses of a connection that is kept. */
export const LEAST_SYNAPSES = 5;
/** The largest count that a draw gives. */
const MOST = 6_000;
/** Spread of the logarithm of a count: with it, the largest of 6.2 million draws is about 2,000. */
const SPREAD = 1.3;

/** Connections of photoreceptors, which all have 10 synapses and more: this share of all connections. */
const EYE_SHARE = 0.016;
/** So many of the others do, for the published share of all. */
const STRONG = (TEN_SYNAPSES - EYE_SHARE) / (1 - EYE_SHARE);

/** The area of the standard normal distribution above `z` (Abramowitz and Stegun 1964, 26.2.17). */
function above(z: number): number {
  if (z < 0) return 1 - above(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const series = t *
    (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) * series;
}

/**
 * Draws synapse counts: a log-normal distribution cut off below 5, whose middle is such that as large a share of
 * connections has 10 or more as in MaleCNS.
 */
export class SynapseCounts {
  readonly #cumulative: Float64Array;
  readonly #guide: Uint16Array;

  constructor() {
    const share = (middle: number) =>
      above((Math.log(9.5) - middle) / SPREAD) / above((Math.log(LEAST_SYNAPSES - 0.5) - middle) / SPREAD);
    let low = -5;
    let high = 5;
    for (let k = 0; k < 60; k++) {
      const middle = (low + high) / 2;
      if (share(middle) < STRONG) low = middle;
      else high = middle;
    }
    const whole = above((Math.log(LEAST_SYNAPSES - 0.5) - low) / SPREAD);
    this.#cumulative = Float64Array.from(
      { length: MOST - LEAST_SYNAPSES + 1 },
      (_, k) => 1 - above((Math.log(LEAST_SYNAPSES + k + 0.5) - low) / SPREAD) / whole,
    );
    this.#cumulative[MOST - LEAST_SYNAPSES] = 1;
    // Where to begin looking for each of 1,024 slices of the draw.
    this.#guide = new Uint16Array(1_024);
    for (let slice = 0, k = 0; slice < 1_024; slice++) {
      while (this.#cumulative[k]! <= slice / 1_024) k++;
      this.#guide[slice] = k;
    }
  }

  /** One count. */
  draw(random: Random): number {
    const u = random.float();
    let k = this.#guide[Math.floor(u * 1_024)]!;
    while (this.#cumulative[k]! <= u) k++;
    return LEAST_SYNAPSES + k;
  }
}
