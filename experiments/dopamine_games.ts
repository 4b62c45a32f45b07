/**
 * Does a fly that gets used to positions repeat itself less? A dopamine fly plays with no rule about repetition, with
 * habituation (the reference's idea 6, `Familiarity`), and with the rule that it does not go back, against a random
 * mover and against itself with one move in ten at random.
 *
 *   deno task experiment dopamine_games --connectome FILE --positions FILE
 *
 * @module
 */
import { join } from "node:path";
import { readText, writeFileAtomic } from "flychess/common";
import { connectomeDigest } from "flychess/connectome";
import { DopaminePlayer, partlyRandom, type PlayedGame, playMatch, randomPlayer } from "flychess/play";
import { bootstrapMeans, type Interval } from "flychess/readout";
import { budgetOf, taughtFly } from "./dopamine/arms.ts";
import { refuses } from "./dopamine/compare.ts";
import { figure } from "./dopamine/games_figure.ts";
import type { Experiment, ExperimentOptions } from "./_experiment.ts";

/** One way to play against one opponent. */
export interface GamesOfAWay {
  readonly way: string;
  readonly against: string;
  /** Games that ended by a third repetition, a share. */
  readonly repeated: Interval;
  /** Its score, a draw counting half. */
  readonly score: Interval;
  /** How often games ended in each way. */
  readonly endings: Readonly<Record<string, number>>;
  /** Mean moves of each side. */
  readonly moves: number;
}

/** What `dopamine_games.json` holds besides its origin. */
export interface DopamineGames {
  readonly lessons: number;
  /** Games of each way against each opponent. */
  readonly games: number;
  readonly moveLimit: number;
  readonly played: readonly GamesOfAWay[];
}

const WAYS = [
  { key: "free", name: "no rule", mayGoBack: true, novelty: 0 },
  { key: "mild", name: "habituation, 1", mayGoBack: true, novelty: 1 },
  { key: "strong", name: "habituation, 10", mayGoBack: true, novelty: 10 },
  { key: "rule", name: "does not go back", mayGoBack: false, novelty: 0 },
] as const;
const OPPONENTS = ["a random mover", "itself, 10 % random"] as const;

/** Plays. */
export async function run(options: ExperimentOptions): Promise<DopamineGames> {
  const { positions, connectome, seed, quick, keep, signal, onProgress } = options;
  const lessons = quick ? 64 : 6400, games = quick ? 2 : 40, moveLimit = quick ? 6 : 60;
  // Taught when the first game needs it: where all are kept, no one has to be.
  let taught: Awaited<ReturnType<typeof taughtFly>> | undefined;
  await using _brain = { [Symbol.asyncDispose]: async () => await taught?.brain[Symbol.asyncDispose]() };
  const played: GamesOfAWay[] = [];
  for (const [o, against] of OPPONENTS.entries()) {
    for (const { key, name, ...how } of WAYS) {
      const path = join(keep, `${key}-${o}.json`);
      const inputs = [
        connectomeDigest(connectome),
        positions.digest,
        seed,
        how,
        against,
        lessons,
        games,
        moveLimit,
      ];
      const known = await readText(path), found = known === undefined ? undefined : JSON.parse(known);
      let list: Pick<PlayedGame, "ending" | "result" | "firstIsWhite" | "moves">[];
      if (found !== undefined && JSON.stringify(found.inputs) === JSON.stringify(inputs)) list = found.games;
      else {
        const { brain, eye } = taught ??= await taughtFly(options, budgetOf(options), lessons);
        const fly = () => new DopaminePlayer({ brain, eye }, { ...how, seed });
        const opponent = o === 0 ? randomPlayer({ seed }) : partlyRandom(fly(), 0.1, { seed });
        const match = await playMatch(fly(), opponent, { games, moveLimit, signal });
        list = match.games.map(({ ending, result, firstIsWhite, moves }) => ({
          ending,
          result,
          firstIsWhite,
          moves,
        }));
        await writeFileAtomic(path, JSON.stringify({ inputs, games: list }));
      }
      const own = Int32Array.from(list.keys());
      const points = list.map(({ result, firstIsWhite }) =>
        result === "1/2-1/2" ? 0.5 : Number((result === "1-0") === firstIsWhite)
      );
      const [repeated, score] = bootstrapMeans(
        [list.map(({ ending }) => Number(ending === "third repetition")), points],
        own,
        { seed },
      );
      played.push({
        way: name,
        against,
        repeated: repeated!,
        score: score!,
        endings: Object.fromEntries(
          [...Map.groupBy(list, ({ ending }) => ending)].map(([ending, all]) => [ending, all.length]),
        ),
        moves: list.reduce((sum, { moves }) => sum + moves.length / 2, 0) / list.length,
      });
      onProgress?.({
        task: "playing",
        done: played.length,
        total: WAYS.length * OPPONENTS.length,
        unit: "matches",
      });
    }
  }
  return { lessons, games, moveLimit, played };
}

export { figure, refuses };

/** The question. */
export const question: Experiment["question"] = "Does a fly that gets used to positions repeat itself less?";
