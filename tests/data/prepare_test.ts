import assert from "node:assert/strict";
import fc from "fast-check";
import { boardBits, legalMoves, mirrorFen, parseMove, unpackMove } from "../../lib/chess/mod.ts";
import { DataError } from "../../lib/common/mod.ts";
import {
  BOARD_BYTES,
  HELD_ROWS_A_GAME,
  MAX_BEST,
  MAX_MOVES,
  type Positions,
  preparePositions,
  type ShardRow,
} from "../../lib/data/mod.ts";
import { PositionRows } from "../../lib/data/_position_rows.ts";
import { randomGame, TemporaryFolder, writeShard } from "./_shards.ts";

/** The one HOLD row that these shards make, with the legal moves and the best ones in UCI notation (white to move). */
async function prepareOne(row: ShardRow): Promise<{ moves: string[]; best: string[]; win: number[] }> {
  using folder = new TemporaryFolder();
  const heldout = [await writeShard(`${folder.path}/a.zst`, [row])];
  const { positions } = await preparePositions({ train: [], heldout, hold: 1, val: 0 });
  assert.equal(positions.count, 1);
  const moves = [...positions.move.subarray(0, positions.moveCount[0])].map((move) => unpackMove(move).uci);
  const kept = positions.bestCount[0]!;
  return {
    moves,
    best: [...positions.best.subarray(0, kept)].map((place) => moves[place]!),
    win: [...positions.win.subarray(0, kept)],
  };
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

Deno.test("the best moves are sorted by win% from the best, ties in the order of the file", async () => {
  const labels = { e2e4: 0.53, a2a3: 0.5, d2d4: 0.53, b2b3: 0.7, c2c4: 0.53, h2h3: 0.5 };
  const moves = Object.entries(labels).map(([uci, winProb]) => ({ uci, winProb }));
  const found = await prepareOne({ fen: START, moves });
  assert.deepEqual(found.best, ["b2b3", "e2e4", "d2d4", "c2c4", "a2a3", "h2h3"]);
  assert.deepEqual(found.win, [700, 530, 530, 530, 500, 500]);
  assert.equal(found.moves.length, 20);
});

Deno.test("chances that round to one win% are ties", async () => {
  const moves = [
    { uci: "e2e4", winProb: 0.53012 },
    { uci: "d2d4", winProb: 0.53041 },
    { uci: "c2c4", winProb: 0.53051 },
  ];
  const { best, win } = await prepareOne({ fen: START, moves });
  assert.deepEqual(best, ["c2c4", "e2e4", "d2d4"]);
  assert.deepEqual(win, [531, 530, 530]);
});

Deno.test("the eight best moves are kept and no more", async () => {
  const legal = legalMoves(START);
  const moves = legal.map(({ uci }, i) => ({ uci, winProb: i / 100 }));
  const { best } = await prepareOne({ fen: START, moves });
  assert.deepEqual(best, legal.map(({ uci }) => uci).reverse().slice(0, 8));
});

Deno.test("sorting and cutting agree with a plain stable sort, for any labels", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(12), { minLength: 20, maxLength: 20 }), async (values) => {
      const moves = legalMoves(START).map(({ uci }, i) => ({ uci, winProb: values[i]! / 12 }));
      const { best } = await prepareOne({ fen: START, moves });
      const sorted = [...moves].sort((a, b) => b.winProb - a.winProb); // sort() is stable
      assert.deepEqual(best, sorted.slice(0, 8).map(({ uci }) => uci));
    }),
    { numRuns: 20 },
  );
});

Deno.test("a position and its mirror become the same row", async () => {
  using folder = new TemporaryFolder();
  const rows = randomGame(3, 30);
  const mirrored = rows.map(({ fen, moves }) => ({
    fen: mirrorFen(fen),
    moves: moves.map(({ uci, winProb }) => ({
      uci: uci.replaceAll(/[1-8]/g, (rank) => `${9 - Number(rank)}`),
      winProb,
    })),
  }));
  const prepared = [];
  for (const [i, shard] of [rows, mirrored].entries()) {
    const heldout = [await writeShard(`${folder.path}/${i}.zst`, shard)];
    prepared.push((await preparePositions({ train: [], heldout, hold: 30, val: 0 })).positions);
  }
  assert.equal(prepared[0]!.digest, prepared[1]!.digest);
  const { board, move, moveCount } = prepared[0]!;
  rows.forEach(({ fen }, row) => {
    assert.deepEqual(board.subarray(row * BOARD_BYTES, (row + 1) * BOARD_BYTES), boardBits(fen));
    const stored = [...move.subarray(row * MAX_MOVES, row * MAX_MOVES + moveCount[row]!)];
    const legal = legalMoves(fen).map(({ from, to, promotion }) => from | to << 6 | promotion << 12);
    assert.deepEqual(stored, legal.sort((a, b) => a - b));
  });
});

Deno.test("rows that cannot be used are skipped and counted by reason", async () => {
  using folder = new TemporaryFolder();
  const good = randomGame(5, 10);
  const label = (fen: string, ...moves: [string, number][]): ShardRow => ({
    fen,
    moves: moves.map(([uci, winProb]) => ({ uci, winProb })),
  });
  // 218 moves, the most known of a position that a game can reach (Petrovic 1964).
  const crowded = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
  const bad: ShardRow[] = [
    label(START),
    label("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1", ["e2e4", 0.5]),
    label("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", ["e1d1", 0.5]), // black's king could be taken
    label(crowded, ["f1e1", 0.5]),
    label(START, ["e2e5", 0.5]),
    label(START, ["e7e5", 0.5]),
    label(START, ["castle", 0.5]),
    label(START, ["e2e4", 1.01]),
    label(START, ["e2e4", NaN]),
    label("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ["h8g8", 0.5]), // stalemate: no move is legal
  ];
  const train = [await writeShard(`${folder.path}/a.zst`, [...bad, ...good])];
  const { positions, report } = await preparePositions({ train, hold: 2, val: 2 });
  assert.equal(positions.count, 10);
  assert.deepEqual(report.skipped, { noMoves: 1, badFen: 2, tooManyMoves: 1, badChance: 2, illegalMove: 4 });
  assert.deepEqual(report.shards[0]!.skipped, report.skipped);
  assert.equal(report.read, 20);
  // A map holds a key once when it is written from an object, not when it comes from elsewhere.
  assert.equal(new PositionRows().add(label(START, ["e2e4", 0.5], ["e2e4", 0.4])), "illegalMove");
});

Deno.test("a shard that breaks off gives its whole rows and is reported", async () => {
  using folder = new TemporaryFolder();
  const whole = await writeShard(`${folder.path}/a.zst`, randomGame(5, 20));
  const cut = `${folder.path}/b.zst`;
  const bytes = await Deno.readFile(await writeShard(cut, randomGame(6, 600)));
  await Deno.writeFile(cut, bytes.subarray(0, bytes.length - 100));
  const { positions, report } = await preparePositions({ train: [whole, cut], hold: 4, val: 4 });
  const [first, second] = report.shards;
  assert.equal(first?.problem, undefined);
  assert.match(second?.problem ?? "", /b\.zst .* in row /);
  assert.ok(second!.kept > 20 && second!.kept < 600, `${second!.kept}`);
  assert.ok(positions.count <= 20 + second!.kept);
});

/** Every held-out row's game and board, and every training row's. */
function rowsOf(positions: Positions, from: number, to: number): { game: number; board: string }[] {
  return Array.from({ length: to - from }, (_, i) => ({
    game: positions.game[from + i]!,
    board: positions.board.subarray((from + i) * BOARD_BYTES, (from + i + 1) * BOARD_BYTES).join(),
  }));
}

Deno.test("no game and no board is both held out and trained on", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1e6), fc.boolean(), fc.integer({ min: 1, max: 30 }), async (seed, known, val) => {
      using folder = new TemporaryFolder();
      // Short games from the start meet the same boards again and again.
      const games = Array.from(
        { length: 12 },
        (_, game) => randomGame(seed + game, 3 + (game * 5) % 20, game),
      );
      const rows = games.flat().map(({ fen, moves, game }) =>
        known ? { fen, moves, game: game! } : { fen, moves }
      );
      const train = [await writeShard(`${folder.path}/a.zst`, rows)];
      const { positions, report } = await preparePositions({ train, hold: 15, val, seed });
      const hold = rowsOf(positions, 0, 15);
      const held = rowsOf(positions, 0, 15 + val);
      const rest = rowsOf(positions, 15 + val, positions.count);
      assert.equal(new Set(held.map(({ board }) => board)).size, held.length);
      for (const { game, board } of rest) {
        assert.ok(held.every((other) => other.board !== board), "a board is on both sides");
        if (known) assert.ok(held.every((other) => other.game !== game), "a game is on both sides");
      }
      for (let game = 0; game < 12; game++) {
        assert.ok(held.filter((row) => row.game === game).length <= HELD_ROWS_A_GAME);
        const inHold = hold.some((row) => row.game === game);
        assert.ok(!inHold || held.slice(15).every((row) => row.game !== game), "HOLD and VAL share a game");
      }
      const { heldGame, heldBoard, surplus } = report.dropped;
      assert.equal(positions.count + heldGame + heldBoard + surplus, rows.length);
      assert.equal(heldGame > 0, known);
    }),
    { numRuns: 25 },
  );
});

Deno.test("held-out shards give HOLD and VAL in their order, whatever is trained on and however it is shuffled", async () => {
  using folder = new TemporaryFolder();
  const held = [...randomGame(1, 12, 1), ...randomGame(2, 12, 2)];
  const heldout = [await writeShard(`${folder.path}/held.zst`, held)];
  // The training shard holds a row of a held-out game, a mirrored held-out board, and good rows.
  const leak = randomGame(1, 40, 1)[39]!;
  const mirror = {
    fen: mirrorFen(held[7]!.fen),
    moves: legalMoves(mirrorFen(held[7]!.fen)).map(({ uci }) => ({ uci, winProb: 0.5 })),
    game: 77,
  };
  const good = randomGame(3, 30, 3).slice(5);
  const few = await writeShard(`${folder.path}/few.zst`, [leak, mirror, ...good]);
  const more = await writeShard(`${folder.path}/more.zst`, randomGame(4, 30, 4).slice(5));
  const a = await preparePositions({ train: [few], heldout, hold: 12, val: 10, seed: 1 });
  const b = await preparePositions({ train: [few, more], heldout, hold: 12, val: 10, seed: 2 });
  assert.deepEqual(a.report.dropped, { heldGame: 1, heldBoard: 1, surplus: 2 });
  assert.equal(a.report.rows.train, good.length);
  for (const { positions } of [a, b]) {
    assert.deepEqual(
      rowsOf(positions, 0, 22).map(({ board }) => board),
      held.slice(0, 22).map(({ fen }) => boardBits(fen).join()),
    );
  }
  const firstOf = ({ positions }: typeof a) => [...positions.best.subarray(0, 22 * MAX_BEST)];
  assert.deepEqual(firstOf(a), firstOf(b));
});

Deno.test("the seed decides the order, and the same seed gives the same digest", async () => {
  using folder = new TemporaryFolder();
  const train = [await writeShard(`${folder.path}/a.zst`, randomGame(9, 80))];
  const digests = [];
  for (const seed of [1, 1, 2]) {
    digests.push((await preparePositions({ train, hold: 5, val: 5, seed })).positions.digest);
  }
  assert.equal(digests[0], digests[1]);
  assert.notEqual(digests[0], digests[2]);
});

Deno.test("too few rows for HOLD and VAL are refused with the numbers", async () => {
  using folder = new TemporaryFolder();
  const few = await writeShard(`${folder.path}/a.zst`, randomGame(9, 30, 5));
  const one = {
    name: "DataError",
    message: /30 good rows allow 10 held-out ones of at most 12 a game, 20 are wanted/,
  };
  await assert.rejects(preparePositions({ train: [few], hold: 10, val: 10 }), one);
  const other = { name: "DataError", message: /30 good rows allow 30 held-out ones.*40 are wanted/ };
  await assert.rejects(preparePositions({ train: [few], heldout: [few], hold: 40, val: 0 }), other);
  await assert.rejects(preparePositions({ train: [few], hold: -1 }), RangeError);
  await assert.rejects(preparePositions({ train: [`${folder.path}/none.zst`] }), DataError);
});

Deno.test("preparing reports its progress to the end and stops when it is told to", async () => {
  using folder = new TemporaryFolder();
  const train = [await writeShard(`${folder.path}/a.zst`, randomGame(9, 40))];
  const seen: number[] = [];
  const onProgress = ({ done, total }: { done: number; total?: number }) => void seen.push(done / total!);
  await preparePositions({ train, hold: 2, val: 2 }, { onProgress });
  assert.equal(seen.at(-1), 1);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(preparePositions({ train, hold: 2, val: 2 }, { signal }), /enough/);
});

Deno.test("black's moves are stored as black sees them", async () => {
  using folder = new TemporaryFolder();
  const fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
  const heldout = [
    await writeShard(`${folder.path}/a.zst`, [{ fen, moves: [{ uci: "e7e5", winProb: 0.5 }] }]),
  ];
  const { positions } = await preparePositions({ train: [], heldout, hold: 1, val: 0 });
  const best = unpackMove(positions.move[positions.best[0]!]!, "black");
  assert.deepEqual(best, parseMove("e7e5", "black"));
});
