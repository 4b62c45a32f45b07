import assert from "node:assert/strict";
import fc from "fast-check";
import { Chess } from "chess.js";
import { DataError } from "../../lib/common/mod.ts";
import {
  type Board,
  inCheck,
  legalMoves,
  makeFen,
  mirrorBoard,
  parseFen,
  parseMove,
  playMove,
  START_FEN,
} from "../../lib/chess/mod.ts";
import { playOut, positions, STARTS } from "./_positions.ts";

/** How many lines of play of some depth there are: https://www.chessprogramming.org/Perft_Results */
const PERFT: readonly (readonly [name: string, fen: string, depth: number, lines: number])[] = [
  ["the start", START_FEN, 4, 197_281],
  ["position 2", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862],
  ["position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238],
  ["position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467],
  ["position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379],
  ["position 6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89_890],
];

function perft(board: Board, depth: number): number {
  const moves = legalMoves(board);
  if (depth === 1) return moves.length;
  return moves.reduce((sum, move) => sum + perft(playMove(board, move), depth - 1), 0);
}

for (const [name, fen, depth, lines] of PERFT) {
  Deno.test(`${lines.toLocaleString("en-US")} lines of ${depth} plies start from ${name}`, () => {
    assert.equal(perft(parseFen(fen), depth), lines);
    assert.equal(perft(mirrorBoard(parseFen(fen)), depth), lines);
  });
}

Deno.test("legal moves, positions after them and check agree with chess.js over random games", () => {
  const choices = fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 });
  fc.assert(
    fc.property(fc.constantFrom(...STARTS), choices, (start, picks) => {
      for (const board of playOut(start, picks)) {
        const fen = makeFen(board);
        const game = new Chess(fen);
        const wanted = game.moves({ verbose: true }).sort((a, b) => a.lan < b.lan ? -1 : 1);
        const found = legalMoves(board);
        assert.deepEqual(found.map(({ uci }) => uci), wanted.map(({ lan }) => lan), fen);
        assert.deepEqual(
          found.map((move) => makeFen(playMove(board, move))),
          wanted.map(({ after }) => after),
          fen,
        );
        assert.equal(inCheck(board), game.inCheck(), fen);
      }
    }),
    { numRuns: 25 },
  );
});

Deno.test("`legalMoves()` gives squares in the mover's frame and leaves the board as it was", () => {
  fc.assert(fc.property(positions, (board) => {
    const before = makeFen(board);
    for (const move of legalMoves(board)) assert.deepEqual(move, parseMove(move.uci, board.side));
    assert.equal(makeFen(board), before);
  }));
});

Deno.test("both sides have the same moves on mirrored boards", () => {
  const numbers = (board: Board) => legalMoves(board).map((m) => `${m.from} ${m.to} ${m.promotion}`).sort();
  fc.assert(fc.property(positions, (board) => {
    assert.deepEqual(numbers(mirrorBoard(board)), numbers(board));
  }));
});

Deno.test("there is no legal move in mate and stalemate", () => {
  const mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
  assert.deepEqual(legalMoves(mate), []);
  assert.equal(inCheck(mate), true);
  const stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
  assert.deepEqual(legalMoves(stalemate), []);
  assert.equal(inCheck(stalemate), false);
});

Deno.test("`legalMoves()` refuses a board on which the king can be taken", () => {
  assert.throws(() => legalMoves("4k3/8/8/8/8/8/8/K3R3 w - - 0 1"), DataError);
});

Deno.test("en passant is not legal where it uncovers the own king along the rank", () => {
  const moves = legalMoves("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1").map(({ uci }) => uci);
  assert.ok(!moves.includes("e5d6"));
  assert.ok(legalMoves("8/8/8/3pP2r/8/8/K7/7k w - d6 0 1").some(({ uci }) => uci === "e5d6"));
});
