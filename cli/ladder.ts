import { UciEngine } from "../lib/chess/mod.ts";
import { DataError, writeFileAtomic } from "../lib/common/mod.ts";
import { digest } from "../lib/common/digest.ts";
import { lowestElo, type MatchResult, OPENINGS, type Player, playMatch } from "../lib/play/mod.ts";
import { type Pairing, type RatedLadder, rateLadder } from "../lib/rating/mod.ts";
import { type Command, readNumber, readOptions } from "./_command.ts";
import { findStockfish } from "./_stockfish.ts";
import { Flies } from "./_load_fly.ts";
import { makePlayer, PLAYER_NAMES } from "./_players.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { table } from "./_table.ts";

/** From the strongest down; neighbours play each other (reference, section 13). */
const RUNGS = [
  "sf-elo:lowest",
  "sf-elo:lowest/25",
  "sf-elo:lowest/50",
  "sf-elo:lowest/75",
  "greedy",
  "random",
];

/** `fly ladder` */
export const command: Command = {
  name: "ladder",
  summary: "rate flies: every one plays every rung from random moves up to Stockfish's weakest setting",
  help: `
Usage: deno task fly ladder PLAYER... [options]

Places players on an Elo ladder. Its rungs are Stockfish at the lowest Elo that it offers (the anchor), the same with
25, 50 and 75 % of its moves at random, the greedy mover and the random mover. Neighbouring rungs play each other and
every player plays every rung. Every finished match is kept in runs/NAME, and the same command goes on where it was.

Players:${PLAYER_NAMES}

  --name NAME        the folder, runs/NAME (ladder)
  --games N          games a pairing (20)
  --at-once N        games at once, so that a fly's brain sees full batches (20)
  --nodes N          positions a move for Stockfish: unlike seconds, they do not depend on the machine (10000)
  --connectome FILE  the connectome of the flies (a model fly at scale 1/8, grown here)
  --positions FILE   the positions of the flies (those that come with the library)
  --seed N           seed of all dice (1)

Example: deno task fly ladder run:cached run:cached+1`,

  async run(args) {
    const { values, positionals } = readOptions(args, {
      name: { type: "string", default: "ladder" },
      games: { type: "string", default: "20" },
      "at-once": { type: "string", default: "20" },
      nodes: { type: "string", default: "10000" },
      connectome: { type: "string" },
      positions: { type: "string" },
      seed: { type: "string", default: "1" },
    }, ["PLAYER..."]);
    const whole = (option: "games" | "at-once" | "nodes" | "seed", least = 1) =>
      readNumber(option, values[option], { whole: true, least, most: 0xffffffff });
    const [games, concurrency, nodes, seed] = [
      whole("games"),
      whole("at-once"),
      whole("nodes"),
      whole("seed", 0),
    ];
    const folder = `runs/${values.name}`;
    await Deno.mkdir(folder, { recursive: true });
    const signal = interruptSignal();
    await using stack = new AsyncDisposableStack();
    const flies = stack.use(new Flies(values));
    using bars = new ProgressBars();
    const work = { signal, onProgress: bars.report };
    const players = new Map<string, Player>();
    const player = async (name: string, index: number): Promise<Player> => {
      const made = players.get(name) ??
        await makePlayer(name, { flies, nodes, seed: seed + index >>> 0 }, stack, work);
      players.set(name, made);
      return made;
    };
    const names = [...RUNGS, ...new Set(positionals.filter((name) => !RUNGS.includes(name)))];
    const pairs = names.flatMap((name, i) =>
      i === 0 ? [] : i < RUNGS.length ? [[RUNGS[i - 1]!, name]] : RUNGS.map((rung) => [name, rung])
    ) as [string, string][];
    const settings = { games, nodes, seed, connectome: values.connectome, positions: values.positions };
    const played: [string, string, MatchResult][] = [];
    for (const [at, [first, second]] of pairs.entries()) {
      signal.throwIfAborted();
      const file = `${folder}/${digest([JSON.stringify([first, second, settings])]).slice(0, 16)}.json`;
      let match = await keptMatch(file);
      if (match === undefined) {
        bars.report({ task: `${first} against ${second}`, done: at, total: pairs.length, unit: "matches" });
        match = await playMatch(
          await player(first, names.indexOf(first)),
          await player(second, names.indexOf(second)),
          { games, concurrency, openings: OPENINGS, signal },
        );
        await writeFileAtomic(file, JSON.stringify({ pairing: [first, second], settings, ...match }) + "\n");
      }
      played.push([first, second, match]);
    }
    bars[Symbol.dispose]();
    await using engine = await UciEngine.start({ path: await findStockfish() });
    const anchor = lowestElo(engine);
    const pairings = played.map(([first, second, { wins, draws, losses }]): Pairing => (
      { first, second, wins, draws, losses }
    ));
    const ladder = rateLadder(pairings, { anchor: { player: RUNGS[0]!, rating: anchor } });
    console.log(ladderTable(ladder, pairings));
    const result = {
      command: `deno task fly ladder ${args.join(" ")}`,
      measured: true,
      anchor: { player: RUNGS[0], elo: anchor, engine: engine.name },
      settings,
      players: ladder.players,
      pairings,
    };
    await writeFileAtomic(`${folder}/ladder.json`, JSON.stringify(result, null, 2) + "\n");
    console.log(`\nThe ratings are in ${folder}/ladder.json, every game in the other files beside it.`);
  },
};

async function keptMatch(file: string): Promise<MatchResult | undefined> {
  let text;
  try {
    text = await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as MatchResult;
  } catch {
    throw new DataError(`Cannot read ${file}: it is no JSON, a match is wanted; remove it to play it again`);
  }
}

function ladderTable({ players }: RatedLadder, pairings: readonly Pairing[]): string {
  const against = (name: string, rung: string) => {
    const found = pairings.find(({ first, second }) => first === name && second === rung);
    if (found) return `${found.wins}-${found.draws}-${found.losses}`;
    const turned = pairings.find(({ first, second }) => first === rung && second === name);
    return turned ? `${turned.losses}-${turned.draws}-${turned.wins}` : "";
  };
  const end = (value: number) => Number.isFinite(value) ? value.toFixed(0) : "no limit";
  const rows = players.map(({ player, rating, low, high, drawRate, fitsBadly }) => [
    player,
    rating.toFixed(0),
    low === high ? "anchor" : `${end(low)} to ${end(high)}`,
    `${(100 * drawRate).toFixed(0)} %`,
    fitsBadly ? "badly" : "well",
    ...RUNGS.map((rung) => against(player, rung)),
  ]);
  return `${
    table(["player", "Elo", "95 % interval", "drawn", "Elo fits", ...RUNGS.map(shortName)], rows)
  }\n\n` +
    "Won-drawn-lost against each rung. These are ratings of engines at the very bottom of a scale made by engines;\n" +
    "where Elo fits badly, the score does not follow the opponent's strength as the formula says, and the number\n" +
    "means little.";
}

function shortName(rung: string): string {
  return rung.replace("sf-elo:lowest", "Stockfish");
}
