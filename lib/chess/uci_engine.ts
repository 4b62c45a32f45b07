import { type EngineLine, LineCollector } from "./_engine_lines.ts";
import { type EngineOption, makeSetOption, parseOption } from "./_engine_option.ts";
import { EngineProcess } from "./_engine_process.ts";

export type { EngineLine } from "./_engine_lines.ts";
export type { EngineOption } from "./_engine_option.ts";
export { EngineError } from "./_engine_process.ts";

/** How to start an engine. */
export interface UciEngineOptions {
  /** The program: a path, or a name to look for on the PATH. */
  readonly path: string;
  /** Words after the program's name. */
  readonly args?: readonly string[];
  /** Options to set at once, by name ("Threads", "Hash", "UCI_Elo", ...); the engine says which it has. */
  readonly options?: Readonly<Record<string, string | number | boolean>>;
  /**
   * Milliseconds without a sign of life after which an engine counts as hung, 30,000 by default. Only time in
   * which this program runs counts: a computer that slept does not make an engine late.
   */
  readonly timeout?: number;
}

/** When a search ends: at least one of the three. */
export interface SearchLimit {
  /** Positions searched. With one thread, the only limit that gives the same answer every time. */
  readonly nodes?: number;
  /** Plies. */
  readonly depth?: number;
  /** Milliseconds. */
  readonly movetime?: number;
  /** Stops the search; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How to analyse a position. */
export interface AnalyseOptions extends SearchLimit {
  /** How many of the best moves to score, 1 by default; `"all"` for every legal move. */
  readonly multiPv?: number | "all";
}

/**
 * A chess engine that speaks the UCI protocol, for example Stockfish, as a process of its own.
 *
 * Answers can be repeated only at full strength, with one thread (`Threads: 1`), a limit in nodes and `newGame`
 * before the search: an engine remembers earlier positions, threads race, clocks vary, and the options that
 * weaken play (`Skill Level`, `UCI_LimitStrength`) draw random numbers nobody can seed. Answers also differ
 * from one version of an engine to the next.
 *
 * Commands run one after the other. Whatever goes wrong ends the process, and every later call says why.
 *
 * @example The best move of a position, if Stockfish is installed
 * ```ts
 * import { EngineError, UciEngine } from "flychess/chess";
 * import assert from "node:assert/strict";
 *
 * try {
 *   await using engine = await UciEngine.start({ path: "stockfish", options: { Threads: 1 } });
 *   const lines = await engine.analyse("7k/8/6K1/8/8/8/8/R7 w - - 0 1", { nodes: 10_000 });
 *   assert.equal(lines[0]?.move, "a1a8");
 *   assert.equal(lines[0]?.mate, 1);
 * } catch (error) {
 *   assert.ok(error instanceof EngineError); // not installed here
 * }
 * ```
 */
export class UciEngine implements AsyncDisposable {
  readonly #process: EngineProcess;
  readonly #options = new Map<string, EngineOption>();
  #name = "an engine";
  #queue: Promise<unknown> = Promise.resolve();
  #multiPv: number | undefined;

  private constructor(process: EngineProcess) {
    this.#process = process;
  }

  /**
   * Starts an engine and greets it.
   *
   * @param options Which program, and what to set.
   * @throws {EngineError} If the program is missing, dies, or does not answer as UCI engines do.
   * @throws {RangeError | TypeError} If the engine has no such option, or not with such a value.
   */
  static async start(options: UciEngineOptions): Promise<UciEngine> {
    const { path, args = [], timeout = 30_000 } = options;
    if (!(timeout > 0)) {
      throw new RangeError(
        `Cannot start ${path}: the timeout is ${timeout}, milliseconds above 0 are wanted`,
      );
    }
    const engine = new UciEngine(new EngineProcess(path, args, timeout));
    try {
      const take = (line: string) => {
        if (line.startsWith("id name ")) engine.#name = line.slice(8).trim();
        const option = parseOption(line);
        if (option) engine.#options.set(option.name.toLowerCase(), option);
        return line === "uciok";
      };
      await engine.#process.command("uci", { take, life: /^(id|option) / });
      for (const [name, value] of Object.entries(options.options ?? {})) await engine.setOption(name, value);
      await engine.#ready();
    } catch (error) {
      await engine.close();
      throw error;
    }
    return engine;
  }

  /** What the engine calls itself, with its version: `Stockfish 15.1`. */
  get name(): string {
    return this.#name;
  }

  /** The options it has, by name in lower case. */
  get options(): ReadonlyMap<string, EngineOption> {
    return this.#options;
  }

  /**
   * Sets an option.
   *
   * @param name In any case.
   * @param value `true` presses a button.
   * @throws {RangeError} If the engine has no such option or does not allow the value.
   * @throws {TypeError} If the value is the wrong kind.
   */
  async setOption(name: string, value: string | number | boolean): Promise<void> {
    const option = this.#options.get(name.toLowerCase());
    if (option === undefined) {
      const names = [...this.#options.values()].map((each) => each.name).join(", ");
      throw new RangeError(
        `Cannot set the option ${name}: ${this.#name} has none of that name, only ${names}`,
      );
    }
    const line = makeSetOption(option, value);
    await this.#exclusive(async () => {
      if (option.name === "MultiPV") this.#multiPv = Number(value);
      await this.#process.send(line);
      await this.#ready();
    });
  }

  /** Makes the engine forget what it has searched. */
  newGame(): Promise<void> {
    return this.#exclusive(async () => {
      await this.#process.send("ucinewgame");
      await this.#ready();
    });
  }

  /**
   * Scores the best moves of a position, each on its own merits.
   *
   * @param fen The position; no game leads to it, so the engine sees no repetitions.
   * @param options When to stop and how many moves to score. All scores come from one depth, the last at
   * which every move was searched.
   * @returns The moves, best first; none if the game is over.
   * @throws {RangeError} If there is no limit, or the engine does not score so many moves.
   * @throws {EngineError} If the engine dies, hangs or answers nonsense.
   */
  analyse(fen: string, options: AnalyseOptions): Promise<EngineLine[]> {
    const multiPv = options.multiPv ?? 1;
    return this.#exclusive(async () => {
      await this.#setMultiPv(multiPv === "all" ? Infinity : multiPv);
      const { best, lines } = await this.#search(fen, options);
      if (best !== undefined && lines.length === 0) {
        throw this.#process.fail("it gave a best move without scoring any");
      }
      return lines;
    });
  }

  /**
   * The move the engine would play, at whatever strength its options set.
   *
   * @param fen The position the game started from.
   * @param options When to stop, and the moves played since `fen`, so that it sees repetitions.
   * @returns The move in UCI notation; `undefined` if the game is over.
   * @throws {RangeError} If there is no limit.
   * @throws {EngineError} If the engine dies, hangs or answers nonsense.
   */
  play(
    fen: string,
    options: SearchLimit & { readonly moves?: readonly string[] },
  ): Promise<string | undefined> {
    return this.#exclusive(async () => {
      await this.#setMultiPv(1);
      const { best } = await this.#search(fen, options, options.moves);
      return best;
    });
  }

  /** Ends the engine, asking first. Calling it again does nothing. */
  close(): Promise<void> {
    return this.#process.close(`Cannot use ${this.#name}: it has been closed`);
  }

  /** `close`, at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #setMultiPv(wanted: number): Promise<void> {
    const option = this.#options.get("multipv");
    const most = option?.max ?? 1;
    const value = wanted === Infinity ? most : wanted;
    if (!Number.isInteger(value) || value < 1 || value > most) {
      throw new RangeError(
        `Cannot score ${wanted} moves: ${this.#name} scores from 1 to ${most} at a time`,
      );
    }
    if (option === undefined || value === this.#multiPv) return;
    await this.#process.send(makeSetOption(option, value));
    this.#multiPv = value;
  }

  async #search(
    fen: string,
    limit: SearchLimit,
    moves: readonly string[] = [],
  ): Promise<{ best: string | undefined; lines: EngineLine[] }> {
    const { signal } = limit;
    signal?.throwIfAborted();
    const words = (["nodes", "depth", "movetime"] as const).flatMap((name) => {
      const value = limit[name];
      if (value === undefined) return [];
      if (!Number.isInteger(value) || value < 1) {
        throw new RangeError(`Cannot search: ${name} is ${value}, a whole number of at least 1 is wanted`);
      }
      return [name, value];
    });
    if (words.length === 0) {
      throw new RangeError("Cannot search: no limit is given, nodes, depth or movetime is wanted");
    }
    // A line break in either would start another command.
    if (!/^[\w/ -]+$/.test(fen)) throw new RangeError(`Cannot search: '${fen}' is no FEN`);
    const odd = moves.find((move) => !/^\w{4,5}$/.test(move));
    if (odd !== undefined) throw new RangeError(`Cannot search: '${odd}' is no move in UCI notation`);
    await this.#process.send(`position fen ${fen}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`);
    const collector = new LineCollector();
    let best: string | undefined;
    const stop = () => this.#process.send("stop").catch(() => {});
    signal?.addEventListener("abort", stop);
    try {
      const take = (line: string) => {
        if (line.startsWith("info ")) collector.add(line);
        if (!line.startsWith("bestmove")) return false;
        best = line.split(" ")[1];
        return true;
      };
      const extra = limit.movetime ?? 0;
      await this.#process.command(`go ${words.join(" ")}`, { take, life: /^info /, extra });
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    signal?.throwIfAborted();
    if (best === "(none)" || best === "0000") return { best: undefined, lines: [] };
    if (best === undefined || !/^[a-h][1-8][a-h][1-8][qrbn]?$/.test(best)) {
      throw this.#process.fail(`its best move is '${best ?? ""}', a move in UCI notation is wanted`);
    }
    return { best, lines: collector.result() };
  }

  #ready(): Promise<void> {
    return this.#process.command("isready", { take: (line) => line === "readyok", life: /^info / });
  }

  /** Runs one conversation after the other: the protocol has no way to tell two answers apart. */
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }
}
