import { Random } from "../common/mod.ts";
import type { Game } from "./game.ts";

/**
 * Random numbers for one move of one game. They depend on nothing but the seed, the game's `id` and its ply, so that games
 * played at once come out as they would one after the other.
 */
export function dice(seed: number, who: string, game: Game): Random {
  return new Random(seed, `${who}/${game.id}/${game.moves.length}`);
}
