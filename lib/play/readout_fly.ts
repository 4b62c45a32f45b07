import { boardBits, movePolicy } from "../chess/mod.ts";
import { READOUT_COLUMNS } from "../readout/mod.ts";
import type { ReadoutFly } from "./favourites.ts";
import { FlyMind } from "./fly_mind.ts";
import type { Game } from "./game.ts";
import { imagine } from "./imagination.ts";
import type { Choice, Player } from "./player.ts";

/** How a fly plays. */
export interface FlyPlayerOptions {
  /** What it is called; `fly` by default. */
  readonly name?: string | undefined;
  /**
   * How far it trusts its value of the board after each of its moves: a number from 0, or Infinity. Without it the
   * fly looks at the board once and imagines nothing.
   */
  readonly imagination?: number | undefined;
}

/** What a fly thinks of a position. */
export interface FlyThought {
  /** The move that it plays. */
  readonly move: string;
  /** `[legal moves]`: how likely each is, 0 to 1, in the order of the game's `legal`. */
  readonly probability: Float64Array;
  /** Who wins, as its value readout sees it: -1 to 1 for the side to move. */
  readonly value: number;
  /** With imagination, `[legal moves]`: how good the board after each is for the fly, -1 to 1. */
  readonly imagined?: readonly number[];
}

/**
 * A fly that plays its favourite: of all legal moves the one that its readout likes best, unless it brings back an
 * earlier position of the game; then the best one that does not (reference, "Measuring strength"). With imagination it
 * also looks at the board after each of its moves, all in one batch, and `imagine` chooses.
 *
 * Games that ask at the same moment go through the brain together. The brain is the caller's to dispose of.
 */
export class FlyPlayer implements Player {
  /** What it is called. */
  readonly name: string;
  /** How far its values are trusted; `undefined` where it imagines nothing. */
  readonly imagination: number | undefined;
  readonly #mind: FlyMind;

  /**
   * Seats a fly at the board.
   *
   * @param fly Its eye, brain and readout.
   * @param options Its name and imagination.
   * @throws {RangeError} If the weight of imagination is negative.
   */
  constructor(fly: ReadoutFly, options: FlyPlayerOptions = {}) {
    const { name = "fly", imagination } = options;
    if (imagination !== undefined && !(imagination >= 0)) {
      throw new RangeError(`Cannot imagine: the weight is ${imagination}, 0 or more is wanted`);
    }
    this.name = name;
    this.imagination = imagination;
    this.#mind = new FlyMind(fly);
  }

  /** How often its brain was read. */
  get brainReads(): number {
    return this.#mind.reads;
  }

  /**
   * Looks at a position and says all it thinks of it.
   *
   * @param game A game that goes on.
   * @param options Another weight of imagination than its own; `null` for none.
   * @throws {RangeError} If there is no legal move.
   */
  async think(game: Game, options: { readonly imagination?: number | null } = {}): Promise<FlyThought> {
    const weight = options.imagination === undefined ? this.imagination : options.imagination ?? undefined;
    const { legal } = game;
    const looks = legal.map((move) => game.look(move));
    const boards = [boardBits(game.board)];
    if (weight !== undefined) {
      for (const { board, outcome } of looks) if (!ended(outcome)) boards.push(boardBits(board));
    }
    const scores = await this.#mind.scores(boards);
    const valueOf = (board: number) => Math.tanh(scores[board]![READOUT_COLUMNS - 1]!);
    const probability = movePolicy(scores[0]!, legal);
    const thought = { probability, value: valueOf(0) };
    if (weight === undefined) {
      const order = [...legal.keys()].sort((a, b) => probability[b]! - probability[a]! || a - b);
      const chosen = order.find((i) => !looks[i]!.goesBack) ?? order[0]!;
      return { ...thought, move: legal[chosen]!.uci };
    }
    let next = 1;
    // After the move the readout speaks for the other side: hence the minus (reference, section 11).
    const imagined = looks.map(({ outcome }) =>
      ended(outcome) ? (outcome!.winner === undefined ? 0 : 1) : -valueOf(next++)
    );
    const chosen = imagine({
      probability,
      value: imagined,
      mates: looks.map(({ outcome }) => outcome?.ending === "checkmate"),
      draws: looks.map(({ outcome }) => ended(outcome) && outcome?.ending !== "checkmate"),
      goesBack: looks.map(({ goesBack }) => goesBack),
    }, weight);
    return { ...thought, move: legal[chosen]!.uci, imagined };
  }

  /** Chooses a move; its probability is the readout's own, imagination or not. */
  async choose(game: Game): Promise<Choice> {
    const { move, probability } = await this.think(game);
    return { move, probability: probability[game.legal.findIndex(({ uci }) => uci === move)]! };
  }
}

/** Whether chess itself ends the game there: the referee's move limit is no rule that a player foresees. */
function ended(outcome: ReturnType<Game["look"]>["outcome"]): boolean {
  return outcome !== undefined && outcome.ending !== "move limit";
}
