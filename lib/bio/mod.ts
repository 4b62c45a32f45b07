/**
 * The dopamine fly: the same brain, taught without backprop. It looks at the position after each of its moves, its
 * mushroom body's output neurons (MBONs) vote approach or avoid, and dopamine weakens synapses from the Kenyon cells
 * onto them.
 *
 * Start with `mushroomBody`, which finds the cells in a connectome, and `DopamineBrain`, which thinks with them. `weaken` is
 * the rule and `kenyonGate` what lets only the strongest Kenyon cells speak. `lessonPairs` makes lessons
 * of positions with a teacher's opinion, and `tutor` gives them. What `separation/` adds makes Kenyon cells answer differently
 * to positions one move apart: start with `SeparatedFly`. The equations
 * (reference, sections 9 and 10) stand beside each function; the symbols of the brain are listed in its own room.
 *
 * @module
 */
export type { Board, Side } from "../chess/mod.ts";
export {
  type Gate,
  type GateMoment,
  gateOf,
  type GateOptions,
  type GateVersion,
  kenyonCut,
  type KenyonGate,
  kenyonGate,
  kenyonOverlap,
  keptCells,
  patternOverlap,
} from "./kenyon_gate.ts";
export { approach, dopamineReach, type MbonInputs, mbonValence, transmitterValence } from "./valence.ts";
export {
  type DopamineReach,
  doses,
  pairsRight,
  type PlasticityOptions,
  type PlasticSynapses,
  type Tags,
  tags,
  weaken,
} from "./dopamine.ts";
export { EligibilityTrace, type Exchange, exchangeDopamine, materialBalance } from "./game_dopamine.ts";
export { type MushroomBody, mushroomBody, type MushroomBodyOptions } from "./mushroom_body.ts";
export { type TakenOut, takeOutSynapses } from "./plastic_synapses.ts";
export { DopamineBrain, type DopamineLook, type DopamineLookOptions } from "./dopamine_brain.ts";
export type { CalyxGate, DopamineBrainOptions } from "./dopamine_brain_options.ts";
export { afterstateBits } from "./afterstate_bits.ts";
export { bestMovesFound, favouriteMoves } from "./favourite_moves.ts";
export { type LessonPairs, lessonPairs, type LessonPairsOptions } from "./lesson_pairs.ts";
export { fitPairs, type PairDifferences, type PairFitOptions, pairMargins } from "./pair_ceiling.ts";
export { ownDoses, type PairDoses } from "./own_doses.ts";
export { type SilentOptions, strengthenSilent } from "./silent_synapses.ts";
export { type PairScores, scorePairs, tutor, type TutorOptions, type TutorReport } from "./tutor.ts";
export {
  type CellCut,
  type CellSignal,
  plainSignal,
  separatingGate,
  type SeparatingGateOptions,
} from "./separation/separating_gate.ts";
export { strongestCut } from "./separation/strongest_cut.ts";
export { aplCut, type AplWeights, aplWeights } from "./separation/apl_cut.ts";
export { fairThresholds, OwnThresholds, type OwnThresholdsOptions } from "./separation/own_thresholds.ts";
export { HabituatedSignal, type HabituatedSignalOptions } from "./separation/habituated_signal.ts";
export { HeardTrace, type HeardTraceOptions } from "./separation/heard_trace.ts";
export { changedDrive, type ChangedDriveOptions } from "./separation/changed_drive.ts";
export { changedSquares, type GlanceOptions, glances } from "./separation/glances.ts";
export { retune, type RetuneOptions } from "./separation/retune.ts";
export { divisiveCalyx, type DivisiveCalyxOptions, projectionNeurons } from "./separation/divisive_calyx.ts";
export { Familiarity, type FamiliarityOptions } from "./separation/familiarity.ts";
export {
  type DopamineRule,
  type SeenPairs,
  SeparatedFly,
  type SeparatedFlyOptions,
  type SeparatedLook,
  type Sight,
  taughtVotes,
  withBefore,
} from "./separation/separated_fly.ts";
export type { BrainModel, CalibrateOptions, Homeostasis } from "../brain/mod.ts";
export type { LongWork, Progress } from "../common/mod.ts";
export type { Connectome, NameColumn, NeuronTable } from "../connectome/mod.ts";
export type { Positions } from "../data/mod.ts";
export type { Drive, Eye } from "../eye/mod.ts";
