import assert from "node:assert/strict";
import fc from "fast-check";
import { boardBits, inCheck, legalMoves, packMove, parseFen, playMove } from "../../lib/chess/mod.ts";
import { DataError, Random } from "../../lib/common/mod.ts";
import {
  BOARD_BYTES,
  CURRICULUM_LEAST,
  type CurriculumOptions,
  type CurriculumReport,
  curriculumScore,
  curriculumWin,
  loadPositions,
  makeCurriculum,
  MAX_BEST,
  type Positions,
  preparePositions,
  savePositions,
  selectRows,
  shippedPositions,
} from "../../lib/data/mod.ts";
import { drawEndgames, ENDGAMES, STALEMATES } from "../../lib/data/_endgames.ts";
import { rebuildFen } from "../../lib/data/_rebuild_fen.ts";
import { requires } from "../_requirements.ts";
import { randomGame, TemporaryFolder, writeShard } from "./_shards.ts";

const STOCKFISH = await Deno.stat("/usr/games/stockfish").then(
  () => "/usr/games/stockfish",
  () => "stockfish",
);

Deno.test("a faster mate scores more, every mate more than no mate, and a win% falls with the score", () => {
  const line = fc.oneof(
    fc.record({ mate: fc.integer({ min: -49, max: 49 }).filter((mate) => mate !== 0) }),
    fc.record({ cp: fc.integer({ min: -9000, max: 9000 }) }),
  );
  fc.assert(
    fc.property(line, line, (a: { mate?: number; cp?: number }, b: { mate?: number; cp?: number }) => {
      // Moves until the side that moves is better off: the order that a player would put them in.
      const rank = ({ mate, cp }: { mate?: number; cp?: number }) =>
        mate === undefined ? Math.max(-5000, Math.min(5000, cp!)) : mate > 0 ? 1e6 - mate : -1e6 - mate;
      const [first, second] = [curriculumScore(a), curriculumScore(b)];
      assert.equal(Math.sign(first - second), Math.sign(rank(a) - rank(b)));
      const scores = [Math.max(first, second), Math.min(first, second)];
      const [best, other] = curriculumWin(scores);
      assert.equal(best, 100);
      assert.ok(other! >= 0 && other! <= 100);
      assert.ok(Math.abs(other! - Math.max(0, 100 - (scores[0]! - scores[1]!) / 40)) < 1e-12);
    }),
  );
  assert.deepEqual(curriculumWin([]), []);
});

Deno.test("a stored position is put back on the board with the moves that were stored", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1e6), async (seed) => {
      using folder = new TemporaryFolder();
      const rows = randomGame(seed, 80);
      const heldout = [await writeShard(`${folder.path}/a.zst`, rows)];
      const { positions } = await preparePositions({ train: [], heldout, hold: rows.length, val: 0 });
      rows.forEach(({ fen }, row) => {
        const rebuilt = rebuildFen(positions, row);
        assert.notEqual(rebuilt, undefined, fen);
        assert.deepEqual(boardBits(rebuilt!), boardBits(fen));
        assert.deepEqual(
          legalMoves(rebuilt!).map(packMove).sort(),
          legalMoves(fen).map(packMove).sort(),
          `${fen} became ${rebuilt}`,
        );
      });
    }),
    { numRuns: 15 },
  );
});

Deno.test("castling and en passant are put back; moves that no position has are noticed", async () => {
  using folder = new TemporaryFolder();
  const fens = [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b kq - 0 1",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 2",
  ];
  const rows = fens.map((fen) => ({
    fen,
    moves: legalMoves(fen).slice(0, 1).map(({ uci }) => ({ uci, winProb: 1 })),
  }));
  const heldout = [await writeShard(`${folder.path}/a.zst`, rows)];
  const { positions } = await preparePositions({ train: [], heldout, hold: 4, val: 0 });
  const rebuilt = fens.map((_, row) => rebuildFen(positions, row));
  assert.deepEqual(rebuilt.map((fen) => fen!.split(" ").slice(1, 4).join(" ")), [
    "w KQ -",
    "w KQ -",
    "w - d6",
    "w - d6",
  ]);
  const move = positions.move.slice();
  move[0] = 63 | 62 << 6;
  assert.equal(rebuildFen({ ...positions, move }, 0), undefined);
});

Deno.test("endgames are legal, not over, of their family, and none occurs twice", () => {
  for (const [families, careless] of [[ENDGAMES, false], [STALEMATES, true]] as const) {
    const count = careless ? 70 : 600;
    const drawn = drawEndgames(families, count, careless, new Random(1));
    assert.equal(drawn.length, count);
    assert.equal(new Set(drawn.map(({ fen }) => boardBits(fen).join())).size, count);
    assert.deepEqual(new Set(drawn.map(({ family }) => family)), new Set(families.map(({ name }) => name)));
    for (const { fen, family } of drawn) {
      const board = parseFen(fen);
      assert.equal(board.side, "white");
      const legal = legalMoves(board);
      assert.ok(legal.length > 0, fen);
      const pieces = [...board.squares].filter((piece) => piece !== 0 && Math.abs(piece) !== 6).sort((a, b) =>
        a - b
      );
      const { own, other } = families.find(({ name }) => name === family)!;
      const fits = own.some((mine) =>
        other.some((theirs) =>
          [...theirs.map((kind) => -kind), ...mine].sort((a, b) => a - b).join() === pieces.join()
        )
      );
      assert.ok(fits, `${family}: ${fen}`);
      if (!careless) continue;
      assert.ok(other.every((theirs) => theirs.length === 0), "the king is not bare");
      const stalemates = legal.filter((move) => {
        const after = playMove(board, move);
        return legalMoves(after).length === 0 && !inCheck(after);
      });
      assert.ok(stalemates.length > 0, fen);
    }
    const more = drawEndgames(families, count + 20, careless, new Random(1));
    assert.deepEqual(more.slice(0, count), drawn, "more endgames begin with other ones");
  }
});

Deno.test("a family that is used up makes room for the others, and all used up end the drawing", () => {
  const rook = STALEMATES.filter(({ name }) => name === "rook");
  const all = drawEndgames(rook, 5000, true, new Random(1));
  assert.ok(all.length > 20 && all.length < 1000, `${all.length}`);
  const both = drawEndgames(
    STALEMATES.filter(({ name }) => /^(rook|two rooks)$/.test(name)),
    1500,
    true,
    new Random(1),
  );
  assert.equal(both.length, 1500);
});

/** Rows of the shipped positions with some that are won in every part. */
async function mainSet(): Promise<Positions> {
  const positions = await shippedPositions();
  const won = (from: number, to: number, count: number) => {
    const rows: number[] = [];
    for (let row = from; row < to && rows.length < count; row++) {
      if (positions.win[row * MAX_BEST]! >= 900) rows.push(row);
    }
    return rows;
  };
  const held = positions.hold + positions.val;
  return selectRows(
    positions,
    [
      ...won(0, positions.hold, 12),
      1,
      ...won(positions.hold, held, 6),
      ...won(held, positions.count, 90),
      positions.count - 1,
    ].filter((row, i, rows) => rows.indexOf(row) === i),
  );
}

type Options = Omit<CurriculumOptions, "folder">;
const SMALL: Omit<Options, "positions"> = {
  stockfish: STOCKFISH,
  endgames: 60,
  stalemates: 30,
  depth: 2,
  processes: 2,
};

let whole: Promise<{ positions: Positions; report: CurriculumReport }> | undefined;
/** The curriculum of `SMALL`, made once without a stop. */
function wholeCurriculum(): Promise<{ positions: Positions; report: CurriculumReport }> {
  whole ??= (async () => {
    using folder = new TemporaryFolder();
    return await makeCurriculum({ ...SMALL, positions: await mainSet(), folder: folder.path });
  })();
  return whole;
}

const boardsOf = ({ board }: Positions, from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, i) => board.subarray((from + i) * BOARD_BYTES, (from + i + 1) * BOARD_BYTES).join(),
  );

Deno.test(
  "lessons are ranked by how fast they win; what is held out is not trained on",
  requires("stockfish"),
  async () => {
    const main = await mainSet();
    const { positions, report } = await wholeCurriculum();
    const labelled = report.parts.reduce((sum, part) => sum + part.labelled, 0);
    assert.equal(report.labelledNow, labelled);
    for (const part of report.parts) {
      assert.equal(
        part.labelled,
        part.undecided + part.repeated + part.heldOut + part.train + part.test,
        part.name,
      );
    }
    const part = (name: string) => report.parts.find((each) => each.name === name)!;
    assert.equal(part("endgames").labelled, 60);
    assert.equal(part("stalemates").labelled, 30);
    assert.equal(part("heldOut").train, 0);
    assert.ok(
      part("heldOut").test > 5 && part("won").train > 30 && part("endgames").train > 20,
      JSON.stringify(report),
    );
    const sum = (key: "train" | "test") => report.parts.reduce((total, each) => total + each[key], 0);
    assert.deepEqual([positions.hold, positions.val, positions.count], [
      sum("test"),
      0,
      sum("test") + sum("train"),
    ]);
    for (let row = 0; row < positions.count; row++) assert.equal(positions.win[row * MAX_BEST], 1000);
    const test = boardsOf(positions, 0, positions.hold);
    const train = boardsOf(positions, positions.hold, positions.count);
    const mainHeld = boardsOf(main, 0, main.hold + main.val);
    assert.equal(new Set([...test, ...train]).size, positions.count, "a board occurs twice");
    assert.ok(new Set(train).isDisjointFrom(new Set([...test, ...mainHeld])));
    const games = (set: Positions, from: number, to: number) =>
      new Set(set.game.subarray(from, to).filter((game) => game >= 0));
    const held = games(main, 0, main.hold + main.val).union(games(positions, 0, positions.hold));
    assert.ok(games(positions, positions.hold, positions.count).isDisjointFrom(held));
    assert.equal(CURRICULUM_LEAST, 500);
  },
);

Deno.test(
  "5 % of games and boards are for testing, the same ones in every curriculum",
  requires("stockfish"),
  async () => {
    using folder = new TemporaryFolder();
    const main = await mainSet();
    const none = selectRows(main, [0]);
    const options = { ...SMALL, positions: none, endgames: 400, stalemates: 0, depth: 1 };
    const make = async (seed: number) => {
      const made = await makeCurriculum({ ...options, seed, folder: `${folder.path}/${seed}` });
      return made.positions;
    };
    const [one, other] = [await make(1), await make(2)];
    for (const set of [one, other]) {
      assert.ok(set.hold > 3 && set.hold < 50, `${set.hold} of ${set.count}`);
    }
    const trained = new Set(boardsOf(one, one.hold, one.count));
    assert.ok(trained.isDisjointFrom(new Set(boardsOf(other, 0, other.hold))));
    // An older file's held-out rows are kept out, too.
    const held = selectRows(one, Array.from({ length: one.count }, (_, row) => row));
    const notIn = [{ ...held, hold: 200 }];
    const { positions, report } = await makeCurriculum({
      ...options,
      seed: 1,
      folder: `${folder.path}/1`,
      notIn,
    });
    assert.equal(report.labelledNow, 0);
    const kept = new Set(boardsOf(positions, positions.hold, positions.count));
    assert.ok(kept.isDisjointFrom(new Set(boardsOf(one, 0, 200))));
    assert.equal(kept.size, one.count - 200);
  },
);

Deno.test(
  "killed at any moments, it goes on where it was and ends the same",
  requires("stockfish"),
  async () => {
    using folder = new TemporaryFolder();
    await savePositions(`${folder.path}/main.arrow`, await mainSet());
    const out = `${folder.path}/lessons.arrow`;
    const start = () =>
      new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "cli.ts",
          "data",
          "curriculum",
          "--stockfish",
          STOCKFISH,
          "--stalemates",
          "--careless",
          "30",
        ]
          .concat(
            "--positions",
            `${folder.path}/main.arrow`,
            "--out",
            out,
            "--endgames",
            "60",
            "--depth",
            "2",
          ),
        cwd: new URL("../../", import.meta.url).pathname,
        stdout: "null",
        stderr: "null",
      }).spawn();
    const labels = () => {
      try {
        return [...Deno.readDirSync(`${folder.path}/lessons.part`)].filter(({ name }) =>
          /-\d+\.json$/.test(name)
        ).length;
      } catch {
        return 0;
      }
    };
    const seed = Date.now() % 1000;
    const random = new Random(seed, "kill");
    for (let kill = 0; kill < 4; kill++) {
      const before = labels();
      const process = start();
      const deadline = performance.now() + 20_000;
      while (kill % 2 === 0 && labels() === before && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await new Promise((resolve) => setTimeout(resolve, random.int(kill % 2 === 0 ? 30 : 300)));
      try {
        process.kill("SIGKILL");
      } catch {
        // It had just finished.
      }
      await process.status;
    }
    assert.ok(labels() > 0);
    // What a write left unfinished, and what was damaged, is made again.
    const names = [...Deno.readDirSync(`${folder.path}/lessons.part`)].map(({ name }) => name);
    const damaged = names.find((name) => name.startsWith("heldOut-"))!;
    await Deno.truncate(`${folder.path}/lessons.part/${damaged}`, 100);
    assert.ok((await start().status).success);
    assert.equal((await loadPositions(out)).digest, (await wholeCurriculum()).positions.digest);
  },
);

Deno.test(
  "stopping keeps what is labelled; another depth in the same folder is refused",
  requires("stockfish"),
  async () => {
    using folder = new TemporaryFolder();
    const options = { ...SMALL, positions: await mainSet(), folder: folder.path, processes: 1 };
    const controller = new AbortController();
    const onProgress = ({ done }: { done: number }) => done === 70 && controller.abort(new Error("enough"));
    await assert.rejects(makeCurriculum(options, { signal: controller.signal, onProgress }), /enough/);
    const { positions, report } = await makeCurriculum(options);
    const { positions: wanted, report: all } = await wholeCurriculum();
    assert.equal(positions.digest, wanted.digest);
    assert.ok(report.labelledNow < all.labelledNow && report.labelledNow > 0);
    await assert.rejects(makeCurriculum({ ...options, nodes: 100 }), DataError);
    await assert.rejects(makeCurriculum({ ...options, depth: 3 }), {
      name: "DataError",
      message: /choose another folder/,
    });
    for (
      const change of [{ depth: 0 }, { endgames: -1 }, { stalemates: 0.5 }, { processes: 0 }, { relabel: -1 }]
    ) {
      await assert.rejects(makeCurriculum({ ...options, ...change }), RangeError);
    }
    const { report: fewer } = await makeCurriculum({ ...options, relabel: 10 });
    assert.equal(fewer.parts.find(({ name }) => name === "won")!.labelled, 10);
    assert.ok(fewer.labelledNow <= 10);
  },
);
