import { join } from "node:path";
import { LARVA_FILES, MALECNS_FILES } from "flychess/connectome";
import { chessbenchShard, parseShards } from "flychess/data";
import { isFile } from "../experiments/making/brains.ts";

/** What is reproduced, and how long it may take. */
export interface ReproduceOptions {
  /** The brain. */
  readonly brain: "malecns" | "larva";
  /** Where tables and brains go. */
  readonly data: string;
  /** Minutes of learning. */
  readonly minutes: number;
  /** Minutes for figures, 0 for none of them; no limit by default. */
  readonly figureMinutes?: number | undefined;
  /** ChessBench shards to learn from, such as `0-5`; otherwise what lies in the folder, or what ships with flychess. */
  readonly shards?: string | undefined;
  /** A mirror of the tables. */
  readonly from?: string | undefined;
  /** A list of other tables of the same kind. */
  readonly files?: string | undefined;
  /** Positions of the probe. */
  readonly probe?: number | undefined;
  /** Training positions at most. */
  readonly train?: number | undefined;
  /** Figures wanted. */
  readonly only?: string | undefined;
  /** Whether figures are the short ones. */
  readonly quick?: boolean | undefined;
}

/** One command of the way. */
export interface ReproduceStep {
  /** What it does. */
  readonly what: string;
  /** How long it takes, in words. */
  readonly time: string;
  /** The program, seen from the root of the clone, and its arguments. */
  readonly args: readonly string[];
  /** Whether it is done already. */
  done?(): Promise<boolean>;
}

/** Whether a file is there and no older than others. */
async function isNewer(file: string, than: readonly string[]): Promise<boolean> {
  if (!await isFile(file)) return false;
  const time = async (path: string) => (await Deno.stat(path)).mtime!.getTime();
  const made = await time(file);
  return (await Promise.all(than.map(time))).every((each) => each <= made);
}

/** An option with its value, where there is one. */
function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}`, String(value)];
}

/** The commands from nothing to all figures of a brain, in their order. Each goes on where it was stopped. */
export async function reproduceSteps(options: ReproduceOptions): Promise<ReproduceStep[]> {
  const { brain, data, minutes, figureMinutes, shards, quick = false } = options;
  const larva = brain === "larva", folder = join(data, brain), file = join(data, `${brain}.arrow`);
  const tables = (larva ? LARVA_FILES : MALECNS_FILES).map(({ name }) => join(folder, name));
  const prepared = join(data, "positions.arrow"), chess = join(data, "chessbench");
  const build = larva
    ? ["--larva", "--edges", tables[0]!, "--neurons", tables[1]!]
    : ["--annotations", tables[0]!, "--neurotransmitters", tables[1]!, "--weights", tables[2]!];
  const withPositions = shards !== undefined || await isFile(prepared);
  return [
    {
      what: `download the tables of ${larva ? "the larva" : "MaleCNS v1.0"}`,
      time: options.files !== undefined ? `those of ${options.files}` : larva ? "3 MB" : "566 MB",
      args: [
        "cli.ts",
        "connectome",
        "download",
        ...larva ? ["--larva"] : [],
        "--out",
        folder,
        ...flag("from", options.from),
        ...flag("files", options.files),
      ],
    },
    {
      what: "make one brain of them",
      time: larva ? "seconds" : "about two minutes",
      args: ["cli.ts", "connectome", "build", ...build, "--out", file],
      done: () => isNewer(file, tables),
    },
    ...shards === undefined ? [] : [
      {
        what: `download ChessBench shards ${shards}`,
        time: "70 MB each",
        args: ["cli.ts", "data", "download", "chessbench", "--shards", shards, "--out", chess],
        done: () => isFile(prepared),
      },
      {
        what: "prepare their positions",
        time: "some minutes",
        args: [
          "cli.ts",
          "data",
          "prepare",
          ...parseShards(shards).map((shard) => join(chess, chessbenchShard(shard).name)),
          "--out",
          prepared,
        ],
        done: () => isFile(prepared),
      },
    ],
    {
      what: "teach it",
      time: `${minutes} minutes after the probe`,
      args: [
        "cli.ts",
        "train",
        ...flag("connectome", file),
        ...flag("positions", withPositions ? prepared : undefined),
        ...flag("minutes", minutes),
        ...flag("probe", options.probe),
        ...flag("train", options.train),
        ...flag("name", brain),
      ],
    },
    ...figureMinutes === 0 ? [] : [{
      what: "make its figures",
      time: figureMinutes !== undefined
        ? `at most ${figureMinutes} minutes`
        : quick
        ? "minutes"
        : options.only !== undefined
        ? "as long as they take"
        : "hours to days",
      args: [
        "experiments/figures.ts",
        ...flag("connectome", file),
        ...flag("positions", withPositions ? prepared : undefined),
        ...flag("minutes", figureMinutes),
        ...flag("only", options.only),
        // What figures/ keeps of the larva is of other positions, unless these are the same.
        ...larva && !quick ? flag("out", join("runs", "figures_larva")) : [],
        ...quick ? ["--quick"] : [],
      ],
    }],
  ];
}
