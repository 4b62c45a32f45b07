/**
 * Those who sit at the board. A readout fly looks at a position once and says how much it likes every legal
 * move. Start with `favourites`; with `imagine` it also looks at the board after each of its moves, and no further.
 *
 * @module
 */
export { type Favourite, favourites, type ReadoutFly } from "./favourites.ts";
export { imagine, type ImaginedMoves } from "./imagination.ts";
export { type Ending, Game, type GameOptions, type Look, type Outcome } from "./game.ts";
export type { Choice, ChooseOptions, DisposablePlayer, Player } from "./player.ts";
export { randomPlayer } from "./random.ts";
export { greedyPlayer } from "./greedy.ts";
export { partlyRandom } from "./partly_random.ts";
export { EnginePlayer, type EnginePlayerOptions, lowestElo } from "./stockfish.ts";
export { FlyMind } from "./fly_mind.ts";
export { FlyPlayer, type FlyPlayerOptions, type FlyThought } from "./readout_fly.ts";
export { type Opening, OPENINGS } from "./openings.ts";
export {
  type GameResult,
  type MatchEnding,
  type MatchOptions,
  type MatchResult,
  type PlayedGame,
  playMatch,
} from "./match.ts";
export { makePgn, type PgnOptions } from "./pgn.ts";
export { type LoadedFly, serveUci, type UciServerOptions } from "./uci_server.ts";
