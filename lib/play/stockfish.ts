import { EngineError, UciEngine, type UciEngineOptions } from "../chess/mod.ts";
import type { Game } from "./game.ts";
import type { Choice, ChooseOptions, DisposablePlayer } from "./player.ts";

/** How strong an engine plays, and how long it thinks. */
export interface EnginePlayerOptions extends Pick<UciEngineOptions, "path" | "args" | "timeout" | "options"> {
  /** Positions searched a move; 10,000 by default. Time would depend on how busy the machine is. */
  readonly nodes?: number | undefined;
  /** Plays at this `UCI_Elo`; full strength by default. `"lowest"` is the lowest that the engine offers. */
  readonly elo?: number | "lowest" | undefined;
  /** Plays at this `Skill Level`, instead of an Elo. */
  readonly skill?: number | undefined;
}

/**
 * Stockfish or another UCI engine as a player. Each game at once has a process of its own; one that hung or died is
 * never asked again. Close it when done (`await using`).
 *
 * Only full strength with a limit in nodes plays the same game twice: before every move the engine forgets what it
 * has searched.
 */
export class EnginePlayer implements DisposablePlayer {
  /** What it is called: the engine with its version, and its strength. */
  readonly name: string;
  /** The engine with its version. */
  readonly engineName: string;
  /** The Elo that it was set to, if it was. */
  readonly elo: number | undefined;
  readonly #start: () => Promise<UciEngine>;
  readonly #nodes: number;
  readonly #free: UciEngine[];
  readonly #open: Set<UciEngine>;
  #closed = false;

  private constructor(
    first: UciEngine,
    start: () => Promise<UciEngine>,
    details: { strength: string; elo: number | undefined; nodes: number },
  ) {
    this.engineName = first.name;
    this.name = `${first.name}${details.strength}, ${details.nodes.toLocaleString("en-US")} nodes`;
    this.elo = details.elo;
    this.#start = start;
    this.#nodes = details.nodes;
    this.#free = [first];
    this.#open = new Set([first]);
  }

  /**
   * Starts an engine and sets its strength.
   *
   * @param options Which program and how strong.
   * @throws {RangeError} If both an Elo and a skill level are asked for, or one that the engine does not offer; an
   * engine itself would silently play at its lowest.
   * @throws {EngineError} If the program is missing or does not speak UCI.
   */
  static async create(options: EnginePlayerOptions): Promise<EnginePlayer> {
    const { nodes = 10_000, elo, skill, path, args, timeout } = options;
    if (elo !== undefined && skill !== undefined) {
      throw new RangeError(
        "Cannot weaken an engine: an Elo and a skill level are given, one of them is wanted",
      );
    }
    if (!Number.isInteger(nodes) || nodes < 1) {
      throw new RangeError(`Cannot play: nodes is ${nodes}, a whole number of at least 1 is wanted`);
    }
    const start = () =>
      UciEngine.start({
        path,
        ...(args ? { args } : {}),
        ...(timeout === undefined ? {} : { timeout }),
        ...(options.options ? { options: options.options } : {}),
      });
    const first = await start();
    try {
      const wanted = elo === "lowest" ? lowestElo(first) : elo;
      const weaken = async (engine: UciEngine) => {
        if (engine.options.has("threads")) await engine.setOption("Threads", 1);
        if (wanted !== undefined) {
          await engine.setOption("UCI_LimitStrength", true);
          await engine.setOption("UCI_Elo", wanted);
        }
        if (skill !== undefined) await engine.setOption("Skill Level", skill);
        return engine;
      };
      await weaken(first);
      const strength = wanted !== undefined
        ? ` at Elo ${wanted}`
        : skill !== undefined
        ? ` at skill ${skill}`
        : "";
      const startWeak = async () => {
        const engine = await start();
        try {
          return await weaken(engine);
        } catch (error) {
          await engine.close();
          throw error;
        }
      };
      return new EnginePlayer(first, startWeak, { strength, elo: wanted, nodes });
    } catch (error) {
      await first.close();
      throw error;
    }
  }

  /**
   * Chooses a move with an engine that is free, or a new one.
   *
   * @throws {EngineError} If the engine dies, hangs or answers nonsense; the next call starts a fresh one.
   */
  async choose(game: Game, options: ChooseOptions = {}): Promise<Choice> {
    if (this.#closed) throw new EngineError(`Cannot use ${this.name}: it has been closed`);
    const engine = this.#free.pop() ?? await this.#add();
    try {
      await engine.newGame();
      const move = await engine.play(game.start, {
        nodes: this.#nodes,
        moves: game.moves,
        signal: options.signal,
      });
      if (move === undefined) {
        throw new EngineError(`Cannot go on: ${this.name} gives no move in '${game.fen}', one is wanted`);
      }
      this.#free.push(engine);
      return { move };
    } catch (error) {
      this.#open.delete(engine);
      await engine.close();
      throw error;
    }
  }

  async #add(): Promise<UciEngine> {
    const engine = await this.#start();
    if (this.#closed) {
      await engine.close();
      throw new EngineError(`Cannot use ${this.name}: it has been closed`);
    }
    this.#open.add(engine);
    return engine;
  }

  /** Ends every process. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#free.length = 0;
    await Promise.all([...this.#open].map((engine) => engine.close()));
    this.#open.clear();
  }
}

/**
 * The lowest Elo that an engine can be set to, as its own option line says: 1350 in Stockfish 15.1.
 *
 * @param engine A running engine.
 * @throws {RangeError} If it has no such option.
 */
export function lowestElo(engine: UciEngine): number {
  const lowest = engine.options.get("uci_elo")?.min;
  if (lowest === undefined) {
    throw new RangeError(
      `Cannot weaken ${engine.name}: it says no lowest UCI_Elo, an engine with one is wanted`,
    );
  }
  return lowest;
}
