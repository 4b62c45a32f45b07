/**
 * How strong a player is, and how sure that is. `performanceRating` for a score against one opponent, `fitLadder`
 * for everybody at once as the reference does it, and `rateLadder` for the estimate to trust: start reading there.
 * `moveAccuracy` and `verdict` grade single moves as Lichess does.
 *
 * @module
 */
export { moveAccuracy, type Verdict, verdict, winPercent } from "./accuracy.ts";
export { bootstrapLadder, fitLadder, type FitLadderOptions, type LadderRating } from "./fit_ladder.ts";
export type { Anchor, Pairing } from "./pairing.ts";
export { type RatedLadder, type RatedPlayer, rateLadder } from "./rate_ladder.ts";
export { expectedScore, performanceRating } from "./score.ts";
