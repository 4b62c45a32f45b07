import assert from "node:assert/strict";
import { boardBits, EngineError, legalMoves, parseFen, UciEngine } from "../../lib/chess/mod.ts";
import {
  HELD_ROWS_A_GAME,
  makeTeacherSet,
  preparePositions,
  readShard,
  type ShardRow,
  type TeacherOptions,
  type TeacherReport,
  winProbability,
} from "../../lib/data/mod.ts";
import { labelPosition } from "../../lib/data/_teacher_game.ts";
import { requires } from "../_requirements.ts";
import { TemporaryFolder } from "./_shards.ts";

const STOCKFISH = await Deno.stat("/usr/games/stockfish").then(
  () => "/usr/games/stockfish",
  () => "stockfish",
);
const HELDOUT = "heldout-00000-of-00001.msgpack.zst";
const TRAIN = "train-00000-of-00001.msgpack.zst";

/** A set of a few games, short ones with this seed: 6 HOLD and 4 VAL rows from one game each, 40 rows to train on from two or more. */
const SMALL = {
  stockfish: STOCKFISH,
  seed: 14,
  positions: 40,
  nodes: 200,
  hold: 6,
  val: 4,
  perGame: 20,
  processes: 1,
};

const make = (out: string, options: Partial<TeacherOptions> = {}) =>
  makeTeacherSet({ ...SMALL, out, ...options });

async function rowsOf(path: string): Promise<ShardRow[]> {
  const rows: ShardRow[] = [];
  for await (const row of readShard(path)) rows.push(row);
  return rows;
}

/** The set of `SMALL`, made once: what the others are compared with. */
let small: Promise<{ path: string; report: TeacherReport }> | undefined;

function smallSet(): Promise<{ path: string; report: TeacherReport }> {
  small ??= (async () => {
    const path = await Deno.makeTempDir();
    globalThis.addEventListener("unload", () => Deno.removeSync(path, { recursive: true }));
    return { path, report: await make(path) };
  })();
  return small;
}

async function assertSameFiles(path: string, files: readonly string[]): Promise<void> {
  const whole = await smallSet();
  for (const file of files) {
    assert.deepEqual(
      await Deno.readFile(`${path}/${file}`),
      await Deno.readFile(`${whole.path}/${file}`),
      file,
    );
  }
}

const boardOf = ({ fen }: ShardRow) => boardBits(fen).join();

Deno.test(
  "Stockfish's set labels every legal move and keeps held-out games apart",
  requires("stockfish"),
  async () => {
    const { path, report } = await smallSet();
    assert.deepEqual(report.files, [HELDOUT, TRAIN]);
    assert.deepEqual([report.hold, report.val, report.train], [6, 4, 40]);
    const held = await rowsOf(`${path}/${HELDOUT}`);
    const train = await rowsOf(`${path}/${TRAIN}`);
    assert.deepEqual([held.length, train.length], [10, 40]);
    const all = [...held, ...train];
    assert.equal(new Set(all.map(boardOf)).size, all.length, "a position or its mirror occurs twice");
    const games = (rows: ShardRow[]) => [...new Set(rows.map(({ game }) => game))];
    assert.deepEqual([games(held.slice(0, 6)), games(held.slice(6))], [[0], [1]]);
    assert.ok(games(train).every((game) => game! > 1));
    assert.equal(games(train).length, report.trainGames);
    for (const { fen, moves } of all) {
      assert.deepEqual(moves.map(({ uci }) => uci).sort(), legalMoves(fen).map(({ uci }) => uci));
      for (const { winProb, mate } of moves) {
        assert.ok(winProb >= 0 && winProb <= 1);
        if (mate !== undefined) assert.equal(winProb, Number(mate) > 0 ? 1 : 0);
      }
    }
    const { report: prepared } = await preparePositions({
      train: [`${path}/${TRAIN}`],
      heldout: [`${path}/${HELDOUT}`],
      hold: 6,
      val: 4,
    });
    assert.deepEqual(prepared.rows, { hold: 6, val: 4, train: 40 });
    assert.deepEqual(prepared.dropped, { heldGame: 0, heldBoard: 0, surplus: 0 });
  },
);

Deno.test("the number of processes changes no byte, another seed does", requires("stockfish"), async () => {
  using folder = new TemporaryFolder();
  await make(`${folder.path}/three`, { processes: 3 });
  await assertSameFiles(`${folder.path}/three`, [HELDOUT, TRAIN, "teacher.json"]);
  await make(`${folder.path}/other`, { seed: 27, positions: 0, val: 0 });
  const rows = await rowsOf(`${(await smallSet()).path}/${HELDOUT}`);
  assert.notDeepEqual(await rowsOf(`${folder.path}/other/${HELDOUT}`), rows.slice(0, 6));
});

Deno.test("more positions add rows and leave the held-out file alone", requires("stockfish"), async () => {
  using folder = new TemporaryFolder();
  const first = await smallSet();
  for (const entry of ["", "games.part/"]) {
    await Deno.mkdir(`${folder.path}/${entry}`, { recursive: true });
    for await (const { name, isFile } of Deno.readDir(`${first.path}/${entry}`)) {
      if (isFile) await Deno.copyFile(`${first.path}/${entry}${name}`, `${folder.path}/${entry}${name}`);
    }
  }
  const held = await Deno.readFile(`${folder.path}/${HELDOUT}`);
  const before = new Set((await rowsOf(`${folder.path}/${TRAIN}`)).map(boardOf));
  const { train } = await make(folder.path, { positions: 60 });
  assert.equal(train, 60);
  assert.deepEqual(await Deno.readFile(`${folder.path}/${HELDOUT}`), held);
  const after = new Set((await rowsOf(`${folder.path}/${TRAIN}`)).map(boardOf));
  assert.equal(after.size, 60);
  assert.ok([...before].every((board) => after.has(board)));
  for (const change of [{ seed: 2 }, { nodes: 300 }, { hold: 5 }, { perGame: 3 }]) {
    await assert.rejects(make(folder.path, change), { name: "DataError", message: /choose another folder/ });
  }
});

Deno.test(
  "killed at any time, it goes on where it was and ends with the same files",
  requires("stockfish"),
  async () => {
    using folder = new TemporaryFolder();
    const killed = folder.path;
    const { played } = (await smallSet()).report;
    const games = () => {
      try {
        return [...Deno.readDirSync(`${killed}/games.part`)].filter(({ name }) => name.endsWith(".zst"))
          .length;
      } catch {
        return 0;
      }
    };
    const { stockfish, seed, positions, nodes, hold, val, perGame } = SMALL;
    const words = Object.entries({
      positions,
      seed,
      nodes,
      hold,
      val,
      "per-game": perGame,
      stockfish,
      out: killed,
    });
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "cli.ts",
        "data",
        "teacher",
        ...words.flatMap(([name, value]) => [`--${name}`, `${value}`]),
      ],
      cwd: new URL("../../", import.meta.url).pathname,
      stdout: "null",
      stderr: "null",
    }).spawn();
    const deadline = performance.now() + 30_000;
    while (games() === 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    process.kill("SIGKILL");
    await process.status;
    const kept = games();
    assert.ok(kept > 0, "no game was finished in 30 seconds");
    // What a game left unfinished, or half written, is not taken for a game.
    await Deno.writeFile(`${killed}/games.part/000001.msgpack.zst.99.part`, new Uint8Array(9));
    const report = await make(killed);
    assert.equal(report.played, played - Math.min(kept, played));
    await assertSameFiles(killed, [HELDOUT, TRAIN, "teacher.json"]);
    // A damaged game is played again.
    await Deno.truncate(`${killed}/games.part/000002.msgpack.zst`, 50);
    await Deno.remove(`${killed}/${TRAIN}`);
    assert.equal((await make(killed)).played, 1);
    await assertSameFiles(killed, [TRAIN]);
  },
);

Deno.test("stopping it loses no finished game", requires("stockfish"), async () => {
  using folder = new TemporaryFolder();
  const controller = new AbortController();
  const onProgress = () => controller.abort(new Error("enough"));
  const options = { ...SMALL, out: folder.path };
  await assert.rejects(makeTeacherSet(options, { signal: controller.signal, onProgress }), /enough/);
  const { played } = (await smallSet()).report;
  assert.equal((await make(folder.path)).played, played - 1);
});

Deno.test("a label depends on the position and the nodes alone", requires("stockfish"), async () => {
  await using engine = await UciEngine.start({ path: STOCKFISH, options: { Threads: 1, Hash: 1 } });
  const board = parseFen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
  const other = parseFen("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 4 4");
  const first = await labelPosition(engine, board, 1000);
  await labelPosition(engine, other, 1000);
  assert.deepEqual(await labelPosition(engine, board, 1000), first);
  // Wild positions need more nodes than given for their first ply.
  const wild = parseFen("r2k4/p4pp1/3r1N1p/2b2q1n/1R4bP/P3PN2/2P3BR/3Q2K1 w - - 3 27");
  assert.equal((await labelPosition(engine, wild, 500)).length, legalMoves(wild).length);
});

Deno.test("numbers that make no sense and a missing Stockfish are refused", async () => {
  using folder = new TemporaryFolder();
  const change = [{ positions: -1 }, { nodes: 0 }, { processes: 1.5 }, { hold: -1 }, { perGame: 0 }];
  for (const options of change) await assert.rejects(make(folder.path, options), RangeError);
  await assert.rejects(make(folder.path, { stockfish: "/nowhere/stockfish" }), EngineError);
  assert.equal(HELD_ROWS_A_GAME, 12);
});

Deno.test("the curve from centipawns to chances is Lichess's", () => {
  assert.equal(winProbability(0), 0.5);
  // 50 + 50 (2 / (1 + exp(-0.00368208 cp)) - 1), in percent.
  for (const cp of [-1000, -35, 120, 900]) {
    const percent = 50 + 50 * (2 / (1 + Math.exp(-0.00368208 * cp)) - 1);
    assert.ok(Math.abs(100 * winProbability(cp) - percent) < 1e-10);
  }
  assert.deepEqual([winProbability(-Infinity), winProbability(Infinity)], [0, 1]);
});
