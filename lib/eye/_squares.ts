/** Squares of a board. */
export const SQUARES = 64;
/** Planes of a board: own pawn..king, then the opponent's. */
export const PLANES = 12;
