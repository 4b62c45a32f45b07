/**
 * Everything between a wired brain and one that answers: waking it (homeostasis), showing it positions, fitting
 * its readout, and setting it beside its controls. Start with `wake`, then `compareBrains`.
 *
 * @module
 */
export {
  compareBrains,
  type ComparedBrain,
  type CompareOptions,
  type Comparison,
  type Control,
  usualControls,
} from "./compare.ts";
export {
  CALIBRATION_POSITIONS,
  holdRows,
  readRows,
  type ReadRowsOptions,
  trainRows,
  valRows,
  wake,
  type WakeOptions,
} from "./read_rows.ts";
