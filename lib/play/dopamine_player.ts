import { type DopamineBrain, Familiarity } from "../bio/mod.ts";
import { boardBits } from "../chess/mod.ts";
import { BOARD_BYTES } from "../data/positions.ts";
import { drive, type Eye } from "../eye/mod.ts";
import { dice } from "./_dice.ts";
import type { Game } from "./game.ts";
import type { Choice, ChooseOptions, Player } from "./player.ts";

/** A dopamine fly and the eye it sees with. */
export interface DopamineFly {
  /** Its eye. */
  readonly eye: Eye;
  /** Its brain, calibrated; the caller disposes of it. */
  readonly brain: DopamineBrain;
}

/** How a dopamine fly plays. */
export interface DopaminePlayerOptions {
  /** What it is called; `dopamine fly` by default. */
  readonly name?: string | undefined;
  /** How sharply it prefers, T, above 0; 1 by default. Only chances hang on it, and moves where it `draws`. */
  readonly temperature?: number | undefined;
  /** Whether it draws its moves by their chances, as it does when it learns from games; false by default. */
  readonly draws?: boolean | undefined;
  /** Seed of these draws; 1 by default. */
  readonly seed?: number | undefined;
  /** Whether it may bring back a position of the game though it has another move; false by default. */
  readonly mayGoBack?: boolean | undefined;
  /**
   * How strongly it is drawn to what is new, in units of approach: this times the `Familiarity` of its Kenyon cells with the
   * game's positions after its moves; 0, not at all, by default.
   */
  readonly novelty?: number | undefined;
}

/** What a dopamine fly thinks of its moves. */
export interface DopamineThought {
  /** `[legal moves]`: how much the position after each draws it, novelty included, in the order of the game's `legal`. */
  readonly approach: Float64Array;
  /** `[legal moves]`: the chance of each, softmax(approach / T). */
  readonly probability: Float64Array;
  /** `[legal moves][kenyon]`: what its Kenyon cells passed on. */
  readonly passed: Float64Array;
  /** The place of the move that it plays. */
  readonly chosen: number;
}

/**
 * A dopamine fly at the board: it looks at the position after each of its legal moves, from its own side, all in one
 * batch, and plays the one that draws it most, unless that brings back an earlier position of the game; then the best
 * one that does not (reference, section 9).
 */
export class DopaminePlayer implements Player {
  /** What it is called. */
  readonly name: string;
  readonly #fly: DopamineFly;
  readonly #temperature: number;
  readonly #draws: boolean;
  readonly #seed: number;
  readonly #mayGoBack: boolean;
  readonly #novelty: number;
  readonly #memories = new WeakMap<Game, Memory>();

  /**
   * Seats a fly at the board.
   *
   * @param fly Its eye and brain.
   * @param options Its name, and how it chooses.
   * @throws {RangeError} If the temperature is not above 0 or the weight of novelty is below it.
   */
  constructor(fly: DopamineFly, options: DopaminePlayerOptions = {}) {
    const { name = "dopamine fly", temperature = 1, draws = false, seed = 1 } = options;
    const { mayGoBack = false, novelty = 0 } = options;
    if (!(temperature > 0 && temperature < Infinity)) {
      throw new RangeError(`Cannot play: the temperature is ${temperature}, a number above 0 is wanted`);
    }
    if (!(novelty >= 0 && novelty < Infinity)) {
      throw new RangeError(
        `Cannot play: the weight of novelty is ${novelty}, a number of at least 0 is wanted`,
      );
    }
    this.name = name;
    this.#fly = fly;
    this.#temperature = temperature;
    this.#draws = draws;
    this.#seed = seed;
    this.#mayGoBack = mayGoBack;
    this.#novelty = novelty;
  }

  /**
   * Looks at the position after every legal move and says all it thinks of them.
   *
   * @param game A game that goes on.
   * @param options A signal.
   * @throws {RangeError} If there is no legal move.
   */
  async think(game: Game, options: ChooseOptions = {}): Promise<DopamineThought> {
    const { legal, board: { side } } = game;
    if (legal.length === 0) {
      throw new RangeError(`Cannot choose a move: there is none in '${game.fen}', at least 1 is wanted`);
    }
    const looks = legal.map((move) => game.look(move));
    const bits = new Uint8Array(legal.length * BOARD_BYTES);
    looks.forEach(({ board }, i) => bits.set(boardBits(board, { view: side }), i * BOARD_BYTES));
    const { eye, brain } = this.#fly;
    const { approach, passed } = await brain.look(drive(eye, bits), { signal: options.signal });
    const cells = brain.body.kenyon.length;
    const pattern = (move: number) => passed.subarray(move * cells, (move + 1) * cells);
    if (this.#novelty > 0) {
      const memory = this.#memoryOf(game, cells);
      for (let i = 0; i < legal.length; i++) approach[i]! += this.#novelty * memory.novelty(pattern(i));
    }
    const probability = softmax(approach, this.#temperature);
    const chosen = this.#draws
      ? drawn(probability, dice(this.#seed, "dopamine fly", game).float())
      : favourite(approach, looks.map(({ goesBack }) => goesBack && !this.#mayGoBack));
    const memory = this.#memories.get(game);
    if (memory !== undefined) memory.last = { plies: game.moves.length, passed: pattern(chosen).slice() };
    return { approach, probability, passed, chosen };
  }

  /** What it has met in this game; its last move counts once the game has gone on from it. */
  #memoryOf(game: Game, cells: number): Familiarity {
    let memory = this.#memories.get(game);
    if (memory === undefined) {
      this.#memories.set(game, memory = { met: new Familiarity(cells), last: undefined });
    }
    if (memory.last !== undefined && memory.last.plies < game.moves.length) {
      memory.met.meet(memory.last.passed);
      memory.last = undefined;
    }
    return memory.met;
  }

  /** Chooses a move. */
  async choose(game: Game, options: ChooseOptions = {}): Promise<Choice> {
    const { chosen, probability } = await this.think(game, options);
    return { move: game.legal[chosen]!.uci, probability: probability[chosen]! };
  }
}

/** What a fly remembers of a game. */
interface Memory {
  readonly met: Familiarity;
  /** Its choice after so many plies, and what its Kenyon cells passed on then. */
  last: { readonly plies: number; readonly passed: Float64Array } | undefined;
}

/** The place of the largest number among those that do not go back, or among all where all do. */
function favourite(approach: Float64Array, goesBack: readonly boolean[]): number {
  const fresh = goesBack.includes(false);
  let best = -1;
  approach.forEach((value, i) => {
    if (fresh && goesBack[i]!) return;
    if (best < 0 || value > approach[best]!) best = i;
  });
  return best;
}

/** The place at which the sum of chances goes above a number from 0 to 1. */
function drawn(probability: Float64Array, number: number): number {
  let sum = 0;
  const place = probability.findIndex((chance) => (sum += chance) > number);
  return place < 0 ? probability.length - 1 : place;
}

function softmax(list: Float64Array, temperature: number): Float64Array {
  const most = list.reduce((a, b) => Math.max(a, b));
  const odds = list.map((value) => Math.exp((value - most) / temperature));
  const sum = odds.reduce((a, b) => a + b);
  return odds.map((value) => value / sum);
}
