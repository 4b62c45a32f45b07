/**
 * The brain: a connectome that thinks. `FlyBrain` gives every connection its strength, wakes the neurons up
 * (`calibrate`, called homeostasis) and runs twelve steps for each position; an engine does the arithmetic. Start
 * reading at `fly_brain.ts`, then `engines/reference.ts`, which has the equations line by line; `engine.ts` is
 * what a new engine has to do.
 *
 * The equations (reference, sections 1, 3 and 6), for neuron j, its senders i and step t = 1 to 12, from r = 0:
 *
 * ```text
 * u(t) = W r(t-1) + x
 * z(t) = alpha (u(t) - mu(t)) / sigma(t) + beta
 * r(t) = (1 - lambda) r(t-1) + lambda max(0, tanh z(t))
 * ```
 *
 * | symbol | in code | what it is | usual value |
 * |---|---|---|---|
 * | r | `rates` | how much a neuron fires, 0 to 1 | starts at 0 |
 * | x | `drive` | what the eye adds, the same at every step | 0 or 1 |
 * | u | `input` | everything that arrives at a neuron | |
 * | z | `activation` | the input after homeostasis, gain and bias | |
 * | W | `weight` | signed strength, epsilon softplus(theta) | |
 * | epsilon | `sign` | +1 the sender excites, -1 it inhibits | |
 * | theta | `theta` | the learnable number behind a strength | inverse softplus of the share of log synapses |
 * | n | `synapses` | synapses of a connection | 5 to thousands |
 * | alpha | `gain` | how strongly a neuron answers | 0.5 |
 * | beta | `bias` | its rest | 0.3 |
 * | mu | `mean` | its usual input at a step | measured |
 * | sigma | `spread` | how much that input moves between boards | measured, at least 0.02 |
 * | lambda | `leak` | how far a rate moves in a step | 0.5 |
 *
 * @module
 */
export { FlyBrain } from "./fly_brain.ts";
export { chooseEngine, type ChosenEngine } from "./choose_engine.ts";
export type {
  BackwardOptions,
  CalibrateOptions,
  FlyBrainOptions,
  ReadEachOptions,
  ReadOptions,
} from "./fly_brain_options.ts";
export type {
  BrainModel,
  Bypass,
  BypassMoment,
  Engine,
  EngineBackwardOptions,
  EngineGradients,
  Homeostasis,
  LoadedBrain,
} from "./engine.ts";
export type { BrainGradients } from "./gradients.ts";
export {
  BrainOptimiser,
  type LearningRates,
  type OptimiserOptions,
  type OptimiserState,
} from "./optimiser.ts";
export { referenceEngine } from "./engines/reference.ts";
export { referenceBackward } from "./engines/reference_backward.ts";
export {
  findWebgpu,
  type WebgpuAdapter,
  webgpuEngine,
  type WebgpuEngineOptions,
} from "./engines/webgpu/webgpu.ts";
export { tensorflowEngine, type TensorflowEngineOptions } from "./engines/tensorflow/tensorflow.ts";
export { wasmEngine, type WasmEngineOptions } from "./engines/wasm/wasm.ts";
export { initialStrengths, initialTheta, signedWeights, type StrengthOptions } from "./strengths.ts";
export { inverseSoftplus, sigmoid, softplus } from "./softplus.ts";
