import { join } from "node:path";
import { boardBits, UciEngine } from "../chess/mod.ts";
import { exists, type LongWork, Random, writeFileAtomic } from "../common/mod.ts";
import { boardKey } from "./_board_key.ts";
import { encodeRow } from "./_row_codec.ts";
import { keepSettings } from "./_settings_file.ts";
import { packRows } from "./_shard_file.ts";
import { HELD_ROWS_A_GAME } from "./prepare.ts";
import { playTeacherGame } from "./_teacher_game.ts";
import { readShard, ShardError, type ShardRow } from "./shard.ts";

/** Rows of a full training shard. */
const SHARD_ROWS = 50_000;
/** The folder of finished games; git ignores `*.part`. */
const GAMES = "games.part";

/** What to make. The set depends on all of it but `processes`, and on the engine's version. */
export interface TeacherOptions {
  /** The Stockfish program. */
  readonly stockfish: string;
  /** Folder that the files go to. */
  readonly out: string;
  /** Training rows, at least 0. */
  readonly positions: number;
  /** Seed of the games and of the order of rows, 1 by default. */
  readonly seed?: number;
  /** Positions that Stockfish searches for each label, 8,000 by default. */
  readonly nodes?: number;
  /** Stockfish processes that play at once, 2 by default. */
  readonly processes?: number;
  /** HOLD rows, 4,096 by default. */
  readonly hold?: number;
  /** VAL rows, 2,048 by default. */
  readonly val?: number;
  /** The most training rows from one game, 32 by default: rows of one game are much alike. */
  readonly perGame?: number;
}

/** What was made. */
export interface TeacherReport {
  /** What the engine calls itself. */
  readonly engine: string;
  /** Files that now stand in the folder, HOLD and VAL first. */
  readonly files: readonly string[];
  /** Rows of HOLD. */
  readonly hold: number;
  /** Rows of VAL. */
  readonly val: number;
  /** Rows to train on. */
  readonly train: number;
  /** Games that HOLD and VAL come from; nothing else of them is kept. */
  readonly heldGames: number;
  /** Games that the training rows come from. */
  readonly trainGames: number;
  /** Games played now; the others had been finished before. */
  readonly played: number;
}

/**
 * Has Stockfish play games against itself and label every legal move of their positions, and writes the rows in
 * ChessBench's shard format, each with its game's number.
 *
 * - Files: `heldout-00000-of-00001.msgpack.zst` (HOLD, then VAL) and `train-NNNNN-of-NNNNN.msgpack.zst`.
 * - The first games are held out whole: at most 12 rows of each are kept, nothing else of them. HOLD and VAL share
 *   no game, and no held-out position or its mirror is among the training rows, where none occurs twice.
 * - A game depends only on the seed, its number, the nodes and the engine's version, so neither the number of
 *   processes nor an interruption changes the files. A later call with more `positions` adds games: the
 *   held-out file stays as it is, the training files are written anew with the same rows and more.
 * - Every finished game is kept at once in the folder `games.part`, which may be deleted when no more rows are wanted.
 *
 * Rows are held in memory until they are written: about 1 kB each.
 *
 * @param options What to make.
 * @param work Stops it or follows it; a stopped call is taken up by the next.
 * @throws {EngineError} If Stockfish is missing or fails.
 * @throws {RangeError} If a number makes no sense.
 * @throws {DataError} If the folder holds a set with another seed, other nodes, another engine or other sizes.
 */
export async function makeTeacherSet(options: TeacherOptions, work: LongWork = {}): Promise<TeacherReport> {
  const { seed = 1, nodes = 8000, processes = 2, hold = 4096, val = 2048, perGame = 32 } = options;
  const wanted = { positions: options.positions, nodes, processes, hold, val, perGame };
  for (const [name, value] of Object.entries(wanted)) {
    const least = name === "positions" || name === "hold" || name === "val" ? 0 : 1;
    if (!Number.isInteger(value) || value < least) {
      throw new RangeError(
        `Cannot make a teacher set: ${name} is ${value}, a whole number of at least ${least} is wanted`,
      );
    }
  }
  const collected = new TeacherRows(seed, hold, val, perGame, options.positions);
  await using engines = new AsyncDisposableStack();
  const players: UciEngine[] = [];
  for (let i = 0; i < processes; i++) {
    players.push(
      engines.use(await UciEngine.start({ path: options.stockfish, options: { Threads: 1, Hash: 1 } })),
    );
  }
  const engine = players[0]!.name;
  const games = new GameStore(join(options.out, GAMES));
  await keepSettings(join(options.out, GAMES, "settings.json"), { engine, seed, nodes });
  await keepSettings(join(options.out, "teacher.json"), { engine, seed, nodes, hold, val, perGame });

  // Games finish out of order; they are taken into the set in order.
  const finished = new Map<number, readonly ShardRow[]>();
  let started = 0;
  let taken = 0;
  let played = 0;
  const total = hold + val + options.positions;
  const report = () =>
    work.onProgress?.({ task: "playing", done: collected.count, total, unit: "positions" });
  await Promise.all(players.map(async (player) => {
    while (!collected.full) {
      work.signal?.throwIfAborted();
      const game = started++;
      let rows = await games.load(game);
      if (rows === undefined) {
        rows = await playTeacherGame(player, game, { seed, nodes }, work.signal);
        await games.save(game, rows);
        played++;
      }
      finished.set(game, rows);
      for (; finished.has(taken) && !collected.full; taken++) {
        collected.add(taken, finished.get(taken)!);
        finished.delete(taken);
      }
      report();
    }
  }));
  return { engine, ...await collected.write(options.out), played };
}

/** Finished games, a file each, written whole or not at all. */
class GameStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  #path(game: number): string {
    return join(this.#folder, `${String(game).padStart(6, "0")}.msgpack.zst`);
  }

  /** A game's rows; `undefined` where it has not been played, or its file is damaged: it is then played again. */
  async load(game: number): Promise<ShardRow[] | undefined> {
    if (!await exists(this.#path(game))) return undefined;
    try {
      const rows: ShardRow[] = [];
      for await (const row of readShard(this.#path(game))) rows.push(row);
      return rows;
    } catch (error) {
      if (error instanceof ShardError) return undefined;
      throw error;
    }
  }

  async save(game: number, rows: readonly ShardRow[]): Promise<void> {
    await writeFileAtomic(this.#path(game), packRows(rows.map(encodeRow), 3));
  }
}

/** The rows of a set while its games come in, in order. */
class TeacherRows {
  readonly #seed: number;
  readonly #sizes: readonly [number, number, number];
  readonly #perGame: number;
  readonly #parts: [Uint8Array[], Uint8Array[], Uint8Array[]] = [[], [], []];
  readonly #seen = new Set<number>();
  #heldGames = 0;
  #trainGames = 0;

  constructor(seed: number, hold: number, val: number, perGame: number, positions: number) {
    this.#seed = seed;
    this.#sizes = [hold, val, positions];
    this.#perGame = perGame;
  }

  /** Rows taken. */
  get count(): number {
    return this.#parts.reduce((sum, rows) => sum + rows.length, 0);
  }

  /** The part that the next game goes to, 3 when all are full. */
  get #part(): number {
    const open = this.#parts.findIndex((rows, part) => rows.length < this.#sizes[part]!);
    return open < 0 ? 3 : open;
  }

  get full(): boolean {
    return this.#part === 3;
  }

  add(game: number, rows: readonly ShardRow[]): void {
    const part = this.#part;
    const into = this.#parts[part]!;
    const most = part < 2 ? HELD_ROWS_A_GAME : this.#perGame;
    const room = Math.min(most, this.#sizes[part]! - into.length);
    const fresh: { row: ShardRow; key: number }[] = [];
    for (const row of rows) {
      const key = boardKey(boardBits(row.fen));
      if (!this.#seen.has(key) && fresh.every((other) => other.key !== key)) fresh.push({ row, key });
    }
    const chosen = new Random(this.#seed, `teacher rows ${game}`).shuffle(fresh).slice(0, room);
    for (const { row, key } of chosen) {
      this.#seen.add(key);
      into.push(encodeRow(row));
    }
    if (chosen.length > 0) part < 2 ? this.#heldGames++ : this.#trainGames++;
  }

  async write(folder: string): Promise<Omit<TeacherReport, "engine" | "played">> {
    const [hold, val, train] = this.#parts.map((rows, part) =>
      new Random(this.#seed, `teacher order ${part}`).shuffle([...rows])
    ) as [Uint8Array[], Uint8Array[], Uint8Array[]];
    const files: string[] = [];
    if (hold.length + val.length > 0) {
      const name = "heldout-00000-of-00001.msgpack.zst";
      files.push(name);
      // Written once: the settings beside it say that it is the same.
      if (!await exists(join(folder, name))) {
        await writeFileAtomic(join(folder, name), packRows([...hold, ...val]));
      }
    }
    const shards = Math.ceil(train.length / SHARD_ROWS);
    const number = (n: number) => String(n).padStart(5, "0");
    for (let shard = 0; shard < shards; shard++) {
      const name = `train-${number(shard)}-of-${number(shards)}.msgpack.zst`;
      files.push(name);
      const rows = train.slice(shard * SHARD_ROWS, (shard + 1) * SHARD_ROWS);
      await writeFileAtomic(join(folder, name), packRows(rows));
    }
    for await (const { name } of Deno.readDir(folder)) {
      if (/^train-\d{5}-of-\d{5}\.msgpack\.zst$/.test(name) && !files.includes(name)) {
        await Deno.remove(join(folder, name));
      }
    }
    return {
      files,
      hold: hold.length,
      val: val.length,
      train: train.length,
      heldGames: this.#heldGames,
      trainGames: this.#trainGames,
    };
  }
}
