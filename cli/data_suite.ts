import { join } from "node:path";
import { writeFileAtomic } from "../lib/common/mod.ts";
import { makeSuite, packSuite, type SuitePosition } from "../lib/rating/mod.ts";
import { type Command, readNumber, readOptions } from "./_command.ts";
import { checkOutputFolder } from "./_output_file.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { DEBIAN_STOCKFISH, findStockfish } from "./_stockfish.ts";

/** `fly data suite` */
export const command: Command = {
  name: "data suite",
  summary: "have Stockfish score every legal move of the positions of the test suite",
  goesOn: true,
  help: `
Usage: deno task fly data suite [options]

Takes the first held-out positions (HOLD) that come with the library and has Stockfish score every legal move of each,
with one thread and so many positions searched: the same version gives the same file. 'fly suite' plays them. It may be
stopped at any time; the same command goes on.

  --out FOLDER      where positions.jsonl.gz goes (data/suite)
  --positions N     how many (1000)
  --nodes N         positions that Stockfish searches for each (50000)
  --stockfish PATH  the program (stockfish on the PATH, else ${DEBIAN_STOCKFISH})

Example: deno task fly data suite --nodes 50000`,

  async run(args) {
    const { values } = readOptions(args, {
      out: { type: "string", default: "data/suite" },
      positions: { type: "string", default: "1000" },
      nodes: { type: "string", default: "50000" },
      stockfish: { type: "string" },
    });
    const count = readNumber("positions", values.positions, { whole: true, least: 1 });
    const nodes = readNumber("nodes", values.nodes, { whole: true, least: 1 });
    const part = join(values.out, `suite-${nodes}.part`);
    await checkOutputFolder(values.out);
    using bars = new ProgressBars();
    const suite = await makeSuite({
      stockfish: values.stockfish ?? await findStockfish(),
      count,
      nodes,
      known: await scored(part),
      onPosition: (position) => Deno.writeTextFile(part, JSON.stringify(position) + "\n", { append: true }),
      signal: interruptSignal(),
      onProgress: bars.report,
    });
    bars[Symbol.dispose]();
    const file = join(values.out, "positions.jsonl.gz");
    const bytes = await packSuite(suite);
    await writeFileAtomic(file, bytes);
    await Deno.remove(part).catch(() => {});
    const games = new Set(suite.positions.map(({ game }) => game)).size;
    console.log(
      `${
        suite.positions.length.toLocaleString("en-US")
      } positions of ${games} games, scored by ${suite.engine} with ${
        nodes.toLocaleString("en-US")
      } nodes each: ${file}, ${bytes.length.toLocaleString("en-US")} bytes.`,
    );
  },
};

/** What an earlier call has scored; a line that a kill cut off is left out. */
async function scored(part: string): Promise<Map<string, SuitePosition>> {
  const known = new Map<string, SuitePosition>();
  let text;
  try {
    text = await Deno.readTextFile(part);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return known;
    throw error;
  }
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole !== text) await Deno.writeTextFile(part, whole);
  for (const line of whole.trimEnd().split("\n").filter((line) => line !== "")) {
    const position: SuitePosition = JSON.parse(line);
    known.set(position.fen, position);
  }
  return known;
}
