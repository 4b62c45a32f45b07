/**
 * Those who sit at the board. A readout fly looks at a position once and says how much it likes every legal
 * move. Start with `favourites`; with `imagine` it also looks at the board after each of its moves, and no further.
 *
 * @module
 */
export { type Favourite, favourites, type ReadoutFly } from "./favourites.ts";
export { imagine, type ImaginedMoves } from "./imagination.ts";
export { type Ending, Game, type GameOptions, type Look, type Outcome } from "./game.ts";
