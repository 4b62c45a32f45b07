import assert from "node:assert/strict";
import fc from "fast-check";
import { legalMoves, makeFen, moveSan, parseFen, playMove, START_FEN } from "../../lib/chess/mod.ts";
import { Random } from "../../lib/common/mod.ts";
import {
  preparePositions,
  readSource,
  ShardError,
  type ShardRow,
  sourceFormat,
  winProbability,
} from "../../lib/data/mod.ts";
import { concat, frame, randomGame, TemporaryFolder } from "./_shards.ts";

interface Read {
  readonly rows: ShardRow[];
  readonly skipped: string[];
  readonly problem: unknown;
}

/** Everything that a source gives, up to where it breaks off. */
async function readAll(source: string | URL): Promise<Read> {
  const rows: ShardRow[] = [];
  const skipped: string[] = [];
  try {
    for await (const row of readSource(source, { onSkip: (reason) => skipped.push(reason) })) rows.push(row);
    return { rows, skipped, problem: undefined };
  } catch (problem) {
    return { rows, skipped, problem };
  }
}

async function readText(name: string, content: string | Uint8Array): Promise<Read> {
  using folder = new TemporaryFolder();
  const path = `${folder.path}/${name}`;
  await Deno.writeFile(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
  return await readAll(path);
}

Deno.test("the format of a source follows from its name", () => {
  const names = {
    "a/train-00000-of-01024.msgpack.zst": "chessbench",
    "action_value-00000-of-02148_data.bag": "bag",
    "x.bagz": "bag",
    "lichess_db_eval.jsonl.zst": "lichess",
    "evals.JSONL": "lichess",
    "lichess_db_standard_rated_2017-04.pgn.zst": "pgn",
    "games.pgn": "pgn",
  };
  for (const [name, format] of Object.entries(names)) assert.equal(sourceFormat(name), format, name);
  assert.equal(sourceFormat(new URL("https://example.org/evals.jsonl.zst?download=true")), "lichess");
});

// Lichess evaluations.

const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
const CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
const evals = (fen: string, ...evaluations: object[]) => JSON.stringify({ fen, evals: evaluations });
const evaluation = (pvs: object[], depth = 20, knodes = 100) => ({ pvs, depth, knodes });

Deno.test("White's scores become the mover's chances", async () => {
  const { rows } = await readText(
    "x.jsonl",
    [
      evals(START_FEN.split(" ").slice(0, 4).join(" "), evaluation([{ cp: 30, line: "e2e4 e7e5" }])),
      evals(
        AFTER_E4,
        evaluation([{ cp: -40, line: "c7c5" }, { mate: -3, line: "e7e5" }, { mate: 2, line: "f7f6" }]),
      ),
    ].join("\n"),
  );
  assert.deepEqual(rows.map(({ moves }) => moves), [
    [{ uci: "e2e4", winProb: winProbability(30) }],
    [
      { uci: "c7c5", winProb: winProbability(40) },
      { uci: "e7e5", winProb: 1, mate: 3 },
      { uci: "f7f6", winProb: 0, mate: -2 },
    ],
  ]);
});

Deno.test("of several evaluations the one with the most candidates counts, then the deepest, then the longest; five at most", async () => {
  const lines = ["e7e5", "c7c5", "e7e6", "c7c6", "d7d5", "g8f6"].map((line, i) => ({ cp: i, line }));
  const chosen = async (...evaluations: object[]) => {
    const { rows } = await readText("x.jsonl", evals(AFTER_E4, ...evaluations));
    return rows[0]!.moves.map(({ uci }) => uci);
  };
  assert.deepEqual(
    await chosen(evaluation(lines.slice(0, 1), 50), evaluation(lines, 10)),
    ["e7e5", "c7c5", "e7e6", "c7c6", "d7d5"],
  );
  assert.deepEqual(await chosen(evaluation(lines.slice(0, 1), 20), evaluation(lines.slice(1, 2), 21)), [
    "c7c5",
  ]);
  // Six candidates are no better than five.
  assert.deepEqual((await chosen(evaluation(lines, 20), evaluation(lines.slice(1), 21)))[0], "c7c5");
  assert.deepEqual(
    await chosen(evaluation(lines.slice(0, 1), 20, 5), evaluation(lines.slice(1, 2), 20, 6)),
    ["c7c5"],
  );
});

Deno.test("castling as king takes rook is the king's two squares; a rook's own move stays", async () => {
  const castles = evaluation(["e1h1", "e1a1", "e1g1", "e1c1"].map((line) => ({ cp: 0, line })));
  const { rows } = await readText(
    "x.jsonl",
    [
      evals(CASTLES, castles),
      evals("4k3/8/8/8/8/8/8/4R2K w - -", evaluation([{ cp: 0, line: "e1a1" }])),
      evals(CASTLES.replace(" w ", " b "), evaluation([{ cp: 0, line: "e8h8" }, { cp: 0, line: "e8a8" }])),
    ].join("\n"),
  );
  assert.deepEqual(rows.map(({ moves }) => moves.map(({ uci }) => uci)), [
    ["e1g1", "e1c1", "e1g1", "e1c1"],
    ["e1a1"],
    ["e8g8", "e8c8"],
  ]);
});

Deno.test("positions that only Chess960 has, and lines that make no sense, are skipped with the reason", async () => {
  const one = evaluation([{ cp: 0, line: "a2a3" }]);
  const cases: [string, string][] = [
    [evals("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq -", one), "chess960"],
    [evals("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -", one), "chess960"],
    [evals("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR w KQkq -", one), "chess960"],
    ["{", "badRecord"],
    ["[]", "badRecord"],
    ["null", "badRecord"],
    [JSON.stringify({ fen: AFTER_E4 }), "badRecord"],
    [evals(AFTER_E4), "noMoves"],
    [evals(AFTER_E4, evaluation([])), "noMoves"],
    [evals(AFTER_E4, evaluation([{ line: "e7e5" }])), "badRecord"],
    [evals(AFTER_E4, evaluation([{ cp: "3", line: "e7e5" }])), "badRecord"],
    [evals(AFTER_E4, evaluation([{ cp: 3 }])), "badRecord"],
    [evals("8", one), "badFen"],
  ];
  for (const [line, reason] of cases) {
    const { rows, skipped, problem } = await readText("x.jsonl", line + "\n");
    assert.deepEqual([rows, skipped, problem], [[], [reason], undefined], line);
  }
});

Deno.test("a dump of many zstd frames is read wherever they end, and one cut off gives its whole lines", async () => {
  const lines = Array.from({ length: 40 }, (_, i) => evals(AFTER_E4, evaluation([{ cp: i, line: "e7e5" }])));
  const bytes = new TextEncoder().encode(lines.join("\n") + "\n");
  const skippable = Uint8Array.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (ends) => {
      const cuts = [0, ...ends.sort((a, b) => a - b), bytes.length];
      const frames = cuts.slice(1).map((end, i) => frame(bytes.subarray(cuts[i], end)));
      const { rows, problem } = await readText("x.jsonl.zst", concat([skippable, ...frames]));
      assert.equal(problem, undefined);
      assert.deepEqual(rows.map(({ moves }) => moves[0]!.winProb), lines.map((_, i) => winProbability(-i)));
    }),
    { numRuns: 20 },
  );
  const first = frame(new TextEncoder().encode(lines.slice(0, 7).join("\n") + "\n"));
  const { rows, problem } = await readText("x.jsonl.zst", concat([first, frame(bytes).subarray(0, 60)]));
  assert.equal(rows.length, 7);
  assert.ok(problem instanceof ShardError, String(problem));
  assert.equal(problem.row, 7);
});

// Games.

/** A random game as people write it, with evaluations after the moves, and its positions. */
function writtenGame(seed: number, plies: number): { text: string; fens: string[]; ucis: string[] } {
  const random = new Random(seed, "written game");
  let board = parseFen(START_FEN);
  const fens: string[] = [];
  const ucis: string[] = [];
  let text = `[Event "?"]\n[Result "*"]\n\n`;
  for (let ply = 0; ply < plies; ply++) {
    const legal = legalMoves(board);
    if (legal.length === 0) break;
    const move = legal[random.int(legal.length)]!;
    const fen = makeFen(board);
    fens.push(fen);
    ucis.push(move.uci);
    const number = board.side === "white"
      ? `${board.fullmoves}. `
      : random.int(2)
      ? `${board.fullmoves}... `
      : "";
    text += `${number}${moveSan(fen, move.uci)}${random.int(9) ? "" : "!?"} { [%eval 0.2] [%clk 0:01:00] } `;
    if (random.int(5) === 0) {
      text += `$${random.int(20)} (${moveSan(fen, legal[0]!.uci)} {a (line} (Nf3)) ; end\n`;
    }
    if (random.int(4) === 0) text += "\n";
    board = playMove(board, move);
  }
  return { text: text + "*\n\n", fens, ucis };
}

Deno.test("games are replayed whatever their moves, comments, variations and line ends", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1e6),
      fc.integer({ min: 0, max: 90 }),
      fc.boolean(),
      async (seed, plies, crlf) => {
        const games = [writtenGame(seed, plies), writtenGame(seed + 1, 20)];
        const text = games.map((game) => game.text).join("");
        const { rows, skipped } = await readText("x.pgn", crlf ? text.replaceAll("\n", "\r\n") : text);
        // All evaluations are alike, so only the first position of a game, which has none, is no row; or a mate.
        const wanted = games.flatMap(({ fens, ucis }) => fens.slice(1).map((fen, i) => [fen, ucis[i + 1]]));
        const found = rows.map(({ fen, moves }) => [fen, moves[0]!.uci]);
        assert.ok(found.length >= wanted.length - 2 && found.length <= wanted.length);
        for (const row of found) assert.ok(wanted.some((each) => each.join() === row.join()), row.join());
        assert.ok(skipped.every((reason) => reason === "noEval" || reason === "poorMove"));
        assert.equal(
          skipped.filter((reason) => reason === "noEval").length,
          games.filter((g) => g.fens.length).length,
        );
      },
    ),
    { numRuns: 30 },
  );
});

Deno.test("a move is learned where it loses at most 1 win%, for either side, and mate ends a game", async () => {
  const text = `[Event "one"]

1. f3 { [%eval -1.0] } 1... e5 { [%eval -1.0] } 2. g4?? { [%eval #-1] } 2... Qh4# 0-1

[Event "two"]

1. e4 { [%eval 0.30] } e5 { [%eval 0.33] } 2. Nf3 { [%eval 0.2,18] } Nc6 3. Bb5 { [%eval 0.1] } *
`;
  const { rows, skipped } = await readText("x.pgn", text);
  assert.deepEqual(
    rows.map(({ moves }) => moves[0]),
    [
      { uci: "e7e5", winProb: 1 - winProbability(-100) },
      { uci: "d8h4", winProb: 1 },
      { uci: "e7e5", winProb: 1 - winProbability(33) },
    ],
  );
  // 0.33 to 0.20 costs White more than 1 win%; the two moves around Nc6 lack an evaluation.
  assert.deepEqual(skipped, ["noEval", "poorMove", "noEval", "poorMove", "noEval", "noEval"]);
  assert.ok(rows[0]!.game! >= 0 && rows[0]!.game === rows[1]!.game && rows[0]!.game !== rows[2]!.game);
});

Deno.test("a game keeps its number in another file, with other names and comments", async () => {
  const { text } = writtenGame(5, 30);
  const first = await readText("a.pgn", text);
  const other = text.replace('[Event "?"]', '[Event "again"]\n[White "somebody"]').replaceAll(
    "[%clk 0:01:00]",
    "",
  );
  const second = await readText("b.pgn", writtenGame(6, 10).text + other);
  const numbers = (read: Read) => [...new Set(read.rows.map(({ game }) => game))];
  assert.equal(numbers(first).length, 1);
  assert.equal(numbers(second)[1], numbers(first)[0]);
  assert.notEqual(numbers(second)[0], numbers(first)[0]);
});

Deno.test("games of other variants and with moves that are not legal are skipped whole and counted", async () => {
  const moves = "1. e4 { [%eval 0.3] } e5 { [%eval 0.3] } 2. Nf3 { [%eval 0.3] } *\n\n";
  const cases: [string, number, string[]][] = [
    [`[Variant "Chess960"]\n\n${moves}`, 0, ["badGame"]],
    [`[Variant "Standard"]\n\n${moves}`, 2, ["noEval"]],
    [`[Event "x"]\n\n1. e4 { [%eval 0.3] } Ke7 *\n\n`, 0, ["badGame"]],
    [`[FEN "no position"]\n\n${moves}`, 0, ["badGame"]],
    [`[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]\n\n1. 0-0-0 { [%eval 5] } Ke7 { [%eval 5] } *`, 1, ["noEval"]],
    // Two knights can go to d2: the text does not say which.
    [`[FEN "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"]\n\n1. Nd2 *`, 0, ["badGame"]],
  ];
  for (const [text, count, reasons] of cases) {
    const { rows, skipped } = await readText("x.pgn", `${text}\n\n[Event "y"]\n\n${moves}`);
    assert.deepEqual([rows.length, skipped], [count + 2, [...reasons, "noEval"]], text);
  }
});

// DeepMind's bags.

/** An action value as Apache Beam writes it. */
function beamRecord(fen: string, uci: string, winProb: number): Uint8Array {
  const chance = new Uint8Array(8);
  new DataView(chance.buffer).setFloat64(0, winProb);
  const text = (value: string) => concat([Uint8Array.of(value.length), new TextEncoder().encode(value)]);
  return concat([text(fen), text(uci), chance]);
}

/** Records, then where each ends. */
function bag(records: readonly Uint8Array[]): Uint8Array {
  const ends = new DataView(new ArrayBuffer(8 * records.length));
  let end = 0;
  records.forEach((record, i) => ends.setBigInt64(8 * i, BigInt(end += record.length), true));
  return concat([...records, new Uint8Array(ends.buffer)]);
}

const actionValues = (rows: readonly ShardRow[]) =>
  rows.flatMap(({ fen, moves }) => moves.map(({ uci, winProb }) => beamRecord(fen, uci, winProb)));
const GAME = randomGame(9, 12);

Deno.test("a bag gives the positions whose moves are all there, packed or not, near each other or not", async () => {
  const records = actionValues(GAME);
  for (const [name, pack] of [["x.bag", (r: Uint8Array) => r], ["x.bagz", frame]] as const) {
    const { rows, skipped, problem } = await readText(name, bag(records.map(pack)));
    assert.deepEqual([rows, skipped, problem], [GAME, [], undefined]);
  }
  const shuffled = await readText("x.bag", bag(new Random(1).shuffle([...records])));
  const sorted = (rows: readonly ShardRow[]) =>
    rows.map(({ fen, moves }) => ({ fen, moves: [...moves].sort((a, b) => a.uci < b.uci ? -1 : 1) }))
      .sort((a, b) => a.fen < b.fen ? -1 : 1);
  assert.deepEqual(sorted(shuffled.rows), sorted(GAME));
  const lacking = await readText("x.bag", bag(records.slice(1)));
  assert.deepEqual([lacking.rows, lacking.skipped], [GAME.slice(1), ["fewMoves"]]);
  assert.deepEqual((await readText("x.bag", bag([]))).rows, []);
  const bad = await readText("x.bag", bag([beamRecord("no fen", "e2e4", 0.5), ...records]));
  assert.deepEqual([bad.rows, bad.skipped], [GAME, ["badFen"]]);
});

Deno.test("a bag cut off or changed anywhere gives an error or true rows, never others", async () => {
  const whole = bag(actionValues(GAME.slice(0, 2)));
  const wanted = new Set(GAME.slice(0, 2).map((row) => JSON.stringify(row)));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (length) => {
      const { rows, problem } = await readText("x.bag", whole.subarray(0, length));
      assert.ok(problem instanceof ShardError, `${length}: ${problem}`);
      assert.ok(rows.every((row) => wanted.has(JSON.stringify(row))));
    }),
    { numRuns: 40 },
  );
  const indexAt = whole.length - 8 * actionValues(GAME.slice(0, 2)).length;
  const changed = whole.slice();
  changed[indexAt + 8 * 3 + 6] = 0x7f; // the fourth record's end
  const { problem } = await readText("x.bag", changed);
  assert.ok(problem instanceof ShardError && /record 3/.test(problem.message), String(problem));
});

Deno.test("a bag on a server, a folder and a missing file are refused in words", async () => {
  using folder = new TemporaryFolder();
  const problems: [string | URL, RegExp][] = [
    [new URL("http://127.0.0.1:1/x.bag"), /the index of a bag is its end/],
    [folder.path, /it is a folder/],
    [`${folder.path}/x.pgn`, /there is no such file/],
    [`${folder.path}/x.bag`, /there is no such file/],
  ];
  for (const [source, words] of problems) assert.match(String((await readAll(source)).problem), words);
});

// Preparing them.

Deno.test("preparing counts what every source gave and skipped, and its digest is that of the whole file", async () => {
  using folder = new TemporaryFolder();
  const files: Record<string, string | Uint8Array> = {
    "a.jsonl": [
      evals(AFTER_E4, evaluation([{ cp: 0, line: "e7e5" }])),
      evals(AFTER_E4, evaluation([{ cp: 0, line: "e2e4" }])),
      "{",
    ].join("\n"),
    "b.pgn": writtenGame(3, 20).text,
    "c.bag": bag(actionValues(GAME)),
  };
  for (const [name, content] of Object.entries(files)) {
    await Deno.writeFile(
      `${folder.path}/${name}`,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  }
  const train = Object.keys(files).map((name) => `${folder.path}/${name}`);
  const { positions, report } = await preparePositions({ train, hold: 2, val: 1 });
  assert.deepEqual(report.shards.map(({ name, read, kept }) => [name, read, kept]), [
    ["a.jsonl", 3, 1],
    ["b.pgn", 20, 19],
    ["c.bag", 12, 12],
  ]);
  assert.deepEqual(report.skipped, { illegalMove: 1, badRecord: 1, noEval: 1 });
  assert.ok(positions.count <= 32 && positions.hold === 2);
  for (const [i, path] of train.entries()) {
    const hash = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
    assert.equal(report.shards[i]!.sha256, new Uint8Array(hash).toHex());
  }
});

Deno.test("a share is taken by lot, whatever the order; a limit ends the reading", async () => {
  using folder = new TemporaryFolder();
  const lines = Array.from(
    { length: 3000 },
    (_, i) => evals(AFTER_E4, evaluation([{ cp: i, line: "e7e5" }])),
  );
  const path = `${folder.path}/x.jsonl`;
  const prepare = async (text: string[], options: { share?: number; limit?: number; seed?: number }) => {
    await Deno.writeTextFile(path, text.join("\n"));
    return await preparePositions({ train: [path], hold: 0, val: 0, ...options });
  };
  const wins = (set: { positions: { win: Uint16Array } }) => [...set.positions.win].sort();
  const share = await prepare(lines, { share: 0.1 });
  assert.ok(share.report.read > 230 && share.report.read < 370, `${share.report.read}`);
  assert.deepEqual(wins(await prepare([...lines].reverse(), { share: 0.1 })), wins(share));
  assert.notDeepEqual(wins(await prepare(lines, { share: 0.1, seed: 2 })), wins(share));
  const { positions, report } = await prepare(lines, { limit: 25 });
  assert.equal(positions.count, 25);
  assert.equal(report.shards[0]!.stopped, true);
  for (const options of [{ share: 0 }, { share: 1.5 }, { limit: 0 }, { limit: 2.5 }]) {
    await assert.rejects(prepare(lines, options), RangeError);
  }
});
