import { card, intervalChart, type IntervalRow } from "flychess/figures";
import { type Pairing, type RatedPlayer, rateLadder } from "flychess/rating";

/** What `ladder_games_BRAIN.json` holds. */
export interface LadderNumbers {
  /** The command that played them. */
  readonly command: string;
  /** No second run plays the same games. */
  readonly measured: true;
  /** Who stands where, and which engine it is. */
  readonly anchor: { readonly player: string; readonly elo: number; readonly engine: string };
  readonly settings: Readonly<Record<string, string | number>>;
  /** Which brain. */
  readonly connectome: { readonly name: string; readonly digest: string };
  /** Digest of the positions. */
  readonly positions: string;
  /** Strongest first; an end of an interval that the games do not set is `null`. */
  readonly players: readonly LadderPlayer[];
  readonly pairings: readonly Pairing[];
  /** The file of every game. */
  readonly games: string;
}

/** A player's place, as JSON can hold it. */
export type LadderPlayer =
  & Omit<RatedPlayer, "low" | "high">
  & { readonly low: number | null; readonly high: number | null };

const WIDTH = 900, MARGIN = 20;

/** What a player is called in a figure and in a table. */
export function ladderName(name: string): string {
  const [player, share] = name.split("/") as [string, string?];
  const [kind, rest = ""] = player.split(":") as [string, string?];
  const base = kind === "sf-elo"
    ? "Stockfish"
    : kind === "newborn"
    ? "newborn"
    : kind === "run"
    ? rest.replace(/^(larva|fly|wiring)-/, "").replaceAll("-", " ").replace(/\+(.+)$/, ", imagination")
      .replace(/^shuffle(\d)$/, "shuffle $1")
    : player;
  return share === undefined ? base : `${base}, ${share} % random`;
}

const isFly = (player: string) => /^(run|newborn):/.test(player);

/**
 * Draws a ladder.
 *
 * @param numbers What `ladder_games_BRAIN.json` holds.
 * @returns A whole SVG file.
 */
export function drawLadder(numbers: LadderNumbers): string {
  const { players, anchor, connectome, settings, pairings } = numbers;
  const ends = players.flatMap(({ low, high, rating }) => [low ?? rating, high ?? rating]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const rows = players.map(({ player, rating, low, high }): IntervalRow => ({
    name: ladderName(player),
    interval: { value: rating, low: low ?? least, high: high ?? most },
    subject: isFly(player),
  }));
  const chart = intervalChart(rows, {
    label: "Elo, higher is stronger",
    width: WIDTH - 2 * MARGIN - 60,
    names: true,
    rowHeight: 32,
    format: (value) => value.toFixed(0),
  });
  const games = pairings.reduce((sum, { wins, draws, losses }) => sum + wins + draws + losses, 0);
  const badly = players.filter(({ fitsBadly, player }) => fitsBadly && isFly(player));
  const title = finding(numbers);
  return card([{ svg: chart, x: MARGIN + 60, y: 0 }], {
    title,
    caption: [
      `${connectome.name}: flies in blue, rungs in grey. ${
        games.toLocaleString("en-US")
      } games, ${settings.games} a pairing; ${anchor.engine} at Elo ${anchor.elo} is the anchor, ${
        Number(settings.nodes).toLocaleString("en-US")
      } nodes a move.`,
      "Bars: 95 % intervals. Much of what they show is common to all below Stockfish: whether one player is above another is " +
      "surer than they look.",
      `Surely: a chance of at least ${
        100 * SURE
      } %. A bar to the chart's end has no limit there. Games: figures/${numbers.games}.`,
      ...badly.length === 0 ? [] : [
        `One number fits badly, and means little, for: ${
          badly.map(({ player }) => ladderName(player)).join("; ")
        }.`,
      ],
    ],
    alt: `${title}. ${rows.map(({ name, interval }) => `${name} ${interval.value.toFixed(0)}`).join(", ")}`,
    width: WIDTH,
    height: rows.length * 32 + 66,
  });
}

/** The chance that one player is stronger than another, from the same games. */
export function superiorityOf(
  { pairings, anchor }: LadderNumbers,
): (player: string, other: string) => number {
  const ladder = rateLadder(pairings, { anchor: { player: anchor.player, rating: anchor.elo } });
  return (player, other) => ladder.superiority(player, other);
}

/** A chance that counts as sure. */
const SURE = 0.975;

/** What the ladder says, in a sentence. */
function finding(numbers: LadderNumbers): string {
  const flies = numbers.players.map(({ player }) => player).filter(isFly);
  const superiority = superiorityOf(numbers);
  const above = flies.filter((fly) => superiority(fly, "random") >= SURE).length;
  const best = numbers.players.find(({ player }) => player === flies[0])!;
  const who = numbers.connectome.name.replace(/ \(.*/, "");
  return `The strongest ${who} reaches Elo ${best.rating.toFixed(0)}; ${
    above === 0 ? "no fly is" : above === 1 ? "one fly is" : `${above} of ${flies.length} flies are`
  } surely above the random mover`;
}
