import fc from "fast-check";
import { type Board, legalMoves, parseFen, playMove, START_FEN } from "../../lib/chess/mod.ts";

/** Where random games start: the usual position, and ones full of castling, en passant and promotions. */
export const STARTS = [
  START_FEN,
  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
  "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
  "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
  "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
] as const;

/** Plays a game: each number picks one of the legal moves; it ends where there is none. */
export function playOut(start: string, choices: readonly number[]): Board[] {
  const boards = [parseFen(start)];
  for (const choice of choices) {
    const board = boards.at(-1)!;
    const moves = legalMoves(board);
    if (moves.length === 0) break;
    boards.push(playMove(board, moves[choice % moves.length]!));
  }
  return boards;
}

/** Positions of random games. */
export const positions: fc.Arbitrary<Board> = fc.tuple(
  fc.constantFrom(...STARTS),
  fc.array(fc.nat(1000), { maxLength: 60, size: "max" }),
).map(([start, choices]) => playOut(start, choices).at(-1)!);
