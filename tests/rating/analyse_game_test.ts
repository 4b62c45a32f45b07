import assert from "node:assert/strict";
import { UciEngine } from "../../lib/chess/mod.ts";
import { analyseGame, gameAccuracy, moveAccuracy } from "../../lib/rating/mod.ts";
import { requires } from "../_requirements.ts";

const PATH = await Deno.stat("/usr/games/stockfish").then(() => "/usr/games/stockfish", () => "stockfish");
const FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"];

Deno.test({
  name: "`analyseGame()` calls the move into a fool's mate a blunder and the mate best",
  ...requires("stockfish"),
  async fn() {
    await using engine = await UciEngine.start({ path: PATH, options: { Threads: 1 } });
    const graded = await analyseGame(engine, { moves: FOOLS_MATE }, { nodes: 5000 });
    assert.deepEqual(graded.map(({ move }) => move), FOOLS_MATE);
    assert.deepEqual(graded.map(({ side }) => side), ["white", "black", "white", "black"]);
    assert.equal(graded[2]!.verdict, "blunder");
    assert.equal(graded[2]!.centipawns, -9999, "mated in one");
    const mate = graded[3]!;
    assert.deepEqual([mate.verdict, mate.best, mate.accuracy], ["best", "d8h4", 100]);
    assert.equal(mate.centipawns, 9999);
    for (const { bestCentipawns, centipawns, accuracy } of graded) {
      assert.equal(accuracy, moveAccuracy(bestCentipawns, centipawns));
    }
    const white = gameAccuracy(graded, "white");
    assert.equal(white.moves, 2);
    assert.ok(Math.abs(white.accuracy - (graded[0]!.accuracy + graded[2]!.accuracy) / 2) < 1e-12);
    assert.equal(white.verdicts.blunder, 1);
    // The same grades again, without those of the opening.
    const later = await analyseGame(engine, { moves: FOOLS_MATE }, { nodes: 5000, from: 2 });
    assert.deepEqual(later, graded.slice(2));
  },
});

Deno.test({
  name: "`analyseGame()` grades a stalemate as a draw, and refuses an illegal move",
  ...requires("stockfish"),
  async fn() {
    await using engine = await UciEngine.start({ path: PATH, options: { Threads: 1 } });
    const start = "k7/2Q3K1/8/8/8/8/8/8 w - - 0 1";
    const [move] = await analyseGame(engine, { start, moves: ["c7b6"] }, { nodes: 2000 });
    assert.deepEqual([move!.centipawns, move!.verdict], [0, "blunder"]);
    assert.ok(move!.bestCentipawns > 500);
    await assert.rejects(analyseGame(engine, { start, moves: ["c7c1", "a8c8"] }, { nodes: 100 }), /a8c8/);
  },
});
