import { createHash } from "node:crypto";
import { basename } from "node:path";
import { DataError, type LongWork, Random } from "../common/mod.ts";
import { boardKey } from "./_board_key.ts";
import { PositionRows, SKIP_REASONS, type SkipReason } from "./_position_rows.ts";
import type { Positions } from "./positions.ts";
import { positionsDigest } from "./positions_digest.ts";
import { readShardBatches, ShardError, type ShardRow } from "./shard.ts";

export { SKIP_REASONS, type SkipReason } from "./_position_rows.ts";

/** The most rows that HOLD or VAL take from one game. */
export const HELD_ROWS_A_GAME = 12;

/** Which positions to prepare. */
export interface PrepareOptions {
  /** Shards to train on: paths or URLs. */
  readonly train: readonly (string | URL)[];
  /** Shards that HOLD and VAL come from, in the order of their rows; without them they are taken from `train`. */
  readonly heldout?: readonly (string | URL)[];
  /** HOLD rows, 4,096 by default. */
  readonly hold?: number;
  /** VAL rows, 2,048 by default. */
  readonly val?: number;
  /** Decides which rows are held out and the order of the training rows; 1 by default. */
  readonly seed?: number;
}

/** What came of one shard. */
export interface ShardReport {
  /** Its name without folders. */
  readonly name: string;
  /** SHA-256 of the bytes that were read. */
  readonly sha256: string;
  /** Rows that were whole. */
  readonly read: number;
  /** Rows that were good. */
  readonly kept: number;
  /** How many of the others were skipped for which reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Where and why it could not be read to its end, if so. */
  readonly problem?: string;
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
 * Turns shards into `Positions`: HOLD first, then VAL, then everything that may be trained on, in random order.
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
 * - No row is trained on whose game has a held-out row, or whose board, or its mirror, is a held-out row's.
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
  const { hold = 4096, val = 2048, seed = 1, heldout = [] } = options;
  for (const [name, value] of Object.entries({ hold, val })) {
    if (!Number.isInteger(value) || value < 0) {
      throw new RangeError(`Cannot prepare positions: ${name} is ${value}, a whole number from 0 is wanted`);
    }
  }
  const random = new Random(seed, "prepare positions");
  const rows = new PositionRows();
  const shards: ShardReport[] = [];
  const sizes = await fileSizes([...heldout, ...options.train]);
  const progress = { done: 0, total: sizes };
  for (const source of heldout) shards.push(await readInto(rows, source, progress, work));
  const fromHeldout = rows.count;
  for (const source of options.train) shards.push(await readInto(rows, source, progress, work));
  if (sizes !== undefined) {
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

  const heldGames = new Set([...held].map((row) => rows.gameOf(row)).filter((game) => game >= 0));
  const heldBoards = new Set([...held].map((row) => rows.ofBoard(row, boardKey)));
  const isHeld = new Set(held);
  const dropped = { heldGame: 0, heldBoard: 0, surplus: 0 };
  const train: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    if (isHeld.has(row)) continue;
    if (row < fromHeldout) dropped.surplus++;
    else if (heldGames.has(rows.gameOf(row))) dropped.heldGame++;
    else if (heldBoards.has(rows.ofBoard(row, boardKey))) dropped.heldBoard++;
    else train.push(row);
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
  const provenance = { made: "preparePositions", seed, hold, val, ...report };
  return { positions: { ...content, provenance, digest: positionsDigest(content) }, report };
}

async function readInto(
  rows: PositionRows,
  source: string | URL,
  progress: { done: number; total: number | undefined },
  work: LongWork,
): Promise<ShardReport> {
  const hash = createHash("sha256");
  const before = rows.count;
  const skipped: Partial<Record<SkipReason, number>> = {};
  let read = 0;
  let problem: string | undefined;
  const take = (row: ShardRow) => {
    const reason = rows.add(row);
    if (reason !== undefined) skipped[reason] = (skipped[reason] ?? 0) + 1;
  };
  const onBytes = (bytes: Uint8Array) => {
    hash.update(bytes);
    progress.done += bytes.length;
  };
  try {
    for await (const batch of readShardBatches(source, { signal: work.signal, onBytes })) {
      work.signal?.throwIfAborted();
      read += batch.length;
      batch.forEach(take);
      if (progress.total !== undefined) {
        const { done, total } = progress;
        work.onProgress?.({ task: "reading positions", done, total, unit: "bytes" });
      }
    }
  } catch (error) {
    if (!(error instanceof ShardError)) throw error;
    problem = error.message;
  }
  return {
    name: basename(source instanceof URL ? source.pathname : source),
    sha256: hash.digest("hex"),
    read,
    kept: rows.count - before,
    skipped,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Bytes of all files together; `undefined` if one is not on this machine. */
async function fileSizes(sources: readonly (string | URL)[]): Promise<number | undefined> {
  let total = 0;
  for (const source of sources) {
    if (source instanceof URL && source.protocol !== "file:") return undefined;
    try {
      total += (await Deno.stat(source)).size;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new DataError(`Cannot read ${source}: there is no such file, a shard (*.msgpack.zst) is wanted`);
    }
  }
  return total;
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

function sumSkipped(shards: readonly ShardReport[]): Partial<Record<SkipReason, number>> {
  const sums: Partial<Record<SkipReason, number>> = {};
  for (const reason of Object.keys(SKIP_REASONS) as SkipReason[]) {
    const sum = shards.reduce((total, shard) => total + (shard.skipped[reason] ?? 0), 0);
    if (sum > 0) sums[reason] = sum;
  }
  return sums;
}
