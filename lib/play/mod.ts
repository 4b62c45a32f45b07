/**
 * Those who sit at the board. A readout fly looks at a position once and says how much it likes every legal
 * move. Start with `favourites`.
 *
 * @module
 */
export { type Favourite, favourites, type ReadoutFly } from "./favourites.ts";
