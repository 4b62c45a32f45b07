import { writeFileAtomic } from "../lib/common/mod.ts";
import { Game } from "../lib/play/mod.ts";
import {
  loadSuite,
  scoreRandomMover,
  scoreSuite,
  SHIPPED_SUITE,
  type SuiteScore,
  VERDICTS,
} from "../lib/rating/mod.ts";
import type { Interval } from "../lib/readout/mod.ts";
import { bootstrapMeans } from "../lib/readout/mod.ts";
import { type Command, readNumber, readOptions } from "./_command.ts";
import { Flies } from "./_load_fly.ts";
import { checkOutput } from "./_output_file.ts";
import { checkPlayer, makePlayer, PLAYER_NAMES } from "./_players.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { table } from "./_table.ts";

/** What everybody is set beside. */
const GREEDY = "greedy";

/** `fly suite` */
export const command: Command = {
  name: "suite",
  summary: "let players choose a move in 1,000 fixed positions and say what their moves give away",
  help: `
Usage: deno task fly suite PLAYER... [options]

Asks players for a move in 1,000 held-out positions of which Stockfish has scored every legal move, and prints how many
centipawns they give away a move, Lichess's accuracy, and how many of their moves are what Lichess calls best, good,
inaccuracies, mistakes and blunders. The random mover (its expectation, no dice) and the greedy mover stand beside them.

Players:${PLAYER_NAMES}

  --suite FILE       another suite, from 'fly data suite'
  --at-once N        positions asked about at once (64)
  --nodes N          positions a move for Stockfish at an Elo or a skill level (10000)
  --connectome FILE  the connectome of the flies (a model fly at scale 1/8, grown here)
  --positions FILE   the positions of the flies (those that come with the library)
  --json FILE        also write the numbers as JSON
  --seed N           seed of all dice (1)

Example: deno task fly suite run:cached run:cached+1`,

  async run(args) {
    const { values, positionals } = readOptions(args, {
      suite: { type: "string" },
      "at-once": { type: "string", default: "64" },
      nodes: { type: "string", default: "10000" },
      connectome: { type: "string" },
      positions: { type: "string" },
      json: { type: "string" },
      seed: { type: "string", default: "1" },
    }, ["PLAYER..."]);
    const whole = (option: "at-once" | "nodes" | "seed", least = 1) =>
      readNumber(option, values[option], { whole: true, least, most: 0xffffffff });
    const [concurrency, nodes, seed] = [whole("at-once"), whole("nodes"), whole("seed", 0)];
    for (const name of positionals) await checkPlayer(name);
    if (values.json) await checkOutput(values.json);
    const suite = await loadSuite(values.suite ?? SHIPPED_SUITE);
    const signal = interruptSignal();
    await using stack = new AsyncDisposableStack();
    const flies = stack.use(new Flies(values));
    using bars = new ProgressBars();
    const work = { signal, onProgress: bars.report };
    const scores = new Map<string, SuiteScore>([["random, on average", scoreRandomMover(suite, { seed })]]);
    for (const name of new Set([GREEDY, ...positionals])) {
      const player = await makePlayer(name, { flies, nodes, seed }, stack, work);
      const choose = async ({ fen }: { fen: string }, index: number) =>
        (await player.choose(new Game({ start: fen, id: String(index) }), { signal })).move;
      // Every position asked about at once would start an engine of its own.
      const atOnce = name.startsWith("s") ? Math.min(4, concurrency) : concurrency;
      scores.set(name, await scoreSuite(suite, choose, { ...work, concurrency: atOnce, seed }));
    }
    bars[Symbol.dispose]();
    const games = new Set(suite.positions.map(({ game }) => game)).size;
    console.log(
      `${
        suite.positions.length.toLocaleString("en-US")
      } positions of ${games} games, every legal move scored by ${suite.engine} with ${
        suite.nodes.toLocaleString("en-US")
      } nodes a position\n`,
    );
    const game = Int32Array.from(suite.positions, (position) => position.game);
    const greedy = scores.get(GREEDY)!;
    const against = ({ losses }: SuiteScore) =>
      bootstrapMeans([losses.map((loss, i) => loss - greedy.losses[i]!)], game, { seed })[0]!;
    console.log(table(
      ["player", "centipawns lost", "less greedy's", "accuracy", ...VERDICTS],
      [...scores].map(([name, score]) => [
        name,
        range(score.centipawnLoss, 0),
        name === GREEDY ? "" : range(against(score), 0),
        range(score.accuracy, 1),
        ...VERDICTS.map((each) => `${(100 * score.verdicts[each]).toFixed(1)} %`),
      ]),
    ));
    console.log(
      "\nCentipawns lost: the mean a move, scores counting up to 1,000 either way. In brackets: 95 % intervals, games drawn\n" +
        "again; 'less greedy's' on the same positions. Accuracy and verdicts: Lichess's.",
    );
    if (values.json) {
      const result = {
        command: `deno task fly suite ${args.join(" ")}`,
        seed,
        suite: { engine: suite.engine, nodes: suite.nodes, positions: suite.positions.length, games },
        players: [...scores].map(([player, { losses: _, ...score }]) => ({
          player,
          ...score,
          againstGreedy: against(scores.get(player)!),
        })),
      };
      await writeFileAtomic(values.json, JSON.stringify(result, null, 1) + "\n");
    }
  },
};

function range({ value, low, high }: Interval, digits: number): string {
  return `${value.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}
