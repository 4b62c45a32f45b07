/** A beginning that both sides are given. */
export interface Opening {
  /** Its usual name. */
  readonly name: string;
  /** The moves in UCI notation, from `start`. */
  readonly moves: readonly string[];
  /** The first position as a FEN; the usual one by default. */
  readonly start?: string;
}

/** Well-known beginnings of four plies or so, so that players without dice do not play one game over and over. */
export const OPENINGS: readonly Opening[] = ([
  ["Italian Game", "e2e4 e7e5 g1f3 b8c6 f1c4"],
  ["Queen's Gambit Declined", "d2d4 d7d5 c2c4 e7e6"],
  ["Sicilian Defence", "e2e4 c7c5 g1f3 d7d6"],
  ["King's Indian Defence", "d2d4 g8f6 c2c4 g7g6"],
  ["French Defence", "e2e4 e7e6 d2d4 d7d5"],
  ["English Opening", "c2c4 e7e5 b1c3 g8f6"],
  ["Caro-Kann Defence", "e2e4 c7c6 d2d4 d7d5"],
  ["Slav Defence", "d2d4 d7d5 c2c4 c7c6"],
  ["Ruy Lopez", "e2e4 e7e5 g1f3 b8c6 f1b5"],
  ["Nimzo-Indian Defence", "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4"],
  ["Scandinavian Defence", "e2e4 d7d5 e4d5 d8d5"],
  ["Dutch Defence", "d2d4 f7f5 g2g3 g8f6"],
  ["Pirc Defence", "e2e4 d7d6 d2d4 g8f6"],
  ["London System", "d2d4 d7d5 c1f4 g8f6"],
  ["Scotch Game", "e2e4 e7e5 g1f3 b8c6 d2d4"],
  ["Reti Opening", "g1f3 d7d5 c2c4 e7e6"],
  ["Vienna Game", "e2e4 e7e5 b1c3 g8f6"],
  ["Petrov's Defence", "e2e4 e7e5 g1f3 g8f6"],
  ["Queen's Gambit Accepted", "d2d4 d7d5 c2c4 d5c4"],
  ["Four Knights Game", "e2e4 e7e5 g1f3 b8c6 b1c3 g8f6"],
] as const).map(([name, moves]) => ({ name, moves: moves.split(" ") }));
