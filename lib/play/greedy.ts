import { inCheck } from "../chess/mod.ts";
import { dice } from "./_dice.ts";
import { PIECE_VALUES } from "./_material.ts";
import type { Game } from "./game.ts";
import type { Player } from "./player.ts";

/** What a check counts for, in pawns (reference, "An Elo after all"). */
const CHECK = 0.5;

/**
 * A player that takes the most it can: 1 for a pawn, 3 for a knight or bishop, 5 for a rook, 9 for a queen, 0.5 for
 * a check; any of the best moves with the same chance.
 *
 * @param options `seed` of its choice among equals, 1 by default.
 *
 * @example A rook that nobody guards
 * ```ts
 * import { Game, greedyPlayer } from "flychess/play";
 * import assert from "node:assert/strict";
 *
 * const game = new Game({ start: "4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1" });
 * assert.deepEqual(await greedyPlayer().choose(game), { move: "d2d5" });
 * ```
 */
export function greedyPlayer(options: { readonly seed?: number } = {}): Player {
  const { seed = 1 } = options;
  return {
    name: "greedy",
    choose(game) {
      const gains = game.legal.map((move) => gain(game, move));
      const most = Math.max(...gains);
      const best = game.legal.filter((_, i) => gains[i] === most);
      return Promise.resolve({ move: best[dice(seed, "greedy", game).int(best.length)]!.uci });
    },
  };
}

function gain(game: Game, move: Game["legal"][number]): number {
  const { squares, side, enPassant } = game.board;
  const flip = side === "white" ? 0 : 56;
  const to = move.to ^ flip;
  const pawnTakes = Math.abs(squares[move.from ^ flip]!) === 1 && to === enPassant;
  const taken = pawnTakes ? 1 : PIECE_VALUES[Math.abs(squares[to]!)]!;
  return taken + (inCheck(game.look(move).board) ? CHECK : 0);
}
