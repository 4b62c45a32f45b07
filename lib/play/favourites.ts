import { boardBits, legalMoves, movePolicy, moveSan } from "../chess/mod.ts";
import type { FlyBrain } from "../brain/mod.ts";
import type { Eye } from "../eye/mod.ts";
import type { Readout } from "../readout/mod.ts";
import { FlyMind } from "./fly_mind.ts";

/** A brain that answers: its eye, its neurons and the readout of its descending neurons. */
export interface ReadoutFly {
  /** What shows it the board. */
  readonly eye: Eye;
  /** A calibrated brain. */
  readonly brain: FlyBrain;
  /** Fitted on this brain's descending neurons. */
  readonly readout: Readout;
  /** The steps whose mean the readout reads; the last step by default. */
  readonly steps?: readonly number[];
  /** Whether the readout reads each of `steps` on its own, side by side, instead of their mean. */
  readonly apart?: boolean;
}

/** A legal move and how much the fly likes it. */
export interface Favourite {
  /** The move as `e2e4` or `e7e8q`. */
  readonly uci: string;
  /** The move as people write it: `Nf6`, `O-O`. */
  readonly san: string;
  /** From 0 to 1; all legal moves add up to 1. */
  readonly probability: number;
}

/**
 * Shows a position to a fly and asks for its opinion of every legal move.
 *
 * @param fly Who is asked.
 * @param fen The position; the side to move is the fly's.
 * @returns Every legal move, the favourite first; empty where the game is over.
 * @throws {DataError} If the FEN is wrong.
 */
export async function favourites(fly: ReadoutFly, fen: string): Promise<Favourite[]> {
  const moves = legalMoves(fen);
  if (moves.length === 0) return [];
  const [scores] = await new FlyMind(fly).scores([boardBits(fen)]);
  const probabilities = movePolicy(scores!, moves);
  return moves
    .map((move, i) => ({ uci: move.uci, san: moveSan(fen, move.uci), probability: probabilities[i]! }))
    .sort((a, b) => b.probability - a.probability);
}
