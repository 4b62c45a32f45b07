import { writeFileAtomic } from "../lib/common/mod.ts";
import { makePgn, type MatchResult, OPENINGS, type PlayedGame, playMatch } from "../lib/play/mod.ts";
import { gradeMatch, gradesTable } from "./_game_grades.ts";
import { type Command, readNumber, readOptions, readWord } from "./_command.ts";
import { Flies } from "./_load_fly.ts";
import { checkOutput } from "./_output_file.ts";
import { checkPlayer, makePlayer, PLAYER_NAMES } from "./_players.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { table } from "./_table.ts";

/** `fly match` */
export const command: Command = {
  name: "match",
  summary: "let two players play each other, flies among them, and say how every game ended",
  help: `
Usage: deno task fly match A B [options]

Plays a match: colours change with every game, two games in a row share an opening, and a game ends by the rules when
they apply, or after 200 moves. Prints the score from A's side, how the games ended and the material at the end.

Players:${PLAYER_NAMES}

  --games N          how many (20)
  --openings KIND    common: well-known ones; none: the first position (common)
  --at-once N        games at once, so that a fly's brain sees full batches (8)
  --nodes N          positions a move for Stockfish at an Elo or a skill level (10000)
  --connectome FILE  the connectome of the flies (a model fly at scale 1/8, grown here)
  --positions FILE   the positions of the flies (those that come with the library)
  --pgn FILE         also write the games as PGN; without it or --json no game is kept
  --json FILE        also write them as JSON, with material and probabilities
  --grade NODES      have Stockfish look at every position with so many nodes: Lichess's accuracy and verdicts
  --seed N           seed of all dice (1)

Example: deno task fly match greedy random --games 20`,

  async run(args) {
    const { values, positionals } = readOptions(args, {
      games: { type: "string", default: "20" },
      openings: { type: "string", default: "common" },
      "at-once": { type: "string", default: "8" },
      nodes: { type: "string", default: "10000" },
      connectome: { type: "string" },
      positions: { type: "string" },
      pgn: { type: "string" },
      json: { type: "string" },
      grade: { type: "string" },
      seed: { type: "string", default: "1" },
    }, ["A", "B"]);
    const whole = (option: "games" | "at-once" | "nodes" | "seed", least = 1) =>
      readNumber(option, values[option], { whole: true, least, most: 0xffffffff });
    const openings = readWord("openings", values.openings, ["common", "none"]);
    for (const name of positionals) await checkPlayer(name);
    const [games, concurrency, seed] = [whole("games"), whole("at-once"), whole("seed", 0)];
    const grade = values.grade === undefined
      ? undefined
      : readNumber("grade", values.grade, { whole: true, least: 1 });
    for (const path of [values.pgn, values.json]) if (path) await checkOutput(path);
    const signal = interruptSignal();
    await using stack = new AsyncDisposableStack();
    const flies = stack.use(new Flies(values));
    using bars = new ProgressBars();
    const work = { signal, onProgress: bars.report };
    const settings = { flies, seed, nodes: whole("nodes") };
    const first = await makePlayer(positionals[0]!, settings, stack, work);
    // Two players of one name must not throw the same dice.
    const second = await makePlayer(positionals[1]!, { ...settings, seed: seed + 1 >>> 0 }, stack, work);
    const beginnings = openings === "none" ? [{ name: "none", moves: [] }] : OPENINGS;
    const started = performance.now();
    const match = await playMatch(first, second, {
      games,
      concurrency,
      openings: beginnings,
      ...work,
    });
    bars[Symbol.dispose]();

    console.log(matchTable(match));
    const seconds = (performance.now() - started) / 1000;
    const plies = match.games.reduce((sum, { moves }) => sum + moves.length, 0);
    console.log(
      `\n${plies.toLocaleString("en-US")} plies in ${seconds.toFixed(1)} s, ` +
        `${Math.round(3600 * games / seconds).toLocaleString("en-US")} games an hour.`,
    );
    const graded = grade === undefined
      ? undefined
      : await gradeMatch(match, beginnings, { ...work, nodes: grade });
    bars[Symbol.dispose]();
    if (graded !== undefined) console.log(`\n${gradesTable(match, graded)}`);
    if (values.pgn) {
      const date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
      await writeFileAtomic(values.pgn, match.games.map((game) => makePgn(game, { date })).join("\n"));
      console.log(`\nThe games were written to ${values.pgn}.`);
    }
    if (values.json) {
      const result = {
        command: `deno task fly match ${args.join(" ")}`,
        seed,
        ...match,
        ...graded ? { graded } : {},
      };
      await writeFileAtomic(values.json, JSON.stringify(result) + "\n");
      console.log(`${values.pgn ? "" : "\n"}All of it was written to ${values.json}.`);
    }
  },
};

/** A match in words: the score, the endings, and the games in which a player failed. */
function matchTable(match: MatchResult): string {
  const { first, second, wins, draws, losses, unfinished, games } = match;
  const counted = wins + draws + losses;
  const score = counted === 0 ? "" : `, a score of ${(100 * (wins + draws / 2) / counted).toFixed(1)} %`;
  const lines = [
    `${first} against ${second}: ${wins} won, ${draws} drawn, ${losses} lost${score}` +
    (unfinished === 0 ? "" : `; ${unfinished} unfinished`),
    "",
    table(
      ["ending", "games", "won", "drawn", "lost", "moves", "material"],
      [...new Set(games.map(({ ending }) => ending))].sort().map((ending) => {
        const some = games.filter((game) => game.ending === ending);
        const count = (white: string, black: string) =>
          String(some.filter((game) => game.result === (game.firstIsWhite ? white : black)).length);
        return [
          ending,
          String(some.length),
          count("1-0", "0-1"),
          count("1/2-1/2", "1/2-1/2"),
          count("0-1", "1-0"),
          mean(some, ({ moves }) => moves.length / 2).toFixed(1),
          signed(mean(some, finalMaterial)),
        ];
      }),
    ),
    "",
    `Moves: the mean length of the games. Material: ${first}'s pieces minus the other's at the end, in pawns, the mean.`,
    ...games.filter(({ detail }) => detail !== undefined).map(({ number, detail }) =>
      `Game ${number}: ${detail}`
    ),
  ];
  return lines.join("\n");
}

function mean(games: readonly PlayedGame[], of: (game: PlayedGame) => number): number {
  return games.reduce((sum, game) => sum + of(game), 0) / games.length;
}

function finalMaterial(game: PlayedGame): number {
  return (game.material.at(-1) ?? 0) * (game.firstIsWhite ? 1 : -1);
}

function signed(value: number): string {
  return (value > 0 ? "+" : "") + value.toFixed(1);
}
