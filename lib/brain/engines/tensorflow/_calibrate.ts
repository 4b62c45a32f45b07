import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import { breather } from "../../../common/_breather.ts";
import type { BrainModel, Homeostasis } from "../../engine.ts";
import { foldStep, type Resident } from "./_resident.ts";
import { denseDrive, inputs, settle } from "./_tensorflow_brain.ts";
import type { Id, Tensors } from "./_tensors.ts";

/** An input that varies less than this between boards has not been reached by them (reference, section 3). */
const UNREACHED_VARIANCE = 1e-10;

/** Measures homeostasis: all positions' inputs of a step, then their means and deviations, then the rates that follow. */
export async function calibrate(
  room: Tensors,
  model: BrainModel,
  brain: Resident,
  drive: Drive,
  batch: number,
  { floor, calm, signal, onProgress }: LongWork & { readonly floor: number; readonly calm: boolean },
): Promise<Homeostasis> {
  const { neurons, steps } = model, { positions } = drive;
  const mean = new Float64Array(steps * neurons), spread = new Float64Array(steps * neurons);
  const batches = Array.from({ length: Math.ceil(positions / batch) }, (_, i) => {
    const count = Math.min(batch, positions - i * batch), width = 16 * Math.ceil(count / 16);
    const x = room.float(denseDrive(drive, i * batch, width, neurons), [neurons, width]);
    return { count, width, x, before: null as Id | null };
  });
  const breathe = breather(signal);
  for (let step = 0; step < steps; step++) {
    const found: { input: Id; values: Float32Array; count: number; width: number }[] = [];
    for (const { count, width, x, before } of batches) {
      await breathe();
      const input = inputs(room, brain, before, x);
      found.push({ input, values: room.read(input), count, width });
    }
    const mu = mean.subarray(step * neurons, (step + 1) * neurons);
    const sigma = spread.subarray(step * neurons, (step + 1) * neurons);
    for (let j = 0; j < neurons; j++) {
      // Around the first input: an input that never moves then has a variance of exactly 0.
      const around = found[0]!.values[j * found[0]!.width]!;
      let sum = 0, squares = 0;
      for (const { values, count, width } of found) {
        for (let lane = 0; lane < count; lane++) sum += values[j * width + lane]! - around;
      }
      mu[j] = around + sum / positions;
      for (const { values, count, width } of found) {
        for (let lane = 0; lane < count; lane++) squares += (values[j * width + lane]! - mu[j]!) ** 2;
      }
      const variance = squares / positions;
      sigma[j] = calm && variance < UNREACHED_VARIANCE ? 1 : Math.max(Math.sqrt(variance), floor);
    }
    await breathe();
    const folded = foldStep(model, mu, sigma);
    const scale = room.float(folded.scale, [neurons, 1]), shift = room.float(folded.shift, [neurons, 1]);
    found.forEach(({ input }, i) => {
      const { before, x } = batches[i]!;
      const { squashed, rates } = settle(room, brain, { before, input, scale, shift });
      room.free(squashed);
      if (input !== x) room.free(input);
      if (before !== null) room.free(before);
      batches[i]!.before = rates;
    });
    room.free(scale, shift);
    onProgress?.({ task: "calibrating", done: step + 1, total: steps, unit: "steps" });
  }
  return { mean, spread };
}
