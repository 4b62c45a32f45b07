import { card, type Line, lineChart, PALETTE } from "flychess/figures";
import { type LogEntry, readLog } from "flychess/training";

/** Colours of the fits of a run. */
const COLOURS = [PALETTE.subject, PALETTE.second, PALETTE.control];

/**
 * Draws how VAL loss goes on in a run, beside the blind baseline that never looks at the board, where the log has
 * it. The run may be at work.
 *
 * @param folder The run's folder: all that is drawn comes from its log.
 * @param options Whose run it is; `run` by default.
 * @returns A whole SVG file.
 * @throws {RangeError} If nothing was checked on VAL yet.
 */
export async function runChart(folder: string, options: { readonly of?: string } = {}): Promise<string> {
  return drawRun(await readLog(folder), options);
}

/** Draws the checks of a log. */
export function drawRun(log: readonly LogEntry[], options: { readonly of?: string } = {}): string {
  // "model fly (scale 1/64, seed 1)" is named in full below the picture.
  const { of: name = "run" } = options, of = name.replace(/ \(.*\)$/, "");
  const checks = log.filter((entry) => typeof entry.valLoss === "number" && entry.event !== "fitted");
  const number = (entry: LogEntry | undefined, name: string) => {
    const value = entry?.[name];
    return typeof value === "number" ? value : undefined;
  };
  if (checks.length === 0) {
    throw new RangeError("Cannot draw the run: its log has no check on VAL yet, at least one is wanted");
  }
  const blind = number(checks.at(-1), "blindLoss");
  const counts = number(checks[0], "pass") === undefined ? "positions" : "pass";
  const lines: Line[] = [...Map.groupBy(checks, ({ fit }) => String(fit ?? of))].map(([name, own], i) => ({
    name,
    colour: COLOURS[i % COLOURS.length]!,
    points: own.map((entry) => ({ x: number(entry, counts)!, y: number(entry, "valLoss")! })),
  }));
  const values = lines.flatMap(({ points }) => points.map(({ y }) => y)), best = Math.min(...values);
  const width = 860, height = 300;
  const nats = (value: number) => value.toFixed(3);
  // Axis labels of a short run would all be the same with three digits.
  const tick = (value: number) => value.toFixed(Math.max(...values) - best < 0.02 ? 4 : 3);
  const title = blind === undefined
    ? `The ${of} comes to a loss of ${nats(best)} nats on VAL`
    : best < blind
    ? `The ${of} reads ${nats(blind - best)} nats more of the board than a reader that never looks`
    : `The ${of} reads no more of the board than a reader that never looks`;
  const svg = lineChart(lines, {
    label: "loss on VAL (nats, less is better)",
    xLabel: counts === "pass" ? "passes over the training positions" : "positions learned from",
    width: width - 40,
    height,
    names: 130,
    marks: blind === undefined ? [] : [{ name: "blind", value: blind }],
    format: tick,
    formatX: (x) => x.toLocaleString("en-US"),
  });
  return card([{ svg, x: 20, y: 0 }], {
    title,
    caption: [
      ...name === of ? [] : [`${name}.`],
      "VAL: positions of other games, on which a run is checked; HOLD is not touched before the end.",
    ],
    alt: `${title}. The lowest loss on VAL is ${nats(best)}${
      blind === undefined ? "" : `, blind ${nats(blind)}`
    }.`,
    width,
    height,
  });
}
