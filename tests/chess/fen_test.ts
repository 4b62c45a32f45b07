import assert from "node:assert/strict";
import fc from "fast-check";
import { DataError } from "../../lib/common/mod.ts";
import { makeFen, mirrorBoard, mirrorFen, parseFen, START_FEN } from "../../lib/chess/mod.ts";
import { positions } from "./_positions.ts";

Deno.test("`parseFen()` reads every field", () => {
  const board = parseFen("rnbqkb1r/ppp1p1pp/7n/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w kq f6 2 14");
  assert.equal(board.side, "white");
  assert.equal(board.castling, 4 + 8);
  assert.equal(board.enPassant, 45);
  assert.equal(board.halfmoves, 2);
  assert.equal(board.fullmoves, 14);
  assert.deepEqual([...board.squares.subarray(0, 8)], [4, 2, 3, 5, 0, 3, 2, 4]);
  assert.deepEqual([...board.squares.subarray(56)], [-4, -2, -3, -5, -6, -3, 0, -4]);
});

Deno.test("`parseFen()` takes a FEN of four fields to stand at the first move", () => {
  assert.equal(makeFen(parseFen("4k3/8/8/8/8/8/8/4K3 b - -")), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
});

Deno.test("`makeFen()` writes castling rights in their usual order", () => {
  assert.equal(
    makeFen(parseFen("r3k2r/8/8/8/8/8/8/R3K2R w qkQ - 0 1")),
    "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1",
  );
});

Deno.test("`makeFen()` and `parseFen()` are a pair", () => {
  fc.assert(fc.property(positions, (board) => {
    assert.deepEqual(parseFen(makeFen(board)), board);
    assert.equal(makeFen(parseFen(makeFen(board))), makeFen(board));
  }));
});

Deno.test("mirroring twice is the identity, and mirroring once never is", () => {
  fc.assert(fc.property(positions, (board) => {
    const fen = makeFen(board);
    assert.deepEqual(mirrorBoard(mirrorBoard(board)), board);
    assert.equal(mirrorFen(mirrorFen(fen)), fen);
    assert.notEqual(mirrorFen(fen), fen);
  }));
});

Deno.test("`mirrorFen()` moves the en passant square and swaps the castling rights", () => {
  assert.equal(
    mirrorFen("r3k2r/ppp1pppp/8/8/3pP3/8/PPPP1PPP/R3K2R b KQk e3 1 5"),
    "r3k2r/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/R3K2R w Kkq e6 1 5",
  );
});

/** FENs with one field wrong: the name that the error gives it, and what it shows of it. */
const WRONG: readonly (readonly [field: string, shown: string, fen: string])[] = [
  ["piece placement", "missing", ""],
  ["piece placement", "7 squares on rank 8", "rnbqkbn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
  [
    "piece placement",
    "more than 8 squares on rank 7",
    "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
  ],
  [
    "piece placement",
    "more than 8 squares on rank 6",
    "rnbqkbnr/pppppppp/7ppp/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
  ],
  ["piece placement", "with 7 ranks", "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
  ["piece placement", "more than 8 ranks", "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
  ["piece placement", "'x' in it", "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
  ["piece placement", "'9' in it", "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
  ["piece placement", "'0' in it", "rnbqkbnr/pppppppp/80/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
  ["piece placement", "'♔' in it", "4k3/8/8/8/8/8/8/4♔3 w - - 0 1"],
  ["piece placement", "two digits in a row", "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
  ["piece placement", "a pawn on rank 8", "rnbqkbnP/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
  ["piece placement", "a pawn on rank 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/pNBQKBNR w - - 0 1"],
  ["piece placement", "0 white kings", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - - 0 1"],
  ["piece placement", "2 black kings", "rnbqkknr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"],
  ["side to move", "missing", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"],
  ["side to move", "'W'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1"],
  ["side to move", "'KQkq'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq - 0 1"],
  ["castling", "missing", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"],
  ["castling", "'KQxq'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQxq - 0 1"],
  ["castling", "'HAha'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"],
  ["castling", "K twice", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KK - 0 1"],
  [
    "castling",
    "K only with",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBR1 b KQkq - 0 1",
  ],
  ["castling", "q only with", "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"],
  ["castling", "k only with", "rnbq1kbr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1"],
  ["en passant", "missing", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"],
  ["en passant", "'e9'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1"],
  ["en passant", "'e3'", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1"],
  ["en passant", "'e6'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1"],
  ["en passant", "'d3'", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq d3 0 1"],
  ["halfmove clock", "'-1'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1"],
  ["halfmove clock", "'1.5'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1.5 1"],
  ["halfmove clock", "'x'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1"],
  ["fullmove number", "missing", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0"],
  ["fullmove number", "'0'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0"],
  ["fullmove number", "'1e2'", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1e2"],
  ["fullmove number", "'more'", `${START_FEN} more`],
];

for (const [field, shown, fen] of WRONG) {
  Deno.test(`\`parseFen()\` names the ${field} where it is wrong: ${shown}`, () => {
    assert.throws(() => parseFen(fen), (error) => {
      assert.ok(error instanceof DataError);
      assert.ok(error.message.startsWith("Cannot read the FEN"), error.message);
      assert.ok(error.message.includes(field), error.message);
      assert.ok(error.message.includes(shown), error.message);
      assert.ok(error.message.includes("wanted"), error.message);
      return true;
    });
  });
}

Deno.test("`parseFen()` throws nothing but a DataError, whatever the text", () => {
  const junk = fc.oneof(
    fc.string({ unit: "binary", size: "medium" }),
    fc.tuple(fc.nat(START_FEN.length), fc.string({ maxLength: 2 })).map(([at, text]) =>
      START_FEN.slice(0, at) + text + START_FEN.slice(at + 1)
    ),
  );
  fc.assert(
    fc.property(junk, (text) => {
      try {
        const board = parseFen(text);
        assert.deepEqual(parseFen(makeFen(board)), board);
      } catch (error) {
        assert.ok(error instanceof DataError, String(error));
      }
    }),
    { numRuns: 1000 },
  );
});

Deno.test("`parseFen()` refuses what is not text", () => {
  for (const value of [undefined, null, 7, {}]) {
    assert.throws(() => parseFen(value as string), TypeError);
  }
});
