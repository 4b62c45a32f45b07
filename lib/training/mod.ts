/**
 * Everything between a wired brain and one that answers: waking it (homeostasis), showing it positions, fitting
 * its readout, and setting it beside its controls. Start with `wake`, then `compareBrains`.
 *
 * @module
 */
export { brainGradients, type BrainGradientsOptions, type LossGradients } from "./brain_gradients.ts";
export { brainOp, type BrainOpOptions } from "./brain_op.ts";
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
export type { Scalar, Tensor, Tensor2D } from "./tensors.ts";
