import { dice } from "./_dice.ts";
import type { Player } from "./player.ts";

/**
 * A player some of whose moves are any legal move: the rungs of a ladder below the weakest engine (reference,
 * section 13).
 *
 * @param player Who plays the others. Dispose of it yourself.
 * @param share How many are random, from 0 to 1.
 * @param options `seed` of the random ones, 1 by default.
 * @throws {RangeError} If the share is not from 0 to 1.
 */
export function partlyRandom(
  player: Player,
  share: number,
  options: { readonly seed?: number } = {},
): Player {
  if (!(share >= 0 && share <= 1)) {
    throw new RangeError(`Cannot mix in random moves: their share is ${share}, 0 to 1 is wanted`);
  }
  const { seed = 1 } = options;
  return {
    name: `${player.name}, ${Math.round(100 * share)} % random`,
    choose(game, chooseOptions) {
      const random = dice(seed, "partly random", game);
      if (random.float() >= share) return player.choose(game, chooseOptions);
      return Promise.resolve({ move: game.legal[random.int(game.legal.length)]!.uci });
    },
  };
}
