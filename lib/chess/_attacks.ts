/** Squares in line with a square in one direction, nearest first, for the 8 directions: even ones are straight. */
export const RAYS: readonly (readonly (readonly number[])[])[] = buildRays();
/** Squares a knight's jump away. */
export const KNIGHT: readonly (readonly number[])[] = buildSteps(
  [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]],
);
/** Squares a king's step away. */
export const KING: readonly (readonly number[])[] = buildSteps(
  [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]],
);
/** Squares from which a white pawn takes on a square, then those from which a black one does. */
const PAWN: readonly (readonly (readonly number[])[])[] = [
  buildSteps([[-1, -1], [1, -1]]),
  buildSteps([[-1, 1], [1, 1]]),
];

function onBoard(file: number, rank: number): boolean {
  return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

function buildSteps(steps: readonly (readonly [number, number])[]): number[][] {
  return Array.from(
    { length: 64 },
    (_, square) =>
      steps.map(([file, rank]) => [(square & 7) + file, (square >> 3) + rank] as const)
        .filter(([file, rank]) => onBoard(file, rank))
        .map(([file, rank]) => rank * 8 + file),
  );
}

function buildRays(): number[][][] {
  const directions = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]] as const;
  return Array.from({ length: 64 }, (_, square) =>
    directions.map(([file, rank]) => {
      const ray: number[] = [];
      let x = (square & 7) + file;
      let y = (square >> 3) + rank;
      for (; onBoard(x, y); x += file, y += rank) ray.push(y * 8 + x);
      return ray;
    }));
}

/**
 * Whether a side could take on a square.
 *
 * @param squares `[64]`, as in `Board`.
 * @param square The square.
 * @param by +1 for white, -1 for black.
 */
export function isAttacked(squares: Int8Array, square: number, by: number): boolean {
  for (const from of PAWN[by > 0 ? 0 : 1]![square]!) if (squares[from] === by) return true;
  for (const from of KNIGHT[square]!) if (squares[from] === 2 * by) return true;
  for (const from of KING[square]!) if (squares[from] === 6 * by) return true;
  const rays = RAYS[square]!;
  for (let direction = 0; direction < 8; direction++) {
    const slider = (direction & 1 ? 3 : 4) * by;
    const ray = rays[direction]!;
    for (let i = 0; i < ray.length; i++) {
      const piece = squares[ray[i]!]!;
      if (piece === 0) continue;
      if (piece === slider || piece === 5 * by) return true;
      break;
    }
  }
  return false;
}
