/**
 * Prints the tables of docs/engine.md from the committed measurement:
 * `deno run --allow-read bench/_fit_table.ts bench/results/fit.json bench/results/fit_one_core.json`.
 */
import type { HeadsEngine } from "flychess/readout";
import { median } from "./_contest.ts";
import type { FitParts } from "./_fit_parts.ts";

/** A fit of some neurons in batches of some positions. */
export interface FitSpeed {
  readonly neurons: number;
  readonly batch: number;
  /** Positions a second, of each turn. */
  readonly rates: Readonly<Partial<Record<HeadsEngine, readonly number[]>>>;
  /** What a position's time goes into. */
  readonly parts: Readonly<Partial<Record<HeadsEngine, FitParts>>>;
}

/** What `deno task bench:fit` writes, as far as the tables need it. */
export interface FitResults {
  readonly speeds: readonly FitSpeed[];
}

/** `16,384`. */
export const whole = (number: number) => Math.round(number).toLocaleString("en-US");
/** Thousands: turns differ by a tenth. */
const thousands = (number: number) => (1000 * Math.round(number / 1000)).toLocaleString("en-US");

/** Positions a second on all cores and on one: the turn in the middle, and the fastest. */
export function speedTable(all: FitResults, one: FitResults): string {
  const head = "| neurons | cores | batch | our kernels | fastest turn | TensorFlow | fastest turn | times |";
  const rows = ([["2", all], ["1", one]] as const).flatMap(([cores, { speeds }]) =>
    speeds.map(({ neurons, batch, rates }) => {
      const own = rates.wasm ?? [], tensorflow = rates.tensorflow ?? [];
      const cells = [own, tensorflow].flatMap((of) => [thousands(median(of)), thousands(Math.max(...of))]);
      const times = (median(tensorflow) / median(own)).toFixed(2);
      return `| ${[whole(neurons), cores, whole(batch), ...cells, times].join(" | ")} |`;
    })
  );
  return [head, "| --: | --: | --: | --: | --: | --: | --: | --: |", ...rows].join("\n");
}

/** Microseconds a position at one batch size. */
export function partsTable({ speeds }: FitResults, batch: number): string {
  const names = [
    ["bytes to features", "features"],
    ["features times weights", "scores"],
    ["losses and their gradient", "losses"],
    ["features times errors", "gradients"],
    ["Adam, penalty", "adam"],
  ] as const;
  const at = speeds.filter((speed) => speed.batch === batch);
  const columns = at.flatMap(({ neurons, parts }) => [
    [`${whole(neurons)}: our kernels`, parts.wasm!] as const,
    [`${whole(neurons)}: TensorFlow`, parts.tensorflow!] as const,
  ]);
  const sum = (parts: FitParts) => names.reduce((so, [, name]) => so + parts[name], 0);
  return [
    `| microseconds a position | ${columns.map(([name]) => name).join(" | ")} |`,
    `| --- | ${columns.map(() => "--:").join(" | ")} |`,
    ...names.map(([what, name]) =>
      `| ${what} | ${columns.map(([, parts]) => parts[name].toFixed(2)).join(" | ")} |`
    ),
    `| all | ${columns.map(([, parts]) => sum(parts).toFixed(1)).join(" | ")} |`,
  ].join("\n");
}

if (import.meta.main) {
  const [all, one] = await Promise.all(
    Deno.args.map(async (path) => JSON.parse(await Deno.readTextFile(path)) as FitResults),
  );
  console.log(`${speedTable(all!, one!)}\n\n${partsTable(one!, 128)}`);
}
