/**
 * Are twelve steps enough? The same brain with twenty, homeostasis calibrated for all of them.
 *
 * @module
 */
import { card, curveChart, SERIES } from "flychess/figures";
import type { Interval } from "flychess/readout";
import { jackknife } from "./signal/board_signal.ts";
import type { ExperimentOptions, Result } from "./_experiment.ts";
import { regionCurve, type StepSet, stepSignals } from "./signal/step_signals.ts";

/** Steps that are looked at, and where a think ends otherwise. */
const STEPS = 20, END = 12;

/** What was measured. */
export interface Beyond extends StepSet {
  /** The step that a think ends with. */
  readonly end: number;
  /** Its signal over that of the last step, by region; the interval is by game, of the quotient itself. */
  readonly share: Readonly<Record<string, Interval>>;
}

/** The question, one line. */
export const question = "Would more than twelve steps bring more of the board to the descending neurons?";

/** Measures. */
export async function run(options: ExperimentOptions): Promise<Beyond> {
  const at: Record<number, readonly Float64Array[]> = {};
  const set = await stepSignals(options, STEPS, ({ step, signals }) => {
    if (step === END || step === STEPS) at[step] = signals.without;
  });
  const [end, last] = [set.steps[END - 1]!.regions, set.steps.at(-1)!.regions];
  const share = Object.fromEntries(end.map(({ region, signal }, r) => {
    const without = at[END]![r]!.map((value, game) => value / at[STEPS]![r]![game]!);
    return [region, jackknife(signal.value / last[r]!.signal.value, without)];
  }));
  return { ...set, end: END, share };
}

/** Regions that are drawn, where a connectome has them. */
const DRAWN = ["optic lobe", "central brain", "Kenyon cell", "descending", "nerve cord", "sensory", "MBON"];

/** Draws it. */
export function figure(result: Result<Beyond>): string {
  const { steps, boards, connectome, end, share } = result;
  const regions = steps[0]!.regions.map(({ region }) => region);
  const drawn = DRAWN.filter((region) => regions.includes(region)).slice(0, SERIES.length);
  const { value, low, high } = share["descending"]!;
  const percent = (part: number) => (100 * part).toFixed(0);
  const title = `At step ${end} the descending neurons carry ${
    percent(value)
  } % of what they carry at step ${steps.length}`;
  const curves = drawn.map((region, i) => ({
    name: region,
    ...SERIES[i]!,
    points: regionCurve(result, region).map((interval, i) => ({ x: i + 1, interval })),
  }));
  const chart = curveChart(curves, {
    label: "How far boards move a neuron's rate (standard deviation over boards)",
    xLabel: "step",
    xTicks: steps.filter(({ step }) => step % 4 === 0 || step === 1).map(({ step }) => ({
      at: step,
      text: `${step}`,
    })),
    even: true,
    width: 720,
    height: 360,
    names: 110,
    format: (signal) => signal.toFixed(2),
  });
  return card([{ svg: chart, x: 20, y: 0 }], {
    title,
    caption: [
      `Descending neurons: ${percent(value)} % (95 % interval by game ${percent(low)} to ${
        percent(high)
      } %). Homeostasis is calibrated for all ${steps.length} steps.`,
      `${connectome.name}: ${
        connectome.neurons.toLocaleString("en")
      } neurons; ${boards} held-out boards of different games. Bars: 95 % intervals by game.`,
    ],
    alt: `${title}. Signal at steps 4, 8, ${end} and ${steps.length}: ` +
      curves.map(({ name, points }) =>
        `${name} ${
          [4, 8, end, steps.length].map((at) => points[at - 1]!.interval.value.toFixed(3)).join(", ")
        }`
      ).join("; "),
    width: 760,
    height: 366,
  });
}
