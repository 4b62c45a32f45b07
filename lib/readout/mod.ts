/**
 * The readout turns numbers about a position, normally the rates of a fly's descending neurons, into moves: four linear
 * heads (from-square, to-square, promotion, value) and a softmax over the legal moves. Here they are fitted, applied and
 * judged, and here are the baselines that every brain has to beat: the blind one, the photoreceptors without a brain
 * behind them, and the silenced brain. Start with `fitProbe`, then `judge` and `summarize`; two brains are compared with
 * `pairedDifference` on the same positions.
 *
 * @module
 */
export { applyReadout, type LikelyMove, movesOf } from "./apply.ts";
export { type BlindOptions, fitBlind } from "./blind.ts";
export { boardFeatures, driveFeatures } from "./board_features.ts";
export {
  constantFeatures,
  denseFeatures,
  type DenseFeaturesOptions,
  type FeatureSource,
  noFeatures,
} from "./features.ts";
export { type FitHistory, type FitOptions, fitReadout, type FittedReadout, type StopOn } from "./fit.ts";
export { dealDeck, type Deck } from "./heads/deck.ts";
export { bestArithmetic, type HeadsArithmetic } from "./heads/_layout.ts";
export {
  headsArithmetic,
  type HeadsEngine,
  type HeadsOptions,
  type HeadsState,
  HeadsTrainer,
  type LearnOptions,
  type MeanLoss,
} from "./heads/heads_trainer.ts";
export {
  measureScaling,
  type Mixture,
  mixtureRows,
  plainScaling,
  scaleReadout,
  type Scaling,
  unscaleReadout,
} from "./heads/mixture.ts";
export { bootstrapMeans } from "./_bootstrap.ts";
export {
  beats,
  type Interval,
  type IntervalOptions,
  pairedDifference,
  type Scores,
  summarize,
} from "./intervals.ts";
export { judge, type Judged, judgeScores } from "./judge.ts";
export { policyLoss, targetShares, TAU, valueLoss, valueTarget } from "./loss.ts";
export { fitProbe, fitToEnd, PROBE, type ProbeOptions, TO_END } from "./probe.ts";
export { type Readout, READOUT_COLUMNS } from "./readout.ts";
export { loadReadout, type SavedReadout, saveReadout } from "./readout_file.ts";
