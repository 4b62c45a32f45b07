import assert from "node:assert/strict";
import {
  EnginePlayer,
  favourites,
  FlyPlayer,
  Game,
  greedyPlayer,
  partlyRandom,
  type Player,
  playMatch,
  randomPlayer,
} from "../../lib/play/mod.ts";
import { requires } from "../_requirements.ts";
import { smallFly } from "./_flies.ts";

const STOCKFISH = Deno.build.os === "linux" && exists("/usr/games/stockfish")
  ? "/usr/games/stockfish"
  : "stockfish";

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

const GREEDY = [
  { name: "takes the queen, not the pawn", start: "4k3/8/8/2q1p3/3P4/8/8/4K3 w - - 0 1", moves: ["d4c5"] },
  { name: "takes en passant", start: "7k/8/8/3pP3/8/8/8/K7 w - d6 0 2", moves: ["e5d6"] },
  { name: "prefers a check to nothing", start: "7k/8/8/8/8/8/8/K5R1 w - - 0 1", moves: ["g1h1"] },
  { name: "prefers a pawn to a check", start: "7k/8/8/8/8/8/p7/K5R1 w - - 0 1", moves: ["a1a2"] },
  { name: "takes a rook for Black", start: "4k3/8/8/3q4/8/8/3R4/6K1 b - - 0 1", moves: ["d5d2"] },
];

for (const { name, start, moves } of GREEDY) {
  Deno.test(`\`greedyPlayer()\` ${name}`, async () => {
    const { move } = await greedyPlayer().choose(new Game({ start }));
    assert.ok(moves.includes(move), move);
  });
}

Deno.test("`greedyPlayer()` and `randomPlayer()` use all of their equal moves, and the same ones for the same seed", async () => {
  for (const make of [greedyPlayer, randomPlayer]) {
    const found = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const { move } = await make({ seed: 3 }).choose(new Game({ id: String(i) }));
      assert.deepEqual(await make({ seed: 3 }).choose(new Game({ id: String(i) })), { move });
      found.add(move);
    }
    assert.equal(found.size, 20);
  }
});

Deno.test("`partlyRandom()` gives the share of its moves to chance", async () => {
  const never: Player = { name: "fixed", choose: () => Promise.resolve({ move: "e2e4" }) };
  const player = partlyRandom(never, 0.5);
  assert.equal(player.name, "fixed, 50 % random");
  let fixed = 0;
  for (let i = 0; i < 1000; i++) {
    const { move } = await player.choose(new Game({ id: String(i) }));
    if (move === "e2e4") fixed++;
  }
  // Half of them, and a twentieth of the other half: 525, with a standard deviation of 16.
  assert.ok(fixed > 460 && fixed < 590, String(fixed));
  assert.throws(() => partlyRandom(never, 1.5), RangeError);
});

Deno.test("`FlyPlayer` plays its favourite, and not one that brings a position back", async () => {
  await using fly = await smallFly();
  const player = new FlyPlayer(fly);
  const start = "4k3/8/8/8/8/8/8/QK6 w - - 0 1";
  const [first, second] = await favourites(fly, start);
  const game = new Game({ start });
  const choice = await player.choose(game);
  assert.equal(choice.move, first!.uci);
  assert.ok(Math.abs(choice.probability! - first!.probability) < 1e-6);
  // The same board with a past in which the favourite's board has stood.
  const past = new Game({ start });
  const look = past.look(past.legal.find(({ uci }) => uci === first!.uci)!);
  const fake = Object.create(past, {
    look: {
      value: (move: Game["legal"][number]) => ({ ...past.look(move), goesBack: move.uci === first!.uci }),
    },
    legal: { value: past.legal },
    board: { value: past.board },
  }) as Game;
  assert.equal(look.goesBack, false);
  assert.equal((await player.choose(fake)).move, second!.uci);
});

Deno.test("`FlyPlayer` never goes back while another move is there, over a whole game", async () => {
  await using fly = await smallFly();
  const player = new FlyPlayer(fly);
  const game = new Game({ moveLimit: 30 });
  while (game.outcome === undefined) {
    const { move } = await player.choose(game);
    const look = game.look(game.legal.find(({ uci }) => uci === move)!);
    if (look.goesBack) assert.ok(game.legal.every((each) => game.look(each).goesBack));
    game.play(move);
  }
});

const IMAGINED = [
  { name: "mates with a rook", start: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", move: "a1a8" },
  { name: "mates with a knight that was a pawn", start: "8/k1P5/8/1K1BB3/8/8/8/8 w - - 0 1", move: "c7c8n" },
  {
    name: "mates for Black",
    start: "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
    move: "d8h4",
  },
];

for (const { name, start, move } of IMAGINED) {
  Deno.test(`\`FlyPlayer\` with imagination ${name}`, async () => {
    await using fly = await smallFly();
    const player = new FlyPlayer(fly, { imagination: 1 });
    assert.equal((await player.choose(new Game({ start }))).move, move);
    assert.equal(player.brainReads, 1, "all boards go through the brain together");
  });
}

Deno.test("`FlyPlayer` counts a drawn board as 0, a mate as 1 and the rest as the other side's value turned around", async () => {
  await using fly = await smallFly();
  const player = new FlyPlayer(fly, { imagination: 1 });
  const game = new Game({ start: "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1" });
  const { imagined, value } = await player.think(game);
  const stalemate = game.legal.findIndex(({ uci }) => uci === "g1g6");
  const mate = game.legal.findIndex(({ uci }) => uci === "g1g7");
  assert.equal(imagined![stalemate], 0);
  assert.equal(imagined![mate], 1);
  assert.ok(value > -1 && value < 1);
  for (const [i, move] of game.legal.entries()) {
    if (i === stalemate || i === mate) continue;
    const after = await player.think(new Game({ start: fenOf(game, move) }), { imagination: null });
    assert.ok(Math.abs(imagined![i]! + after.value) < 1e-6, move.uci);
  }
});

function fenOf(game: Game, move: Game["legal"][number]): string {
  const next = new Game({ start: game.fen });
  next.play(move.uci);
  return next.fen;
}

Deno.test("`FlyPlayer` reads its brain once for all games that ask together, with the same answers", async () => {
  await using fly = await smallFly();
  const openings = ["e2e4", "d2d4", "g1f3", "c2c4", "b1c3"].map((move) => {
    const game = new Game();
    game.play(move);
    return game;
  });
  const together = new FlyPlayer(fly);
  const answers = await Promise.all(openings.map((game) => together.choose(game)));
  assert.equal(together.brainReads, 1);
  for (const [i, game] of openings.entries()) {
    assert.equal((await new FlyPlayer(fly).choose(game)).move, answers[i]!.move);
  }
});

Deno.test({
  name: "`EnginePlayer` mates in one, says its lowest Elo and refuses one below it",
  ...requires("stockfish"),
  async fn() {
    await using full = await EnginePlayer.create({ path: STOCKFISH, nodes: 2000 });
    const game = new Game({ start: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1" });
    assert.deepEqual(await full.choose(game), { move: "a1a8" });
    await using weak = await EnginePlayer.create({ path: STOCKFISH, nodes: 100, elo: "lowest" });
    assert.ok(weak.elo! >= 1000 && weak.elo! < 1500);
    assert.match(weak.name, new RegExp(`at Elo ${weak.elo}`));
    await assert.rejects(EnginePlayer.create({ path: STOCKFISH, elo: weak.elo! - 30 }), RangeError);
    await assert.rejects(EnginePlayer.create({ path: STOCKFISH, elo: 1500, skill: 3 }), RangeError);
    await using skilled = await EnginePlayer.create({ path: STOCKFISH, nodes: 100, skill: 0 });
    const match = await playMatch(skilled, weak, { games: 2, concurrency: 2, moveLimit: 10 });
    assert.equal(match.unfinished, 0);
  },
});
