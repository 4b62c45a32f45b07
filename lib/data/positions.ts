/** Bytes of a board: 12 planes of 64 squares as bits, bit `plane * 64 + square`, lowest bit first. */
export const BOARD_BYTES = 96;
/** The most legal moves a stored position may have. */
export const MAX_MOVES = 96;
/** The most of the teacher's best moves that are kept. */
export const MAX_BEST = 8;

/**
 * Positions with a teacher's opinion, as parallel typed arrays. The one record for every source.
 *
 * Moves and squares are in the mirrored frame (the side to move plays up the board). The first `hold` rows are
 * HOLD (final numbers), the next `val` rows VAL (checks during a run), all later rows may be trained on.
 */
export interface Positions {
  /** Rows. */
  readonly count: number;
  /** Rows at the start that are HOLD. */
  readonly hold: number;
  /** Rows after them that are VAL. */
  readonly val: number;
  /** `[count][BOARD_BYTES]`. */
  readonly board: Uint8Array;
  /** `[count]`: how many legal moves. */
  readonly moveCount: Uint8Array;
  /** `[count][MAX_MOVES]`: from | to << 6 | promotion << 12, 0 beyond `moveCount`. */
  readonly move: Uint16Array;
  /** `[count]`: how many of the teacher's best moves are kept, 1 to `MAX_BEST`. */
  readonly bestCount: Uint8Array;
  /** `[count][MAX_BEST]`: their places in the row's moves, best first. */
  readonly best: Uint8Array;
  /** `[count][MAX_BEST]`: their win% in tenths of a percent, 0 to 1000, for the side to move. */
  readonly win: Uint16Array;
  /** `[count]`: the game a row comes from, -1 where the source does not say. */
  readonly game: Int32Array;
  /** Where the rows come from: sources with digests, command, seed, what was skipped and why. */
  readonly provenance: Readonly<Record<string, unknown>>;
  /** SHA-256 of the arrays, 64 hex digits. */
  readonly digest: string;
}
