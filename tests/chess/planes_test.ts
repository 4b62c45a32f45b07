import assert from "node:assert/strict";
import fc from "fast-check";
import { Chess, type Square } from "chess.js";
import {
  boardBits,
  boardPlanes,
  makeFen,
  makeSquare,
  mirrorBoard,
  opposite,
  START_FEN,
  unpackBits,
} from "../../lib/chess/mod.ts";
import { positions } from "./_positions.ts";

Deno.test("`boardBits()` agrees with the pieces of chess.js, from both sides", () => {
  fc.assert(fc.property(positions, fc.constantFrom("white" as const, "black" as const), (board, view) => {
    const game = new Chess(makeFen(board));
    const bits = boardBits(board, { view });
    let set = 0;
    for (let square = 0; square < 64; square++) {
      const piece = game.get(makeSquare(square) as Square);
      if (piece === undefined) continue;
      const own = (piece.color === "w") === (view === "white");
      const rank = view === "white" ? square >> 3 : 7 - (square >> 3);
      const bit = ("pnbrqk".indexOf(piece.type) + (own ? 0 : 6)) * 64 + rank * 8 + (square & 7);
      assert.equal(
        bits[bit >> 3]! >> (bit & 7) & 1,
        1,
        `${piece.color}${piece.type} on ${makeSquare(square)}`,
      );
      set++;
    }
    assert.equal(unpackBits(bits).reduce((sum, bit) => sum + bit), set);
  }));
});

Deno.test("a mirrored board looks to the other side as the board does to the first", () => {
  fc.assert(fc.property(positions, (board) => {
    assert.deepEqual(boardBits(mirrorBoard(board)), boardBits(board));
    assert.deepEqual(boardBits(mirrorBoard(board), { view: opposite(board.side) }), boardBits(board));
  }));
});

Deno.test("`boardBits()` is seen by the side to move if no view is given", () => {
  const fen = "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1";
  assert.deepEqual(boardBits(fen), boardBits(fen, { view: "black" }));
  assert.notDeepEqual(boardBits(fen), boardBits(fen, { view: "white" }));
});

Deno.test("`boardPlanes()` has a 1 for each piece, at plane * 64 + square", () => {
  const planes = boardPlanes(START_FEN);
  assert.equal(planes.length, 768);
  assert.equal(planes.reduce((sum, bit) => sum + bit), 32);
  assert.equal(planes[5 * 64 + 4], 1); // own king on e1
  assert.equal(planes[11 * 64 + 60], 1); // the opponent's on e8
});

Deno.test("`unpackBits()` unpacks several boards in a row", () => {
  const bits = new Uint8Array(192);
  bits[96] = 0b10;
  const planes = unpackBits(bits);
  assert.equal(planes.length, 2 * 768);
  assert.equal(planes.indexOf(1), 769);
});
