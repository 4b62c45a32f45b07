import { ladderName, type LadderNumbers, superiorityOf } from "./figure.ts";
import { markdownTable } from "../shared/markdown_table.ts";

/**
 * A ladder in Markdown.
 *
 * @returns `ratings`: every player's Elo; `games`: the same with won-drawn-lost against each rung; `flies`: the chance
 * that each fly is stronger than each weaker one.
 */
export function ladderTables(
  numbers: LadderNumbers,
): { readonly ratings: string; readonly games: string; readonly flies: string } {
  const { players, pairings } = numbers, superiority = superiorityOf(numbers);
  const rungs = players.map(({ player }) => player).filter((player) => !/^(run|newborn):/.test(player));
  const score = (name: string, rung: string) => {
    for (const { first, second, wins, draws, losses } of pairings) {
      if (first === name && second === rung) return `${wins}-${draws}-${losses}`;
      if (second === name && first === rung) return `${losses}-${draws}-${wins}`;
    }
    return "";
  };
  const end = (value: number | null) => value === null ? "no limit" : value.toFixed(0);
  const places = players.map(({ player, rating, low, high, fitsBadly }, i) => [
    ladderName(player),
    `${rating.toFixed(0)}${fitsBadly ? " (fits badly)" : ""}`,
    low === high ? "anchor" : `${end(low)} to ${end(high)}`,
    players[i + 1] === undefined ? "" : `${(100 * superiority(player, players[i + 1]!.player)).toFixed(0)} %`,
  ]);
  const flies = players.map(({ player }) => player).filter((player) => !rungs.includes(player));
  const head = ["player", "Elo", "95 % interval", "above the next"];
  return {
    ratings: markdownTable(head, places),
    flies: markdownTable(
      ["stronger than", ...flies.slice(1).map(ladderName)],
      flies.slice(0, -1).map((fly, i) => [
        ladderName(fly),
        ...flies.slice(1).map((other, k) => k < i ? "" : `${(100 * superiority(fly, other)).toFixed(1)} %`),
      ]),
    ),
    games: markdownTable(
      [...head, ...rungs.map(ladderName)],
      places.map((cells, i) => [...cells, ...rungs.map((rung) => score(players[i]!.player, rung))]),
    ),
  };
}
