/**
 * How fast does the engine think on this brain, and what does its wiring do to that? Beside it, uniform random wiring of the
 * same size, which no order of the neurons can help.
 *
 * @module
 */
import { card, heatMap } from "flychess/figures";
import { measureConnectome, type Report, type Row } from "../bench/_rows.ts";
import { uniformWiring } from "../bench/_wiring.ts";
import type { ExperimentOptions, Result } from "./_experiment.ts";
import { shortName } from "./shared/fitted_fly.ts";
import { wholeNumber } from "./shared/interval_words.ts";
import { machineName } from "./shared/machine.ts";

/** The question, one line. */
export const question =
  "How many positions a second does the engine think about, and does the wiring matter for that?";

/** Times are in it. */
export const measured = true;

/** Seconds a measurement takes at least, and positions at once. */
const PLAN = {
  full: { seconds: 1, batches: [16, 64, 256] },
  quick: { seconds: 0.05, batches: [16, 64] },
} as const;

/** What was measured. */
export interface EngineSpeed {
  readonly machine: string;
  /** When, as a date. */
  readonly date: string;
  /** The brain, then uniform wiring as large. */
  readonly reports: readonly Report[];
}

/** Measures; nothing else should run on the machine. */
export async function run(options: ExperimentOptions): Promise<EngineSpeed> {
  const { connectome, seed, quick, signal, onProgress } = options;
  const reports: Report[] = [];
  for (const [i, make] of [() => connectome, () => uniformWiring(connectome, seed)].entries()) {
    signal?.throwIfAborted();
    onProgress?.({ task: "measuring wirings", done: i, total: 2, unit: "wirings" });
    reports.push(await measureConnectome(make(), quick ? PLAN.quick : PLAN.full));
  }
  onProgress?.({ task: "measuring wirings", done: 2, total: 2, unit: "wirings" });
  return { machine: machineName(), date: new Date().toISOString().slice(0, 10), reports };
}

/** The best of all batches. */
function fastest(rows: readonly Row[], what: string, precision: string): Row | undefined {
  return rows.filter((row) => row.what === what && row.precision === precision)
    .sort((a, b) => b.positionsPerSecond - a.positionsPerSecond)[0];
}

/** What was measured, as a reader calls it: `step 12 read`. */
function nameOf(what: string): string {
  return what.replace(/^forward, /, "").replace(/^steps (\d+) read/, "step $1 read");
}

/** Draws it. */
export function figure(result: Result<EngineSpeed>): string {
  const { reports, machine, connectome } = result, [own, uniform] = reports as [Report, Report];
  const whats = [...new Set(own.rows.map(({ what }) => what))];
  const precisions = [...new Set(own.rows.map(({ precision }) => precision))];
  const columns = precisions.flatMap((precision) =>
    reports.map((report, r) => ({ precision, report, name: `${precision}${r === 0 ? "" : ", uniform"}` }))
  );
  const speeds = whats.map((what) =>
    columns.map(({ report, precision }) => fastest(report.rows, what, precision))
  );
  const most = Math.max(...speeds.flat().map((row) => row?.positionsPerSecond ?? 0));
  const first = whats[0]!, name = shortName(connectome.name);
  const rate = (report: Report, precision: string) =>
    fastest(report.rows, first, precision)!.positionsPerSecond;
  const gain = (precision: string) => (rate(own, precision) / rate(uniform, precision)).toFixed(1);
  const title = `The ${name} thinks ${wholeNumber(rate(own, "float32"))} positions a second, ${
    gain("float32")
  } times as many as random wiring would`;
  const cell = { width: 96, height: 36 };
  return card([{
    svg: heatMap(
      speeds.map((row) =>
        row.map((each) =>
          each === undefined ? { shade: null } : {
            shade: Math.sqrt(each.positionsPerSecond / most),
            text: wholeNumber(each.positionsPerSecond),
            note: `${each.batch} at once`,
          }
        )
      ),
      {
        label: "positions a second",
        rows: whats.map(nameOf),
        columns: columns.map(({ name }) => name),
        columnsOnTop: true,
        cell,
        names: 170,
      },
    ),
    x: 20,
    y: 0,
  }], {
    title,
    caption: [
      `${connectome.name}: ${wholeNumber(connectome.neurons)} neurons, ${
        wholeNumber(connectome.connections)
      } connections. Uniform: as many, drawn by lot.`,
      `Of every line the fastest batch of those tried. In the title: float32; in 8 bits ${
        wholeNumber(rate(own, "int8"))
      }, ${gain("int8")} times as many.`,
      `Measured on ${machine}, ${result.date}.`,
    ],
    alt: `${title}. ` +
      columns.map(({ name }, c) => {
        const found = whats.flatMap((what, w) => {
          const row = speeds[w]![c];
          return row === undefined ? [] : [`${nameOf(what)} ${wholeNumber(row.positionsPerSecond)}`];
        });
        return `${name}: ${found.join(", ")}`;
      }).join("; "),
    width: 830,
    height: 50 + whats.length * cell.height + 12,
  });
}
