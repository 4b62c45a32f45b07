import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import type { Curriculum } from "./result.ts";
import { inBrackets, percentInBrackets } from "../shared/interval_words.ts";
import { markdownTable } from "../shared/markdown_table.ts";

const sign = (value: number, digits: number) =>
  (value > 0 ? "+" : "") + value.toFixed(digits).replace("-", "\u2212");
const change = (of: Interval | null, digits: number, times = 1) =>
  of === null
    ? ""
    : `${sign(times * of.value, digits)} (${sign(times * of.low, digits)} to ${
      sign(times * of.high, digits)
    })`;

/** What came of every course, how games ended, what other amounts bring, and what each doubling of them buys. */
export function tables(result: Result<Curriculum>): Record<string, string> {
  const { courses, amounts, doublings, games, sets } = result;
  const name = (of: string) => {
    const { share, lessons } = amounts.find((each) => each.name === of)!;
    return `${lessons.toLocaleString("en-US")} lessons, ${100 * share} % of a batch`;
  };
  return {
    courses: markdownTable(
      [
        "",
        "lessons",
        "fastest wins",
        "minus no lessons (points)",
        "in endgames (points)",
        "loss in endgames (nats)",
        "and stalemates (nats)",
        "held-out loss",
        "minus no lessons (nats)",
      ],
      courses.map((
        { name, lessons, fastestWins, fastestWinsEndgames, lessonLossEndgames, lessonLossBoth, loss },
      ) => [
        name,
        lessons.toLocaleString("en-US"),
        percentInBrackets(fastestWins),
        change(fastestWins.against, 1, 100),
        change(fastestWinsEndgames.against, 1, 100),
        change(lessonLossEndgames.against, 3),
        change(lessonLossBoth.against, 3),
        inBrackets(loss, 3),
        change(loss.against, 4),
      ]),
    ),
    games: markdownTable(
      [`of ${games} games`, "opponent", "mates", "mated", "stalemates", "repetitions", "other draws"],
      courses.flatMap(({ name, matches }) =>
        matches.map(({ opponent, endings }) => [
          name,
          opponent,
          ...(["mates", "mated", "stalemates", "repetitions", "other draws"] as const)
            .map((ending) => inBrackets(endings[ending], 1)),
        ])
      ),
    ),
    amounts: markdownTable(
      [
        `${sets[0]!.name}, minus none`,
        "fastest wins (points)",
        "in endgames (points)",
        "loss in endgames (nats)",
        "held-out loss (nats)",
      ],
      amounts.map((each) => [
        name(each.name),
        change(each.fastestWins.against, 1, 100),
        change(each.fastestWinsEndgames.against, 1, 100),
        change(each.lessonLossEndgames.against, 3),
        change(each.loss.against, 4),
      ]),
    ),
    doublings: markdownTable(
      [
        "from",
        "to",
        "fastest wins (points)",
        "in endgames (points)",
        "loss in endgames (nats)",
        "held-out loss (nats)",
      ],
      doublings.map(({ from, to, fastestWins, fastestWinsEndgames, lessonLossEndgames, loss }) => [
        name(from),
        name(to),
        change(fastestWins, 1, 100),
        change(fastestWinsEndgames, 1, 100),
        change(lessonLossEndgames, 3),
        change(loss, 4),
      ]),
    ),
  };
}
