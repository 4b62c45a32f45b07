import { type Connectome, type Region, REGIONS } from "flychess/connectome";
import type { Positions } from "flychess/data";
import type { Interval } from "flychess/readout";

/** How much the board moves one region. */
export interface RegionSignal {
  readonly region: Region;
  /** Neurons in it. */
  readonly neurons: number;
  /**
   * How far a neuron's rate moves from board to board: the population standard deviation over the positions, mean over
   * the region's neurons. Between 0 and 0.5. The interval is 95 %, by the jackknife over games.
   */
  readonly signal: Interval;
  /** Share of its neurons that are silent on every board. */
  readonly silent: number;
  /** Share of its neurons whose rate stays above 0.9 on every board. */
  readonly saturated: number;
}

/** Normal quantile of a 95 % interval. */
const Z = 1.96;
/** Above this a rate counts as full. */
const FULL = 0.9;
/** Neurons that are looked at together. */
const BLOCK = 4096;

/** Regions that a connectome has neurons in, in the order of `REGIONS`, with the region of every neuron among them. */
export function regionsOf(connectome: Connectome): { regions: Region[]; of: Uint8Array; neurons: number[] } {
  const { names, index } = connectome.neurons.region;
  const used = new Set(index);
  const regions = REGIONS.filter((region) => used.has(names.indexOf(region)));
  const place = names.map((name) => regions.indexOf(name as Region));
  const of = Uint8Array.from(index, (name) => place[name]!);
  const neurons = regions.map(() => 0);
  for (const region of of) neurons[region]!++;
  return { regions, of, neurons };
}

/**
 * Rows of as many different games as there are, then second rows of these games, and so on: boards of one game are alike.
 *
 * @param rows Candidates, in order.
 * @param count How many are wanted; fewer come back if there are fewer.
 */
export function spreadRows(rows: Int32Array, positions: Positions, count: number): Int32Array {
  const seen = new Map<number, number>();
  const turn = Array.from(rows, (row) => {
    const game = positions.game[row]!;
    if (game < 0) return 0;
    const before = seen.get(game) ?? 0;
    seen.set(game, before + 1);
    return before;
  });
  return Int32Array.from(turn.keys())
    .sort((a, b) => turn[a]! - turn[b]! || a - b)
    .map((i) => rows[i]!).slice(0, count).sort();
}

/** Which game each row belongs to, as groups from 0; a row without a game is a group of its own. */
export function gameGroups(positions: Positions, rows: Int32Array): { group: Int32Array; groups: number } {
  const known = new Map<string, number>();
  const group = Int32Array.from(rows, (row) => {
    const game = positions.game[row]!, name = game < 0 ? `row ${row}` : `game ${game}`;
    if (!known.has(name)) known.set(name, known.size);
    return known.get(name)!;
  });
  return { group, groups: known.size };
}

/** `signalByRegion`'s numbers with what the jackknife left. */
export interface SignalSet {
  readonly regions: readonly RegionSignal[];
  /** `[regions][games]`: the signal without each game. */
  readonly without: readonly Float64Array[];
}

/**
 * How much boards move every region.
 *
 * @param rates `[positions][neurons]`: all rates at one step.
 * @param games The game of each position.
 */
export function signalByRegion(
  connectome: Connectome,
  rates: Float32Array,
  { group, groups }: { readonly group: Int32Array; readonly groups: number },
): SignalSet {
  const all = connectome.sign.length, positions = group.length;
  const { regions, of, neurons } = regionsOf(connectome);
  const whole = new Float64Array(regions.length), silent = regions.map(() => 0), full = regions.map(() => 0);
  const without = regions.map(() => new Float64Array(groups));
  const size = new Int32Array(groups);
  for (const game of group) size[game]!++;
  const sums = new Float64Array(BLOCK * groups), squares = new Float64Array(BLOCK * groups);
  for (let first = 0; first < all; first += BLOCK) {
    const count = Math.min(BLOCK, all - first);
    sums.fill(0);
    squares.fill(0);
    for (let p = 0; p < positions; p++) {
      const at = p * all + first, game = group[p]!;
      for (let i = 0; i < count; i++) {
        // From the first board's rate: a neuron that never moves has exactly 0, and no digits are lost.
        const x = rates[at + i]! - rates[first + i]!;
        sums[i * groups + game]! += x;
        squares[i * groups + game]! += x * x;
      }
    }
    for (let i = 0; i < count; i++) {
      const region = of[first + i]!, from = i * groups;
      let sum = 0, square = 0, low = Infinity, high = 0;
      for (let g = 0; g < groups; g++) {
        sum += sums[from + g]!;
        square += squares[from + g]!;
      }
      for (let p = 0; p < positions; p++) {
        const rate = rates[p * all + first + i]!;
        if (rate < low) low = rate;
        if (rate > high) high = rate;
      }
      if (high === 0) silent[region]!++;
      if (low > FULL) full[region]!++;
      whole[region]! += spread(sum, square, positions);
      const left = without[region]!;
      for (let g = 0; g < groups; g++) {
        left[g]! += spread(sum - sums[from + g]!, square - squares[from + g]!, positions - size[g]!);
      }
    }
  }
  for (const [r, left] of without.entries()) for (let g = 0; g < groups; g++) left[g]! /= neurons[r]!;
  return {
    regions: regions.map((region, r) => ({
      region,
      neurons: neurons[r]!,
      signal: jackknife(whole[r]! / neurons[r]!, without[r]!),
      silent: silent[r]! / neurons[r]!,
      saturated: full[r]! / neurons[r]!,
    })),
    without,
  };
}

function spread(sum: number, square: number, count: number): number {
  return count === 0 ? 0 : Math.sqrt(Math.max(0, square / count - (sum / count) ** 2));
}

/**
 * A 95 % interval by the delete-one jackknife (Efron and Stein 1981).
 *
 * @param value The number itself.
 * @param without The number without each of the games.
 */
export function jackknife(value: number, without: ArrayLike<number>): Interval {
  const groups = without.length;
  let mean = 0, squares = 0;
  for (let g = 0; g < groups; g++) mean += without[g]! / groups;
  for (let g = 0; g < groups; g++) squares += (without[g]! - mean) ** 2;
  const error = Z * Math.sqrt(squares * (groups - 1) / groups);
  return { value, low: value - error, high: value + error };
}

/** Every neuron of a connectome, to be read. */
export function everyNeuron(connectome: Connectome): Int32Array {
  return Int32Array.from(connectome.sign.keys());
}
