import { DataError, type LongWork, Random } from "../common/mod.ts";
import { boardKey } from "./_board_key.ts";
import { HeldOut } from "./_held_out.ts";
import { PositionRows, type SkipReason } from "./_position_rows.ts";
import { fileSizes, readInto, type ShardReport, sumSkipped } from "./_read_into.ts";
import { shareOf } from "./_text_hash.ts";
import type { Positions } from "./positions.ts";
import { positionsDigest } from "./positions_digest.ts";

export { SKIP_REASONS, type SkipReason } from "./_position_rows.ts";
export type { ShardReport } from "./_read_into.ts";

/** The most rows that HOLD or VAL take from one game. */
export const HELD_ROWS_A_GAME = 12;

/** Which positions to prepare. */
export interface PrepareOptions {
  /** Sources to train on: paths or URLs, in any of the formats of `readSource`. */
  readonly train: readonly (string | URL)[];
  /** Sources that HOLD and VAL come from, in the order of their rows; without them they are taken from `train`. */
  readonly heldout?: readonly (string | URL)[];
  /** HOLD rows, 4,096 by default. */
  readonly hold?: number;
  /** VAL rows, 2,048 by default. */
  readonly val?: number;
  /** Decides which rows are held out and the order of the training rows; 1 by default. */
  readonly seed?: number;
  /**
   * The share of `train` that is taken, above 0 to 1 (all, the default): of positions by lot, of a PGN's games. A dump
   * of 300 million positions is sampled evenly by a share; its first positions alone are not like the rest (reference,
   * "The data").
   */
  readonly share?: number;
  /** Reading `train` ends with so many good rows; by default it goes to the end. */
  readonly limit?: number;
  /** Sets whose HOLD and VAL rows may not be trained on here either: not their boards, mirrors or games. */
  readonly notIn?: readonly Positions[];
}

/** What was read, kept, skipped and dropped. */
export interface PrepareReport {
  /** One entry a shard, held-out ones first. */
  readonly shards: readonly ShardReport[];
  /** Rows read in all. */
  readonly read: number;
  /** Rows skipped in all. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Good rows that are in none of the three parts. */
  readonly dropped: {
    /** They are of a game that HOLD or VAL has a row of. */
    readonly heldGame: number;
    /** They show the board of a HOLD or VAL row, or its mirror. */
    readonly heldBoard: number;
    /** The held-out shards have more rows than are wanted. */
    readonly surplus: number;
  };
  /** Rows of HOLD, of VAL and to train on. */
  readonly rows: { readonly hold: number; readonly val: number; readonly train: number };
  /** Different games in each; rows without a game count as one each. */
  readonly games: { readonly hold: number; readonly val: number; readonly train: number };
}

/**
 * Turns sources of any format (see `readSource`) into `Positions`: HOLD first, then VAL, then everything that may be trained on, in random order.
 *
 * - A move's win% is `round(100 win_prob, 1)` as Python rounds (to the nearest decimal, exact ties to the even digit).
 *   Moves are sorted by it from the best, ties in the order of the file; the first is the teacher's best move, the
 *   first 8 are kept. A row's legal moves are sorted by their packed number, so their order says nothing about
 *   which is good and is the same for a position and its mirror.
 * - Rows are skipped, and counted by reason, where no move is labelled, the FEN is wrong, there are more than 96 legal
 *   moves, or a label makes no sense. A shard that breaks off gives its whole rows; the report names the place.
 * - With held-out shards, HOLD and VAL are their first good rows in order, whatever the seed and the training shards.
 *   Otherwise whole games are set aside by lot, first for HOLD, then for VAL, at most 12 rows of each; a row that does
 *   not say its game is a game of its own.
 * - No row is trained on whose game has a held-out row, or whose board, or its mirror, is a held-out row's; the
 *   held-out rows of the sets in `notIn` count too.
 * - Everything that is kept is held in memory, 318 bytes a row; what is not kept passes through.
 *
 * @param options Which shards, and how many rows are held out.
 * @param work Stops it or follows it.
 * @throws {DataError} If there are not enough good rows for HOLD, VAL and at least one more.
 * @throws {RangeError} If a number makes no sense.
 *
 * @example The positions that the library ships, with a smaller HOLD
 * ```ts
 * import { preparePositions, SHIPPED } from "flychess/data";
 * import assert from "node:assert/strict";
 *
 * const { positions, report } = await preparePositions({ train: SHIPPED.heldout, hold: 480, val: 240 });
 * assert.equal(positions.hold, 480);
 * assert.equal(report.games.hold, 40); // 12 rows from each game
 * assert.equal(report.dropped.heldGame, 0); // the shipped held-out file keeps no more of a game
 * ```
 */
export async function preparePositions(
  options: PrepareOptions,
  work: LongWork = {},
): Promise<{ positions: Positions; report: PrepareReport }> {
  const { hold = 4096, val = 2048, seed = 1, heldout = [], share = 1, limit = Infinity, notIn = [] } =
    options;
  for (const [name, value] of Object.entries({ hold, val })) {
    if (!Number.isInteger(value) || value < 0) {
      throw new RangeError(`Cannot prepare positions: ${name} is ${value}, a whole number from 0 is wanted`);
    }
  }
  if (!(share > 0 && share <= 1)) {
    throw new RangeError(`Cannot prepare positions: share is ${share}, a number above 0 to 1 is wanted`);
  }
  if (limit < Infinity && (!Number.isInteger(limit) || limit < 1)) {
    throw new RangeError(`Cannot prepare positions: limit is ${limit}, a whole number from 1 is wanted`);
  }
  const random = new Random(seed, "prepare positions");
  const rows = new PositionRows();
  const shards: ShardReport[] = [];
  const sizes = await fileSizes([...heldout, ...options.train]);
  const progress = { done: 0, total: sizes };
  for (const source of heldout) shards.push(await readInto(rows, source, progress, work));
  const fromHeldout = rows.count;
  const limits = { most: fromHeldout + limit, picks: share < 1 ? shareOf(share, seed) : undefined };
  for (const source of options.train) shards.push(await readInto(rows, source, progress, work, limits));
  if (sizes !== undefined && limit === Infinity) {
    work.onProgress?.({ task: "reading positions", done: sizes, total: sizes, unit: "bytes" });
  }

  const available = heldout.length > 0 ? fromHeldout : rows.count;
  const held = heldout.length > 0
    ? Int32Array.from({ length: Math.min(hold + val, available) }, (_, i) => i)
    : setGamesAside(rows, [hold, val], random);
  if (held.length < hold + val || rows.count === 0) {
    const broken = shards.find(({ problem }) => problem !== undefined)?.problem;
    throw new DataError(
      `Cannot prepare positions: ${available.toLocaleString("en-US")} good rows allow ` +
        `${held.length.toLocaleString("en-US")} held-out ones of at most ${HELD_ROWS_A_GAME} a game, ` +
        `${(hold + val).toLocaleString("en-US")} are wanted (HOLD ${hold}, VAL ${val})` +
        (broken === undefined ? "" : `; ${broken}`),
    );
  }

  const heldOut = HeldOut.of(notIn);
  for (const row of held) heldOut.add(rows.gameOf(row), rows.ofBoard(row, boardKey));
  const isHeld = new Set(held);
  const dropped = { heldGame: 0, heldBoard: 0, surplus: 0 };
  const train: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    if (isHeld.has(row)) continue;
    const reason = row < fromHeldout ? "surplus" : heldOut.reason(
      rows.gameOf(row),
      rows.ofBoard(row, boardKey),
    );
    if (reason === undefined) train.push(row);
    else dropped[reason]++;
  }
  const order = new Int32Array(held.length + train.length);
  order.set(held);
  order.set(random.shuffle(Int32Array.from(train)), held.length);
  const games = {
    hold: countGames(rows, order.subarray(0, hold)),
    val: countGames(rows, order.subarray(hold, hold + val)),
    train: countGames(rows, order.subarray(hold + val)),
  };
  const report: PrepareReport = {
    shards,
    read: shards.reduce((sum, shard) => sum + shard.read, 0),
    skipped: sumSkipped(shards),
    dropped,
    rows: { hold, val, train: train.length },
    games,
  };
  const content = { count: order.length, hold, val, ...rows.gather(order) };
  const provenance = {
    made: "preparePositions",
    seed,
    hold,
    val,
    ...(share < 1 ? { share } : {}),
    ...(limit < Infinity ? { limit } : {}),
    ...(notIn.length > 0 ? { notIn: notIn.map(({ digest }) => digest) } : {}),
    ...report,
  };
  return { positions: { ...content, provenance, digest: positionsDigest(content) }, report };
}

/** Draws games, and rows of each, until every part is full; gives the rows in the order of the parts. */
function setGamesAside(rows: PositionRows, sizes: readonly number[], random: Random): Int32Array {
  const byGame = new Map<number, number[]>();
  // A row without a game stands alone, under a number that no game has.
  for (let row = 0; row < rows.count; row++) {
    const game = rows.gameOf(row);
    const key = game < 0 ? -1 - row : game;
    const list = byGame.get(key);
    if (list) list.push(row);
    else byGame.set(key, [row]);
  }
  const games = random.shuffle([...byGame.keys()]);
  const held: number[] = [];
  const boards = new Set<number>();
  let next = 0;
  for (const size of sizes) {
    const part: number[] = [];
    for (; part.length < size && next < games.length; next++) {
      let taken = 0;
      for (const row of random.shuffle(byGame.get(games[next]!)!)) {
        const key = rows.ofBoard(row, boardKey);
        if (taken === HELD_ROWS_A_GAME || part.length === size) break;
        if (boards.has(key)) continue;
        boards.add(key);
        part.push(row);
        taken++;
      }
    }
    held.push(...part);
  }
  return Int32Array.from(held);
}

function countGames(rows: PositionRows, order: Int32Array): number {
  const games = new Set<number>();
  let alone = 0;
  for (const row of order) {
    const game = rows.gameOf(row);
    if (game < 0) alone++;
    else games.add(game);
  }
  return games.size + alone;
}
