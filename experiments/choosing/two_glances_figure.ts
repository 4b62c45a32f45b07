import { card, PALETTE, stripChart, type StripRow } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import type { GlanceRow, TwoGlancesNumbers } from "../two_glances.ts";
import { wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 1145, MARGIN = 20, LEFT = 620, NAMES = 236, ROW = 40;

const signed = (value: number, digits: number) =>
  (value < 0 ? "\u2212" : "+") + Math.abs(value).toFixed(digits);
const range = ({ value, low, high }: Interval) =>
  `${signed(value, 3)} (${signed(low, 3)} to ${signed(high, 3)})`;
const percent = ({ value }: Interval) => `${(100 * value).toFixed(1)} %`;

/** Draws every way of finding a move beside one glance. */
export function figure(result: Result<TwoGlancesNumbers>): string {
  const { rows, settings, connectome, chosen } = result;
  const [one, same] = rows as readonly [GlanceRow, GlanceRow];
  const best = rows.find(({ name }) => name === chosen)!;
  const wrong = rows.find(({ second }) => second === "wrong square")!;
  const strips = (of: "loss" | "top1", factor: number): StripRow[] =>
    rows.slice(1).map(({ name, second, againstOne }) => {
      const { value, low, high } = againstOne[of];
      return {
        name,
        values: [{ value: factor * value, low: factor * low, high: factor * high }],
        colour: second === "attention" ? PALETTE.subject : PALETTE.control,
      };
    });
  const right = WIDTH - LEFT - 2 * MARGIN - 10;
  const shared = { rowHeight: ROW, mark: 0 };
  const { value, low, high } = best.againstSame!.loss;
  const title = high < 0
    ? `Attention on the chosen piece finds its move ${
      (-value).toFixed(3)
    } nats better than a second glance without it`
    : low > 0
    ? `Attention on the chosen piece finds its move ${
      value.toFixed(3)
    } nats worse than a second glance without it`
    : `Attention on the chosen piece does not help the ${connectome.name} to find where it goes`;
  return card([
    {
      svg: stripChart(strips("loss", 1), {
        ...shared,
        label: "held-out loss minus one glance's (nats, left is better)",
        width: LEFT,
        names: NAMES,
        format: (value) => value === 0 ? "0" : signed(value, 3),
      }),
      x: MARGIN,
      y: 0,
    },
    {
      svg: stripChart(strips("top1", 100), {
        ...shared,
        label: "top-1 minus one glance's (points, right is better)",
        width: right,
        names: 0,
        format: (value) => value === 0 ? "0" : signed(value, 1),
      }),
      x: LEFT + MARGIN + 10,
      y: 0,
    },
  ], {
    title,
    caption: [
      `${connectome.name}, a brain that stays as it is, read at step ${settings.steps.join(", ")}; ${
        wholeNumber(settings.train)
      } training and ${wholeNumber(settings.hold)} held-out positions. One glance: loss ${
        one.loss.value.toFixed(3)
      }, top-1 ${percent(one.top1)}.`,
      `VAL chose: ${chosen}. Minus second heads without attention: ${
        range(best.againstSame!.loss)
      }; on another piece: ${range(wrong.againstSame!.loss)} nats.`,
      `Bars: 95 % intervals by game of the paired difference. Second heads alone: ${
        range(same.againstOne.loss)
      } nats.`,
    ],
    alt: `${title}. Loss minus one glance's: ` +
      rows.slice(1).map(({ name, againstOne }) => `${name} ${range(againstOne.loss)}`).join("; "),
    width: WIDTH,
    height: (rows.length - 1) * ROW + 66,
  });
}
