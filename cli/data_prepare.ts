import { basename } from "node:path";
import { preparePositions, savePositions, SKIP_REASONS, type SkipReason } from "../lib/data/mod.ts";
import { type Command, readNumber, readOptions, UsageError } from "./_command.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { table } from "./_table.ts";

/** `fly data prepare` */
export const command: Command = {
  name: "data prepare",
  summary: "turn labelled shards into one file of positions to learn from and to be judged on",
  help: `
Usage: deno task fly data prepare SHARD... --out FILE [options]

Reads shards in ChessBench's format (*.msgpack.zst, from 'fly data teacher' or from ChessBench itself) and writes one
Arrow file: HOLD rows first (for final numbers), then VAL rows (for checks during a run), then all others in random
order. Positions that cannot be used are skipped and counted by reason; a shard that breaks off gives what was whole.

  --out FILE      where the positions go
  --heldout FILE  a shard that HOLD and VAL come from, in its order; may be given more than once.
                  Without it they are taken from the other shards, by whole games where the rows name their game
  --hold N        HOLD rows (4096)
  --val N         VAL rows (2048)
  --seed N        decides the order, and which games are held out (1)

Example: deno task fly data prepare data/teacher/train-*.zst --heldout data/teacher/heldout-*.zst \\
           --out data/positions.arrow`,

  async run(args) {
    const { values, positionals } = readOptions(args, {
      out: { type: "string" },
      heldout: { type: "string", multiple: true, default: [] },
      hold: { type: "string", default: "4096" },
      val: { type: "string", default: "2048" },
      seed: { type: "string", default: "1" },
    }, ["SHARD..."]);
    if (!values.out) throw new UsageError("--out FILE is wanted");
    const whole = { whole: true, least: 0, most: 0xffffffff };
    const started = performance.now();
    using bars = new ProgressBars();
    const { positions, report } = await preparePositions({
      train: positionals,
      heldout: values.heldout,
      hold: readNumber("hold", values.hold, whole),
      val: readNumber("val", values.val, whole),
      seed: readNumber("seed", values.seed, whole),
    }, { signal: interruptSignal(), onProgress: bars.report });
    bars[Symbol.dispose]();
    await savePositions(values.out, positions);

    const number = (value: number) => value.toLocaleString("en-US");
    console.log(table([
      "shard",
      "rows read",
      "kept",
      "skipped",
    ], report.shards.map(({ name, read, kept }) => [name, number(read), number(kept), number(read - kept)])));
    for (const { problem } of report.shards) {
      if (problem) console.log(`\n${problem}. Its whole rows were kept.`);
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
