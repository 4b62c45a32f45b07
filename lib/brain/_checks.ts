import type { Drive } from "../eye/mod.ts";
import type { BrainModel, Homeostasis } from "./engine.ts";

/** Throws unless a drive fits a brain of this size: `Cannot <action>: ...`. */
export function checkDrive(action: string, drive: Drive, neurons: number): void {
  const { positions, start, neuron, value } = drive;
  const wrong = (found: string): never => {
    throw new RangeError(`Cannot ${action}: ${found}`);
  };
  if (!Number.isInteger(positions) || positions < 1) {
    wrong(`the drive has ${positions} positions, at least 1 is wanted`);
  }
  if (start.length !== positions + 1) {
    wrong(`the drive has ${start.length} starts, ${positions + 1} are wanted for ${positions} positions`);
  }
  if (start[0] !== 0 || start[positions] !== neuron.length) {
    wrong(
      `the drive's starts go from ${start[0]} to ${start[positions]}, ` +
        `0 to ${neuron.length} is wanted for that many entries`,
    );
  }
  if (value !== undefined && value.length !== neuron.length) {
    wrong(`the drive has ${value.length} values for ${neuron.length} entries, as many are wanted`);
  }
  for (let position = 0; position < positions; position++) {
    let before = -1;
    for (let k = start[position]!; k < start[position + 1]!; k++) {
      const row = neuron[k]!;
      if (row >= neurons || row < 0) {
        wrong(`position ${position} drives neuron ${row}, the brain has neurons 0 to ${neurons - 1}`);
      }
      if (row <= before) {
        wrong(`position ${position} drives neuron ${row} after ${before}, ascending order is wanted`);
      }
      before = row;
      if (value !== undefined && !Number.isFinite(value[k])) {
        wrong(`position ${position} gives neuron ${row} ${value[k]}, a finite number is wanted`);
      }
    }
    if (start[position + 1]! < start[position]!) {
      wrong(`the drive's starts go down after position ${position}, ascending order is wanted`);
    }
  }
}

/** Throws unless these neurons and steps can be read from a model. */
export function checkRead(
  neurons: Int32Array,
  steps: readonly number[],
  model: Pick<BrainModel, "neurons" | "steps">,
): void {
  for (const neuron of neurons) {
    if (neuron < 0 || neuron >= model.neurons) {
      throw new RangeError(
        `Cannot read rates: neuron ${neuron} is asked for, the brain has neurons 0 to ${model.neurons - 1}`,
      );
    }
  }
  if (steps.length === 0) {
    throw new RangeError("Cannot read rates: no step is asked for, at least 1 is wanted");
  }
  if (new Set(steps).size < steps.length) {
    throw new RangeError(`Cannot read rates: steps ${steps.join()} are asked for, each once is wanted`);
  }
  for (const step of steps) {
    if (!Number.isInteger(step) || step < 1 || step > model.steps) {
      throw new RangeError(
        `Cannot read rates: step ${step} is asked for, a step from 1 to ${model.steps} is wanted`,
      );
    }
  }
}

/** Throws unless an error can be walked back: its size, its numbers, the window. */
export function checkWalk(
  outputGradient: Float32Array | Float64Array,
  positions: number,
  neurons: number,
  window: number,
  steps: number,
): void {
  if (outputGradient.length !== positions * neurons) {
    throw new RangeError(
      `Cannot walk back: the error has ${outputGradient.length} values, ` +
        `${positions} positions x ${neurons} neurons are wanted`,
    );
  }
  checkFinite("Cannot walk back", "error", outputGradient);
  if (!Number.isInteger(window) || window < 1 || window > steps) {
    throw new RangeError(`Cannot walk back: the window is ${window}, 1 to ${steps} steps are wanted`);
  }
}

function wrong(found: string): never {
  throw new RangeError(`Cannot load a brain: ${found}`);
}

/** Throws unless a model's arrays fit each other and hold usable numbers. */
export function checkModel(model: BrainModel): void {
  const { neurons, steps, leak, rowStart, pre } = model;
  if (!Number.isInteger(steps) || steps < 1) wrong(`it takes ${steps} steps, at least 1 is wanted`);
  if (!(leak > 0 && leak <= 1)) wrong(`its leak is ${leak}, a number above 0 and at most 1 is wanted`);
  if (rowStart.length !== neurons + 1 || rowStart[0] !== 0 || rowStart[neurons] !== pre.length) {
    wrong(`its row starts do not cover ${neurons} neurons and ${pre.length} connections`);
  }
  for (let row = 0; row < neurons; row++) {
    if (rowStart[row + 1]! < rowStart[row]!) wrong(`its row starts go down at neuron ${row}`);
  }
  for (let k = 0; k < pre.length; k++) {
    if (pre[k]! < 0 || pre[k]! >= neurons) wrong(`connection ${k} comes from neuron ${pre[k]} of ${neurons}`);
  }
  checkStrengths(model);
}

/** Throws unless what an update brings fits the wiring and holds usable numbers; the wiring itself is known. */
export function checkStrengths(
  { neurons, steps, pre, weight, gain, bias, mean, spread }: BrainModel,
): void {
  if (weight.length !== pre.length) wrong(`${pre.length} weights are wanted, ${weight.length} are there`);
  checkFinite("Cannot load a brain", "weight", weight);
  for (const [name, values] of [["gain", gain], ["bias", bias]] as const) {
    if (values.length !== neurons) {
      wrong(`${neurons} values of ${name} are wanted, ${values.length} are there`);
    }
    checkFinite("Cannot load a brain", name, values);
  }
  if ((mean === null) !== (spread === null)) wrong("mean and spread are wanted together");
  if (mean !== null && spread !== null) checkHomeostasis({ mean, spread }, steps, neurons);
}

/** Throws unless homeostasis fits a brain of this size. */
export function checkHomeostasis(homeostasis: Homeostasis, steps: number, neurons: number): void {
  const { mean, spread } = homeostasis;
  const action = "Cannot use this homeostasis";
  for (const [name, values] of [["mean", mean], ["spread", spread]] as const) {
    if (values.length !== steps * neurons) {
      throw new RangeError(
        `${action}: ${name} has ${values.length} values, ${steps} steps x ${neurons} neurons are wanted`,
      );
    }
    checkFinite(action, name, values);
  }
  for (let i = 0; i < spread.length; i++) {
    if (!(spread[i]! > 0)) throw new RangeError(`${action}: spread ${i} is ${spread[i]}, above 0 is wanted`);
  }
}

function checkFinite(action: string, name: string, values: Float64Array | Float32Array): void {
  if (areFinite(values)) return;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      throw new RangeError(`${action}: ${name} ${i} is ${values[i]}, a finite number is wanted`);
    }
  }
}

/** 0 times a number is 0, unless it is not finite; four sums need not wait for each other. */
function areFinite(values: Float64Array | Float32Array): boolean {
  const { length } = values, whole = length - length % 4;
  let a = 0, b = 0, c = 0, d = 0;
  for (let i = 0; i < whole; i += 4) {
    a += 0 * values[i]!;
    b += 0 * values[i + 1]!;
    c += 0 * values[i + 2]!;
    d += 0 * values[i + 3]!;
  }
  for (let i = whole; i < length; i++) a += 0 * values[i]!;
  return a + b + c + d === 0;
}
