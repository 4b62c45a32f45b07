import { card, lineChart, PALETTE, stripChart } from "flychess/figures";
import type { Result } from "../_experiment.ts";
import type { ReadStepsNumbers } from "../read_steps.ts";
import { signedNats, signedNatsInBrackets, wholeNumber } from "../shared/interval_words.ts";

const WIDTH = 1145, MARGIN = 20, LEFT = 620, HEIGHT = 340;

/** Draws what each step is worth, and what several of them together are. */
export function figure(result: Result<ReadStepsNumbers>): string {
  const { readings, connectome, settings, apartMinusMean } = result;
  const one = (name: string) => readings.find((reading) => reading.name === name)!;
  const single = readings.filter(({ steps }) => steps.length === 1);
  const mean = one("mean of 9 to 12"), apart = one("9 to 12 side by side"), blind = one("blind");
  // What is read in the first step, of a large brain in the second too, never saw the board.
  const shown = [...single.filter(({ spread }) => spread !== 0), mean, apart];
  const ends = shown.flatMap(({ againstLast }) => [againstLast.low, againstLast.high]);
  const digits = Math.max(...ends) - Math.min(...ends) < 0.06 ? 3 : 2;
  const right = WIDTH - LEFT - 2 * MARGIN - 10;
  const best = [...single, mean, apart].reduce((low, each) => each.loss.value < low.loss.value ? each : low);
  const title = best.steps.length === 1
    ? `S${best.name.slice(1)} alone reads best of the ${connectome.name}: ${
      signedNats(best.againstLast.value)
    } nats against step 12`
    : `${
      best.name === mean.name ? "The mean of steps 9 to 12" : "Steps 9 to 12 side by side"
    } read best of the ${connectome.name}: ${signedNats(best.againstLast.value)} nats against step 12`;
  return card([
    {
      svg: lineChart([{
        name: "one step",
        colour: PALETTE.subject,
        points: single.map(({ steps, loss }) => ({ x: steps[0]!, y: loss.value })),
      }], {
        label: "held-out loss of a readout of one step (nats, lower is better)",
        xLabel: "step that is read",
        width: LEFT,
        height: HEIGHT,
        names: 104,
        marks: [
          { name: "blind", value: blind.loss.value },
          { name: "mean 9 to 12", value: mean.loss.value },
          { name: "side by side", value: apart.loss.value },
        ],
        domainX: [1, 12],
        ticksX: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
        format: (value) => value.toFixed(2),
        formatX: String,
      }),
      x: MARGIN,
      y: 0,
    },
    {
      svg: stripChart(
        shown.map(({ name, againstLast }) => ({
          name,
          values: [againstLast],
          colour: name.startsWith("step") ? PALETTE.subject : PALETTE.second,
        })),
        {
          label: "loss minus step 12's (nats, left is better)",
          width: right,
          rowHeight: (HEIGHT - 58) / shown.length,
          names: 136,
          mark: 0,
          format: (value) => value === 0 ? "0" : signedNats(value, digits),
        },
      ),
      x: LEFT + MARGIN + 10,
      y: 0,
    },
  ], {
    title,
    caption: [
      `${connectome.name}, a brain that stays as it is: ${wholeNumber(connectome.read)} neurons are read; ${
        wholeNumber(settings.train)
      } training and ${
        wholeNumber(settings.hold)
      } held-out positions, fitted to the end, penalties chosen on VAL.`,
      `Bars: 95 % intervals by game of the paired difference. Mean of 9 to 12 minus step 12: ${
        signedNatsInBrackets(mean.againstLast)
      }; side by side minus mean: ${signedNatsInBrackets(apartMinusMean.loss)} nats.`,
    ],
    alt: `${title}. Loss by step: ` +
      single.map(({ steps, loss }) => `${steps[0]}: ${loss.value.toFixed(3)}`).join(", ") +
      `; mean of 9 to 12 ${mean.loss.value.toFixed(3)}, side by side ${apart.loss.value.toFixed(3)}, blind ${
        blind.loss.value.toFixed(3)
      }`,
    width: WIDTH,
    height: HEIGHT + 8,
  });
}
