import { Random } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import type { BrainModel } from "../../engine.ts";
import { referenceEngine } from "../reference.ts";
import { referenceBackward } from "../reference_backward.ts";
import type { Gpu } from "./_gpu.ts";
import { GpuBrain } from "./_gpu_brain.ts";
import { HEAVY_ROW } from "./_gather_kernels.ts";

/** How far rates and homeostasis may be off in float32 and in half precision, and, of the largest, gradients. */
const TOLERANCE = {
  single: { values: 2e-5, gradients: 2e-5 },
  half: { values: 5e-3, gradients: 2e-2 },
};

/**
 * Runs a small fixed brain on a GPU and compares it with the reference engine: homeostasis, rates and gradients,
 * through every kernel. A driver that computes something else is not trusted with a larger one.
 *
 * @throws {Error} Naming what is off and by how much.
 */
export async function selfCheck(gpu: Gpu): Promise<void> {
  const { model, calibration, drive, error } = smallBrain();
  const options = { floor: 0.02, calm: true }, window = 3;
  const { values, gradients } = TOLERANCE[gpu.half ? "half" : "single"];
  const compare = (
    what: string,
    found: ArrayLike<number>,
    wanted: ArrayLike<number>,
    tolerance = values,
  ) => {
    let scale = 1, off = 0;
    for (let i = 0; i < wanted.length; i++) scale = Math.max(scale, Math.abs(wanted[i]!));
    for (let i = 0; i < wanted.length; i++) {
      // Not a number is not at most anything.
      if (!(Math.abs(found[i]! - wanted[i]!) <= off)) off = Math.abs(found[i]! - wanted[i]!);
    }
    if (off <= tolerance * scale) return;
    throw new Error(
      `Cannot start the webgpu engine: ${gpu.adapter.name} computes wrong ${what} for a small brain ` +
        `(off by ${off.toPrecision(2)}, at most ${tolerance * scale} is wanted); use the wasm engine`,
    );
  };

  await using truth = await referenceEngine().load(model);
  const brain = await GpuBrain.load(model, () => Promise.resolve(gpu));
  const homeostasis = await truth.calibrate(calibration, options);
  const measured = await brain.calibrate(calibration, options);
  compare("mean inputs", measured.mean, homeostasis.mean);
  compare("spreads of inputs", measured.spread, homeostasis.spread);
  const calibrated = { ...model, ...measured };
  await brain.update(calibrated);
  await using exact = await referenceEngine().load(calibrated);
  compare("rates", await brain.rates(drive), await exact.rates(drive));
  const neurons = Int32Array.of(5, 0, 47, 5), steps = [2, 4];
  compare(
    "mean rates",
    await brain.read(drive, neurons, steps),
    await exact.read(drive, neurons, steps),
  );
  const wanted = referenceBackward(calibrated, drive, error, { window });
  const everyone = Int32Array.from({ length: model.neurons }, (_, neuron) => neuron);
  const found = await brain.backward(drive, everyone, error, { window, blame: true });
  compare("gradients of gain", found.gain, wanted.gain, gradients);
  compare("gradients of bias", found.bias, wanted.bias, gradients);
  // dW / d theta = sign * sigmoid(theta), and sigmoid(theta) = 1 - e^-softplus(theta).
  const theta = Float64Array.from(
    model.weight,
    (weight, k) => found.weight[k]! * Math.sign(weight) * -Math.expm1(-Math.abs(weight)),
  );
  compare("gradients of theta", theta, wanted.theta, gradients);
  for (const [step, blame] of wanted.blame) {
    compare("blame", found.blame.get(step) ?? [], blame, gradients);
  }
}

/** 48 neurons, one of them with more inputs than a light row has and one with none; 40 boards, two lines. */
function smallBrain(): { model: BrainModel; calibration: Drive; drive: Drive; error: Float64Array } {
  const random = new Random(1, "self-check"), neurons = 48, steps = 4;
  const rowStart = new Int32Array(neurons + 1), pre: number[] = [], weight: number[] = [];
  for (let row = 0; row < neurons; row++) {
    const inputs = row === 0 ? 0 : row === 1 ? HEAVY_ROW + 44 : row % 12;
    for (let k = 0; k < inputs; k++) {
      pre.push(random.int(neurons));
      weight.push((random.float() - 0.4) * 2 / Math.sqrt(inputs));
    }
    rowStart[row + 1] = pre.length;
  }
  const drive = (positions: number): Drive => {
    const start = [0], neuron: number[] = [], value: number[] = [];
    for (let position = 0; position < positions; position++) {
      for (let j = 0; j < neurons; j += 3) {
        if (random.float() < 0.5) neuron.push(j), value.push(random.float());
      }
      start.push(neuron.length);
    }
    const [starts, ends] = [Int32Array.from(start), Int32Array.from(neuron)];
    return { positions, start: starts, neuron: ends, value: Float64Array.from(value) };
  };
  const shown = drive(40);
  return {
    model: {
      neurons,
      steps,
      leak: 0.5,
      rowStart,
      pre: Int32Array.from(pre),
      weight: Float64Array.from(weight),
      // Activations well above or below 0: close to it, rounding would decide whether a neuron gets blame.
      gain: new Float64Array(neurons).fill(0.2),
      bias: Float64Array.from({ length: neurons }, (_, j) => j % 5 === 4 ? -1 : 1),
      mean: null,
      spread: null,
    },
    calibration: drive(40),
    drive: shown,
    error: Float64Array.from({ length: shown.positions * neurons }, () => random.normal() / 8),
  };
}
