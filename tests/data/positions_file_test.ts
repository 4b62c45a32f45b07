import assert from "node:assert/strict";
import * as arrow from "apache-arrow";
import { DataError, saveSealedArrow } from "../../lib/common/mod.ts";
import {
  loadPositions,
  type Positions,
  positionsDigest,
  preparePositions,
  savePositions,
  selectRows,
} from "../../lib/data/mod.ts";
import { PYTHON, requires } from "../_requirements.ts";
import { randomGame, TemporaryFolder, writeShard } from "./_shards.ts";

async function some(folder: string, plies = 60): Promise<Positions> {
  const train = [await writeShard(`${folder}/a.zst`, randomGame(1, plies))];
  return (await preparePositions({ train, hold: 6, val: 3 })).positions;
}

Deno.test("saved positions load equal", async () => {
  using folder = new TemporaryFolder();
  const positions = await some(folder.path);
  await savePositions(`${folder.path}/p.arrow`, positions);
  assert.deepEqual(await loadPositions(`${folder.path}/p.arrow`), positions);
  assert.deepEqual(await loadPositions(`${folder.path}/p.arrow`, { verify: false }), positions);
  assert.equal(positions.digest, positionsDigest(positions));
});

Deno.test("no rows at all, and more than a record batch of them, load equal", async () => {
  using folder = new TemporaryFolder();
  const few = await some(folder.path);
  const none = selectRows(few, []);
  await savePositions(`${folder.path}/none.arrow`, none);
  assert.deepEqual(await loadPositions(`${folder.path}/none.arrow`), none);

  const times = 1200; // 72,000 rows
  const repeat = <T extends Uint8Array | Uint16Array | Int32Array>(column: T, into: T): T => {
    for (let i = 0; i < times; i++) into.set(column, i * column.length);
    return into;
  };
  const content = {
    count: few.count * times,
    hold: 0,
    val: 7,
    board: repeat(few.board, new Uint8Array(few.board.length * times)),
    moveCount: repeat(few.moveCount, new Uint8Array(few.count * times)),
    move: repeat(few.move, new Uint16Array(few.move.length * times)),
    bestCount: repeat(few.bestCount, new Uint8Array(few.count * times)),
    best: repeat(few.best, new Uint8Array(few.best.length * times)),
    win: repeat(few.win, new Uint16Array(few.win.length * times)),
    game: Int32Array.from({ length: few.count * times }, (_, i) => i),
  };
  const many = { ...content, provenance: {}, digest: positionsDigest(content) };
  await savePositions(`${folder.path}/many.arrow`, many);
  const loaded = await loadPositions(`${folder.path}/many.arrow`);
  assert.equal(loaded.digest, many.digest);
  assert.equal(positionsDigest(loaded), many.digest);
});

Deno.test("a changed byte or another kind of file is noticed", async () => {
  using folder = new TemporaryFolder();
  const path = `${folder.path}/p.arrow`;
  await savePositions(path, await some(folder.path, 20));
  const bytes = await Deno.readFile(path);
  for (let at = 3; at < bytes.length; at += 997) {
    const changed = bytes.slice();
    changed[at]! ^= 1;
    await Deno.writeFile(path, changed);
    await assert.rejects(loadPositions(path), DataError, `byte ${at}`);
  }
  await saveSealedArrow(path, arrow.tableFromArrays({ a: new Int32Array(3) }), {
    "flychess:kind": "connectome",
  });
  await assert.rejects(
    loadPositions(path),
    /it is connectome, a file with positions written by flychess is wanted/,
  );
  await saveSealedArrow(path, arrow.tableFromArrays({ board: new Int32Array(3) }), {
    "flychess:kind": "positions",
  });
  await assert.rejects(loadPositions(path), /its column board is Int32/);
});

Deno.test("values that make no sense are refused, even in a well sealed file", async () => {
  using folder = new TemporaryFolder();
  const good = await some(folder.path, 20);
  const path = `${folder.path}/p.arrow`;
  const cases: readonly (readonly [Partial<Positions>, RegExp])[] = [
    [{ hold: 30 }, /HOLD is 30 and VAL 3 of 20 rows/],
    [{ moveCount: new Uint8Array(20) }, /row 0 has 0 legal moves/],
    [{ bestCount: new Uint8Array(20).fill(9) }, /row 0 keeps 9 best moves/],
    [{ best: new Uint8Array(160).fill(200) }, /row 0 names move 200 of/],
    [{ win: new Uint16Array(160).fill(1001) }, /row 0 does not list its best moves in order/],
    [{ move: new Uint16Array(20 * 96).fill(0x7000) }, /a move with no known promotion/],
    [{ game: new Int32Array(20) }, /its digest does not fit/],
  ];
  for (const [change, expected] of cases) {
    await savePositions(path, { ...good, ...change });
    await assert.rejects(loadPositions(path), expected);
  }
});

Deno.test("selected rows stay HOLD, VAL or neither", async () => {
  using folder = new TemporaryFolder();
  const positions = await some(folder.path);
  const part = selectRows(positions, [5, 2, 8, 40, 9]);
  assert.deepEqual([part.count, part.hold, part.val], [5, 2, 1]);
  assert.deepEqual(part.board.subarray(96, 192), positions.board.subarray(2 * 96, 3 * 96));
  assert.deepEqual(part.win.subarray(24, 32), positions.win.subarray(40 * 8, 41 * 8));
  assert.equal(part.digest, positionsDigest(part));
  const all = selectRows(positions, Array.from({ length: positions.count }, (_, i) => i));
  assert.equal(all.digest, positions.digest);
  for (const rows of [[9, 2], [7, 0], [0, 0], [-1], [60], [0.5]]) {
    assert.throws(() => selectRows(positions, rows), RangeError, `${rows}`);
  }
});

Deno.test("pyarrow reads the file", requires("python"), async () => {
  using folder = new TemporaryFolder();
  const positions = await some(folder.path);
  await savePositions(`${folder.path}/p.arrow`, positions);
  const code = [
    "import json, sys, pyarrow as pa",
    "t = pa.ipc.open_file(sys.argv[1]).read_all()",
    "t.validate(full=True)",
    "print(json.dumps({'rows': t.num_rows, 'types': {f.name: str(f.type) for f in t.schema}, 'win': t['win'][3].as_py(),",
    "  'board': list(t['board'][3].as_py()), 'hold': t.schema.metadata[b'flychess:hold'].decode()}))",
  ].join("\n");
  const { stdout, success } = await new Deno.Command(PYTHON, {
    args: ["-c", code, `${folder.path}/p.arrow`],
    stderr: "inherit",
  }).output();
  assert.ok(success);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), {
    rows: 60,
    types: {
      board: "fixed_size_binary[96]",
      moveCount: "uint8",
      move: "fixed_size_list<item: uint16 not null>[96]",
      bestCount: "uint8",
      best: "fixed_size_list<item: uint8 not null>[8]",
      win: "fixed_size_list<item: uint16 not null>[8]",
      game: "int32",
    },
    win: [...positions.win.subarray(24, 32)],
    board: [...positions.board.subarray(288, 384)],
    hold: "6",
  });
});
