import assert from "node:assert/strict";
import { START_FEN } from "../../lib/chess/mod.ts";
import { Game, type Outcome } from "../../lib/play/mod.ts";

/** There and back again with the knights: four plies that bring a position back. */
const SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"];

interface Named {
  readonly name: string;
  readonly start?: string;
  readonly moves?: readonly string[];
  readonly outcome: Outcome | undefined;
}

const POSITIONS: readonly Named[] = [
  { name: "the first position", outcome: undefined },
  {
    name: "fool's mate",
    moves: ["f2f3", "e7e5", "g2g4", "d8h4"],
    outcome: { ending: "checkmate", winner: "black" },
  },
  {
    name: "scholar's mate",
    moves: ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"],
    outcome: { ending: "checkmate", winner: "white" },
  },
  {
    name: "back-rank mate",
    start: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    moves: ["a1a8"],
    outcome: { ending: "checkmate", winner: "white" },
  },
  {
    name: "mate by an underpromotion to a knight",
    start: "8/k1P5/8/1K1BB3/8/8/8/8 w - - 0 1",
    moves: ["c7c8n"],
    outcome: { ending: "checkmate", winner: "white" },
  },
  {
    name: "mate on the 100th quiet ply is a mate",
    start: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80",
    moves: ["a1a8"],
    outcome: { ending: "checkmate", winner: "white" },
  },
  {
    name: "stalemate by a queen",
    start: "7k/8/5KQ1/8/8/8/8/8 b - - 0 1",
    outcome: { ending: "stalemate" },
  },
  {
    name: "stalemate by a move",
    start: "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
    moves: ["g1g6"],
    outcome: { ending: "stalemate" },
  },
  {
    name: "stalemate of a pawn and its king",
    start: "k7/P7/K7/8/8/8/8/8 b - - 0 1",
    outcome: { ending: "stalemate" },
  },
  { name: "bare kings", start: "8/8/4k3/8/8/3K4/8/8 w - - 0 1", outcome: { ending: "too little material" } },
  { name: "one knight", start: "8/8/4k3/8/8/3KN3/8/8 w - - 0 1", outcome: { ending: "too little material" } },
  { name: "one bishop", start: "8/8/4k3/8/8/3KB3/8/8 w - - 0 1", outcome: { ending: "too little material" } },
  {
    name: "bishops of one colour on both sides",
    start: "8/8/4kb2/8/8/3KB3/8/8 w - - 0 1",
    outcome: { ending: "too little material" },
  },
  {
    name: "bishops of two colours could still mate",
    start: "8/8/4k1b1/8/8/3KB3/8/8 w - - 0 1",
    outcome: undefined,
  },
  { name: "two knights could still mate", start: "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", outcome: undefined },
  { name: "a knight each could still mate", start: "8/8/4kn2/8/8/3KN3/8/8 w - - 0 1", outcome: undefined },
  { name: "one pawn is enough", start: "8/8/4k3/8/8/3KP3/8/8 w - - 0 1", outcome: undefined },
  {
    name: "stalemate by a pawn",
    start: "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    outcome: { ending: "stalemate" },
  },
  {
    name: "a king takes the last piece",
    start: "8/8/8/3k4/4Q3/8/8/K7 b - - 0 1",
    moves: ["d5e4"],
    outcome: { ending: "too little material" },
  },
  { name: "a position twice is no draw", moves: SHUFFLE, outcome: undefined },
  {
    name: "a draw that could be claimed with the next move",
    moves: [...SHUFFLE, ...SHUFFLE.slice(0, 3)],
    outcome: undefined,
  },
  {
    name: "the third time a position stands there",
    moves: [...SHUFFLE, ...SHUFFLE],
    outcome: { ending: "third repetition" },
  },
  {
    name: "lost castling rights make another position",
    start: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    moves: ["e1e2", "e8e7", "e2e1", "e7e8", "e1e2", "e8e7", "e2e1", "e7e8"],
    outcome: undefined,
  },
  {
    name: "an en passant square that no pawn can use makes no other position",
    start: "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 2",
    moves: [...SHUFFLE, ...SHUFFLE],
    outcome: { ending: "third repetition" },
  },
  {
    name: "the first time, a pawn could take en passant; later it cannot",
    start: "4k2n/8/8/3pP3/8/8/8/4K2N w - d6 0 2",
    moves: ["h1g3", "h8g6", "g3h1", "g6h8", "h1g3", "h8g6", "g3h1", "g6h8"],
    outcome: undefined,
  },
  { name: "99 quiet plies", start: "8/8/4k3/8/8/3K1R2/8/8 w - - 98 90", moves: ["f3g3"], outcome: undefined },
  {
    name: "100 quiet plies",
    start: "8/8/4k3/8/8/3K1R2/8/8 w - - 99 90",
    moves: ["f3g3"],
    outcome: { ending: "50 moves" },
  },
  {
    name: "a pawn move on the 100th ply starts the count anew",
    start: "8/7p/4k3/8/8/3K1R2/8/8 w - - 98 90",
    moves: ["f3g3", "h7h5", "g3g5"],
    outcome: undefined,
  },
  {
    name: "a capture on the 100th ply starts the count anew",
    start: "8/8/4k3/8/5p2/3K1R2/8/8 w - - 99 90",
    moves: ["f3f4"],
    outcome: undefined,
  },
];

for (const { name, start, moves = [], outcome } of POSITIONS) {
  Deno.test(`\`Game\`: ${name}`, () => {
    const game = new Game({ start });
    for (const move of moves) {
      if (game.outcome !== undefined) break;
      const looked = game.look(game.legal.find(({ uci }) => uci === move)!);
      game.play(move);
      assert.deepEqual(looked.outcome, game.outcome, "`look()` foresees what `play()` finds");
    }
    assert.deepEqual(game.outcome, outcome);
  });
}

const SPECIAL = [
  {
    name: "en passant for White",
    start: "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    move: "e5d6",
    after: "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2",
  },
  {
    name: "en passant for Black",
    start: "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 2",
    move: "d4e3",
    after: "4k3/8/8/8/8/4p3/8/4K3 w - - 0 3",
  },
  {
    name: "White castles short",
    start: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    move: "e1g1",
    after: "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1",
  },
  {
    name: "White castles long",
    start: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    move: "e1c1",
    after: "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1",
  },
  {
    name: "Black castles short",
    start: "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    move: "e8g8",
    after: "r4rk1/8/8/8/8/8/8/R3K2R w KQ - 1 2",
  },
  {
    name: "Black castles long",
    start: "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    move: "e8c8",
    after: "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 1 2",
  },
  ...["q", "r", "b", "n"].flatMap((piece) => [
    {
      name: `White promotes to ${piece}`,
      start: "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
      move: `a7a8${piece}`,
      after: `${piece.toUpperCase()}7/7k/8/8/8/8/p6K/8 b - - 0 1`,
    },
    {
      name: `Black promotes to ${piece}`,
      start: "8/P6k/8/8/8/8/p6K/8 b - - 0 1",
      move: `a2a1${piece}`,
      after: `8/P6k/8/8/8/8/7K/${piece}7 w - - 0 2`,
    },
  ]),
];

for (const { name, start, move, after } of SPECIAL) {
  Deno.test(`\`Game.play()\`: ${name}`, () => {
    const game = new Game({ start });
    game.play(move);
    assert.equal(game.fen, after);
    assert.deepEqual(game.moves, [move]);
  });
}

Deno.test("`Game` is a draw at the move limit", () => {
  const game = new Game({ moveLimit: 1 });
  game.play("e2e4");
  assert.equal(game.outcome, undefined);
  game.play("e7e5");
  assert.deepEqual(game.outcome, { ending: "move limit" });
});

Deno.test("`Game.look()` says which moves bring an earlier position back", () => {
  const game = new Game();
  for (const move of SHUFFLE.slice(0, 3)) game.play(move);
  const back = game.legal.filter((move) => game.look(move).goesBack).map(({ uci }) => uci);
  assert.deepEqual(back, ["f6g8"]);
  assert.equal(game.timesSeen(game.board), 1);
});

Deno.test("`Game.play()` throws if a move is not legal or the game is over", () => {
  const game = new Game();
  assert.throws(() => game.play("e2e5"), /Cannot play e2e5: it is not legal in/);
  assert.equal(game.fen, START_FEN);
  for (const move of ["f2f3", "e7e5", "g2g4", "d8h4"]) game.play(move);
  assert.throws(() => game.play("a2a3"), /the game ended by checkmate/);
  assert.throws(() => new Game({ moveLimit: 0 }), RangeError);
});
