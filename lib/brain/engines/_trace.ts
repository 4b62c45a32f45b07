import type { Drive } from "../../eye/mod.ts";
import type { BrainModel } from "../engine.ts";

/** u = W r + x for one position; `input` holds x on entry and u on return. */
export function addInputs(model: BrainModel, rates: Float64Array, input: Float64Array): void {
  const { neurons, rowStart, pre, weight } = model;
  for (let row = 0; row < neurons; row++) {
    let sum = 0;
    for (let k = rowStart[row]!; k < rowStart[row + 1]!; k++) sum += weight[k]! * rates[pre[k]!]!;
    input[row]! += sum;
  }
}

/** z of one position at one step, in place of u. Without homeostasis mu is 0 and sigma is 1. */
export function squashInput(
  { neurons, gain, bias }: BrainModel,
  input: Float64Array,
  mean: Float64Array | Float32Array | null,
  spread: Float64Array | Float32Array | null,
): void {
  for (let j = 0; j < neurons; j++) {
    const usual = mean === null || spread === null ? input[j]! : (input[j]! - mean[j]!) / spread[j]!;
    input[j] = gain[j]! * usual + bias[j]!;
  }
}

/** r moves a part of the way (the leak) towards max(0, tanh z). */
export function moveRates(leak: number, activation: Float64Array, rates: Float64Array): void {
  for (let j = 0; j < rates.length; j++) {
    rates[j] = (1 - leak) * rates[j]! + leak * Math.max(0, Math.tanh(activation[j]!));
  }
}

/** x of one position. */
export function setDrive(drive: Drive, position: number, input: Float64Array): void {
  input.fill(0);
  for (let k = drive.start[position]!; k < drive.start[position + 1]!; k++) {
    input[drive.neuron[k]!] = drive.value?.[k] ?? 1;
  }
}

/** What one position went through, for the backward pass: all arrays are `[steps][neurons]`, step 1 first. */
export interface Trace {
  /** Input u. */
  readonly input: Float64Array[];
  /** Activation z. */
  readonly activation: Float64Array[];
  /** Rates r after each step. */
  readonly rates: Float64Array[];
}

/** Thinks about one position and keeps everything. */
export function trace(model: BrainModel, drive: Drive, position: number): Trace {
  const { neurons, steps, leak, mean, spread } = model;
  const result: Trace = { input: [], activation: [], rates: [] };
  const rates = new Float64Array(neurons);
  for (let step = 0; step < steps; step++) {
    const input = new Float64Array(neurons);
    setDrive(drive, position, input);
    addInputs(model, rates, input);
    result.input.push(input);
    const activation = input.slice();
    const part = [step * neurons, (step + 1) * neurons] as const;
    squashInput(model, activation, mean?.subarray(...part) ?? null, spread?.subarray(...part) ?? null);
    result.activation.push(activation);
    moveRates(leak, activation, rates);
    result.rates.push(rates.slice());
  }
  return result;
}
