import type { Interval } from "flychess/readout";
import { fullestSize } from "./figure.ts";
import type { LearningCurve } from "../learning_curve.ts";
import { inBrackets, percentInBrackets, wholeNumber } from "../shared/interval_words.ts";
import { markdownTable } from "../shared/markdown_table.ts";

const sign = (value: number, digits: number) => (value < 0 ? "-" : "+") + Math.abs(value).toFixed(digits);
const signed = ({ value, low, high }: Interval, digits = 4, factor = 1) =>
  `${sign(factor * value, digits)} (${sign(factor * low, digits)} to ${sign(factor * high, digits)})`;
const seeds = (values: readonly number[]) =>
  `${sign(Math.min(...values), 4)} to ${sign(Math.max(...values), 4)}`;

/**
 * A learning curve's numbers as tables in Markdown, for its page.
 *
 * @param result What `run` gave, or `NAME.json`.
 * @returns Tables by name.
 */
export function tables(result: LearningCurve): Record<"full" | "curve" | "paired" | "doublings", string> {
  const { rows, sizes, readings, differences, doublings, slopes } = result;
  const { blind, last, mean, apart, eye } = readings;
  const order = [blind, last, mean, apart, ...result.also ?? [], eye];
  const full = fullestSize(result);
  const row = (reading: string, size: number) =>
    rows.find((each) => each.reading === reading && each.positions === size);
  return {
    full: markdownTable(
      ["reading", "held-out loss (nats)", "top-1", "good moves", "loss minus blind"],
      order.filter((reading) => row(reading, full) !== undefined).map((reading) => {
        const { scores, againstBlind } = row(reading, full)!;
        return [
          reading,
          inBrackets(scores.loss, 3),
          percentInBrackets(scores.top1),
          percentInBrackets(scores.good),
          reading === readings.blind ? "" : signed(againstBlind.loss),
        ];
      }),
    ),
    curve: markdownTable(
      ["held-out loss", ...sizes.map(wholeNumber)],
      order.map((reading) => [
        reading,
        ...sizes.map((size) => {
          const found = row(reading, size);
          if (found === undefined) return "";
          const { scores, seedLosses } = found;
          if (seedLosses.length === 1) return scores.loss.value.toFixed(4);
          return `${scores.loss.value.toFixed(4)} (${Math.min(...seedLosses).toFixed(4)} to ${
            Math.max(...seedLosses).toFixed(4)
          })`;
        }),
      ]),
    ),
    paired: markdownTable(
      ["difference", "loss (nats)", "top-1 (percent points)", "good moves (percent points)"],
      differences.map(({ of, against, positions, scores }) => [
        `${of} minus ${against}` + (positions === full ? "" : `, ${wholeNumber(positions)} positions`),
        signed(scores.loss),
        signed(scores.top1, 1, 100),
        signed(scores.good, 1, 100),
      ]),
    ),
    doublings: markdownTable(
      [
        "loss a doubling",
        ...sizes.slice(1).map((to) => `to ${wholeNumber(to)}`),
        "slope of the last",
        "its seeds",
      ],
      order.map((reading) => {
        const slope = slopes.find((each) => each.reading === reading);
        return [
          reading,
          ...sizes.slice(1).map((to) => {
            const found = doublings.find((each) => each.reading === reading && each.to === to);
            return found === undefined ? "" : signed(found.loss);
          }),
          slope === undefined ? "" : sign(slope.value, 4),
          slope === undefined ? "" : seeds(slope.seeds),
        ];
      }),
    ),
  };
}
