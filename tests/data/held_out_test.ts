import assert from "node:assert/strict";
import fc from "fast-check";
import {
  legalMoves,
  makeFen,
  mirrorFen,
  moveSan,
  parseFen,
  playMove,
  START_FEN,
} from "../../lib/chess/mod.ts";
import { Random } from "../../lib/common/mod.ts";
import {
  BOARD_BYTES,
  excludeHeldOut,
  heldOutElsewhere,
  MAX_BEST,
  type Positions,
  preparePositions,
  savePositions,
  selectRows,
  shippedPositions,
} from "../../lib/data/mod.ts";
import { randomGame, TemporaryFolder, writeShard } from "./_shards.ts";

/** The boards, in the mirrored frame, that some rows show. */
function boards(positions: Positions, from: number, to: number): Set<string> {
  const found = new Set<string>();
  for (let row = from; row < to; row++) {
    found.add(positions.board.subarray(row * BOARD_BYTES, (row + 1) * BOARD_BYTES).join());
  }
  return found;
}

const heldRows = (positions: Positions) => boards(positions, 0, positions.hold + positions.val);
const trainRows = (positions: Positions) =>
  boards(positions, positions.hold + positions.val, positions.count);
const games = (positions: Positions, from: number, to: number) =>
  new Set(positions.game.subarray(from, to).filter((game) => game >= 0));

/** No board of `held`'s HOLD and VAL, and no game of theirs, is trained on in `trained`. */
function assertApart(held: Positions, trained: Positions, what: string): void {
  assert.ok(heldRows(held).isDisjointFrom(trainRows(trained)), `${what}: a held-out board is trained on`);
  const heldGames = games(held, 0, held.hold + held.val);
  const trainGames = games(trained, trained.hold + trained.val, trained.count);
  assert.ok(heldGames.isDisjointFrom(trainGames), `${what}: a held-out game is trained on`);
}

/** A game with evaluations that make every move a good one, and the same positions in the other formats. */
function gameEverywhere(seed: number, plies: number) {
  const random = new Random(seed, "everywhere");
  let board = parseFen(START_FEN);
  let pgn = `[Event "${seed}"]\n\n`;
  const lichess: string[] = [];
  for (let ply = 0; ply < plies; ply++) {
    const legal = legalMoves(board);
    const move = legal[random.int(legal.length)];
    if (move === undefined) break;
    const fen = makeFen(board);
    pgn += `${moveSan(fen, move.uci)} { [%eval 0.0] } `;
    // The mirror of every other position: as the dump would have it from a game with the colours swapped.
    const mirrored = ply % 2 === 0;
    const line = mirrored ? move.uci.replaceAll(/[1-8]/g, (rank) => `${9 - Number(rank)}`) : move.uci;
    const shown = (mirrored ? mirrorFen(fen) : fen).split(" ").slice(0, 4).join(" ");
    lichess.push(JSON.stringify({ fen: shown, evals: [{ pvs: [{ cp: 0, line }], depth: 1, knodes: 1 }] }));
    board = playMove(board, move);
  }
  return { pgn: `${pgn}*\n\n`, lichess };
}

Deno.test("no held-out position, mirror or game of one source is trained on in another made beside it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1e6), fc.integer({ min: 1, max: 20 }), async (seed, hold) => {
      using folder = new TemporaryFolder();
      const all = Array.from({ length: 6 }, (_, i) => gameEverywhere(seed + i, 25));
      const file = async (name: string, content: string) => {
        await Deno.writeTextFile(`${folder.path}/${name}`, content);
        return `${folder.path}/${name}`;
      };
      const first = [await file("a.pgn", all.map(({ pgn }) => pgn).join(""))];
      const dump = await file("b.jsonl", all.flatMap(({ lichess }) => lichess).join("\n"));
      const again = await file("c.pgn", all.slice(2).map(({ pgn }) => pgn).reverse().join(""));
      const shard = await writeShard(`${folder.path}/d.zst`, all.flatMap((_, i) => randomGame(seed + i, 12)));
      const main = (await preparePositions({ train: first, hold, val: 5, seed })).positions;
      assertApart(main, main, "the set itself");
      for (const train of [[dump], [again], [shard], [dump, again, shard, ...first]]) {
        const beside = await preparePositions({ train, hold: 0, val: 0, notIn: [main], seed });
        assertApart(main, beside.positions, train.join());
        const { heldBoard, heldGame } = beside.report.dropped;
        if (train.includes(dump)) assert.ok(heldBoard >= hold + 5, `${heldBoard}`);
        assert.equal(
          beside.positions.count,
          beside.report.read - heldBoard - heldGame -
            Object.values(beside.report.skipped).reduce((sum, count) => sum + count, 0),
        );
      }
      // The test can fail: without `notIn` the held-out boards are there.
      const careless = (await preparePositions({ train: [dump], hold: 0, val: 0 })).positions;
      assert.ok(heldRows(main).isSubsetOf(trainRows(careless)));
      assertApart(main, excludeHeldOut(careless, [main]), "excludeHeldOut");
    }),
    { numRuns: 12 },
  );
});

Deno.test("excluding takes boards, games and won positions out of the training rows, and nothing else", async () => {
  const positions = await shippedPositions();
  const held = positions.hold + positions.val;
  const game = positions.game[held]!;
  // A set whose one HOLD row is a training row of the other.
  const other = selectRows(positions, [held]);
  const holding: Positions = { ...other, hold: 1 };
  const left = excludeHeldOut(positions, [holding]);
  assert.deepEqual([left.hold, left.val], [positions.hold, positions.val]);
  assert.ok(!games(left, held, left.count).has(game));
  const ofGame = positions.game.subarray(held).filter((each) => each === game).length;
  assert.equal(left.count, positions.count - ofGame);
  assertApart(holding, left, "a row");
  const rows = heldOutElsewhere(positions, [holding]);
  assert.deepEqual(
    left.game,
    positions.game.filter((_, row) => !rows.includes(row)),
    "the rows themselves are known too",
  );
  const unwon = excludeHeldOut(positions, [], { wonFrom: 99.5 });
  const wins = (set: Positions) =>
    Array.from({ length: set.count - held }, (_, i) => set.win[(held + i) * MAX_BEST]!);
  assert.equal(unwon.count - held, wins(positions).filter((win) => win < 995).length);
  assert.ok(wins(unwon).every((win) => win < 995));
});

/** Runs `fly` with a limit on the size of files, as on a full disk: writes fail, the system says so. */
async function flyOnFullDisk(
  args: readonly string[],
  blocks: number,
): Promise<{ code: number; text: string }> {
  const words = [Deno.execPath(), "run", "-A", "cli.ts", ...args].map((word) => `'${word}'`).join(" ");
  const { code, stderr } = await new Deno.Command("bash", {
    args: ["-c", `trap '' XFSZ; ulimit -f ${blocks}; exec ${words}`],
    cwd: new URL("../../", import.meta.url).pathname,
    stdout: "null",
  }).output();
  return { code, text: new TextDecoder().decode(stderr) };
}

Deno.test("on a full disk, and where nobody may write, preparing says so, leaves nothing and keeps what was there", async () => {
  using folder = new TemporaryFolder();
  const shard = await writeShard(`${folder.path}/a.zst`, randomGame(1, 120));
  const out = `${folder.path}/positions.arrow`;
  await Deno.writeTextFile(out, "the former file");
  const prepare = (to: string) => ["data", "prepare", shard, "--hold", "2", "--val", "1", "--out", to];
  // 16 blocks of 1,024 bytes; the file would have 60 kB.
  const full = await flyOnFullDisk(prepare(out), 16);
  assert.equal(full.code, 1, full.text);
  assert.match(full.text, /Cannot write .*positions.arrow: file too large/);
  assert.equal(await Deno.readTextFile(out), "the former file");
  assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name).sort(), [
    "a.zst",
    "positions.arrow",
  ]);
  const closed = await flyOnFullDisk(prepare("/sys/positions.arrow"), 1 << 20);
  assert.equal(closed.code, 1);
  assert.match(
    closed.text,
    /Cannot write \/sys\/positions.arrow: .*a folder that can be written to is wanted/,
  );
  const taken = await flyOnFullDisk(prepare(folder.path), 1 << 20);
  assert.match(taken.text, /it is a folder, a file is wanted/);
});

Deno.test("the command keeps the held-out rows of another file out", async () => {
  using folder = new TemporaryFolder();
  const shard = await writeShard(`${folder.path}/a.zst`, randomGame(1, 60));
  const main = (await preparePositions({ train: [shard], hold: 20, val: 10 })).positions;
  await savePositions(`${folder.path}/main.arrow`, main);
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "cli.ts", "data", "prepare", shard, "--hold", "0", "--val", "0", "--not-in"]
      .concat(`${folder.path}/main.arrow`, "--out", `${folder.path}/beside.arrow`),
    cwd: new URL("../../", import.meta.url).pathname,
    stderr: "null",
  }).output();
  assert.equal(code, 0);
  assert.match(
    new TextDecoder().decode(stdout),
    /left out: the board of a HOLD or VAL row, or its mirror +30/,
  );
});
