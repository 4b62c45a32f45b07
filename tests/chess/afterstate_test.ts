import assert from "node:assert/strict";
import { DataError } from "../../lib/common/mod.ts";
import { afterstate, moveSan, parseFen, parseMove, playMove, START_FEN } from "../../lib/chess/mod.ts";

/** Moves that do more than take a piece from here to there. */
const SPECIAL: readonly (readonly [what: string, before: string, uci: string, after: string, san: string])[] =
  [
    [
      "castling short",
      "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9",
      "e1g1",
      "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 9",
      "O-O",
    ],
    [
      "castling long as black",
      "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9",
      "e8c8",
      "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 4 10",
      "O-O-O",
    ],
    [
      "a rook taking a rook at home",
      "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9",
      "h1h8",
      "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 9",
      "Rxh8+",
    ],
    ["en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2", "exd6"],
    ["promotion", "8/P6k/8/8/8/8/6K1/8 w - - 7 60", "a7a8n", "N7/7k/8/8/8/8/6K1/8 b - - 0 60", "a8=N"],
    [
      "a jump past a pawn that may take",
      "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
      "e2e4",
      "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
      "e4",
    ],
    [
      "a jump past a pinned pawn",
      "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1",
      "e2e4",
      "8/8/8/8/R2pP2k/8/8/4K3 b - - 0 1",
      "e4",
    ],
  ];

for (const [what, before, uci, after, san] of SPECIAL) {
  Deno.test(`\`afterstate()\` and \`moveSan()\` know ${what}`, () => {
    assert.equal(afterstate(before, uci), after);
    assert.equal(moveSan(before, uci), san);
  });
}

Deno.test("`afterstate()` and `moveSan()` refuse moves that are not legal", () => {
  for (const ask of [afterstate, moveSan]) {
    assert.throws(() => ask(START_FEN, "e2e5"), RangeError);
    assert.throws(() => ask(START_FEN, "e7e5"), RangeError);
    assert.throws(() => ask("8/P6k/8/8/8/8/6K1/8 w - - 7 60", "a7a8"), RangeError);
    assert.throws(() => ask(START_FEN, "e2e4q"), RangeError);
    assert.throws(() => ask(START_FEN, "pawn"), DataError);
    assert.throws(() => ask("nonsense", "e2e4"), DataError);
  }
});

Deno.test("`playMove()` leaves the board as it was and refuses an empty square", () => {
  const board = parseFen(START_FEN);
  playMove(board, parseMove("e2e4", "white"));
  assert.deepEqual(board, parseFen(START_FEN));
  assert.throws(() => playMove(board, parseMove("e4e5", "white")), RangeError);
  assert.throws(() => playMove(board, parseMove("e7e5", "white")), RangeError);
});
