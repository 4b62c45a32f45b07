import {
  bestMovesFound,
  type DopamineBrain,
  favouriteMoves,
  type LessonPairs,
  lessonPairs,
  scorePairs,
} from "../../bio/mod.ts";
import type { LongWork } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import type { Eye } from "../../eye/mod.ts";
import { bootstrapMeans, type Interval } from "../../readout/mod.ts";
import type { ResolvedBioSettings } from "./bio_settings.ts";
import { holdRows } from "../read_rows.ts";

/** How a fly judges held-out positions; every number with its 95 % interval by game. */
export interface BioTable {
  /** The share of pairs in which it prefers the teacher's move to a random one. */
  readonly pairs: Interval;
  /** The same against the teacher's second best. */
  readonly harder: Interval;
  /** The share of positions in which its favourite of all moves is the teacher's; absent where none were shown. */
  readonly moves?: Interval;
}

/** A fly before and after it was taught. */
export interface BioScores {
  /** As measured. */
  readonly before: BioTable;
  /** As it is now. */
  readonly after: BioTable;
  /** After less before, pair by pair. */
  readonly gain: BioTable;
  /** Pairs, harder pairs and positions that is. */
  readonly counts: { readonly pairs: number; readonly harder: number; readonly moves: number };
}

/** Judges a fly on HOLD rows as it is and with its synapses as measured, to which it goes back for a moment. */
export async function judgeBio(
  brain: DopamineBrain,
  eye: Eye,
  positions: Positions,
  { seed, holdRows: most, moveRows }: Pick<ResolvedBioSettings, "seed" | "holdRows" | "moveRows">,
  work: LongWork,
): Promise<BioScores> {
  const rows = holdRows(positions).subarray(0, most), moved = holdRows(positions).subarray(0, moveRows);
  const random = lessonPairs(positions, rows, { seed });
  const second = lessonPairs(positions, rows, { seed, against: "second" });
  const { strength, measured } = brain.synapses, kept = strength.slice();
  const judge = async () => ({
    pairs: await rightOf(brain, eye, random, work),
    harder: await rightOf(brain, eye, second, work),
    moves: bestMovesFound(positions, moved, await favouriteMoves(brain, eye, positions, moved, work)),
  });
  const after = await judge();
  strength.set(measured);
  let before: Awaited<ReturnType<typeof judge>>;
  try {
    before = await judge();
  } finally {
    strength.set(kept);
  }
  const tables = [["pairs", random.row], ["harder", second.row], ["moves", moved]] as const;
  const scores: Record<"before" | "after" | "gain", Partial<Record<keyof BioTable, Interval>>> = {
    before: {},
    after: {},
    gain: {},
  };
  for (const [name, at] of tables) {
    if (at.length === 0) continue;
    const gain = Float64Array.from(after[name], (value, i) => value - before[name][i]!);
    const game = Int32Array.from(at, (row) => positions.game[row]!);
    const [a, b, c] = bootstrapMeans([before[name], after[name], gain], game, { seed });
    Object.assign(scores.before, { [name]: a });
    Object.assign(scores.after, { [name]: b });
    Object.assign(scores.gain, { [name]: c });
  }
  return {
    ...scores as Record<"before" | "after" | "gain", BioTable>,
    counts: { pairs: random.count, harder: second.count, moves: moved.length },
  };
}

/** Pairs that go through the brain between two progress reports. */
const PAIRS_AT_ONCE = 512;

/** `[pairs]`: 1 where the better position draws it more, 0.5 for a tie. */
async function rightOf(
  brain: DopamineBrain,
  eye: Eye,
  { count, good, bad, row }: LessonPairs,
  { signal, onProgress }: LongWork,
): Promise<Float64Array> {
  const right = new Float64Array(count);
  for (let from = 0; from < count; from += PAIRS_AT_ONCE) {
    const to = Math.min(from + PAIRS_AT_ONCE, count), bytes = good.length / count;
    const part = {
      count: to - from,
      good: good.subarray(from * bytes, to * bytes),
      bad: bad.subarray(from * bytes, to * bytes),
      row: row.subarray(from, to),
    };
    const scores = await scorePairs(brain, eye, part, { signal });
    scores.good.forEach((value, b) => {
      right[from + b] = value > scores.bad[b]! ? 1 : value === scores.bad[b] ? 0.5 : 0;
    });
    onProgress?.({ task: "judging pairs", done: to, total: count, unit: "pairs" });
  }
  return right;
}
