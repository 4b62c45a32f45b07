import { dice } from "./_dice.ts";
import type { Player } from "./player.ts";

/**
 * A player that plays any legal move.
 *
 * @param options `seed` of its moves, 1 by default. Games of one `id` get the same dice.
 */
export function randomPlayer(options: { readonly seed?: number } = {}): Player {
  const { seed = 1 } = options;
  return {
    name: "random",
    choose: (game) =>
      Promise.resolve({ move: game.legal[dice(seed, "random", game).int(game.legal.length)]!.uci }),
  };
}
