import { card, intervalChart } from "flychess/figures";
import type { DopamineCuts } from "../dopamine_cut.ts";
import type { Result } from "../_experiment.ts";
import { scaled } from "../shared/interval_words.ts";

const WIDTH = 960, MARGIN = 20, ROW = 46, LEFT = 520;

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/**
 * Draws how many comparisons a rounding error turns over, and how much Kenyon cells move the MBONs, one row a version.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<DopamineCuts>): string {
  const { cuts, connectome, count, error } = result;
  const rows = (
    interval: (cut: DopamineCuts["cuts"][number]) => { value: number; low: number; high: number },
  ) => cuts.map((cut) => ({ name: cut.name, interval: interval(cut), subject: cut.key === "sigmoid" }));
  const flips = intervalChart(
    rows(({ flips }) => scaled(flips, 100)),
    {
      label: "comparisons turned over (%, lower is better)",
      width: LEFT,
      rowHeight: ROW,
      names: true,
      format: (value) => value.toFixed(1),
    },
  );
  const moves = intervalChart(rows(({ moves }) => ({ value: moves, low: moves, high: moves })), {
    label: "Kenyon cells' part of MBON input, by the rest's",
    width: WIDTH - LEFT - 3 * MARGIN,
    rowHeight: ROW,
    names: false,
    mark: 1,
    format: (value) => value.toFixed(2),
  });
  const of = (key: string) => cuts.find((cut) => cut.key === key)!;
  const [step, sigmoid, subtract] = [of("step"), of("sigmoid"), of("subtract")];
  const title = `A rounding error turns over ${percent(step.flips.value)} of comparisons with a hard step, ` +
    `${percent(sigmoid.flips.value)} with the sigmoid`;
  return card([{ svg: flips, x: MARGIN, y: 0 }, { svg: moves, x: LEFT + 2 * MARGIN, y: 0 }], {
    title,
    caption: [
      `${connectome.name}, untrained; ${
        count.toLocaleString("en-US")
      } HOLD pairs scored twice, each time with another ` +
      `error of ${error.toExponential(0).replace("-", "\u2212")} on every Kenyon cell's rate at every step.`,
      `Without the error the same pairs scored twice turn over ${
        percent(Math.max(...cuts.map(({ again }) => again)))
      } ` +
      "in every version. Bars hold 95 %, by game. Right: standard deviations over positions",
      `at the last step, the median over MBONs. The sigmoid lets ${
        percent(sigmoid.passes)
      } of all rates pass, ` +
      `the step ${percent(step.passes)}.`,
      "The reference, on a GPU and MaleCNS: 36, 3 and 6 % turned over; 0.67, 0.19 and 3.4 times the rest.",
    ],
    alt: `${title}, ${percent(subtract.flips.value)} with subtraction. Kenyon cells move the MBONs ${
      cuts.map(({ name, moves }) => `${moves.toFixed(2)} times as much as the rest with ${name}`).join(", ")
    }.`,
    width: WIDTH,
    height: cuts.length * ROW + 58,
  });
}
