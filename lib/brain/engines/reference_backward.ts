import type { Drive } from "../../eye/mod.ts";
import { checkDrive, checkModel, checkWalk } from "../_checks.ts";
import type { BrainModel, EngineGradients } from "../engine.ts";
import { type BrainGradients, thetaGradient } from "../gradients.ts";
import { trace } from "./_trace.ts";

/**
 * Walks an error back through the last steps of a think, in float64, line by line (reference, section 6): back
 * through the leak and the squashing, through homeostasis, and through every connection the wrong way round.
 * Checked against finite differences. It is the truth that faster engines are compared with, and slow.
 *
 * @param model The brain.
 * @param drive What the eye adds, `positions` of them.
 * @param outputGradient `[positions][neurons]`: dL / d rate after the last step, or dL / d mean rate after some.
 * @param options.window How many steps to walk back from the last one read; earlier steps get no blame.
 * @param options.steps The steps whose mean was read; the last by default. Those before the window get no error.
 * @throws {RangeError} If the sizes do not fit each other.
 */
export function referenceBackward(
  model: BrainModel,
  drive: Drive,
  outputGradient: Float64Array | Float32Array,
  { window = 6, steps = [model.steps] }: { readonly window?: number; readonly steps?: readonly number[] } =
    {},
): BrainGradients {
  checkModel(model);
  checkDrive("walk back", drive, model.neurons);
  checkWalk(outputGradient, drive.positions, model.neurons, window, Math.max(...steps));
  const { weight, gain, bias, blame } = walkBack(model, drive, outputGradient, window, steps);
  return { theta: thetaGradient(weight, model.weight), gain, bias, blame };
}

/** The walk itself. */
export function walkBack(
  model: BrainModel,
  drive: Drive,
  outputGradient: Float64Array | Float32Array,
  window: number,
  read: readonly number[],
): EngineGradients {
  const { neurons, leak, rowStart, pre, weight, gain, mean, spread } = model;
  const weightError = new Float64Array(pre.length);
  const gainError = new Float64Array(neurons), biasError = new Float64Array(neurons);
  const steps = Math.max(...read);
  const blame = new Map<number, Float64Array>();
  for (let step = steps; step > steps - window; step--) {
    blame.set(step, new Float64Array(drive.positions * neurons));
  }
  const silence = new Float64Array(neurons);

  for (let position = 0; position < drive.positions; position++) {
    const { input, activation, rates } = trace(model, drive, position);
    const given = outputGradient.subarray(position * neurons, (position + 1) * neurons);
    let rateError = new Float64Array(neurons);
    for (let step = steps; step > steps - window; step--) {
      if (read.includes(step)) {
        for (let j = 0; j < neurons; j++) rateError[j]! += given[j]! / read.length;
      }
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
  return { weight: weightError, gain: gainError, bias: biasError, blame };
}
