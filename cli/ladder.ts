import { UciEngine } from "../lib/chess/mod.ts";
import { writeFileAtomic } from "../lib/common/mod.ts";
import { lowestElo, type Player } from "../lib/play/mod.ts";
import { nextPairing, type Pairing, type RatedLadder, rateLadder } from "../lib/rating/mod.ts";
import { type Command, readName, readNumber, readOptions } from "./_command.ts";
import { findStockfish } from "./_stockfish.ts";
import { LadderGames } from "./_ladder_games.ts";
import { Flies } from "./_load_fly.ts";
import { checkOutputFolder } from "./_output_file.ts";
import { checkPlayer, makePlayer, PLAYER_NAMES } from "./_players.ts";
import { interruptSignal, ProgressBars } from "./_progress.ts";
import { ladderPairs, RUNGS } from "./_rungs.ts";
import { table } from "./_table.ts";

/** With --adaptive, games of every pairing to begin with, and of the one that tells most from then on. */
const FIRST_GAMES = 2, NEXT_GAMES = 4;

/** `fly ladder` */
export const command: Command = {
  name: "ladder",
  summary: "rate flies: every one plays every rung from random moves up to Stockfish's weakest setting",
  goesOn: true,
  help: `
Usage: deno task fly ladder PLAYER... [options]

Places players on an Elo ladder. Its rungs are Stockfish at the lowest Elo that it offers (the anchor), the same with
25, 50 and 75 % of its moves at random, the greedy mover and the random mover. Neighbouring rungs play each other and
every player plays every rung. Every finished match is kept in runs/NAME, and the same command goes on where it was.

Players:${PLAYER_NAMES}

  --name NAME        the folder, runs/NAME (ladder)
  --games N          games a pairing (20)
  --adaptive POINTS  choose pairings where they tell most: two games each, then four at a time to the pairing that takes most
                     off the players' variances, until every player's 95 % interval is at most so wide, or as many games are
                     played as --games says
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
      adaptive: { type: "string" },
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
    const folder = `runs/${readName(values.name)}`;
    for (const name of positionals) await checkPlayer(name);
    await checkOutputFolder(folder);
    const signal = interruptSignal();
    await using stack = new AsyncDisposableStack();
    const flies = stack.use(new Flies(values));
    using bars = new ProgressBars();
    const work = { signal, onProgress: bars.report };
    const players = new Map<string, Promise<Player>>();
    const player = (name: string, index: number): Promise<Player> => {
      const made = players.get(name) ??
        makePlayer(name, { flies, nodes, seed: seed + index >>> 0 }, stack, work);
      players.set(name, made);
      return made;
    };
    const own = [...new Set(positionals.filter((name) => !RUNGS.some((rung) => rung === name)))];
    const names = [...RUNGS, ...own];
    const pairs = ladderPairs(own);
    const settings = { games, nodes, seed, connectome: values.connectome, positions: values.positions };
    const ladderGames = new LadderGames({
      folder,
      settings,
      concurrency,
      player: (name) => player(name, names.indexOf(name)),
      signal,
    });
    await using engine = await UciEngine.start({ path: await findStockfish() });
    const anchor = { player: RUNGS[0]!, rating: lowestElo(engine) };
    const width = values.adaptive === undefined
      ? undefined
      : readNumber("adaptive", values.adaptive, { least: 1 });
    const firstGames = width === undefined ? games : Math.min(games, FIRST_GAMES);
    // Few games a pairing: several pairings at once, so that a fly's brain still sees full batches.
    const together = Math.max(1, Math.floor(concurrency / firstGames));
    for (let at = 0; at < pairs.length; at += together) {
      const some = pairs.slice(at, at + together);
      await Promise.all(some.map((pair) =>
        ladderGames.play(pair, firstGames, () => {
          bars.report({ task: pair.join(" against "), done: at, total: pairs.length, unit: "matches" });
        })
      ));
    }
    if (width !== undefined) {
      const most = games * pairs.length;
      while (
        ladderGames.count < most && !surerThan(width, own, rateLadder(ladderGames.pairings, { anchor }))
      ) {
        const [next] = nextPairing(ladderGames.pairings, {
          anchor,
          candidates: pairs,
          games: NEXT_GAMES,
          of: own,
        });
        await ladderGames.play(
          [next!.first, next!.second],
          NEXT_GAMES,
          () =>
            bars.report({ task: "where it tells most", done: ladderGames.count, total: most, unit: "games" }),
        );
      }
    }
    bars[Symbol.dispose]();
    const pairings = ladderGames.pairings;
    const ladder = rateLadder(pairings, { anchor });
    console.log(ladderTable(ladder, pairings));
    const result = {
      command: `deno task fly ladder ${args.join(" ")}`,
      measured: true,
      anchor: { player: anchor.player, elo: anchor.rating, engine: engine.name },
      settings: { ...settings, ...width === undefined ? {} : { adaptive: width } },
      players: ladder.players,
      pairings,
    };
    if (width !== undefined) {
      console.log(
        `\n${ladderGames.count} games; ${games} for each of ${pairs.length} pairings are ${
          games * pairs.length
        }.`,
      );
    }
    await writeFileAtomic(`${folder}/ladder.json`, JSON.stringify(result, null, 2) + "\n");
    console.log(`\nThe ratings are in ${folder}/ladder.json, every game in the other files beside it.`);
  },
};

/** Whether everybody's interval is narrow enough. */
function surerThan(width: number, names: readonly string[], { players }: RatedLadder): boolean {
  return players.every(({ player, low, high }) => !names.includes(player) || high - low <= width);
}

function ladderTable(ladder: RatedLadder, pairings: readonly Pairing[]): string {
  const { players } = ladder;
  const above = (player: string, next: string | undefined) =>
    next === undefined ? "" : `${(100 * ladder.superiority(player, next)).toFixed(0)} %`;
  const against = (name: string, rung: string) => {
    const found = pairings.find(({ first, second }) => first === name && second === rung);
    if (found) return `${found.wins}-${found.draws}-${found.losses}`;
    const turned = pairings.find(({ first, second }) => first === rung && second === name);
    return turned ? `${turned.losses}-${turned.draws}-${turned.wins}` : "";
  };
  const end = (value: number) => Number.isFinite(value) ? value.toFixed(0) : "no limit";
  const rows = players.map(({ player, rating, low, high, drawRate, fitsBadly }, i) => [
    player,
    rating.toFixed(0),
    low === high ? "anchor" : `${end(low)} to ${end(high)}`,
    above(player, players[i + 1]?.player),
    `${(100 * drawRate).toFixed(0)} %`,
    fitsBadly ? "badly" : "well",
    ...RUNGS.map((rung) => against(player, rung)),
  ]);
  return `${
    table(
      ["player", "Elo", "95 % interval", "above the next", "drawn", "Elo fits", ...RUNGS.map(shortName)],
      rows,
    )
  }\n\n` +
    "Above the next: the chance that a player is stronger than the one in the next line. Then won-drawn-lost against each\n" +
    "rung. These are ratings of engines at the very bottom of a scale made by engines; where Elo fits badly, the score does\n" +
    "not follow the opponent's strength as the formula says, and the number means little.";
}

function shortName(rung: string): string {
  return rung.replace("sf-elo:lowest", "Stockfish");
}
