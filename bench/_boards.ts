import { Random } from "flychess/common";
import type { Connectome } from "flychess/connectome";
import { type Drive, drive, eyeFor } from "flychess/eye";

/** Piece letters in the order of the planes: own pawn to king, then the opponent's. */
const PLANES = 12, SQUARES = 64, BOARD_BYTES = PLANES * SQUARES / 8;

/** Boards as bits, `[positions][96]`: 3 to 32 pieces of any kind anywhere. They need not be legal: only how many cells they light costs time. */
export function randomBoards(positions: number, seed: number): Uint8Array {
  const random = new Random(seed, "boards");
  const boards = new Uint8Array(positions * BOARD_BYTES);
  const squares = Array.from({ length: SQUARES }, (_, square) => square);
  for (let at = 0; at < positions; at++) {
    const pieces = 3 + random.int(30);
    for (let k = 0; k < pieces; k++) {
      const other = k + random.int(SQUARES - k);
      [squares[k], squares[other]] = [squares[other]!, squares[k]!];
      const bit = random.int(PLANES) * SQUARES + squares[k]!;
      boards[at * BOARD_BYTES + (bit >> 3)]! |= 1 << (bit & 7);
    }
  }
  return boards;
}

/** What the fair eye of a connectome makes of such boards. */
export function randomDrive(connectome: Connectome, positions: number, seed: number): Drive {
  return drive(eyeFor(connectome), randomBoards(positions, seed));
}
