import assert from "node:assert/strict";
import { join } from "node:path";
import { drawLadder, ladderName, type LadderNumbers } from "../../experiments/ladder/figure.ts";
import { ladderTables } from "../../experiments/ladder/tables.ts";
import { keptMatches } from "../../experiments/ladder_games.ts";
import { greedyPlayer, playMatch, randomPlayer } from "../../lib/play/mod.ts";
import { rateLadder } from "../../lib/rating/mod.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

const RUNGS = ["sf-elo:lowest", "greedy", "random"];

function ladder(): LadderNumbers {
  const pairings = [
    { first: "sf-elo:lowest", second: "greedy", wins: 19, draws: 1, losses: 0 },
    { first: "greedy", second: "random", wins: 9, draws: 9, losses: 2 },
    ...RUNGS.map((second, i) => ({
      first: "run:larva-cached+1",
      second,
      wins: 5 * i,
      draws: 8,
      losses: 12 - 5 * i,
    })),
    ...["run:larva-cached", "newborn:1"].flatMap((first, weaker) =>
      RUNGS.map((second, i) => ({
        first,
        second,
        wins: (3 - weaker) * i,
        draws: 8,
        losses: 12 - (3 - weaker) * i,
      }))
    ),
  ];
  const { players } = rateLadder(pairings, { anchor: { player: "sf-elo:lowest", rating: 1350 } });
  return {
    command: "a test",
    measured: true,
    anchor: { player: "sf-elo:lowest", elo: 1350, engine: "Stockfish 15.1" },
    settings: { games: 20, nodes: 1000, seed: 1 },
    connectome: { name: "larva", digest: "0" },
    positions: "0",
    players,
    pairings,
    games: "ladder_games_larva.pgn.gz",
  };
}

Deno.test("`ladderName()` is what people call a player", () => {
  const names = {
    "sf-elo:lowest": "Stockfish",
    "sf-elo:lowest/25": "Stockfish, 25 % random",
    "newborn:1": "newborn",
    "run:larva-cached": "cached",
    "run:larva-cached+1": "cached, imagination",
    "run:fly-no-optic-lobe": "no optic lobe",
    "run:fly-shuffle2": "shuffle 2",
    random: "random",
  };
  for (const [name, called] of Object.entries(names)) assert.equal(ladderName(name), called);
});

Deno.test("a ladder's picture and table come from its numbers alone", () => {
  const numbers: LadderNumbers = JSON.parse(JSON.stringify(ladder()));
  const svg = drawLadder(numbers);
  assert.equal(drawLadder(JSON.parse(JSON.stringify(numbers))), svg);
  assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
  assert.match(svg, />cached, imagination<\/text>/);
  assert.match(svg, /The strongest larva reaches Elo \d+; /);
  const { games, ratings, flies } = ladderTables(numbers), lines = games.split("\n");
  const chances = flies.split("\n").slice(2).map((line) => line.split("|").slice(2, -1));
  assert.ok(chances.length > 0);
  for (const [i, row] of chances.entries()) {
    assert.equal(row.length, chances.length, "a fly in each column");
    for (const [k, cell] of row.entries()) assert.match(cell.trim(), k < i ? /^$/ : /^\d+\.\d %$/);
    assert.ok(parseFloat(row[i]!) >= 50, "stronger first");
  }
  assert.equal(lines.length, 2 + numbers.players.length);
  assert.ok(
    lines.some((line) =>
      /^\| cached, imagination \| \d+.* \| \d+ % \| 0-8-12 \| 5-8-7 \| 10-8-2 \|$/.test(line)
    ),
  );
  assert.match(ratings, /\| cached, imagination \| \d+ \| -?\d+ to \d+ \| \d+ % \|/);
});

Deno.test("`keptMatches()` finds a ladder's games in their order, and notices where they are others", async () => {
  using folder = new TemporaryFolder();
  const match = await playMatch(greedyPlayer(), randomPlayer(), { games: 2, moveLimit: 10 });
  const { wins, draws, losses } = match;
  const settings = { games: 2, nodes: 1000, seed: 1 };
  const kept = JSON.stringify({ pairing: ["greedy", "random"], settings, ...match });
  await Deno.writeTextFile(join(folder.path, "0123456789abcdef.json"), kept);
  const numbers = { ...ladder(), pairings: [{ first: "greedy", second: "random", wins, draws, losses }] };
  const [found] = await keptMatches(folder.path, numbers);
  assert.deepEqual(found!.games.map(({ moves }) => moves), match.games.map(({ moves }) => moves));
  const other = { ...numbers, pairings: [{ ...numbers.pairings[0]!, wins: wins + 1 }] };
  await assert.rejects(keptMatches(folder.path, other), /are not those of its ladder.json/);
});
