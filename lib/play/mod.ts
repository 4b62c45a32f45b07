/**
 * Those who sit at the board, and the board. Start with `Player`, which only chooses moves, and `playMatch`, which lets two
 * of them play. `FlyPlayer` is a fly: it looks at a position once and plays its favourite move (`favourites` lists
 * all with their chances), or, with imagination, looks at the board after each of its moves and no further (`imagine`).
 * `DopaminePlayer` is a dopamine fly, which always looks at the boards after its moves.
 * `randomPlayer`, `greedyPlayer`, `EnginePlayer` (Stockfish) and `partlyRandom` are its opponents. `Game` knows the rules that
 * end a game, `makePgn` writes it down, `serveUci` lets any chess program play against a fly.
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
export {
  type DopamineFly,
  DopaminePlayer,
  type DopaminePlayerOptions,
  type DopamineThought,
} from "./dopamine_player.ts";
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
