import { makeTeacherSet } from "../lib/data/mod.ts";
import { type Command, readNumber, readOptions, UsageError } from "./_command.ts";
import { checkOutputFolder } from "./_output_file.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { DEBIAN_STOCKFISH, findStockfish } from "./_stockfish.ts";

/** `fly data teacher` */
export const command: Command = {
  name: "data teacher",
  summary: "have Stockfish play games and label every legal move of their positions",
  goesOn: true,
  help: `
Usage: deno task fly data teacher --positions N --out FOLDER [options]

Has Stockfish play games against itself, some of them badly on purpose, and writes what it thinks of every legal move
on the way, as shards in ChessBench's format: one file of held-out rows (HOLD, then VAL, from whole games of which
nothing else is kept), and files to train on. 'fly data prepare' turns them into positions to learn from.

It may be stopped at any time: every finished game is kept, and the same command goes on. A later call with more
--positions adds games; the held-out file stays as it is.

  --out FOLDER      where the shards go (finished games wait in FOLDER/games.part, which may be deleted in the end)
  --positions N     rows to train on (24000)
  --seed N          another seed, other games (1)
  --nodes N         positions that Stockfish searches for each label (8000)
  --processes N     Stockfish processes at once; changes nothing but the time (2)
  --hold N          HOLD rows (4096)
  --val N           VAL rows (2048)
  --per-game N      the most training rows of one game, whose positions are much alike (32)
  --stockfish PATH  the program (stockfish on the PATH, else ${DEBIAN_STOCKFISH})

Example: deno task fly data teacher --positions 24000 --seed 1 --out data/teacher`,

  async run(args) {
    const { values } = readOptions(args, {
      out: { type: "string" },
      positions: { type: "string", default: "24000" },
      seed: { type: "string", default: "1" },
      nodes: { type: "string", default: "8000" },
      processes: { type: "string", default: "2" },
      hold: { type: "string", default: "4096" },
      val: { type: "string", default: "2048" },
      "per-game": { type: "string", default: "32" },
      stockfish: { type: "string" },
    });
    if (!values.out) throw new UsageError("--out FOLDER is wanted");
    const { out } = values;
    const number = (option: Exclude<keyof typeof values, "out" | "stockfish">, least: number, most = 1e9) =>
      readNumber(option, values[option], { whole: true, least, most });
    const options = {
      out,
      positions: number("positions", 0),
      seed: number("seed", 0, 0xffffffff),
      nodes: number("nodes", 1),
      processes: number("processes", 1, 1024),
      hold: number("hold", 0),
      val: number("val", 0),
      perGame: number("per-game", 1),
    };
    await checkOutputFolder(out);
    const started = performance.now();
    using bars = new ProgressBars();
    const report = await makeTeacherSet(
      { ...options, stockfish: values.stockfish ?? await findStockfish() },
      { signal: interruptSignal(), onProgress: bars.report },
    );
    bars[Symbol.dispose]();
    const count = (value: number) => value.toLocaleString("en-US");
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `Labelled by ${report.engine}, ${count(options.nodes)} nodes a position, seed ${options.seed}.`,
    );
    console.log(`  HOLD         ${count(report.hold).padStart(9)} rows`);
    console.log(
      `  VAL          ${count(report.val).padStart(9)} rows, with HOLD from ${count(report.heldGames)} games`,
    );
    console.log(
      `  to train on  ${count(report.train).padStart(9)} rows from ${count(report.trainGames)} games`,
    );
    console.log(`\nFiles in ${options.out}:\n  ${report.files.join("\n  ")}`);
    console.log(`\n${count(report.played)} games played in ${minutes} minutes.`);
  },
};
