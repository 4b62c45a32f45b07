import assert from "node:assert/strict";
import fc from "fast-check";
import { DataError } from "../../lib/common/mod.ts";
import {
  makeMove,
  makeSquare,
  packMove,
  parseMove,
  parseSquare,
  type Side,
  unpackMove,
} from "../../lib/chess/mod.ts";

const sides = fc.constantFrom<Side>("white", "black");
const moves = fc.record({ from: fc.nat(63), to: fc.nat(63), promotion: fc.nat(4) })
  .filter(({ from, to }) => from !== to);

Deno.test("`makeMove()` and `parseMove()` are a pair", () => {
  fc.assert(fc.property(moves, sides, (move, side) => {
    const uci = makeMove(move, side);
    assert.deepEqual(parseMove(uci, side), { uci, ...move });
  }));
});

Deno.test("`packMove()` and `unpackMove()` are a pair, in 15 bits", () => {
  fc.assert(fc.property(moves, sides, (move, side) => {
    const packed = packMove(move);
    assert.ok(packed >= 0 && packed < 1 << 15);
    assert.deepEqual(unpackMove(packed, side), { uci: makeMove(move, side), ...move });
  }));
  assert.equal(packMove({ from: 1, to: 2, promotion: 3 }), 1 | 2 << 6 | 3 << 12);
});

Deno.test("`makeSquare()` and `parseSquare()` are a pair", () => {
  for (let square = 0; square < 64; square++) assert.equal(parseSquare(makeSquare(square)), square);
  assert.equal(makeSquare(28), "e4");
  for (const name of ["", "e", "e9", "e0", "i1", "E4", "e44"]) assert.equal(parseSquare(name), -1, name);
  for (const square of [-1, 64, 1.5, NaN]) assert.throws(() => makeSquare(square), RangeError);
});

Deno.test("a move of black's is mirrored, file by file", () => {
  assert.deepEqual(parseMove("a2b1n", "black"), { uci: "a2b1n", from: 48, to: 57, promotion: 4 });
  assert.deepEqual(parseMove("e8g8", "black"), { uci: "e8g8", from: 4, to: 6, promotion: 0 });
});

Deno.test("`parseMove()` refuses what is not written like a move", () => {
  for (
    const uci of ["", "e2", "e2e", "0000", "e2e2", "e2e9", "z2e4", "e7e8k", "e7e8Q", "e7e8qq", "Nf3", "O-O"]
  ) {
    assert.throws(() => parseMove(uci, "white"), DataError, uci);
  }
});

Deno.test("`makeMove()` and `unpackMove()` refuse numbers that are no move", () => {
  assert.throws(() => makeMove({ from: 0, to: 64, promotion: 0 }, "white"), RangeError);
  assert.throws(() => makeMove({ from: 0, to: 8, promotion: 5 }, "white"), RangeError);
  assert.throws(() => unpackMove(5 << 12 | 8 << 6), RangeError);
});
