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
import { heldOutElsewhere, makeCurriculum } from "flychess/data";
import { eyeFor } from "flychess/eye";
import { type Judged, pairedDifference, summarize } from "flychess/readout";
import { type CachedFitSettings, LONG_FIT, wake } from "flychess/training";
import { findStockfish } from "../cli/_stockfish.ts";
import { figure } from "./curriculum/figure.ts";
import { type Course, type TaughtFly, teachFlies } from "./curriculum/flies.ts";
import { countEndings, type EndingCounts, OPPONENTS, shareOf } from "./curriculum/games.ts";
import type { Amount, AmountFigure, Compared, Curriculum } from "./curriculum/result.ts";
import { tables } from "./curriculum/tables.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";
import { joinJudged } from "./shared/join_judged.ts";
import { frontOf } from "./shared/looks.ts";

/** Positions that Stockfish labels, some hundredths of a second each; at depth 12 they would take a second. */
const LABELLED = { relabel: 1500, endgames: 8500, stalemates: 8000, nodes: 5000 };
const LABELLED_QUICK = { relabel: 4, endgames: 100, stalemates: 10, depth: 6 };

/** Rows of the main set that the flies learn from and are judged on, and those that lessons are made of. */
const MAIN = { train: 65_536 }, MAIN_QUICK = { hold: 64, val: 32, train: 600 };
const SOURCE = { val: 0, train: 16_384 }, SOURCE_QUICK = { hold: 32, val: 0, train: 600 };

/** What the courses are called. */
const COURSES = ["no lessons", "lessons in winning", "lessons in winning and stalemates"] as const;

/** The reference's share of lessons in a batch (section 8). */
const SHARE = 0.1;

/** Shares of a batch, each twice the one before, and parts of the lessons, at the usual share. */
const SHARES = [0.05, 0.1, 0.2], PARTS = [0.0625, 0.125, 0.25, 0.5, 1];

/** The step that is read: where a larva's descending neurons say most (`read_steps`). */
const STEPS = [3];
/** What the learning curve's VAL chose for that step of the larva and 65,536 positions. */
const PENALTY = 1e-3;

/** Measures, from where it was left. */
export async function run(options: ExperimentOptions): Promise<Curriculum> {
  const { connectome, seed, quick, keep, workers, signal, onProgress } = options;
  const positions = frontOf(options.positions, quick ? MAIN_QUICK : MAIN);
  const games = quick ? 2 : 120, steps = STEPS;
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
      positions: frontOf(options.positions, quick ? SOURCE_QUICK : SOURCE),
      notIn: [options.positions],
      ...labelled,
      stalemates: stalemates ? careless : 0,
      seed,
      ...workers === undefined ? {} : { processes: Math.max(1, workers) },
      folder: join(keep, quick ? "labels" : `labels-${LABELLED.nodes}`),
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
  const own = sets[0].count - sets[0].hold;
  const courses: readonly Course[] = [
    ...COURSES.map((name, i) => ({ name, lessons: sets[i - 1], share: SHARE })),
    ...SHARES.filter((share) => share !== SHARE)
      .map((share) => ({ name: `share ${share}`, lessons: sets[0], share })),
    ...PARTS.filter((part) => part !== 1)
      .map((part) => ({
        name: `part ${part}`,
        lessons: sets[0],
        share: SHARE,
        most: Math.max(1, Math.round(part * own)),
      })),
  ];
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
    if (!COURSES.some((name) => name === fly.course)) continue;
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
  const amountOf = (name: string): Amount => {
    const { share, lessons, most } = courses.find((course) => course.name === name)!;
    return {
      name,
      share,
      lessons: most ?? lessons!.count - lessons!.hold,
      ...amountFigures((judged, metric) => compared(name, judged, metric)),
    };
  };
  const doubling = (names: readonly string[]) =>
    names.slice(1).map((to, i) => {
      const from = names[i]!;
      const minus = (judged: (fly: TaughtFly) => Judged) =>
        pairedDifference(joinJudged(of(to).map(judged)), joinJudged(of(from).map(judged)), { seed });
      return {
        from,
        to,
        ...amountFigures((judged, metric) => minus(judged)[metric]),
      };
    });
  const byShare = SHARES.map((share) => share === SHARE ? COURSES[1] : `share ${share}`);
  const byPart = PARTS.map((part) => part === 1 ? COURSES[1] : `part ${part}`);
  return {
    train: positions.count - positions.hold - positions.val,
    leftOut: heldOutElsewhere(positions, sets).length,
    sets: sets.map((set, i) => ({
      name: COURSES[i + 1]!,
      digest: set.digest,
      lessons: set.count - set.hold - set.val,
      tested: set.hold,
      testedEndgames: set.game.subarray(0, set.hold).filter((game) => game < 0).length,
      made: set.provenance,
    })),
    settings: { steps, ...settings },
    games,
    amounts: [...new Set([...byShare, ...byPart])].map(amountOf),
    doublings: [...doubling(byShare), ...doubling(byPart)],
    courses: courses.slice(0, COURSES.length).map(({ name, lessons }) => ({
      name,
      lessons: lessons === undefined ? 0 : lessons.count - lessons.hold - lessons.val,
      fastestWins: compared(name, (fly) => fly.lessons[0]!, "top1"),
      fastestWinsEndgames: compared(name, (fly) => madeUp(fly.lessons[0]!), "top1"),
      fastestWinsBoth: compared(name, (fly) => fly.lessons[1]!, "top1"),
      lessonLoss: compared(name, (fly) => fly.lessons[0]!, "loss"),
      lessonLossEndgames: compared(name, (fly) => madeUp(fly.lessons[0]!), "loss"),
      lessonLossBoth: compared(name, (fly) => fly.lessons[1]!, "loss"),
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

/** What is said of every amount of lessons. */
function amountFigures<Figure>(
  of: (judged: (fly: TaughtFly) => Judged, metric: "loss" | "top1") => Figure,
): Record<AmountFigure, Figure> {
  const first = (fly: TaughtFly) => fly.lessons[0]!, endgames = (fly: TaughtFly) => madeUp(first(fly));
  return {
    fastestWins: of(first, "top1"),
    fastestWinsEndgames: of(endgames, "top1"),
    lessonLoss: of(first, "loss"),
    lessonLossEndgames: of(endgames, "loss"),
    loss: of(({ main }) => main, "loss"),
  };
}

/** Those of some judgements that are of no game: made-up positions. */
function madeUp({ rows, top1, good, loss, valueError, game }: Judged): Judged {
  const only = <T extends { filter(keep: (value: number, i: number) => boolean): T }>(values: T) =>
    values.filter((_, i) => game[i]! < 0);
  return {
    rows: only(rows),
    top1: only(top1),
    good: only(good),
    loss: only(loss),
    valueError: only(valueError),
    game: only(game),
  };
}

export { figure, tables };

/** The question. */
export const question: Experiment["question"] = "Do lessons in finishing make a fly finish?";

/** Games are among its numbers. */
export const measured: boolean = true;
