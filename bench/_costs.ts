import { type Connectome, saveConnectome } from "flychess/connectome";
import { table } from "../cli/_table.ts";
import { alone, type Precision, type Spent } from "./_alone.ts";
import { PRECISIONS, seconds } from "./_rows.ts";
import { writeTableSet } from "./_table_set.ts";

/** What may be spent at scale 1, in seconds and bytes. */
const LIMITS = {
  build: { seconds: 20, peakBytes: 1.5e9 },
  load: { seconds: 1 },
  forward: { peakBytes: 1e9 },
} as const;

/** Time and memory of everything but thinking fast, each measured in a process of its own. */
export interface Costs {
  /** Rows of the weights that the build reads. */
  readonly tableRows: number;
  /** Bytes of the three tables. */
  readonly tableBytes: number;
  /** Seconds that the benchmark took to write them. */
  readonly writeSeconds: number;
  /** The program alone, doing nothing. */
  readonly nothing: Spent;
  /** From the tables to a saved connectome. */
  readonly build: Spent;
  /** Loading that file. */
  readonly load: Spent;
  /** Loading it into the engine and thinking about 256 positions, twice, with homeostasis from a file. */
  readonly forward: Readonly<Record<Precision, Spent>>;
  /** Measuring homeostasis on 256 positions. */
  readonly calibrate: Readonly<Record<Precision, Spent>>;
}

/** Measures them on a model fly of this scale. */
export async function measureCosts(connectome: Connectome): Promise<Costs> {
  const folder = await Deno.makeTempDir({ prefix: "flychess-bench-" });
  try {
    const [tables, writeSeconds] = await seconds(() => writeTableSet(folder, connectome, 1));
    let tableBytes = 0;
    for (const path of [tables.annotations, tables.neurotransmitters, tables.weights]) {
      tableBytes += (await Deno.stat(path)).size;
    }
    const build = await alone({ do: "build", tables, out: `${folder}/built.arrow` });
    const path = `${folder}/brain.arrow`;
    await saveConnectome(path, connectome);
    const forward: Partial<Record<Precision, Spent>> = {}, calibrate: Partial<Record<Precision, Spent>> = {};
    for (const precision of PRECISIONS) {
      const files = { precision, connectome: path, homeostasis: `${folder}/${precision}.f64` };
      calibrate[precision] = await alone({ do: "calibrate", ...files });
      forward[precision] = await alone({ do: "forward", ...files });
    }
    return {
      tableRows: tables.rows,
      tableBytes,
      writeSeconds,
      nothing: await alone({ do: "nothing" }),
      build,
      load: await alone({ do: "load", connectome: path }),
      forward: forward as Record<Precision, Spent>,
      calibrate: calibrate as Record<Precision, Spent>,
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The costs as text, with what is wanted at scale 1. */
export function describeCosts(costs: Costs): string {
  const row = (what: string, spent: Spent, limit: Partial<Spent> = {}) => {
    const wanted = [
      ...(limit.seconds === undefined ? [] : [`${limit.seconds} s`]),
      ...(limit.peakBytes === undefined ? [] : [`${limit.peakBytes / 1e9} GB`]),
    ];
    const within = spent.seconds <= (limit.seconds ?? Infinity) &&
      spent.peakBytes <= (limit.peakBytes ?? Infinity);
    return [
      what,
      spent.seconds.toFixed(2),
      (spent.peakBytes / 1e6).toFixed(0),
      wanted.length === 0 ? "" : `${wanted.join(", ")}: ${within ? "kept" : "NOT kept"}`,
    ];
  };
  const millions = (value: number) => (value / 1e6).toFixed(1);
  return [
    "\nEach in a process of its own:",
    table(["What", "Seconds", "Peak memory, MB", "At most, at scale 1"], [
      row("nothing, the program alone", costs.nothing),
      row(
        `build a connectome from ${millions(costs.tableRows)} M rows (${millions(costs.tableBytes)} MB)`,
        costs.build,
        LIMITS.build,
      ),
      row("load brain.arrow", costs.load, LIMITS.load),
      ...PRECISIONS.map((precision) =>
        row(`frozen brain, 2 x 256 positions, ${precision}`, costs.forward[precision], LIMITS.forward)
      ),
      ...PRECISIONS.map((precision) =>
        row(`calibrate on 256 positions, ${precision}`, costs.calibrate[precision])
      ),
    ]),
  ].join("\n");
}
