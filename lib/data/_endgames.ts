import { type Board, boardBits, inCheck, legalMoves, makeFen, playMove } from "../chess/mod.ts";
import { DataError, type Random } from "../common/mod.ts";
import { boardKey } from "./_board_key.ts";

/** Pieces by number, as `Board` has them. */
const PAWN = 1;
const KNIGHT = 2;
const BISHOP = 3;
const ROOK = 4;
const QUEEN = 5;

/** A family of endgames: what each side has besides its king, several choices where several count as one. */
interface Family {
  readonly name: string;
  readonly own: readonly (readonly number[])[];
  readonly other: readonly (readonly number[])[];
}

const BARE = [[]] as const;

/** The basic endgames (reference, "Teach it to finish games"). */
export const ENDGAMES: readonly Family[] = [
  { name: "queen", own: [[QUEEN]], other: BARE },
  { name: "rook", own: [[ROOK]], other: BARE },
  { name: "two rooks", own: [[ROOK, ROOK]], other: BARE },
  { name: "two bishops", own: [[BISHOP, BISHOP]], other: BARE },
  { name: "queen against a minor piece", own: [[QUEEN]], other: [[BISHOP], [KNIGHT]] },
  { name: "pawns to promote", own: [[PAWN], [PAWN, PAWN], [PAWN, PAWN, PAWN]], other: BARE },
];

/** Endgames against a bare king in which a careless move stalemates. */
export const STALEMATES: readonly Family[] = [
  { name: "queen", own: [[QUEEN]], other: BARE },
  { name: "rook", own: [[ROOK]], other: BARE },
  { name: "queen and rook", own: [[QUEEN, ROOK]], other: BARE },
  { name: "two rooks", own: [[ROOK, ROOK]], other: BARE },
  { name: "queen and pawn", own: [[QUEEN, PAWN]], other: BARE },
  { name: "two queens", own: [[QUEEN, QUEEN]], other: BARE },
  { name: "pawns to promote", own: [[PAWN], [PAWN, PAWN]], other: BARE },
];

/** Squares of the edge, where nearly every bare king that is stalemated stands. */
const EDGE = Array.from({ length: 64 }, (_, square) => square)
  .filter((square) => [0, 7].includes(square & 7) || [0, 7].includes(square >> 3));
const CORNERS = [0, 7, 56, 63];
/** A family that gives nothing new in so many tries is used up: there are only some hundred rook lessons. */
const TRIES = 20_000;
/** How far the stronger king may stand from one that is to be stalemated. */
const NEAR = 3;

/**
 * Random positions of some families in turn, the stronger side, white, to move: legal, not over, none twice nor its mirror.
 *
 * @param count How many; fewer are given where the families have no more.
 * @param stalemates Whether one of the moves has to stalemate.
 * @param random The same stream gives the same positions, and more of them begin with the same.
 */
export function drawEndgames(
  families: readonly Family[],
  count: number,
  stalemates: boolean,
  random: Random,
): { fen: string; family: string }[] {
  const drawn: { fen: string; family: string }[] = [];
  const seen = new Set<number>();
  const open = [...families];
  let turn = 0;
  let tries = 0;
  while (drawn.length < count && open.length > 0) {
    const family = open[turn % open.length]!;
    const board = place(family, stalemates, random);
    const key = board === undefined ? 0 : boardKey(boardBits(board));
    if (board === undefined || seen.has(key)) {
      if (++tries < TRIES) continue;
      open.splice(turn % open.length, 1);
    } else {
      seen.add(key);
      drawn.push({ fen: makeFen(board), family: family.name });
      turn++;
    }
    tries = 0;
  }
  return drawn;
}

function place(family: Family, stalemates: boolean, random: Random): Board | undefined {
  const pick = <T>(from: readonly T[]) => from[random.int(from.length)]!;
  const own = pick(family.own);
  const other = pick(family.other);
  const squares = new Int8Array(64);
  // A rook alone stalemates only in a corner.
  const king = !stalemates
    ? random.int(64)
    : pick(own.includes(QUEEN) || own.includes(PAWN) ? EDGE : CORNERS);
  squares[king] = -6;
  for (const piece of [6, ...own, ...other.map((kind) => -kind)]) {
    const square = Math.abs(piece) === PAWN ? 8 + random.int(48) : random.int(64);
    if (squares[square] !== 0) return undefined;
    if (stalemates && piece === 6 && distance(square, king) > NEAR) return undefined;
    squares[square] = piece;
  }
  if (own.join() === [BISHOP, BISHOP].join() && sameColour(squares)) return undefined;
  const board: Board = { squares, side: "white", castling: 0, enPassant: -1, halfmoves: 0, fullmoves: 1 };
  try {
    const legal = legalMoves(board);
    if (legal.length === 0) return undefined;
    if (!stalemates) return board;
    const wrong = legal.some((move) => {
      const after = playMove(board, move);
      return !inCheck(after) && legalMoves(after).length === 0;
    });
    return wrong ? board : undefined;
  } catch (error) {
    if (error instanceof DataError) return undefined; // the other king could be taken
    throw error;
  }
}

function distance(a: number, b: number): number {
  return Math.max(Math.abs((a & 7) - (b & 7)), Math.abs((a >> 3) - (b >> 3)));
}

/** Whether the bishops stand on squares of one colour: they cannot mate. */
function sameColour(squares: Int8Array): boolean {
  const colours = new Set<number>();
  squares.forEach((piece, square) => {
    if (piece === BISHOP) colours.add(((square & 7) + (square >> 3)) & 1);
  });
  return colours.size < 2;
}
