import type { Positions } from "flychess/data";
import type { Interval } from "flychess/readout";
import type { EndingCounts } from "./games.ts";

/** A number of a course, and by how much it differs from that of no lessons on the same positions. */
export interface Compared extends Interval {
  /** The same of each seed. */
  readonly seeds: readonly number[];
  /** Difference to no lessons; null for those without. */
  readonly against: Interval | null;
}

/** What came of a course. */
export interface CourseResult {
  readonly name: string;
  /** Lessons that are learned from. */
  readonly lessons: number;
  /** Share of held-out lessons in winning whose fastest win is the fly's favourite move. */
  readonly fastestWins: Compared;
  /** The same of those that are basic endgames: most lessons are, but most that are tested on are of games. */
  readonly fastestWinsEndgames: Compared;
  /** The same of the held-out lessons with stalemates among them. */
  readonly fastestWinsBoth: Compared;
  /** Policy loss on the held-out lessons in winning, in nats: finer than which move is the favourite. */
  readonly lessonLoss: Compared;
  /** The same of those that are basic endgames. */
  readonly lessonLossEndgames: Compared;
  /** The same of the held-out lessons with stalemates among them. */
  readonly lessonLossBoth: Compared;
  /** HOLD loss, in nats. */
  readonly loss: Compared;
  readonly top1: Compared;
  readonly good: Compared;
  /** VAL loss of each seed. */
  readonly valLosses: readonly number[];
  /** Against each opponent: how games ended, of each seed, and of all as numbers of one match. */
  readonly matches: readonly {
    readonly opponent: string;
    readonly seeds: readonly EndingCounts[];
    readonly endings: Readonly<Record<keyof EndingCounts, Interval>>;
  }[];
}

/** What is said of every amount of lessons. */
export type AmountFigure =
  | "fastestWins"
  | "fastestWinsEndgames"
  | "lessonLoss"
  | "lessonLossEndgames"
  | "loss";

/** Other amounts of lessons in winning; no games are played. */
export interface Amount extends Pick<CourseResult, "name" | "lessons" | AmountFigure> {
  /** Share of a batch. */
  readonly share: number;
}

/** A set of lessons. */
export interface LessonSet {
  readonly name: string;
  readonly digest: string;
  /** Learned from. */
  readonly lessons: number;
  /** Tested on. */
  readonly tested: number;
  /** Of these, made up: endgames. */
  readonly testedEndgames: number;
  /** How it was made. */
  readonly made: Positions["provenance"];
}

/** What `curriculum_BRAIN.json` holds besides its origin. */
export interface Curriculum {
  /** Main positions that there are to learn from. */
  readonly train: number;
  /** Training positions that no fly learns from, because lessons are tested on them. */
  readonly leftOut: number;
  readonly sets: readonly LessonSet[];
  readonly settings: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  /** Games of a match. */
  readonly games: number;
  readonly courses: readonly CourseResult[];
  /** Amounts of lessons in winning, the usual one among them, by share and then by number. */
  readonly amounts: readonly Amount[];
  /** What twice as much buys: the later of two amounts minus the one before, on the same positions. */
  readonly doublings: readonly (
    & { readonly from: string; readonly to: string }
    & Readonly<
      Record<AmountFigure, Interval>
    >
  )[];
}
