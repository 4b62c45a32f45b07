import { card, intervalChart } from "flychess/figures";
import type { DopamineGames, GamesOfAWay } from "../dopamine_games.ts";
import type { Result } from "../_experiment.ts";
import { scaled } from "../shared/interval_words.ts";

const WIDTH = 960, MARGIN = 20, ROW = 40, NAMES = 150, COLUMN = 300;

const percent = (share: number) => `${Math.round(100 * share)} %`;

/**
 * Draws how many games ended by repetition, a panel an opponent.
 *
 * @param result What `run` gave, with its origin.
 * @returns A whole SVG file.
 */
export function figure(result: Result<DopamineGames>): string {
  const { played, connectome, lessons, games, moveLimit } = result;
  const opponents = [...Map.groupBy(played, ({ against }) => against)];
  const panels = opponents.map(([against, ways], i) => ({
    svg: intervalChart(
      ways.map(({ way, repeated }, w) => ({ name: way, interval: scaled(repeated, 100), subject: w === 0 })),
      {
        label: `against ${against}: ended by repetition (%)`,
        width: COLUMN + (i === 0 ? NAMES : 0),
        rowHeight: ROW,
        names: i === 0,
        nameWidth: NAMES,
        format: (value) => `${Math.round(value)} %`,
      },
    ),
    x: MARGIN + (i === 0 ? 0 : NAMES + COLUMN + 2 * MARGIN),
    y: 0,
  }));
  const [free, mild, strong, rule] = opponents.at(-1)![1];
  const of = ({ repeated }: GamesOfAWay) => percent(repeated.value);
  const title = `Against itself ${of(free!)} of games repeat, with habituation ${of(mild!)} and ${
    of(strong!)
  }, with a rule ${of(rule!)}`;
  return card(panels, {
    title,
    caption: [
      `${connectome.name} after ${
        lessons.toLocaleString("en-US")
      } lessons; ${games} games of at most ${moveLimit} moves ` +
      "each; bars hold 95 %, by game.",
      `Score against a random mover: ${
        opponents[0]![1].map(({ way, score }) => `${way} ${percent(score.value)}`).join(", ")
      }.`,
    ],
    alt: `${title}. ${
      played.map(({ way, against, repeated }) => `${way} against ${against}: ${percent(repeated.value)}`)
        .join("; ")
    }.`,
    width: WIDTH,
    height: 4 * ROW + 60,
  });
}
