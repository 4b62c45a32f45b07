/**
 * How strong a player is, and how sure that is. `performanceRating` for a score against one opponent, `fitLadder`
 * for everybody at once as the reference does it, and `rateLadder` for the estimate to trust: start reading there.
 * `moveAccuracy` and `verdict` grade single moves as Lichess does, `analyseGame` whole games, and `scoreSuite` a player on
 * 1,000 positions that ship with the library.
 *
 * @module
 */
export { moveAccuracy, type Verdict, verdict, winPercent } from "./accuracy.ts";
export {
  analyseGame,
  type GameAccuracy,
  gameAccuracy,
  type GameText,
  type GradedMove,
} from "./analyse_game.ts";
export { bootstrapLadder, fitLadder, type FitLadderOptions, type LadderRating } from "./fit_ladder.ts";
export { nextPairing, type NextPairingOptions, type PairingGain } from "./next_pairing.ts";
export type { Anchor, Pairing } from "./pairing.ts";
export { type RatedLadder, type RatedPlayer, rateLadder } from "./rate_ladder.ts";
export { expectedScore, performanceRating } from "./score.ts";
export {
  centipawnsOf,
  loadSuite,
  makeSuite,
  type MakeSuiteOptions,
  packSuite,
  SHIPPED_SUITE,
  type Suite,
  type SuitePosition,
} from "./suite.ts";
export {
  scoreRandomMover,
  scoreSuite,
  type ScoreSuiteOptions,
  type SuiteScore,
  VERDICTS,
} from "./score_suite.ts";
