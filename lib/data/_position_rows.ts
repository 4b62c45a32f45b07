import { boardBits, type ChessMove, legalMoves, packMove, parseFen } from "../chess/mod.ts";
import { DataError } from "../common/mod.ts";
import { winTenths } from "./_win_tenths.ts";
import { BOARD_BYTES, MAX_BEST, MAX_MOVES } from "./positions.ts";
import type { ShardRow } from "./shard.ts";

/** Why a row is skipped, as reports name it. */
export const SKIP_REASONS = {
  noMoves: "no move is labelled",
  badFen: "the FEN is wrong or no game can reach it",
  tooManyMoves: `more than ${MAX_MOVES} legal moves`,
  badChance: "a chance to win is not from 0 to 1",
  illegalMove: "a labelled move is not legal, or labelled twice",
  chess960: "castling as only Chess960 allows it: a king or rook does not stand at home",
  badRecord: "the record is not what its format says",
  fewMoves: "not every legal move is labelled",
  noEval: "the position or the move played has no evaluation",
  poorMove: "the move played loses more than 1 win%, a better one is not named",
  badGame: "whole games, one count each: another variant of chess, or a move that is not legal",
} as const;

/** A key of `SKIP_REASONS`. */
export type SkipReason = keyof typeof SKIP_REASONS;

/** The columns of some rows: shapes as in `Positions`. */
export interface PositionColumns {
  readonly board: Uint8Array;
  readonly moveCount: Uint8Array;
  readonly move: Uint16Array;
  readonly bestCount: Uint8Array;
  readonly best: Uint8Array;
  readonly win: Uint16Array;
  readonly game: Int32Array;
}

/** Columns of zeros. */
export function makeColumns(rows: number): PositionColumns {
  return {
    board: new Uint8Array(rows * BOARD_BYTES),
    moveCount: new Uint8Array(rows),
    move: new Uint16Array(rows * MAX_MOVES),
    bestCount: new Uint8Array(rows),
    best: new Uint8Array(rows * MAX_BEST),
    win: new Uint16Array(rows * MAX_BEST),
    game: new Int32Array(rows),
  };
}

/** Rows of a block: blocks are never copied while rows come in. */
const BLOCK = 1 << 14;

/** Place of a packed move among a row's legal moves, and what stands for "not legal". */
const NOWHERE = 255;

/** Turns rows of shards into columns, one after the other. */
export class PositionRows {
  readonly #blocks: PositionColumns[] = [];
  #count = 0;
  readonly #place = new Uint8Array(1 << 15).fill(NOWHERE);

  /** Rows so far. */
  get count(): number {
    return this.#count;
  }

  /** Takes a row, unless there is a reason to skip it, which is returned. */
  add(row: ShardRow): SkipReason | undefined {
    if (row.moves.length === 0) return "noMoves";
    let board;
    let legal: ChessMove[];
    try {
      board = parseFen(row.fen);
      legal = legalMoves(board);
    } catch (error) {
      if (error instanceof DataError) return "badFen";
      throw error;
    }
    if (legal.length > MAX_MOVES) return "tooManyMoves";
    if (this.#count % BLOCK === 0 && this.#count / BLOCK === this.#blocks.length) {
      this.#blocks.push(makeColumns(BLOCK));
    }
    const block = this.#blocks[Math.floor(this.#count / BLOCK)]!;
    const at = this.#count % BLOCK;
    const moves = block.move.subarray(at * MAX_MOVES, (at + 1) * MAX_MOVES).fill(0);
    for (let i = 0; i < legal.length; i++) moves[i] = packMove(legal[i]!);
    moves.subarray(0, legal.length).sort();
    for (let i = 0; i < legal.length; i++) this.#place[moves[i]!] = i;
    const reason = this.#addBest(row, board.side === "white" ? 0 : 56, block, at);
    for (let i = 0; i < legal.length; i++) this.#place[moves[i]!] = NOWHERE;
    if (reason !== undefined) return reason;
    block.moveCount[at] = legal.length;
    block.board.set(boardBits(board), at * BOARD_BYTES);
    block.game[at] = row.game ?? -1;
    this.#count++;
    return undefined;
  }

  /** Finds the teacher's best moves: by win%, rounded to a tenth, ties in the order of the file. */
  #addBest(row: ShardRow, flip: number, block: PositionColumns, at: number): SkipReason | undefined {
    const best = block.best.subarray(at * MAX_BEST, (at + 1) * MAX_BEST).fill(0);
    const win = block.win.subarray(at * MAX_BEST, (at + 1) * MAX_BEST).fill(0);
    let count = 0;
    for (const { uci, winProb } of row.moves) {
      if (!(winProb >= 0 && winProb <= 1)) return "badChance";
      const packed = packUci(uci, flip);
      const place = packed < 0 ? NOWHERE : this.#place[packed]!;
      if (place === NOWHERE) return "illegalMove";
      this.#place[packed] = NOWHERE; // a second time it is not one
      const tenths = winTenths(winProb);
      let rank = count;
      while (rank > 0 && win[rank - 1]! < tenths) rank--;
      if (rank === MAX_BEST) continue;
      if (count < MAX_BEST) count++;
      best.copyWithin(rank + 1, rank, count - 1);
      win.copyWithin(rank + 1, rank, count - 1);
      best[rank] = place;
      win[rank] = tenths;
    }
    block.bestCount[at] = count;
    return undefined;
  }

  /** The game of a row, -1 where it is not known. */
  gameOf(row: number): number {
    return this.#blocks[Math.floor(row / BLOCK)]!.game[row % BLOCK]!;
  }

  /** Something that is computed from a row's board. */
  ofBoard<T>(row: number, compute: (boards: Uint8Array, at: number, length: number) => T): T {
    const { board } = this.#blocks[Math.floor(row / BLOCK)]!;
    return compute(board, (row % BLOCK) * BOARD_BYTES, BOARD_BYTES);
  }

  /** The rows in another order, or some of them. Uses the rows up: the memory of each column is given back in turn. */
  gather(order: Int32Array): PositionColumns {
    const blocks = this.#blocks.splice(0);
    this.#count = 0;
    const board = blocks.map((block) => block.board);
    const moveCount = blocks.map((block) => block.moveCount);
    const move = blocks.map((block) => block.move);
    const bestCount = blocks.map((block) => block.bestCount);
    const best = blocks.map((block) => block.best);
    const win = blocks.map((block) => block.win);
    const game = blocks.map((block) => block.game);
    blocks.length = 0;
    const rows = order.length;
    return {
      board: gatherColumn(board, order, BOARD_BYTES, new Uint8Array(rows * BOARD_BYTES)),
      moveCount: gatherColumn(moveCount, order, 1, new Uint8Array(rows)),
      move: gatherColumn(move, order, MAX_MOVES, new Uint16Array(rows * MAX_MOVES)),
      bestCount: gatherColumn(bestCount, order, 1, new Uint8Array(rows)),
      best: gatherColumn(best, order, MAX_BEST, new Uint8Array(rows * MAX_BEST)),
      win: gatherColumn(win, order, MAX_BEST, new Uint16Array(rows * MAX_BEST)),
      game: gatherColumn(game, order, 1, new Int32Array(rows)),
    };
  }
}

/** A column's values in another order; forgets the blocks that they come from. */
function gatherColumn<T extends Uint8Array | Uint16Array | Int32Array>(
  blocks: T[],
  order: Int32Array,
  width: number,
  into: T,
): T {
  for (let row = 0; row < order.length; row++) {
    const block = blocks[Math.floor(order[row]! / BLOCK)]!;
    const from = (order[row]! % BLOCK) * width;
    for (let i = 0; i < width; i++) into[row * width + i] = block[from + i]!;
  }
  blocks.length = 0;
  return into;
}

/** A move as packed number without making an object of it: there are tens of millions. -1 if it is none. */
function packUci(uci: string, flip: number): number {
  if (uci.length !== 4 && uci.length !== 5) return -1;
  const from = squareAt(uci, 0);
  const to = squareAt(uci, 2);
  const promotion = uci.length === 4 ? 0 : "qrbn".indexOf(uci[4]!) + 1;
  if (from < 0 || to < 0 || (uci.length === 5 && promotion === 0)) return -1;
  return (from ^ flip) | (to ^ flip) << 6 | promotion << 12;
}

function squareAt(uci: string, at: number): number {
  const file = uci.charCodeAt(at) - 97;
  const rank = uci.charCodeAt(at + 1) - 49;
  return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? rank * 8 + file : -1;
}
