import assert from "node:assert/strict";
import { Chess } from "chess.js";
import { moveSan, packMove } from "../../lib/chess/mod.ts";
import { findSan } from "../../lib/data/_san.ts";
import { FlyPlayer, Game, makePgn, type Player, playMatch, type ReadoutFly } from "../../lib/play/mod.ts";
import { READOUT_COLUMNS } from "../../lib/readout/mod.ts";
import { smallFly } from "./_flies.ts";

// Without workers there is nothing to give back.
const fly = await smallFly();

/** There and back again with the knights: four plies that bring a position back. */
const SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"];

/**
 * The same fly with a readout that cannot see: it likes one move more than any other, and of every board it says the
 * same: that the side to move is losing (so each of its own moves looks won to it), or winning.
 */
function opinionated(game: Game, likes: string, mood: "ahead" | "behind"): ReadoutFly {
  const move = packMove(game.legal.find(({ uci }) => uci === likes)!);
  const bias = new Float32Array(READOUT_COLUMNS);
  bias[move & 63] = 4;
  bias[64 + (move >> 6 & 63)] = 4;
  bias[128 + (move >> 12)] = 4;
  bias[READOUT_COLUMNS - 1] = mood === "ahead" ? -1 : 1;
  const { features } = fly.readout;
  return { ...fly, readout: { features, weight: new Float32Array(features * READOUT_COLUMNS), bias } };
}

interface Decision {
  readonly name: string;
  readonly start?: string;
  /** Moves played before. */
  readonly moves?: readonly string[];
  /** What the fly would play by itself. */
  readonly likes: string;
  /** What it makes of every board. */
  readonly mood: "ahead" | "behind";
  /** What it plays; a move with a minus: anything else. */
  readonly plays: string;
}

const DECISIONS: readonly Decision[] = [
  {
    name: "mates smothered rather than with its favourite",
    start: "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1",
    likes: "g1f1",
    mood: "behind",
    plays: "g5f7",
  },
  {
    name: "mates by taking en passant",
    start: "8/8/5B1k/1p3KpP/7R/8/1Q6/8 w - g6 0 1",
    likes: "b2b5",
    mood: "ahead",
    plays: "h5g6",
  },
  {
    name: "mates by castling, which it likes better than the rook's own mate",
    start: "4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1",
    likes: "e1g1",
    mood: "ahead",
    plays: "e1g1",
  },
  {
    name: "mates by a double check",
    start: "k3N2R/2p5/1K6/6p1/8/2p5/8/3B4 w - - 0 1",
    likes: "b6a6",
    mood: "ahead",
    plays: "e8c7",
  },
  {
    name: "mates for Black with the queen that was a pawn",
    start: "8/8/8/8/8/6k1/p7/6K1 b - - 0 1",
    likes: "a2a1q",
    mood: "ahead",
    plays: "a2a1q",
  },
  {
    name: "mates for Black with the rook that was a pawn, where it likes that better",
    start: "8/8/8/8/8/6k1/p7/6K1 b - - 0 1",
    likes: "a2a1r",
    mood: "ahead",
    plays: "a2a1r",
  },
  {
    name: "does not stalemate with its queen while ahead",
    start: "k7/2Q3K1/8/8/8/8/8/8 w - - 0 1",
    likes: "c7b6",
    mood: "ahead",
    plays: "-c7b6",
  },
  {
    name: "stalemates with its queen while behind",
    start: "k7/2Q3K1/8/8/8/8/8/8 w - - 0 1",
    likes: "c7b6",
    mood: "behind",
    plays: "c7b6",
  },
  {
    name: "does not stalemate for Black while ahead",
    start: "7K/8/8/8/8/1q6/8/4k3 b - - 0 1",
    likes: "b3f7",
    mood: "ahead",
    plays: "-b3f7",
  },
  {
    name: "does not stalemate by its king's move while ahead",
    start: "7k/8/8/7K/8/6R1/8/8 w - - 0 1",
    likes: "h5h6",
    mood: "ahead",
    plays: "-h5h6",
  },
  {
    name: "does not stalemate by a pawn while ahead",
    start: "7k/8/6KP/8/8/7P/8/8 w - - 0 1",
    likes: "h6h7",
    mood: "ahead",
    plays: "-h6h7",
  },
  {
    name: "does not promote into stalemate while ahead",
    start: "8/1P6/8/8/8/8/8/5K1k w - - 0 1",
    likes: "b7b8q",
    mood: "ahead",
    plays: "-b7b8q",
  },
  {
    name: "does not leave too little to mate with while ahead",
    start: "8/8/8/8/8/5k2/4n3/3K1B2 w - - 0 1",
    likes: "f1e2",
    mood: "ahead",
    plays: "-f1e2",
  },
  {
    name: "takes the last piece while behind",
    start: "8/8/8/8/8/5k2/4n3/3K1B2 w - - 0 1",
    likes: "f1e2",
    mood: "behind",
    plays: "f1e2",
  },
  {
    name: "does not go back to the first position while ahead",
    moves: SHUFFLE.slice(0, 3),
    likes: "f6g8",
    mood: "ahead",
    plays: "-f6g8",
  },
  {
    name: "goes back while behind",
    moves: SHUFFLE.slice(0, 3),
    likes: "f6g8",
    mood: "behind",
    plays: "f6g8",
  },
  {
    name: "does not bring a position back the third time while ahead",
    moves: [...SHUFFLE, ...SHUFFLE.slice(0, 3)],
    likes: "f6g8",
    mood: "ahead",
    plays: "-f6g8",
  },
  {
    name: "does not shuffle its rook while ahead",
    start: "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
    moves: ["a1a2", "e8d8", "a2a1", "d8e8", "a1b1", "e8d8"],
    likes: "b1a1",
    mood: "ahead",
    plays: "-b1a1",
  },
  {
    name: "plays a pawn move on the 100th quiet ply while ahead",
    start: "8/8/4k3/8/8/3K1R2/6P1/8 w - - 99 90",
    likes: "f3f4",
    mood: "ahead",
    plays: "g2g3 g2g4",
  },
  {
    name: "plays the favourite on the 100th quiet ply where every move draws",
    start: "8/8/4k3/8/8/3K1R2/8/8 w - - 99 90",
    likes: "f3f4",
    mood: "ahead",
    plays: "f3f4",
  },
];

for (const { name, start, moves = [], likes, mood, plays } of DECISIONS) {
  Deno.test(`\`FlyPlayer\` with imagination ${name}`, async () => {
    const game = new Game({ start });
    for (const move of moves) game.play(move);
    const opinions = opinionated(game, likes, mood);
    const alone = await new FlyPlayer(opinions).think(new Game({ start: game.fen }));
    assert.equal(alone.move, likes, "the favourite");
    const { move } = await new FlyPlayer(opinions, { imagination: 1 }).choose(game);
    if (plays.startsWith("-")) assert.notEqual(move, plays.slice(1));
    else assert.ok(plays.split(" ").includes(move), move);
  });
}

Deno.test("`FlyPlayer` without imagination stalemates, but goes back to no earlier position", async () => {
  const still = new Game({ start: "k7/2Q3K1/8/8/8/8/8/8 w - - 0 1" });
  const liked = opinionated(still, "c7b6", "ahead");
  assert.equal((await new FlyPlayer(liked).choose(still)).move, "c7b6");
  const game = new Game();
  for (const move of SHUFFLE.slice(0, 3)) game.play(move);
  const back = opinionated(game, "f6g8", "behind");
  assert.notEqual((await new FlyPlayer(back).choose(game)).move, "f6g8");
});

const WRITTEN = [
  { name: "a knight that takes", start: "1n5k/P7/8/8/8/8/8/K7 w - - 0 1", move: "a7b8n", san: "axb8=N" },
  { name: "a rook that checks", start: "3r3k/2P1P3/8/8/8/8/8/K7 w - - 0 1", move: "c7d8r", san: "cxd8=R+" },
  {
    name: "a bishop beside another pawn",
    start: "3r3k/2P1P3/8/8/8/8/8/K7 w - - 0 1",
    move: "e7d8b",
    san: "exd8=B",
  },
  { name: "a knight that checks", start: "8/5P1k/8/8/8/8/8/K7 w - - 0 1", move: "f7f8n", san: "f8=N+" },
  {
    name: "a knight of Black's in the corner",
    start: "8/2k5/8/8/8/8/5Pp1/R3K2R b - - 0 1",
    move: "g2h1n",
    san: "gxh1=N",
  },
  {
    name: "a knight that mates",
    start: "8/k1P5/8/1K1BB3/8/8/8/8 w - - 0 1",
    move: "c7c8n",
    san: "c8=N#",
  },
  {
    name: "en passant for White",
    start: "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 2",
    move: "d5c6",
    san: "dxc6",
  },
  {
    name: "en passant for Black",
    start: "4k3/8/8/8/5Pp1/8/8/4K3 b - f3 0 2",
    move: "g4f3",
    san: "gxf3",
  },
  {
    name: "White's long castling",
    start: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    move: "e1c1",
    san: "O-O-O",
  },
  {
    name: "Black's short castling",
    start: "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    move: "e8g8",
    san: "O-O",
  },
];

for (const { name, start, move, san } of WRITTEN) {
  Deno.test(`Written and read: ${name}`, async () => {
    const game = new Game({ start });
    assert.equal(moveSan(start, move), san);
    assert.equal(findSan(san, game.board, game.legal)?.uci, move);
    const player: Player = { name: "one move", choose: () => Promise.resolve({ move }) };
    const { games: [played] } = await playMatch(player, player, {
      games: 1,
      openings: [{ name, start, moves: [move] }],
      moveLimit: 1,
    });
    const chess = new Chess();
    chess.loadPgn(makePgn(played!));
    assert.deepEqual(chess.history({ verbose: true }).slice(0, 1).map(({ lan }) => lan), [move]);
    game.play(move);
    // The two write no en passant square that cannot be used.
    assert.equal(chess.history({ verbose: true })[0]!.after, game.fen);
  });
}

const COUNTED = [
  {
    name: "a mate that is also the 100th quiet ply",
    start: "6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80",
    moves: "a1a8",
  },
  { name: "the 99th quiet ply", start: "8/8/4k3/8/8/3K1R2/8/8 w - - 98 90", moves: "f3g3" },
  { name: "the 100th quiet ply", start: "8/8/4k3/8/8/3K1R2/8/8 w - - 99 90", moves: "f3g3" },
  { name: "the second time", moves: SHUFFLE.join(" ") },
  { name: "the third time", moves: [...SHUFFLE, ...SHUFFLE].join(" ") },
  {
    name: "the third time with other rights in between",
    start: "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    moves: "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8",
  },
];

for (const { name, start, moves } of COUNTED) {
  Deno.test(`\`Game\` and chess.js end a game at the same ply: ${name}`, () => {
    const game = new Game({ start });
    const chess = start === undefined ? new Chess() : new Chess(start);
    for (const move of moves.split(" ")) {
      assert.equal(game.outcome !== undefined, chess.isGameOver(), game.fen);
      game.play(move);
      chess.move({ from: move.slice(0, 2), to: move.slice(2, 4) });
    }
    assert.equal(game.outcome !== undefined, chess.isGameOver(), game.fen);
    assert.equal(game.outcome?.ending === "checkmate", chess.isCheckmate());
    assert.equal(game.outcome?.ending === "third repetition", chess.isThreefoldRepetition());
    assert.equal(game.outcome?.ending === "50 moves", !chess.isCheckmate() && chess.isDrawByFiftyMoves());
  });
}
