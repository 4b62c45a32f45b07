import {
  type DopamineBrain,
  EligibilityTrace,
  exchangeDopamine,
  materialBalance,
  type PlasticityOptions,
  weaken,
} from "../../bio/mod.ts";
import { inCheck } from "../../chess/mod.ts";
import type { Eye } from "../../eye/mod.ts";
import { DopaminePlayer, Game, type Player } from "../../play/mod.ts";
import type { BioState } from "./_bio_state.ts";

/** Games over which its results are averaged, and how good they must be for a harder opponent (reference, section 10). */
const RECENT = 50, GOOD = 0.6;

/** A game that taught. */
export interface TaughtGame {
  /** 1 the fly won, 0.5 a draw, 0 it lost. */
  readonly result: number;
  /** Moves of both sides. */
  readonly plies: number;
  /** How it ended. */
  readonly ending: string;
}

/** How a game is played. */
export interface TaughtGameOptions extends PlasticityOptions {
  /** Its number, from 0: the fly has White in even ones. */
  readonly number: number;
  readonly temperature: number;
  readonly moveLimit: number;
  readonly seed: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Plays a game and learns from it as it goes: after every reply dopamine for what was won or lost meanwhile, at the end for
 * the result, each meeting the trace of the fly's own moves (reference, section 10).
 */
export async function playTaughtGame(
  brain: DopamineBrain,
  eye: Eye,
  opponent: Player,
  { number, temperature, moveLimit, seed, signal, rate, drift }: TaughtGameOptions,
): Promise<TaughtGame> {
  const game = new Game({ moveLimit, id: `lesson ${number}` }), side = number % 2 === 0 ? "white" : "black";
  const fly = new DopaminePlayer({ eye, brain }, { temperature, draws: true, seed });
  const cells = brain.body.kenyon.length, trace = new EligibilityTrace(cells);
  const dose = (dopamine: number) =>
    weaken(brain.synapses, brain.body, trace.tags(dopamine), { rate, drift });
  if (side === "black") game.play((await opponent.choose(game, { signal })).move);
  while (game.outcome === undefined) {
    const before = materialBalance(game.board, side);
    const { chosen, passed } = await fly.think(game, { signal });
    trace.add(passed.subarray(chosen * cells, (chosen + 1) * cells));
    game.play(game.legal[chosen]!.uci);
    if (game.outcome !== undefined) break;
    game.play((await opponent.choose(game, { signal })).move);
    if (game.outcome !== undefined) break;
    dose(
      exchangeDopamine({ before, after: materialBalance(game.board, side), inCheck: inCheck(game.board) }),
    );
  }
  const { winner, ending } = game.outcome!;
  const score = winner === undefined ? 0 : winner === side ? 1 : -1;
  dose(score);
  return { result: (score + 1) / 2, plies: game.moves.length, ending };
}

/** Where the run is after a game: its opponent gets harder once its last results are good. */
export function afterGame(state: BioState, result: number, opponents: number): BioState {
  const results = [...state.results, result].slice(-RECENT), given = state.given + 1;
  const mean = results.reduce((a, b) => a + b) / results.length;
  return results.length === RECENT && mean > GOOD && state.level + 1 < opponents
    ? { ...state, given, level: state.level + 1, results: [] }
    : { ...state, given, results };
}
