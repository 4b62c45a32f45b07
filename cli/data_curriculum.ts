import { basename } from "node:path";
import { type CurriculumPart, loadPositions, makeCurriculum, savePositions } from "../lib/data/mod.ts";
import { type Command, readNumber, readOptions, UsageError } from "./_command.ts";
import { checkOutput } from "./_output_file.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { DEBIAN_STOCKFISH, findStockfish } from "./_stockfish.ts";
import { table } from "./_table.ts";

/** What each kind of lesson is, for a newcomer. */
const KINDS: Readonly<Record<CurriculumPart["name"], string>> = {
  won: "won positions to train on",
  heldOut: "won HOLD and VAL positions",
  endgames: "random basic endgames",
  stalemates: "stalemate lessons",
};

/** `fly data curriculum` */
export const command: Command = {
  name: "data curriculum",
  summary: "make lessons in finishing won games: Stockfish ranks the winning moves by how fast they win",
  goesOn: true,
  help: `
Usage: deno task fly data curriculum --positions FILE --out FILE [options]

Where a game is won, labels call nearly every move 100 %, so nobody learns to mate from them. Stockfish labels such
positions again: 100 for the fastest win, 2.5 win% less for each move that a mate takes longer or each 100 centipawns.
Lessons are the won positions of FILE, random basic endgames, and with --stalemates endgames in which one careless move
stalemates. The result's HOLD rows are for testing: the held-out positions of FILE and a random 5 % of the rest.

Stockfish takes about 0.3 seconds for a won position (one process, two shared cores), less for an endgame. The command
may be stopped or killed at any time: labels are kept at once, and the same command goes on and ends the same.

  --positions FILE  positions from 'fly data prepare'
  --out FILE        where the lessons go (labels wait in a folder beside it whose name ends in .part and which may be
                    deleted in the end)
  --relabel N       at most N won positions to train on are labelled again, by lot (all)
  --endgames N      random basic endgames (12000)
  --stalemates      add stalemate lessons ...
  --careless N      ... so many, as far as there are (20000)
  --not-in FILE     another positions file whose HOLD and VAL rows are not to be trained on; may be given more than once
  --depth N         plies that Stockfish searches (12)
  --nodes N         nodes that it searches instead: 5000 take some milliseconds, but show only near mates
  --processes N     Stockfish processes at once; changes nothing but the time (2)
  --seed N          another seed, other endgames (1)
  --stockfish PATH  the program (stockfish on the PATH, else ${DEBIAN_STOCKFISH})

Example: deno task fly data curriculum --positions data/positions.arrow --out data/curriculum.arrow`,

  async run(args) {
    const { values } = readOptions(args, {
      positions: { type: "string" },
      out: { type: "string" },
      relabel: { type: "string" },
      endgames: { type: "string", default: "12000" },
      stalemates: { type: "boolean", default: false },
      careless: { type: "string", default: "20000" },
      "not-in": { type: "string", multiple: true, default: [] },
      depth: { type: "string", default: "12" },
      nodes: { type: "string" },
      processes: { type: "string", default: "2" },
      seed: { type: "string", default: "1" },
      stockfish: { type: "string" },
    });
    if (!values.positions) throw new UsageError("--positions FILE is wanted");
    if (!values.out) throw new UsageError("--out FILE is wanted");
    const number = (
      option: "relabel" | "endgames" | "careless" | "depth" | "nodes" | "processes" | "seed",
      least = 0,
      most = 1e9,
    ) => readNumber(option, values[option] ?? "", { whole: true, least, most });
    const options = {
      ...(values.relabel === undefined ? {} : { relabel: number("relabel") }),
      endgames: number("endgames"),
      stalemates: values.stalemates ? number("careless") : 0,
      depth: number("depth", 1, 99),
      ...(values.nodes === undefined ? {} : { nodes: number("nodes", 1) }),
      processes: number("processes", 1, 1024),
      seed: number("seed", 0, 0xffffffff),
    };
    const stockfish = values.stockfish ?? await findStockfish();
    await checkOutput(values.out);
    const started = performance.now();
    const notIn = await Promise.all(values["not-in"].map((path) => loadPositions(path)));
    const main = await loadPositions(values.positions);
    using bars = new ProgressBars();
    const { positions, report } = await makeCurriculum({
      ...options,
      stockfish,
      positions: main,
      folder: `${values.out.replace(/\.arrow$/, "")}.part`,
      notIn,
    }, { signal: interruptSignal(), onProgress: bars.report });
    bars[Symbol.dispose]();
    await savePositions(values.out, positions);

    const count = (value: number) => value.toLocaleString("en-US");
    const limit = values.nodes === undefined ? `depth ${options.depth}` : `${count(number("nodes"))} nodes`;
    console.log(`Labelled by ${report.engine}, ${limit}, its 8 best moves.\n`);
    console.log(table(
      ["lessons", "labelled", "not won", "repeated", "held out", "to train on", "to test on"],
      report.parts.filter(({ labelled }) => labelled > 0).map((part) => [
        KINDS[part.name],
        ...[part.labelled, part.undecided, part.repeated, part.heldOut, part.train, part.test].map(count),
      ]),
    ));
    console.log(`
  not won    the best move scores less than 500: no lesson
  repeated   another lesson shows the same board, or its mirror
  held out   it shows the board or is of the game of a position that is kept for testing`);
    if (report.notRebuilt > 0) {
      console.log(
        `\n${count(report.notRebuilt)} won positions could not be put back on a board and were left out.`,
      );
    }
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    console.log(
      `\n${basename(values.out)}: ${count(positions.count - positions.hold)} lessons to train on, ` +
        `${count(positions.hold)} to test on; ${count(report.labelledNow)} labelled now, ${minutes} minutes.`,
    );
    console.log(`digest ${positions.digest}`);
  },
};
