import { card, intervalChart, type IntervalRow } from "flychess/figures";
import type { Interval } from "flychess/readout";
import type { Result } from "../_experiment.ts";
import type { StreamingNumbers, Way } from "../streaming.ts";
import {
  inBrackets,
  percentInBrackets,
  scaled,
  signedNatsInBrackets,
  wholeNumber,
} from "../shared/interval_words.ts";
import { markdownTable } from "../shared/markdown_table.ts";

const WIDTH = 1145, MARGIN = 20, GAP = 22, NAMES = 170, ROW = 30;
const OTHER = (WIDTH - 2 * MARGIN - 2 * GAP - NAMES) / 3, FIRST = OTHER + NAMES;

const percent = ({ value }: Interval) => `${(100 * value).toFixed(1)} %`;

/** Draws what streaming and keeping rates came to. */
export function figure(result: Result<StreamingNumbers>): string {
  const { ways, settings, connectome } = result;
  const one = (name: string) => ways.find((way) => way.name === name)!;
  const streaming = one("streaming"), some = one("cached, same time"), all = one("cached, same positions");
  const rows = (of: (way: Way) => Interval, times = 1): IntervalRow[] =>
    ways.map((way) => ({
      name: way.name,
      interval: scaled(of(way), times),
      subject: way.name.startsWith("cached"),
    }));
  const charts = [
    { label: "held-out loss (nats, lower is better)", rows: rows(({ loss }) => loss), digits: 2 },
    { label: "top-1 (%)", rows: rows(({ top1 }) => top1, 100), digits: 1 },
    { label: "good moves (%)", rows: rows(({ good }) => good, 100), digits: 1 },
  ];
  const better = some.against!.loss;
  const title = better.high < 0
    ? `In the same time, learning from kept rates beats streaming by ${
      Math.abs(better.value).toFixed(3)
    } nats`
    : better.low > 0
    ? `In the same time, streaming beats learning from kept rates by ${better.value.toFixed(3)} nats`
    : "In the same time, streaming and learning from kept rates come equally far";
  const seconds = (way: Way) => {
    const low = Math.min(...way.seconds), high = Math.max(...way.seconds);
    return low.toFixed(0) === high.toFixed(0)
      ? `${low.toFixed(0)} s`
      : `${low.toFixed(0)} to ${high.toFixed(0)} s`;
  };
  return card(
    charts.map(({ label, rows, digits }, i) => ({
      svg: intervalChart(rows, {
        label,
        width: i === 0 ? FIRST : OTHER,
        names: i === 0,
        nameWidth: NAMES,
        mark: rows[1]!.interval.value,
        format: (value) => value.toFixed(digits),
      }),
      x: MARGIN + (i === 0 ? 0 : FIRST + GAP + (i - 1) * (OTHER + GAP)),
      y: 0,
    })),
    {
      title,
      caption: [
        `${connectome.name}, a brain that stays as it is, step 12; ${settings.seeds.length} orders, ${
          wholeNumber(settings.hold)
        } held-out positions. Streaming: ${wholeNumber(streaming.positions)} positions once, ${
          wholeNumber(settings.probe)
        } of them in a probe first, step size ${settings.step}.`,
        `Cached: ${wholeNumber(all.positions)} positions, or the ${
          wholeNumber(some.positions)
        } that take as long, ${settings.passes} times each. Time of the processor, all threads: ${
          seconds(streaming)
        } streaming, ${seconds(all)} and ${seconds(some)} cached.`,
        `Bars: 95 % intervals by game. Loss minus streaming's, paired: same time ${
          signedNatsInBrackets(better)
        }, same positions ${signedNatsInBrackets(all.against!.loss)}. Dashed: streaming.`,
      ],
      alt: `${title}. ` +
        ways.map((way) =>
          `${way.name}: loss ${way.loss.value.toFixed(3)}, top-1 ${percent(way.top1)}, good moves ${
            percent(way.good)
          }`
        ).join("; "),
      width: WIDTH,
      height: ways.length * ROW + 66,
    },
  );
}

/** The ways in a table, each beside streaming. */
export function tables({ ways }: Result<StreamingNumbers>): Record<string, string> {
  const rows = ways.map(({ name, positions, seconds, loss, top1, good, against }) => [
    name,
    wholeNumber(positions),
    name === "blind" ? "" : (seconds.reduce((sum, each) => sum + each, 0) / seconds.length).toFixed(1),
    inBrackets(loss, 3),
    percentInBrackets(top1),
    percentInBrackets(good),
    against === null || name === "blind" ? "" : signedNatsInBrackets(against.loss),
  ]);
  const head = [
    "way",
    "positions",
    "seconds",
    "held-out loss",
    "top-1",
    "good moves",
    "loss minus streaming's",
  ];
  return { ways: markdownTable(head, rows) };
}
