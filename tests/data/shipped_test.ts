import assert from "node:assert/strict";
import { legalMoves, parseFen, UciEngine } from "../../lib/chess/mod.ts";
import { readShard, type ShardRow, SHIPPED, shippedPositions } from "../../lib/data/mod.ts";
import { labelPosition } from "../../lib/data/_teacher_game.ts";
import { requires } from "../_requirements.ts";

const STOCKFISH = await Deno.stat("/usr/games/stockfish").then(
  () => "/usr/games/stockfish",
  () => "stockfish",
);

Deno.test("the shipped positions are there, all usable, and nothing held out is trained on", async () => {
  const positions = await shippedPositions();
  assert.deepEqual([positions.hold, positions.val], [4096, 2048]);
  assert.ok(positions.count - 6144 >= 24_000, `${positions.count}`);
  assert.equal(await shippedPositions(), positions, "a second call prepares them again");
  const { skipped, dropped, games } = positions.provenance as {
    skipped: object;
    dropped: object;
    games: { hold: number; val: number };
  };
  assert.deepEqual(skipped, {});
  assert.deepEqual(dropped, { heldGame: 0, heldBoard: 0, surplus: 0 });
  assert.ok(games.hold >= 342 && games.val >= 171, JSON.stringify(games));
  const held = new Set(positions.game.subarray(0, 4096));
  assert.ok(positions.game.subarray(4096).every((game) => !held.has(game)), "HOLD shares a game");
});

Deno.test("the shipped files take at most 6 MB", async () => {
  let bytes = 0;
  for (const file of [...SHIPPED.heldout, ...SHIPPED.train]) bytes += (await Deno.stat(file)).size;
  assert.ok(bytes <= 6_000_000, `${bytes}`);
});

Deno.test("Stockfish 15.1 gives the shipped labels again", requires("stockfish"), async () => {
  const settings = JSON.parse(await Deno.readTextFile(new URL("teacher.json", SHIPPED.train[0])));
  await using engine = await UciEngine.start({ path: STOCKFISH, options: { Threads: 1, Hash: 1 } });
  const rows: ShardRow[] = [];
  for await (const row of readShard(SHIPPED.heldout[0]!)) {
    rows.push(row);
    if (rows.length === 5) break;
  }
  for (const { fen, moves } of rows) {
    const labels = await labelPosition(engine, parseFen(fen), settings.nodes);
    assert.equal(labels.length, legalMoves(fen).length);
    // Another version thinks otherwise, which is no fault of the file.
    if (engine.name === settings.engine) assert.deepEqual(labels, moves);
  }
});
