import { Random } from "../common/mod.ts";

/** A measured number with its interval. */
export interface Interval {
  /** What was measured. */
  readonly value: number;
  /** The interval's lower end. */
  readonly low: number;
  /** The interval's upper end. */
  readonly high: number;
}

/** How intervals are made. */
export interface IntervalOptions {
  /** How often the games are drawn again; 1,000 by default. */
  readonly resamples?: number | undefined;
  /** Seed of the draws; 1 by default. */
  readonly seed?: number | undefined;
  /** Share of the draws that the interval holds; 0.95 by default. */
  readonly level?: number | undefined;
}

/**
 * Means with bootstrap intervals (Efron 1979, percentile): whole games are drawn again with replacement, as many
 * as there are, because positions of one game are alike and are no independent evidence. A row whose game is -1
 * is a game of its own. All metrics are taken over the same draws.
 *
 * @param metrics Each `[count]`.
 * @param game `[count]`.
 * @returns One interval a metric.
 */
export function bootstrapMeans(
  metrics: readonly ArrayLike<number>[],
  game: Int32Array,
  options: IntervalOptions = {},
): Interval[] {
  const { resamples = 1000, seed = 1, level = 0.95 } = options;
  if (game.length === 0) {
    throw new RangeError("Cannot make an interval: no positions, at least one is wanted");
  }
  if (!Number.isInteger(resamples) || resamples < 1 || !(level > 0 && level < 1)) {
    throw new RangeError(
      `Cannot make an interval: ${resamples} resamples at level ${level}, at least 1 and between 0 and 1 are wanted`,
    );
  }
  const { group, groups } = groupsOf(game);
  const kinds = metrics.length;
  // Side by side for each game: its size and its sum of every metric, so that a draw reads one place in memory.
  const width = kinds + 1;
  const sums = new Float64Array(groups * width);
  for (let i = 0; i < game.length; i++) {
    const at = group[i]! * width;
    sums[at]! += 1;
    for (let k = 0; k < kinds; k++) sums[at + 1 + k]! += metrics[k]![i]!;
  }
  const random = new Random(seed, "bootstrap");
  const means = metrics.map(() => new Float64Array(resamples));
  const total = new Float64Array(width);
  for (let r = 0; r < resamples; r++) {
    total.fill(0);
    for (let g = 0; g < groups; g++) {
      const at = random.int(groups) * width;
      for (let k = 0; k < width; k++) total[k]! += sums[at + k]!;
    }
    for (let k = 0; k < kinds; k++) means[k]![r] = total[k + 1]! / total[0]!;
  }
  return metrics.map((metric, k) => {
    const sorted = means[k]!.sort();
    let sum = 0;
    for (let i = 0; i < game.length; i++) sum += metric[i]!;
    return {
      value: sum / game.length,
      low: quantile(sorted, (1 - level) / 2),
      high: quantile(sorted, (1 + level) / 2),
    };
  });
}

function groupsOf(game: Int32Array): { group: Int32Array; groups: number } {
  const seen = new Map<number, number>();
  const group = new Int32Array(game.length);
  let groups = 0;
  for (let i = 0; i < game.length; i++) {
    const known = game[i]! < 0 ? undefined : seen.get(game[i]!);
    group[i] = known ?? groups++;
    if (known === undefined && game[i]! >= 0) seen.set(game[i]!, group[i]!);
  }
  return { group, groups };
}

/** Linear interpolation between the two nearest of sorted numbers (type 7 of Hyndman and Fan 1996). */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (place - below) * (sorted[above]! - sorted[below]!);
}
