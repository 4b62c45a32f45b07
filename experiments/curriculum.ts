/**
 * Do lessons in finishing make a fly finish? One brain that stays as it is looks at every position once; its readout is
 * fitted on the main positions alone, with a tenth of lessons in every batch, and with lessons that show stalemates too.
 * Judged on lessons that nobody learned from, on HOLD, and in games. Stockfish makes the lessons first.
 *
 *   deno task experiment curriculum --connectome FILE --positions FILE
 *
 * @module
 */
import { join } from "node:path";
import { wasmEngine } from "flychess/brain";
import { digest } from "flychess/common";
import { heldOutElsewhere, makeCurriculum, type Positions } from "flychess/data";
import { eyeFor } from "flychess/eye";
import { type Interval, type Judged, pairedDifference, summarize } from "flychess/readout";
import { type CachedFitSettings, LONG_FIT, wake } from "flychess/training";
import { findStockfish } from "../cli/_stockfish.ts";
import { figure } from "./_curriculum_figure.ts";
import { type Course, type TaughtFly, teachFlies } from "./_curriculum_flies.ts";
import { countEndings, type EndingCounts, OPPONENTS, shareOf } from "./_curriculum_games.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import { joinJudged } from "./_join_judged.ts";

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
  /** The same of the held-out lessons with stalemates among them. */
  readonly fastestWinsBoth: Compared;
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

/** A set of lessons. */
export interface LessonSet {
  readonly name: string;
  readonly digest: string;
  /** Learned from. */
  readonly lessons: number;
  /** Tested on. */
  readonly tested: number;
  /** How it was made. */
  readonly made: Positions["provenance"];
}

/** What `curriculum_BRAIN.json` holds besides its origin. */
export interface Curriculum {
  /** Training positions that no fly learns from, because lessons are tested on them. */
  readonly leftOut: number;
  readonly sets: readonly LessonSet[];
  readonly settings: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  /** Games of a match. */
  readonly games: number;
  readonly courses: readonly CourseResult[];
}

/** Positions that Stockfish labels: some minutes each thousand. */
const LABELLED = { relabel: 1000, endgames: 2000, stalemates: 1500 };
const LABELLED_QUICK = { relabel: 16, endgames: 40, stalemates: 24 };

/** What the courses are called. */
const COURSES = ["no lessons", "lessons in winning", "lessons in winning and stalemates"] as const;

/** The reference's share of lessons in a batch (section 8). */
const SHARE = 0.1;

/** The weakest penalty of the learning curves: what 131,072 positions of the larva wanted for the mean of steps. */
const PENALTY = 1e-4;

/** Measures, from where it was left. */
export async function run(options: ExperimentOptions): Promise<Curriculum> {
  const { connectome, positions, seed, quick, keep, workers, signal, onProgress } = options;
  const games = quick ? 2 : 120, steps = [9, 10, 11, 12];
  const seeds = Array.from({ length: quick ? 1 : 3 }, (_, i) => seed + i);
  const settings: CachedFitSettings = {
    ...LONG_FIT,
    ...quick ? { maxPasses: 2 } : {},
    decay: PENALTY,
    curriculumShare: SHARE,
  };
  const stockfish = await findStockfish();
  const lessons = async (stalemates: boolean) => {
    const { stalemates: careless, ...labelled } = quick ? LABELLED_QUICK : LABELLED;
    const made = await makeCurriculum({
      stockfish,
      positions,
      ...labelled,
      stalemates: stalemates ? careless : 0,
      seed,
      ...workers === undefined ? {} : { processes: Math.max(1, workers) },
      folder: join(keep, "labels"),
    }, { signal, onProgress });
    return made.positions;
  };
  const sets = [await lessons(false), await lessons(true)] as const;
  const eye = eyeFor(connectome, "auto");
  await using brain = await wake(connectome, eye, positions, {
    engine: wasmEngine(workers === undefined ? {} : { workers }),
    signal,
    onProgress,
  });
  const courses: readonly Course[] = COURSES.map((name, i) => ({ name, lessons: sets[i - 1] }));
  const plan = {
    brain,
    eye,
    positions,
    tested: sets,
    steps,
    settings,
    seeds,
    keep,
    // The heads have threads of their own only.
    workers: workers === 0 ? 1 : workers,
  };
  const flies: TaughtFly[] = [];
  const played = new Map<TaughtFly, EndingCounts[]>();
  for await (const fly of teachFlies(courses, { ...plan, signal, onProgress })) {
    flies.push(fly);
    const counts: EndingCounts[] = [];
    for (const opponent of OPPONENTS) {
      const { readout, seed } = fly;
      counts.push(
        await countEndings({ eye, brain, readout, steps }, {
          opponent,
          games,
          moveLimit: quick ? 10 : undefined,
          seed,
          path: join(
            keep,
            `games-${COURSES.indexOf(fly.course as typeof COURSES[0])}-${seed}-${opponent}.json`,
          ),
          key: digest([readout.weight, readout.bias, `${games} games`]),
          signal,
          onProgress: onProgress &&
            ((progress) =>
              onProgress({ ...progress, task: `playing against ${opponent}, ${fly.course}, seed ${seed}` })),
        }),
      );
    }
    played.set(fly, counts);
  }

  const of = (course: string) => flies.filter((fly) => fly.course === course);
  const compared = (
    course: string,
    judged: (fly: TaughtFly) => Judged,
    metric: "loss" | "top1" | "good",
  ): Compared => {
    const own = joinJudged(of(course).map(judged)), none = joinJudged(of(COURSES[0]).map(judged));
    return {
      ...summarize(own, { seed })[metric],
      seeds: of(course).map((fly) => summarize(judged(fly), { seed, resamples: 1 })[metric].value),
      against: course === COURSES[0] ? null : pairedDifference(own, none, { seed })[metric],
    };
  };
  return {
    leftOut: heldOutElsewhere(positions, sets).length,
    sets: sets.map((set, i) => ({
      name: COURSES[i + 1]!,
      digest: set.digest,
      lessons: set.count - set.hold - set.val,
      tested: set.hold,
      made: set.provenance,
    })),
    settings: { steps, ...settings },
    games,
    courses: courses.map(({ name, lessons }) => ({
      name,
      lessons: lessons === undefined ? 0 : lessons.count - lessons.hold - lessons.val,
      fastestWins: compared(name, (fly) => fly.lessons[0]!, "top1"),
      fastestWinsBoth: compared(name, (fly) => fly.lessons[1]!, "top1"),
      loss: compared(name, ({ main }) => main, "loss"),
      top1: compared(name, ({ main }) => main, "top1"),
      good: compared(name, ({ main }) => main, "good"),
      valLosses: of(name).map(({ valLoss }) => valLoss),
      matches: OPPONENTS.map((opponent, i) => {
        const each = of(name).map((fly) => played.get(fly)![i]!);
        const share = (ending: keyof EndingCounts) =>
          shareOf(each.reduce((sum, counts) => sum + counts[ending], 0), games * each.length, games);
        return {
          opponent,
          seeds: each,
          endings: {
            mates: share("mates"),
            mated: share("mated"),
            stalemates: share("stalemates"),
            repetitions: share("repetitions"),
            "other draws": share("other draws"),
          },
        };
      }),
    })),
  };
}

export { figure };

/** The question. */
export const question: Experiment["question"] = "Do lessons in finishing make a fly finish?";

/** Games are among its numbers. */
export const measured: boolean = true;
