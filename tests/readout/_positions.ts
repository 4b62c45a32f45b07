import { Random } from "../../lib/common/mod.ts";
import { BOARD_BYTES, MAX_BEST, MAX_MOVES, type Positions } from "../../lib/data/positions.ts";

/** A position as a test writes it down. */
export interface WrittenPosition {
  /** Squares with a piece: plane * 64 + square. */
  readonly bits?: readonly number[];
  /** Legal moves: [from, to, promotion or none]. */
  readonly moves: readonly (readonly [number, number, number?])[];
  /** The teacher's best: [place in `moves`, win% in tenths], best first. */
  readonly best: readonly (readonly [number, number])[];
  /** The game; -1 if left out. */
  readonly game?: number;
}

/** Packs written positions into one record. */
export function writtenPositions(written: readonly WrittenPosition[]): Positions {
  const count = written.length;
  const positions = {
    count,
    hold: 0,
    val: 0,
    board: new Uint8Array(count * BOARD_BYTES),
    moveCount: new Uint8Array(count),
    move: new Uint16Array(count * MAX_MOVES),
    bestCount: new Uint8Array(count),
    best: new Uint8Array(count * MAX_BEST),
    win: new Uint16Array(count * MAX_BEST),
    game: new Int32Array(count).fill(-1),
    provenance: {},
    digest: "",
  };
  for (const [row, { bits = [], moves, best, game = -1 }] of written.entries()) {
    for (const bit of bits) positions.board[row * BOARD_BYTES + (bit >> 3)]! |= 1 << (bit & 7);
    positions.moveCount[row] = moves.length;
    positions.move.set(
      moves.map(([from, to, promotion = 0]) => from | to << 6 | promotion << 12),
      row * MAX_MOVES,
    );
    positions.bestCount[row] = best.length;
    positions.best.set(best.map(([place]) => place), row * MAX_BEST);
    positions.win.set(best.map(([, win]) => win), row * MAX_BEST);
    positions.game[row] = game;
  }
  return positions;
}

/** Positions whose moves, teacher and boards are chance, four rows a game. */
export function randomPositions(count: number, seed: number): Positions {
  const random = new Random(seed, "positions");
  return writtenPositions(Array.from({ length: count }, (_, row) => {
    const moves = distinct(1 + random.int(40), () => random.int(1 << 12)).map((
      packed,
    ): [number, number, number] => [
      packed & 63,
      packed >> 6,
      random.int(8) === 0 ? random.int(5) : 0,
    ]);
    const places = random.shuffle(moves.map((_, i) => i)).slice(0, MAX_BEST);
    const wins = places.map(() => random.int(1001)).sort((a, b) => b - a);
    return {
      bits: distinct(20, () => random.int(768)),
      moves,
      best: places.map((place, i): [number, number] => [place, wins[i]!]),
      game: row >> 2,
    };
  }));
}

function distinct(count: number, draw: () => number): number[] {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(draw());
  return [...drawn];
}

/** Rows from `start` up to, not including, `end`. */
export function rowsFrom(start: number, end: number): Int32Array {
  return Int32Array.from({ length: end - start }, (_, i) => start + i);
}
