import assert from "node:assert/strict";
import { Chess } from "chess.js";
import {
  EnginePlayer,
  FlyPlayer,
  Game,
  greedyPlayer,
  makePgn,
  OPENINGS,
  type Player,
  playMatch,
  randomPlayer,
} from "../../lib/play/mod.ts";
import { smallFly } from "./_flies.ts";

/** A player who goes through a list, and then does something else. */
function scripted(name: string, moves: readonly string[], then: () => string): Player {
  return {
    name,
    choose: (game) => Promise.resolve().then(() => ({ move: moves[game.moves.length >> 1] ?? then() })),
  };
}

const FROM_THE_START = [{ name: "none", moves: [] }];

Deno.test("`playMatch()` changes colours, shares openings between two games and counts for the first player", async () => {
  const match = await playMatch(greedyPlayer(), randomPlayer(), { games: 6, concurrency: 3, moveLimit: 60 });
  assert.deepEqual(match.games.map(({ number }) => number), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(match.games.map(({ white }) => white), [
    "greedy",
    "random",
    "greedy",
    "random",
    "greedy",
    "random",
  ]);
  assert.equal(match.games[0]!.opening, match.games[1]!.opening);
  assert.notEqual(match.games[1]!.opening, match.games[2]!.opening);
  let [wins, draws, losses] = [0, 0, 0];
  for (const { result, firstIsWhite } of match.games) {
    if (result === "1/2-1/2") draws++;
    else if ((result === "1-0") === firstIsWhite) wins++;
    else losses++;
  }
  assert.deepEqual([match.wins, match.draws, match.losses, match.unfinished], [wins, draws, losses, 0]);
});

Deno.test("`playMatch()` plays the same games however many it plays at once", async () => {
  const play = (concurrency: number) =>
    playMatch(greedyPlayer({ seed: 5 }), randomPlayer({ seed: 6 }), { games: 6, concurrency, moveLimit: 40 });
  assert.deepEqual(await play(1), await play(6));
});

Deno.test("`playMatch()` reports every ply's material", async () => {
  const first = scripted("first", ["e2e4", "e4d5"], () => "a2a3");
  const second = scripted("second", ["d7d5", "d8d5"], () => "a7a6");
  const { games: [game] } = await playMatch(first, second, {
    games: 1,
    openings: FROM_THE_START,
    moveLimit: 2,
  });
  assert.deepEqual(game!.material, [0, 0, 1, 0]);
  assert.equal(game!.ending, "move limit");
  assert.equal(game!.result, "1/2-1/2");
});

Deno.test("`playMatch()` lets an illegal move lose and goes on", async () => {
  const wrong = scripted("wrong", ["e2e4"], () => "e4e5");
  const rest = scripted("rest", ["e7e5"], () => "a7a6");
  const match = await playMatch(wrong, rest, { games: 2, openings: FROM_THE_START });
  assert.equal(match.games[0]!.ending, "illegal move");
  assert.equal(match.games[0]!.result, "0-1");
  assert.match(match.games[0]!.detail!, /wrong played e4e5 in/);
  // The other one has White then, and its e7e5 is no move of White's.
  assert.match(match.games[1]!.detail!, /rest played e7e5 in/);
  assert.deepEqual([match.wins, match.losses], [1, 1]);
  assert.equal(match.games.length, 2);
});

Deno.test("`playMatch()` ends a game whose player throws without a result, and plays the others", async () => {
  const broken: Player = {
    name: "broken",
    choose: (game) =>
      game.id === "1" ? Promise.reject(new Error("out of cheese")) : randomPlayer().choose(game),
  };
  const match = await playMatch(broken, greedyPlayer(), { games: 3, moveLimit: 20 });
  assert.equal(match.unfinished, 1);
  assert.equal(match.games[0]!.result, "*");
  assert.equal(match.games[0]!.detail, "out of cheese");
  assert.ok(match.games.slice(1).every(({ ending }) => ending !== "player failed"));
  assert.match(makePgn(match.games[0]!), /out of cheese/);
});

for (const way of ["dies", "hangs", "garbage"]) {
  Deno.test(`\`playMatch()\` with an engine that ${way === "garbage" ? "prints garbage" : way} says so, and leaves no process behind`, async () => {
    const script = new URL("../chess/_fake_engine.ts", import.meta.url).pathname;
    const player = await EnginePlayer.create({
      path: Deno.execPath(),
      args: ["run", "--quiet", "--no-config", script, way],
      timeout: 3000,
    });
    {
      await using engine = player;
      const match = await playMatch(engine, randomPlayer(), { games: 1, openings: FROM_THE_START });
      assert.equal(match.games[0]!.ending, "player failed");
      assert.match(match.games[0]!.detail!, /Fake 1|deno/);
    }
    await assert.rejects(player.choose(new Game()), /has been closed/);
  });
}

Deno.test("`playMatch()` stops with its signal, and where `onGame` throws", async () => {
  const stop = new AbortController();
  const never: Player = {
    name: "thinker",
    choose: (_, options) =>
      new Promise((_, reject) => {
        options!.signal!.addEventListener("abort", () => reject(options!.signal!.reason));
        stop.abort(new Error("enough"));
      }),
  };
  await assert.rejects(playMatch(never, randomPlayer(), { signal: stop.signal }), /enough/);
  const onGame = () => {
    throw new Error("no room on the disk");
  };
  await assert.rejects(playMatch(randomPlayer(), randomPlayer(), { onGame, moveLimit: 5 }), /no room/);
});

Deno.test("`playMatch()` refuses numbers and openings that make no match", async () => {
  const play = (options: Parameters<typeof playMatch>[2]) =>
    playMatch(randomPlayer(), randomPlayer(), options);
  await assert.rejects(play({ games: 0 }), RangeError);
  await assert.rejects(play({ concurrency: 1.5 }), RangeError);
  await assert.rejects(play({ openings: [] }), RangeError);
  await assert.rejects(play({ openings: [{ name: "odd", moves: ["e2e5"] }] }), RangeError);
});

Deno.test("`OPENINGS` are legal and different", () => {
  const fens = OPENINGS.map(({ moves }) => {
    const game = new Game();
    for (const move of moves) game.play(move);
    return game.fen;
  });
  assert.equal(new Set(fens).size, OPENINGS.length);
});

Deno.test("`makePgn()` writes a fly's probabilities, and chess.js reads the game back", async () => {
  await using fly = await smallFly();
  const match = await playMatch(new FlyPlayer(fly), randomPlayer(), {
    games: 2,
    moveLimit: 12,
    openings: [{ name: 'an "ending"', start: "8/P3k3/8/8/8/8/p3K3/8 w - - 0 1", moves: [] }],
  });
  for (const game of match.games) {
    const pgn = makePgn(game, { event: "test", date: "2026.01.31" });
    const chess = new Chess();
    chess.loadPgn(pgn);
    assert.ok(pgn.split("\n\n")[1]!.split("\n").every((line) => line.length <= 80));
    assert.deepEqual(chess.history({ verbose: true }).map(({ lan }) => lan), game.moves);
    assert.equal(chess.getHeaders().Result, game.result);
    const flyMoves = game.probability.filter((each) => each !== null).length;
    assert.ok(flyMoves > 0);
    assert.equal(chess.getComments().length, flyMoves);
  }
});

Deno.test("`playMatch()` in two parts plays the games of the whole", async () => {
  const play = (games: number, before: number) =>
    playMatch(greedyPlayer({ seed: 5 }), randomPlayer({ seed: 6 }), { games, before, moveLimit: 20 });
  const whole = await play(5, 0);
  assert.deepEqual([...(await play(3, 0)).games, ...(await play(2, 3)).games], whole.games);
  await assert.rejects(play(1, -1), RangeError);
});
