import { moveSan } from "../chess/mod.ts";
import { centipawns, readCheck, readPosition, readSpin, readWeight } from "./_uci_words.ts";
import { Game } from "./game.ts";
import type { FlyPlayer, FlyThought } from "./readout_fly.ts";

/** A fly that was loaded for a chess program. */
export interface LoadedFly extends AsyncDisposable {
  /** Who plays. */
  readonly player: FlyPlayer;
}

/** What a UCI engine is made of. */
export interface UciServerOptions {
  /** What the engine calls itself. */
  readonly name: string;
  /** The fly that is asked for until the program wants another: the default of the option `Fly`. */
  readonly fly: string;
  /** Whether it imagines to begin with; false by default. */
  readonly imagination?: boolean | undefined;
  /** How far it trusts its imagination to begin with; 1 by default (reference, section 11). */
  readonly weight?: number | undefined;
  /** Threads to begin with; 1 by default. */
  readonly threads?: number | undefined;
  /** Loads a fly. It is called again when another fly or another number of threads is set. */
  load(fly: string, threads: number): Promise<LoadedFly>;
  /** Gets every line that the engine writes, without its end. */
  say(line: string): void;
}

/** Milliseconds that `isready` waits for a fly; a large one goes on loading behind `readyok`, and `go` waits for it. */
const READY_WITHIN = 500;
/** The most legal moves that a position has. */
const MOST_MOVES = 218;
const MOST_THREADS = 64;

/** A search under way. */
interface Search {
  readonly release: PromiseWithResolvers<void>;
  readonly done: Promise<void>;
}

/**
 * A fly as an engine that any chess program can play against: the UCI protocol. It looks at a position once (with
 * imagination also at the board after each move), whatever the limits of `go`; with `infinite` and `ponder` it keeps
 * its move until it is told to say it. `info string` lines give every move's probability, as many as `MultiPV`
 * says; `eval` prints all that the fly considers.
 *
 * @param lines What the chess program writes, line by line; the end of them is `quit`.
 * @param options The engine's name, how flies are loaded, and where its lines go.
 */
export async function serveUci(lines: AsyncIterable<string>, options: UciServerOptions): Promise<void> {
  await using server = new UciServer(options);
  for await (const line of lines) {
    if (line.trim() === "quit") break;
    try {
      await server.obey(line.trim());
    } catch (error) {
      server.complain(error);
    }
  }
}

class UciServer implements AsyncDisposable {
  readonly #options: UciServerOptions;
  readonly #say: (line: string) => void;
  #fly: string;
  #imagination: boolean;
  #weight: number;
  #threads: number;
  #multiPv = 1;
  #loaded: { readonly key: string; readonly fly: Promise<LoadedFly> } | undefined;
  #game: Game | undefined = new Game({ playOn: true });
  #search: Search | undefined;

  constructor(options: UciServerOptions) {
    this.#options = options;
    this.#say = options.say;
    this.#fly = options.fly;
    this.#imagination = options.imagination ?? false;
    this.#weight = options.weight ?? 1;
    this.#threads = options.threads ?? 1;
  }

  complain(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.#say(`info string ${text.replaceAll(/\s+/g, " ")}`);
  }

  async obey(line: string): Promise<void> {
    const [command, ...words] = line.split(/\s+/);
    switch (command) {
      case "uci":
        return this.#introduce();
      case "isready":
        await this.#ready();
        return this.#say("readyok");
      case "setoption":
        return this.#set(line);
      case "position":
        this.#game = undefined;
        this.#game = readPosition(words);
        return;
      case "go":
        await this.#stop();
        this.#go(words);
        return;
      case "stop":
      case "ponderhit":
        // Not awaited: `isready` has to be answered while the fly thinks.
        this.#search?.release.resolve();
        return;
      case "eval":
        await this.#stop();
        return await this.#eval();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
    await this.#unload();
  }

  #introduce(): void {
    this.#say(`id name ${this.#options.name}`);
    this.#say("id author the flychess authors");
    this.#say(`option name Fly type string default ${this.#options.fly}`);
    this.#say(`option name Imagination type check default ${this.#imagination}`);
    this.#say(`option name Weight type string default ${this.#weight === Infinity ? "inf" : this.#weight}`);
    this.#say(`option name Threads type spin default ${this.#threads} min 1 max ${MOST_THREADS}`);
    this.#say(`option name MultiPV type spin default 1 min 1 max ${MOST_MOVES}`);
    this.#say("uciok");
  }

  #set(line: string): void {
    const match = /^setoption\s+name\s+(.+?)(?:\s+value\s+(.*))?$/i.exec(line);
    const name = match?.[1]?.toLowerCase() ?? "";
    const value = match?.[2]?.trim() ?? "";
    switch (name) {
      case "fly":
        this.#fly = value;
        break;
      case "imagination":
        this.#imagination = readCheck("Imagination", value);
        break;
      case "weight":
        this.#weight = readWeight(value);
        break;
      case "threads":
        this.#threads = readSpin("Threads", value, [1, MOST_THREADS]);
        break;
      case "multipv":
        this.#multiPv = readSpin("MultiPV", value, [1, MOST_MOVES]);
        break;
      default:
        throw new RangeError(`Cannot set ${match?.[1] ?? "an option"}: there is no such option`);
    }
  }

  /** Starts loading the fly that is wanted now, if it is not there. */
  #load(): Promise<LoadedFly> {
    const key = `${this.#threads} ${this.#fly}`;
    if (this.#loaded?.key !== key) {
      const before = this.#unload();
      const [name, threads] = [this.#fly, this.#threads];
      const fly = before.then(() => this.#options.load(name, threads));
      fly.catch(() => {});
      this.#loaded = { key, fly };
    }
    return this.#loaded.fly;
  }

  async #unload(): Promise<void> {
    const loaded = this.#loaded;
    this.#loaded = undefined;
    // A fly that could not be loaded has nothing to give back; whoever asked for it has been told.
    const fly = await loaded?.fly.catch(() => undefined);
    await fly?.[Symbol.asyncDispose]();
  }

  async #ready(): Promise<void> {
    if (this.#search !== undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, READY_WITHIN));
    try {
      await Promise.race([this.#load(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #stop(): Promise<void> {
    this.#search?.release.resolve();
    await this.#search?.done;
  }

  #go(words: readonly string[]): void {
    const release = Promise.withResolvers<void>();
    if (!words.includes("infinite") && !words.includes("ponder")) release.resolve();
    const done = this.#answer(words, release.promise).finally(() => this.#search = undefined);
    this.#search = { release, done };
  }

  async #answer(words: readonly string[], release: Promise<void>): Promise<void> {
    const started = performance.now();
    const game = this.#game;
    const lines = this.#multiPv;
    let best = "(none)";
    try {
      if (game === undefined) throw new RangeError("Cannot think: there is no position");
      if (game.legal.length > 0) {
        const thought = await this.#think(game);
        const order = ranking(game, thought, words);
        best = order[0] === undefined ? best : game.legal[order[0]]!.uci;
        const time = Math.round(performance.now() - started);
        const looks = thought.imagined === undefined ? 1 : 1 + game.legal.length;
        order.slice(0, lines).forEach((i, rank) => {
          const { uci } = game.legal[i]!;
          const mates = game.look(game.legal[i]!).outcome?.ending === "checkmate";
          // Without imagination the fly has one value, of the board that it looks at.
          const score = mates ? "mate 1" : `cp ${centipawns(thought.imagined?.[i] ?? thought.value)}`;
          const search = `nodes ${looks} time ${time} nps ${Math.round(1000 * looks / Math.max(1, time))}`;
          const chance = `${(100 * thought.probability[i]!).toFixed(1)} %`;
          this.#say(`info string ${uci} ${moveSan(game.fen, uci)} probability ${chance}`);
          this.#say(`info depth 1 seldepth 1 multipv ${rank + 1} score ${score} ${search} pv ${uci}`);
        });
      }
    } catch (error) {
      this.complain(error);
    }
    await release;
    this.#say(`bestmove ${best}`);
  }

  async #think(game: Game): Promise<FlyThought> {
    const { player } = await this.#load();
    return await player.think(game, { imagination: this.#imagination ? this.#weight : null });
  }

  async #eval(): Promise<void> {
    const game = this.#game;
    if (game === undefined) throw new RangeError("Cannot look: there is no position");
    if (game.legal.length === 0) return this.#say(`The game is over: ${game.outcome!.ending}.`);
    const thought = await this.#think(game);
    const { probability, value, imagined } = thought;
    this.#say(`Position     ${game.fen}`);
    this.#say(`Value        ${value.toFixed(3)} (-1 lost, 1 won, for the side to move)`);
    this.#say(`Imagination  ${imagined === undefined ? "off" : `on, weight ${this.#weight}`}`);
    this.#say(`Plays        ${moveSan(game.fen, thought.move)}`);
    this.#say("move      probability" + (imagined === undefined ? "" : "  value after") + "  remarks");
    const order = [...game.legal.keys()].sort((a, b) => probability[b]! - probability[a]!);
    for (const i of order) {
      const { uci } = game.legal[i]!;
      const { outcome, goesBack } = game.look(game.legal[i]!);
      const remarks = [outcome?.ending, goesBack ? "brings an earlier position back" : undefined];
      this.#say(
        [
          moveSan(game.fen, uci).padEnd(8),
          `${(100 * probability[i]!).toFixed(2)} %`.padStart(13),
          imagined === undefined ? "" : `  ${imagined[i]!.toFixed(3).padStart(11)}`,
          "  ",
          remarks.filter((each) => each !== undefined).join(", "),
        ].join("").trimEnd(),
      );
    }
  }
}

/** The moves that may be played, the chosen one first, the others as the fly likes them. */
function ranking(game: Game, { move, probability }: FlyThought, words: readonly string[]): number[] {
  const at = words.indexOf("searchmoves");
  const wanted = at < 0
    ? []
    : words.slice(at + 1).filter((word) => game.legal.some(({ uci }) => uci === word));
  const chosen = (i: number) => game.legal[i]!.uci === move ? 1 : 0;
  return [...game.legal.keys()]
    .filter((i) => wanted.length === 0 || wanted.includes(game.legal[i]!.uci))
    .sort((a, b) => chosen(b) - chosen(a) || probability[b]! - probability[a]!);
}
