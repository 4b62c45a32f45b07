import type { Interval } from "flychess/readout";
import type { Result } from "./_experiment.ts";
import type { Curriculum } from "./curriculum.ts";

const sign = (value: number, digits: number) =>
  (value > 0 ? "+" : "") + value.toFixed(digits).replace("-", "\u2212");
const plain = ({ value, low, high }: Interval, digits: number) =>
  `${value.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
const percent = ({ value, low, high }: Interval) =>
  `${(100 * value).toFixed(1)} % (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
const change = (of: Interval | null, digits: number, times = 1) =>
  of === null
    ? ""
    : `${sign(times * of.value, digits)} (${sign(times * of.low, digits)} to ${
      sign(times * of.high, digits)
    })`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

/** What came of every course, how games ended, what other amounts bring, and what each doubling of them buys. */
export function tables(result: Result<Curriculum>): Record<string, string> {
  const { courses, amounts, doublings, games, sets } = result;
  const name = (of: string) => {
    const { share, lessons } = amounts.find((each) => each.name === of)!;
    return `${lessons} lessons, ${100 * share} % of a batch`;
  };
  return {
    courses: table(
      ["", "lessons", "fastest wins", "difference (points)", "held-out loss", "difference (nats)", "top-1"],
      courses.map(({ name, lessons, fastestWins, loss, top1 }) => [
        name,
        String(lessons),
        percent(fastestWins),
        change(fastestWins.against, 1, 100),
        plain(loss, 3),
        change(loss.against, 4),
        percent(top1),
      ]),
    ),
    games: table(
      [`of ${games} games`, "opponent", "mates", "mated", "stalemates", "repetitions", "other draws"],
      courses.flatMap(({ name, matches }) =>
        matches.map(({ opponent, endings }) => [
          name,
          opponent,
          ...(["mates", "mated", "stalemates", "repetitions", "other draws"] as const)
            .map((ending) => plain(endings[ending], 1)),
        ])
      ),
    ),
    amounts: table(
      [`${sets[0]!.name}`, "fastest wins", "difference (points)", "held-out loss", "difference (nats)"],
      amounts.map((each) => [
        name(each.name),
        percent(each.fastestWins),
        change(each.fastestWins.against, 1, 100),
        plain(each.loss, 3),
        change(each.loss.against, 4),
      ]),
    ),
    doublings: table(
      ["from", "to", "fastest wins (points)", "held-out loss (nats)"],
      doublings.map(({ from, to, fastestWins, loss }) => [
        name(from),
        name(to),
        change(fastestWins, 1, 100),
        change(loss, 4),
      ]),
    ),
  };
}
