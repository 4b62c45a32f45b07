import { card, intervalChart, type IntervalRow } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import type { Compared, CourseResult, Curriculum } from "./result.ts";
import { scaled, wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 1145, MARGIN = 20, GAP = 22, NAMES = 92;
const OTHER = (WIDTH - 2 * MARGIN - 2 * GAP - NAMES) / 3, FIRST = OTHER + NAMES;
/** Pixels of a chart of three rows, and of the space below it. */
const LINE = 3 * 30 + 58 + 10;

const signed = (value: number, digits: number) =>
  (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(digits);
const range = ({ value, low, high }: Interval, digits: number, times = 1) =>
  `${signed(times * value, digits)} (${signed(times * low, digits)} to ${signed(times * high, digits)})`;
const one = (value: number) => value.toFixed(1);

/** The courses at the left margin. */
const SHORT = ["no lessons", "winning", "+ stalemates"];

type Endings = CourseResult["matches"][number]["endings"];

/**
 * Draws what lessons changed.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<Curriculum>): string {
  const { courses, connectome, train, sets, games } = result;
  const rows = (of: (course: CourseResult) => Interval, times = 1): IntervalRow[] =>
    courses.map((course, i) => ({
      name: SHORT[i]!,
      interval: scaled(of(course), times),
      subject: i > 0,
    }));
  const chart = (
    column: number,
    label: string,
    data: readonly IntervalRow[],
    format: (value: number) => string,
  ) =>
    intervalChart(data, {
      label,
      width: column === 0 ? FIRST : OTHER,
      names: column === 0,
      mark: data[0]!.interval.value,
      format,
    });
  const against = (opponent: string, ending: keyof Endings) =>
    rows(({ matches }) => matches.find((each) => each.opponent === opponent)!.endings[ending]);
  const lines = [
    [
      chart(
        0,
        "fastest wins found (% of held-out lessons)",
        rows(({ fastestWins }) => fastestWins, 100),
        one,
      ),
      chart(1, "the same, basic endgames alone (%)", rows((of) => of.fastestWinsEndgames, 100), one),
      chart(
        2,
        "held-out loss (nats, lower is better)",
        rows(({ loss }) => loss),
        (value) => value.toFixed(3),
      ),
    ],
    ...["random", "greedy"].map((opponent) => [
      chart(0, `mates in ${games} games against ${opponent}`, against(opponent, "mates"), one),
      chart(1, `stalemates against ${opponent}`, against(opponent, "stalemates"), one),
      chart(2, `repetitions against ${opponent}`, against(opponent, "repetitions"), one),
    ]),
  ];
  const title = finding(result), [, winning, both] = courses;
  const changed = (of: (course: CourseResult) => Compared, digits: number, times = 1) =>
    `${range(of(winning!).against!, digits, times)} and ${range(of(both!).against!, digits, times)}`;
  const seeds = courses[0]!.valLosses.length;
  return card(
    lines.flatMap((charts, y) =>
      charts.map((svg, x) => ({
        svg,
        x: MARGIN + (x === 0 ? 0 : FIRST + GAP + (x - 1) * (OTHER + GAP)),
        y: y * LINE,
      }))
    ),
    {
      title,
      caption: [
        `${connectome.name}: ${
          wholeNumber(connectome.neurons)
        } neurons that stay as they are; a readout fitted on ${
          wholeNumber(train)
        } positions (${seeds} orders), without lessons, with ${
          wholeNumber(sets[0]!.lessons)
        } in winning fast,`,
        `or with ${
          wholeNumber(sets[1]!.lessons)
        } that show stalemates too: a tenth of every batch. Paired with no lessons: ${
          changed(({ fastestWins }) => fastestWins, 1, 100)
        } percent points`,
        `of the fastest wins, ${changed(({ loss }) => loss, 4)} nats of held-out loss, ${
          changed(({ lessonLossEndgames }) => lessonLossEndgames, 3)
        } of loss on held-out basic endgames.`,
        `Bars: 95 % intervals, of positions by game, of games after Wilson. Dashed: no lessons. Held-out lessons: ${
          wholeNumber(sets[0]!.tested)
        }, and ${wholeNumber(sets[1]!.tested)} with those on stalemates.`,
      ],
      alt: `${title}. ` +
        courses.map(({ name, fastestWins, loss, matches }) =>
          `${name}: fastest wins ${one(100 * fastestWins.value)} %, held-out loss ${
            loss.value.toFixed(3)
          }; ` +
          matches.map(({ opponent, endings: { mates, stalemates, repetitions } }) =>
            `against ${opponent} ${one(mates.value)} mates, ${one(stalemates.value)} stalemates, ${
              one(repetitions.value)
            } repetitions`
          ).join("; ")
        ).join(". "),
      width: WIDTH,
      height: lines.length * LINE,
    },
  );
}

/** What lessons bought, in a sentence: those in winning, and those on stalemates against the random mover. */
function finding({ courses, connectome, games }: Result<Curriculum>): string {
  const [none, winning, both] = courses, wins = winning!.fastestWins.against!;
  const stalemates = (of: CourseResult) => of.matches[0]!.endings.stalemates;
  const before = stalemates(none!), after = stalemates(both!);
  const found = wins.low > 0 ? "more" : wins.high < 0 ? "fewer" : "no more";
  const sure = after.high < before.low || after.low > before.high;
  const ended = `${after.value.toFixed(0)} stalemates in ${games} games instead of ${
    before.value.toFixed(0)
  }`;
  return `Lessons: ${found} fastest wins for the ${connectome.name}, ${
    sure ? ended : `and about as many stalemates (${ended})`
  }`;
}
