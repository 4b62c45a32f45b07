import type { LongWork } from "../../common/mod.ts";
import type { Drive } from "../../eye/mod.ts";
import { breather } from "../../common/_breather.ts";
import { checkDrive, checkModel, checkRead, checkWalk } from "../_checks.ts";
import type {
  BrainModel,
  Engine,
  EngineBackwardOptions,
  EngineGradients,
  Homeostasis,
  LoadedBrain,
} from "../engine.ts";
import { addInputs, moveRates, setDrive, squashInput, type Trace, trace } from "./_trace.ts";
import { driveGradient } from "./_drive_gradient.ts";
import { walkBack } from "./reference_backward.ts";

/** An input that varies less than this between boards has not been reached by them (reference, section 3). */
const UNREACHED_VARIANCE = 1e-10;

/**
 * The engine that says what is right: plain TypeScript, float64, the equations of the reference, section 3, line
 * by line, one position after the other. Every other engine is compared with it. It is slow.
 */
export function referenceEngine(): Engine {
  return {
    name: "reference",
    description: "plain TypeScript, float64, one thread",
    load(model: BrainModel): Promise<LoadedBrain> {
      return Promise.resolve().then(() => {
        checkModel(model);
        return new ReferenceBrain(copyOf(model));
      });
    },
  };
}

function copyOf(model: BrainModel): BrainModel {
  return {
    ...model,
    rowStart: model.rowStart.slice(),
    pre: model.pre.slice(),
    weight: model.weight.slice(),
    gain: model.gain.slice(),
    bias: model.bias.slice(),
    mean: model.mean?.slice() ?? null,
    spread: model.spread?.slice() ?? null,
  };
}

class ReferenceBrain implements LoadedBrain {
  readonly #model: BrainModel;

  constructor(model: BrainModel) {
    this.#model = model;
  }

  async read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    options: LongWork = {},
  ): Promise<Float64Array> {
    checkDrive("read rates", drive, this.#model.neurons);
    checkRead(neurons, steps, this.#model);
    const result = new Float64Array(drive.positions * neurons.length);
    await this.#think(drive, options, (position, { rates }) => {
      const at = position * neurons.length;
      neurons.forEach((neuron, i) => {
        for (const step of steps) result[at + i]! += rates[step - 1]![neuron]!;
        result[at + i]! /= steps.length;
      });
    });
    return result;
  }

  async rates(drive: Drive, options: LongWork = {}): Promise<Float64Array> {
    const { neurons, steps } = this.#model;
    checkDrive("read rates", drive, neurons);
    const result = new Float64Array(steps * drive.positions * neurons);
    await this.#think(drive, options, (position, { rates }) => {
      rates.forEach((values, step) => result.set(values, (step * drive.positions + position) * neurons));
    });
    return result;
  }

  async backward(
    drive: Drive,
    neurons: Int32Array,
    outputGradient: Float32Array | Float64Array,
    options: EngineBackwardOptions,
  ): Promise<EngineGradients> {
    const all = this.#model.neurons, { positions } = drive;
    const {
      window,
      blame = false,
      drive: wantsDrive = false,
      steps = [this.#model.steps],
      signal,
      onProgress,
    } = options;
    checkDrive("walk back", drive, all);
    checkRead(neurons, steps, this.#model);
    checkWalk(outputGradient, positions, neurons.length, window, Math.max(...steps));
    const error = new Float64Array(positions * all);
    for (let position = 0; position < positions; position++) {
      neurons.forEach((neuron, i) => {
        error[position * all + neuron]! += outputGradient[position * neurons.length + i]!;
      });
    }
    await breather(signal)();
    const found = walkBack(this.#model, drive, error, window, steps);
    onProgress?.({ task: "walking back", done: positions, total: positions, unit: "positions" });
    return {
      ...found,
      blame: blame ? found.blame : new Map(),
      ...(wantsDrive ? { drive: driveGradient(drive, all, found.blame) } : {}),
    };
  }

  async #think(
    drive: Drive,
    { signal, onProgress }: LongWork,
    keep: (position: number, trace: Trace) => void,
  ): Promise<void> {
    const breathe = breather(signal);
    for (let position = 0; position < drive.positions; position++) {
      await breathe();
      keep(position, trace(this.#model, drive, position));
      onProgress?.({ task: "thinking", done: position + 1, total: drive.positions, unit: "positions" });
    }
  }

  async calibrate(
    drive: Drive,
    { floor, calm, signal, onProgress }: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis> {
    const { neurons, steps, leak } = this.#model;
    const { positions } = drive;
    checkDrive("calibrate", drive, neurons);
    const mean = new Float64Array(steps * neurons), spread = new Float64Array(steps * neurons);
    const rates = Array.from({ length: positions }, () => new Float64Array(neurons));
    const inputs = Array.from({ length: positions }, () => new Float64Array(neurons));
    const breathe = breather(signal);
    for (let step = 0; step < steps; step++) {
      const mu = mean.subarray(step * neurons, (step + 1) * neurons);
      const sigma = spread.subarray(step * neurons, (step + 1) * neurons);
      for (let position = 0; position < positions; position++) {
        await breathe();
        setDrive(drive, position, inputs[position]!);
        addInputs(this.#model, rates[position]!, inputs[position]!);
      }
      for (let j = 0; j < neurons; j++) {
        // Around the first input: an input that never moves then has a variance of exactly 0.
        const around = inputs[0]![j]!;
        let sum = 0, squares = 0;
        for (const input of inputs) sum += input[j]! - around;
        mu[j] = around + sum / positions;
        for (const input of inputs) squares += (input[j]! - mu[j]!) ** 2;
        const variance = squares / positions;
        sigma[j] = calm && variance < UNREACHED_VARIANCE ? 1 : Math.max(Math.sqrt(variance), floor);
      }
      for (let position = 0; position < positions; position++) {
        squashInput(this.#model, inputs[position]!, mu, sigma);
        moveRates(leak, inputs[position]!, rates[position]!);
      }
      onProgress?.({ task: "calibrating", done: step + 1, total: steps, unit: "steps" });
    }
    return { mean, spread };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
