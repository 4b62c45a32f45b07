import assert from "node:assert/strict";
import { join } from "node:path";
import { legalMoves, UciEngine } from "../../lib/chess/mod.ts";
import { DataError } from "../../lib/common/mod.ts";
import { readShard, SHIPPED } from "../../lib/data/mod.ts";
import {
  centipawnsOf,
  loadSuite,
  makeSuite,
  packSuite,
  scoreRandomMover,
  scoreSuite,
  type Suite,
  VERDICTS,
} from "../../lib/rating/mod.ts";
import { requires } from "../_requirements.ts";
import { TemporaryFolder } from "../_temporary_folder.ts";

const STOCKFISH = requires("stockfish").ignore ? "stockfish" : await stockfishPath();

async function stockfishPath(): Promise<string> {
  return await Deno.stat("/usr/games/stockfish").then(() => "/usr/games/stockfish", () => "stockfish");
}

/** Two positions of three moves each that matter little. */
const SMALL: Suite = {
  engine: "nobody",
  nodes: 1,
  positions: [
    { fen: "7k/8/8/8/8/8/8/K7 w - - 0 1", game: 1, centipawns: [0, -50, -300] },
    { fen: "k7/8/8/8/8/8/8/7K w - - 0 1", game: 2, centipawns: [9999, 1200, 100] },
  ],
};

Deno.test("`loadSuite()` gives positions of held-out games with a score for every legal move", async () => {
  const { positions, engine, nodes } = await loadSuite();
  assert.equal(positions.length, 1000);
  assert.match(engine, /^Stockfish \d/);
  assert.ok(nodes >= 10_000);
  assert.equal(new Set(positions.map(({ fen }) => fen)).size, 1000);
  assert.ok(new Set(positions.map(({ game }) => game)).size > 200);
  const held = new Set<string>();
  for await (const { fen } of readShard(SHIPPED.heldout[0]!)) {
    if (held.size < 4096) held.add(fen);
  }
  for (const { fen, centipawns } of positions) {
    assert.ok(held.has(fen), fen);
    assert.equal(centipawns.length, legalMoves(fen).length);
    assert.ok(centipawns.length > 1);
  }
});

Deno.test({
  name: "`makeSuite()` scores the same again, takes what is known, and names a move that mates",
  ...requires("stockfish"),
  async fn() {
    const first = await makeSuite({ stockfish: STOCKFISH, count: 3, nodes: 2000 });
    assert.deepEqual(await makeSuite({ stockfish: STOCKFISH, count: 3, nodes: 2000 }), first);
    const known = new Map([[first.positions[1]!.fen, first.positions[1]!]]);
    const made: string[] = [];
    const again = await makeSuite({
      stockfish: STOCKFISH,
      count: 3,
      nodes: 2000,
      known,
      onPosition: ({ fen }) => void made.push(fen),
    });
    assert.deepEqual(again, first);
    assert.deepEqual(made, [first.positions[0]!.fen, first.positions[2]!.fen]);
    // The shipped labels are what this version says, if it is the version that made them.
    const shipped = await loadSuite();
    await using engine = await UciEngine.start({ path: STOCKFISH, options: { Threads: 1, Hash: 16 } });
    if (engine.name !== shipped.engine) return;
    const { fen, centipawns } = shipped.positions[7]!;
    const lines = await engine.analyse(fen, { nodes: shipped.nodes, multiPv: "all" });
    const score = new Map(lines.map((line) => [line.move, centipawnsOf(line)]));
    assert.deepEqual(legalMoves(fen).map(({ uci }) => score.get(uci)), centipawns);
  },
});

Deno.test("`centipawnsOf()` counts a mate as 10,000 less its length", () => {
  assert.equal(centipawnsOf({ cp: -12 }), -12);
  assert.equal(centipawnsOf({ mate: 2 }), 9998);
  assert.equal(centipawnsOf({ mate: -3 }), -9997);
});

Deno.test("`scoreSuite()` counts scores up to 1,000 either way, and verdicts", async () => {
  const play = (first: number, second: number) =>
    scoreSuite(SMALL, ({ fen }, i) => Promise.resolve(legalMoves(fen)[i === 0 ? first : second]!.uci));
  const best = await play(0, 0);
  assert.deepEqual([best.centipawnLoss.value, best.accuracy.value, best.verdicts.best], [0, 100, 1]);
  const half = await play(1, 1);
  assert.deepEqual([...half.losses], [50, 0], "won either way");
  assert.equal(half.accuracy.low < 100, true);
  const worst = await play(2, 2);
  assert.deepEqual([...worst.losses], [300, 900]);
  assert.equal(worst.verdicts.blunder, 1);
  const expected = scoreRandomMover(SMALL);
  assert.ok(Math.abs(expected.centipawnLoss.value - (0 + 50 + 300 + 0 + 0 + 900) / 6) < 1e-9);
  const sum = VERDICTS.reduce((sum, each) => sum + expected.verdicts[each], 0);
  assert.ok(Math.abs(sum - 1) < 1e-12);
});

Deno.test("`scoreSuite()` refuses an illegal move and no positions at once", async () => {
  await assert.rejects(scoreSuite(SMALL, () => Promise.resolve("a1a8")), /a1a8: it is not legal/);
  const options = { concurrency: 0 };
  await assert.rejects(scoreSuite(SMALL, () => Promise.resolve("a1a2"), options), RangeError);
});

Deno.test("`loadSuite()` refuses a file that is cut, changed or something else", async () => {
  using folder = new TemporaryFolder();
  const file = join(folder.path, "suite.gz");
  const bytes = await packSuite(SMALL);
  for (
    const broken of [
      bytes.subarray(0, bytes.length - 9),
      new TextEncoder().encode("no gzip"),
      await packSuite({ ...SMALL, positions: [{ ...SMALL.positions[0]!, centipawns: [1, 2] }] }),
      await packSuite({ ...SMALL, positions: [{ ...SMALL.positions[0]!, fen: "nonsense" }] }),
    ]
  ) {
    await Deno.writeFile(file, broken);
    await assert.rejects(loadSuite(file), DataError);
  }
  await Deno.writeFile(file, bytes);
  assert.deepEqual(await loadSuite(file), SMALL);
  await assert.rejects(loadSuite(join(folder.path, "none")), Deno.errors.NotFound);
});
