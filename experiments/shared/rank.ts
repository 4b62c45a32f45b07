/** Where a loss stands among those of shuffles. */
export interface AmongShuffles {
  /** 1: lower than all of them. */
  readonly rank: number;
  /** Shuffles and the measured wiring together. */
  readonly of: number;
  /** Mean of the shuffles, in nats. */
  readonly mean: number;
  /** Their standard deviation, in nats. */
  readonly deviation: number;
  /** The loss minus their mean, in nats: below 0 is better. */
  readonly difference: number;
  /** The same in standard deviations. */
  readonly effect: number;
  /**
   * The chance of so low a rank if the measured wiring were one of the shuffles: the question is whether it is better. Null
   * with fewer than 19, among which no rank is rare.
   */
  readonly chance: number | null;
  /** The chance of so high a rank: whether it is worse. */
  readonly chanceWorse: number | null;
}

/** With fewer even the best is no rarer than one in twenty. */
const LEAST = 19;

/**
 * Ranks a loss among those of shuffles.
 *
 * @param loss Of the measured wiring.
 * @param shuffles One a shuffle.
 */
export function amongShuffles(loss: number, shuffles: readonly number[]): AmongShuffles {
  const count = shuffles.length, mean = shuffles.reduce((sum, each) => sum + each, 0) / count;
  const deviation = Math.sqrt(shuffles.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1));
  const rank = 1 + shuffles.filter((each) => each < loss).length, of = count + 1;
  // A shuffle that is level counts against a rare rank.
  const below = 1 + shuffles.filter((each) => each <= loss).length;
  const above = 1 + shuffles.filter((each) => each >= loss).length;
  return {
    rank,
    of,
    mean,
    deviation,
    difference: loss - mean,
    effect: (loss - mean) / deviation,
    chance: count < LEAST ? null : below / of,
    chanceWorse: count < LEAST ? null : above / of,
  };
}
