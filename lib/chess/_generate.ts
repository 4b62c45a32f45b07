import { type Board, CASTLING } from "./board.ts";
import { isAttacked, KING, KNIGHT, RAYS } from "./_attacks.ts";

/** How many squares a king or rook crosses, and where they stand, for each castling right. */
const CASTLES = [
  { bit: CASTLING.whiteKing, king: 4, to: 6, empty: [5, 6], safe: [4, 5, 6] },
  { bit: CASTLING.whiteQueen, king: 4, to: 2, empty: [1, 2, 3], safe: [2, 3, 4] },
  { bit: CASTLING.blackKing, king: 60, to: 62, empty: [61, 62], safe: [60, 61, 62] },
  { bit: CASTLING.blackQueen, king: 60, to: 58, empty: [57, 58, 59], safe: [58, 59, 60] },
] as const;

/** Directions of `RAYS` that a bishop, rook and queen may take: first and step. */
const SLIDES: Readonly<Record<number, readonly [number, number]>> = { 3: [1, 2], 4: [0, 2], 5: [0, 1] };

/** Every legal move as from | to << 6 | promotion << 12, squares as on the real board, in no special order. */
export function generateMoves(board: Board): number[] {
  const { squares } = board;
  const own = board.side === "white" ? 1 : -1;
  const moves: number[] = [];
  for (let from = 0; from < 64; from++) {
    const piece = squares[from]! * own;
    if (piece <= 0) continue;
    if (piece === 1) addPawnMoves(board, from, own, moves);
    else if (piece === 2 || piece === 6) {
      for (const to of (piece === 2 ? KNIGHT : KING)[from]!) {
        if (squares[to]! * own <= 0) moves.push(from | to << 6);
      }
    } else {
      const [first, step] = SLIDES[piece]!;
      for (let direction = first; direction < 8; direction += step) {
        const ray = RAYS[from]![direction]!;
        for (let i = 0; i < ray.length; i++) {
          const to = ray[i]!;
          const met = squares[to]! * own;
          if (met > 0) break;
          moves.push(from | to << 6);
          if (met < 0) break;
        }
      }
    }
  }
  addCastling(board, own, moves);
  return moves.filter((move) => leavesKingSafe(board, move, own));
}

function addPawnMoves(board: Board, from: number, own: number, moves: number[]): void {
  const { squares } = board;
  const forward = 8 * own;
  const rank = from >> 3;
  const promotes = rank === (own > 0 ? 6 : 1);
  const add = (to: number) => {
    if (!promotes) moves.push(from | to << 6);
    else for (let promotion = 1; promotion <= 4; promotion++) moves.push(from | to << 6 | promotion << 12);
  };
  const next = from + forward;
  if (squares[next] === 0) {
    add(next);
    if (rank === (own > 0 ? 1 : 6) && squares[next + forward] === 0) moves.push(from | (next + forward) << 6);
  }
  const file = from & 7;
  for (let side = -1; side <= 1; side += 2) {
    if (file + side < 0 || file + side > 7) continue;
    const to = next + side;
    if (squares[to]! * own < 0 || to === board.enPassant) add(to);
  }
}

function addCastling(board: Board, own: number, moves: number[]): void {
  for (let i = own > 0 ? 0 : 2, last = i + 2; i < last; i++) {
    const castle = CASTLES[i]!;
    if (
      (board.castling & castle.bit) !== 0 &&
      castle.empty.every((square) => board.squares[square] === 0) &&
      castle.safe.every((square) => !isAttacked(board.squares, square, -own))
    ) moves.push(castle.king | castle.to << 6);
  }
}

/** Whether the mover's own king cannot be taken after the move. The board is changed and put back. */
function leavesKingSafe(board: Board, move: number, own: number): boolean {
  const { squares } = board;
  const from = move & 63;
  const to = move >> 6 & 63;
  const piece = squares[from]!;
  const taken = squares[to]!;
  // En passant takes a pawn that stands beside the from-square, not on the to-square.
  const passed = piece === own && to === board.enPassant ? to - 8 * own : -1;
  squares[from] = 0;
  squares[to] = piece;
  if (passed >= 0) squares[passed] = 0;
  const safe = !isAttacked(squares, piece === 6 * own ? to : squares.indexOf(6 * own), -own);
  squares[from] = piece;
  squares[to] = taken;
  if (passed >= 0) squares[passed] = -own;
  return safe;
}
