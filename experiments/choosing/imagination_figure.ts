import { card, intervalChart, type IntervalRow } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import type { Imagination } from "../imagination.ts";
import { scaled, wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 980, MARGIN = 20, HALF = 455;

const label = (weight: number | null) => `w = ${weight === null ? "infinity" : weight}`;
const points = ({ value, low, high }: Interval) =>
  `${signed(value)} (${signed(low)} to ${signed(high)}) points`;
const signed = (value: number) => (value < 0 ? "\u2212" : "+") + Math.abs(100 * value).toFixed(2);
const format = (value: number) => `${value.toFixed(1)} %`;

/**
 * Draws what imagination is worth.
 *
 * @param result What `run` gave, or `NAME.json`.
 * @returns A whole SVG file.
 */
export function figure(result: Result<Imagination>): string {
  const { val, hold, chosen, connectome } = result;
  const tried: IntervalRow[] = [
    { name: "favourite", interval: scaled(val.favourite.good, 100), subject: false },
    ...val.weights.map(({ weight, scores }) => ({
      name: label(weight),
      interval: scaled(scores.good, 100),
      subject: weight === chosen,
    })),
  ];
  const judged = (of: "good" | "top1"): IntervalRow[] => [
    { name: "favourite", interval: scaled(hold.favourite[of], 100), subject: false },
    { name: label(chosen), interval: scaled(hold.imagination[of], 100), subject: true },
  ];
  const shape = { width: HALF, names: true, format };
  const panels = [
    {
      svg: intervalChart(tried, {
        ...shape,
        label: "VAL, where w is chosen: good moves (%, more is better)",
        mark: 100 * val.favourite.good.value,
      }),
      x: MARGIN,
      y: 0,
    },
    {
      svg: intervalChart(judged("good"), { ...shape, label: "HOLD: good moves (%)", rowHeight: 44 }),
      x: MARGIN + HALF + 25,
      y: 0,
    },
    {
      svg: intervalChart(judged("top1"), { ...shape, label: "HOLD: top-1 (%)", rowHeight: 44 }),
      x: MARGIN + HALF + 25,
      y: 180,
    },
  ];
  const title = finding(result);
  const { mates, difference, rulesDifference } = hold;
  return card(panels, {
    title,
    caption: [
      `${connectome.name}: the mean of steps ${result.steps[0]} to ${result.steps.at(-1)} of ${
        wholeNumber(connectome.read)
      } neurons is read; ${wholeNumber(val.positions)} VAL and ${
        wholeNumber(hold.positions)
      } HOLD positions, ${wholeNumber(result.boards)} boards. Bars: 95 % intervals by game.`,
      `On HOLD, ${label(chosen)} minus favourite, on the same positions: good moves ${
        points(difference.good)
      }, top-1 ${points(difference.top1)}.`,
      `The rules alone (w = 0: mate, no draw while ahead): good moves ${points(rulesDifference.good)}. Of ${
        wholeNumber(mates.positions)
      } mates in one the favourite plays ${wholeNumber(mates.favourite)}, imagination ${
        wholeNumber(mates.imagination)
      }.`,
    ],
    alt: `${title}. Good moves on VAL: ` +
      tried.map(({ name, interval }) => `${name} ${interval.value.toFixed(1)} %`).join(", "),
    width: WIDTH,
    height: 365,
  });
}

/** What HOLD says, in a sentence. */
function finding({ hold: { difference: { good } }, connectome, chosen }: Result<Imagination>): string {
  const who = connectome.name;
  if (good.low > 0) {
    return `A look one move ahead gives the ${who} ${(100 * good.value).toFixed(1)} points more good moves (${
      label(chosen)
    })`;
  }
  if (good.high < 0) {
    return `A look one move ahead costs the ${who} ${(-100 * good.value).toFixed(1)} points of good moves`;
  }
  return `What a look one move ahead gives the ${who} is within chance`;
}
