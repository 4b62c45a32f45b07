import type { Positions } from "flychess/data";
import { bootstrapMeans, type Interval } from "flychess/readout";
import type { DopamineArm } from "./arms.ts";

/** Marks as numbers. */
function numbers(marks: string): Float64Array {
  return Float64Array.from(marks, (mark) => mark === "h" ? 0.5 : Number(mark));
}

/** The mean over several flies, position by position. */
function meanMarks(flies: readonly string[]): Float64Array {
  const lists = flies.map(numbers);
  return lists[0]!.map((_, i) => lists.reduce((sum, list) => sum + list[i]!, 0) / lists.length);
}

/** Before, after and their paired difference, means over seeds, with 95 % intervals by game. */
export interface Taught {
  readonly before: Interval;
  readonly after: Interval;
  readonly gain: Interval;
  /** Each seed's own value after. */
  readonly seeds: readonly number[];
}

/** Sums up what seeds of one way did. */
export function taughtOf(
  arms: readonly DopamineArm[],
  what: "pairs" | "harder" | "moves",
  rows: Int32Array,
  positions: Positions,
  seed: number,
): Taught {
  const game = Int32Array.from(rows, (row) => positions.game[row]!);
  const before = meanMarks(arms.map((arm) => arm.before[what]));
  const after = meanMarks(arms.map((arm) => arm.after[what]));
  const [one, other, gain] = bootstrapMeans(
    [before, after, after.map((value, i) => value - before[i]!)],
    game,
    {
      seed,
    },
  );
  const mean = (list: Float64Array) => list.reduce((a, b) => a + b) / list.length;
  return {
    before: one!,
    after: other!,
    gain: gain!,
    seeds: arms.map((arm) => mean(numbers(arm.after[what]))),
  };
}
