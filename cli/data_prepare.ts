import { basename } from "node:path";
import {
  loadPositions,
  preparePositions,
  savePositions,
  SKIP_REASONS,
  type SkipReason,
} from "../lib/data/mod.ts";
import { type Command, readNumber, readOptions, UsageError } from "./_command.ts";
import { checkOutput } from "./_output_file.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { table } from "./_table.ts";

/** `fly data prepare` */
export const command: Command = {
  name: "data prepare",
  summary: "turn labelled positions of any source into one file to learn from and to be judged on",
  help: `
Usage: deno task fly data prepare SOURCE... --out FILE [options]

Reads positions with a teacher's opinion and writes one Arrow file: HOLD rows first (for final numbers), then VAL rows
(for checks during a run), then all others in random order. Positions that cannot be used are skipped and counted by
reason; a source that breaks off gives what was whole. A SOURCE is a file, or an address that is read as it arrives:

  *.msgpack.zst          shards, from 'fly data teacher' or 'fly data download chessbench'
  *.bag, *.bagz          DeepMind's action values (files only)
  *.jsonl.zst, *.jsonl   the Lichess evaluations: https://database.lichess.org/lichess_db_eval.jsonl.zst
  *.pgn, *.pgn.zst       games with evaluations, like { [%eval 0.35] }: where the move played is a good one, it is learned

  --out FILE      where the positions go
  --heldout FILE  a source that HOLD and VAL come from, in its order; may be given more than once.
                  Without it they are taken from the other sources, by whole games where the rows name their game
  --hold N        HOLD rows (4096)
  --val N         VAL rows (2048)
  --not-in FILE   a positions file whose HOLD and VAL rows are kept out of what is trained on; may be given more than once
  --share S       the share of the sources that is taken, by lot: 0.01 is one position of a hundred (1)
  --limit N       stop reading after N good rows; what is kept takes 318 bytes of memory each (no limit)
  --seed N        decides the order, the lot, and which games are held out (1)

Examples: deno task fly data prepare data/teacher/train-*.zst --heldout data/teacher/heldout-*.zst \\
            --out data/positions.arrow
          deno task fly data prepare https://database.lichess.org/lichess_db_eval.jsonl.zst --share 0.01 --limit 2000000 \\
            --hold 0 --val 0 --not-in data/positions.arrow --out data/lichess.arrow`,

  async run(args) {
    const { values, positionals } = readOptions(args, {
      out: { type: "string" },
      heldout: { type: "string", multiple: true, default: [] },
      hold: { type: "string", default: "4096" },
      val: { type: "string", default: "2048" },
      "not-in": { type: "string", multiple: true, default: [] },
      share: { type: "string", default: "1" },
      limit: { type: "string" },
      seed: { type: "string", default: "1" },
    }, ["SOURCE..."]);
    if (!values.out) throw new UsageError("--out FILE is wanted");
    const whole = { whole: true, least: 0, most: 0xffffffff };
    const share = readNumber("share", values.share, { least: 0, most: 1 });
    if (share === 0) throw new UsageError("--share is 0, a number above 0 is wanted");
    const options = {
      train: positionals.map(sourceOf),
      heldout: values.heldout.map(sourceOf),
      hold: readNumber("hold", values.hold, whole),
      val: readNumber("val", values.val, whole),
      share,
      ...(values.limit === undefined ? {} : {
        limit: readNumber("limit", values.limit, { whole: true, least: 1, most: 1e9 }),
      }),
      seed: readNumber("seed", values.seed, whole),
    };
    await checkOutput(values.out);
    const started = performance.now();
    const notIn = await Promise.all(values["not-in"].map((path) => loadPositions(path)));
    using bars = new ProgressBars();
    const { positions, report } = await preparePositions({ ...options, notIn }, {
      signal: interruptSignal(),
      onProgress: bars.report,
    });
    bars[Symbol.dispose]();
    await savePositions(values.out, positions);

    const number = (value: number) => value.toLocaleString("en-US");
    console.log(table([
      "source",
      "positions read",
      "kept",
      "skipped",
    ], report.shards.map(({ name, read, kept }) => [name, number(read), number(kept), number(read - kept)])));
    for (const { problem } of report.shards) {
      if (problem) console.log(`\n${problem}. What was whole before it was kept.`);
    }
    if (report.shards.some(({ stopped }) => stopped)) {
      console.log("\nReading ended at --limit, not at the end of the sources.");
    }

    const reasons = Object.entries(report.skipped) as [SkipReason, number][];
    const { heldGame, heldBoard, surplus } = report.dropped;
    const why: [string, number][] = [
      ...reasons.map(([reason, count]): [string, number] => [`skipped: ${SKIP_REASONS[reason]}`, count]),
      ["left out: of a game that HOLD or VAL has a row of", heldGame],
      ["left out: the board of a HOLD or VAL row, or its mirror", heldBoard],
      ["left out: more held-out rows than are wanted", surplus],
    ];
    const told = why.filter(([, count]) => count > 0);
    if (told.length > 0) {
      console.log(
        "\n" + table(
          ["not used", "rows"],
          told.map(([what, count]) => [
            what,
            number(count),
          ]),
        ),
      );
    }
    const { rows, games } = report;
    console.log(
      "\n" + table(["part", "rows", "games"], [
        ["HOLD (final numbers)", number(rows.hold), number(games.hold)],
        ["VAL (checks during a run)", number(rows.val), number(games.val)],
        ["to train on", number(rows.train), number(games.train)],
      ]),
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`\n${basename(values.out)}: ${number(positions.count)} positions, ${seconds} s.`);
    console.log(`digest ${positions.digest}`);
  },
};

/** An address as one, a path as it is. */
function sourceOf(text: string): string | URL {
  return /^https?:\/\//.test(text) ? new URL(text) : text;
}
