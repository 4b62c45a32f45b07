import type { Drive } from "../../eye/mod.ts";
import { checkDrive, checkModel } from "../_checks.ts";
import type { BrainModel } from "../engine.ts";
import { trace } from "./reference.ts";

/** What the backward pass finds, summed over the positions and the steps it walked. */
export interface BrainGradients {
  /** `[connections]`: dL / d theta. */
  readonly theta: Float64Array;
  /** `[neurons]`: dL / d gain. */
  readonly gain: Float64Array;
  /** `[neurons]`: dL / d bias. */
  readonly bias: Float64Array;
  /** Step (1 to `steps`) to `[positions][neurons]`: dL / du at that step. Only the steps walked are there. */
  readonly blame: ReadonlyMap<number, Float64Array>;
}

/**
 * Walks an error back through the last steps of a think, in float64, line by line (reference, section 6): back
 * through the leak and the squashing, through homeostasis, and through every connection the wrong way round.
 * Checked against finite differences. It is the truth that faster engines are compared with, and slow.
 *
 * @param model The brain.
 * @param drive What the eye adds, `positions` of them.
 * @param outputGradient `[positions][neurons]`: dL / d rate after the last step.
 * @param options.window How many steps to walk back, from 1 to `model.steps`; earlier steps get no blame.
 * @throws {RangeError} If the sizes do not fit each other.
 */
export function referenceBackward(
  model: BrainModel,
  drive: Drive,
  outputGradient: Float64Array | Float32Array,
  { window = 6 }: { readonly window?: number } = {},
): BrainGradients {
  const { neurons, steps, leak, rowStart, pre, weight, gain, mean, spread } = model;
  checkModel(model);
  checkDrive("walk back", drive, neurons);
  if (outputGradient.length !== drive.positions * neurons) {
    throw new RangeError(
      `Cannot walk back: the error has ${outputGradient.length} values, ` +
        `${drive.positions} positions x ${neurons} neurons are wanted`,
    );
  }
  if (!Number.isInteger(window) || window < 1 || window > steps) {
    throw new RangeError(`Cannot walk back: the window is ${window}, 1 to ${steps} steps are wanted`);
  }
  const weightError = new Float64Array(pre.length);
  const gainError = new Float64Array(neurons), biasError = new Float64Array(neurons);
  const blame = new Map<number, Float64Array>();
  for (let step = steps; step > steps - window; step--) {
    blame.set(step, new Float64Array(drive.positions * neurons));
  }
  const silence = new Float64Array(neurons);

  for (let position = 0; position < drive.positions; position++) {
    const { input, activation, rates } = trace(model, drive, position);
    let rateError = Float64Array.from(
      outputGradient.subarray(position * neurons, (position + 1) * neurons),
    );
    for (let step = steps; step > steps - window; step--) {
      const inputError = blame.get(step)!.subarray(position * neurons, (position + 1) * neurons);
      const before = step > 1 ? rates[step - 2]! : silence;
      const earlierError = rateError.map((error) => (1 - leak) * error);
      for (let j = 0; j < neurons; j++) {
        const z = activation[step - 1]![j]!;
        const zError = z > 0 ? leak * rateError[j]! * (1 - Math.tanh(z) ** 2) : 0;
        const at = (step - 1) * neurons + j;
        const mu = mean?.[at] ?? 0, sigma = spread?.[at] ?? 1;
        gainError[j]! += zError * (input[step - 1]![j]! - mu) / sigma;
        biasError[j]! += zError;
        inputError[j] = zError * gain[j]! / sigma;
        for (let k = rowStart[j]!; k < rowStart[j + 1]!; k++) {
          weightError[k]! += inputError[j]! * before[pre[k]!]!;
          earlierError[pre[k]!]! += weight[k]! * inputError[j]!;
        }
      }
      rateError = earlierError;
    }
  }
  // dW / d theta = sign * sigmoid(theta), and sigmoid(theta) = 1 - e^-softplus(theta).
  const theta = weightError.map((error, k) =>
    error * Math.sign(weight[k]!) * -Math.expm1(-Math.abs(weight[k]!))
  );
  return { theta, gain: gainError, bias: biasError, blame };
}
