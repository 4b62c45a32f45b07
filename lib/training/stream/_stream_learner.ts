import { adam, lengthOf } from "../../brain/_descend.ts";
import { BrainOptimiser, type FlyBrain } from "../../brain/mod.ts";
import { DataError } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { drive, type Eye } from "../../eye/mod.ts";
import { type Readout, READOUT_COLUMNS } from "../../readout/mod.ts";
import { headGradients } from "./_head_gradients.ts";
import type { NamedTensor, TensorData } from "../run/safetensors.ts";

/** How a brain and its readout learn together. */
export interface LearnerSettings {
  /** The steps whose mean is read. */
  readonly steps: readonly number[];
  /** Step size of the readout. */
  readonly readoutStep: number;
  /** Step size of the synapses; 0 leaves them as measured. */
  readonly synapseStep: number;
  /** Step size of gains and biases; 0 leaves them. */
  readonly neuronStep: number;
  /** How the brain moves. */
  readonly brainOptimiser: "adam" | "sgd";
  /** The leash. */
  readonly maxChange: number | undefined;
  /** Steps that an error walks back. */
  readonly window: number;
}

/** What a batch came to. */
export interface Learned {
  /** Mean policy loss before the step. */
  readonly policy: number;
  /**
   * How long the gradients of the readout, of the synapses and of gains and biases were, before they were limited to 1; the
   * last two are 0 where the brain is frozen.
   */
  readonly lengths: readonly [readout: number, synapses: number, neurons: number];
}

/** No group's gradient is longer (reference, section 7). */
const MAX_LENGTH = 1;

/** A brain and its readout, learning from a batch at a time. */
export class StreamLearner {
  /** The readout as it is; its arrays change. */
  readonly readout: Readout;
  readonly #brain: FlyBrain;
  readonly #eye: Eye;
  readonly #positions: Positions;
  readonly #settings: LearnerSettings;
  /** Adam's two moments for weight and bias. */
  readonly #moments: { readonly weight: readonly Float32Array[]; readonly bias: readonly Float32Array[] };
  readonly #optimiser: BrainOptimiser | undefined;
  #steps = 0;

  /**
   * Makes a learner that has taken no step.
   *
   * @param brain With its strengths as measured: the leash is tied to them.
   * @param readout Where it starts; the arrays are copied.
   */
  constructor(brain: FlyBrain, eye: Eye, positions: Positions, readout: Readout, settings: LearnerSettings) {
    this.#brain = brain;
    this.#eye = eye;
    this.#positions = positions;
    this.#settings = settings;
    this.readout = {
      features: readout.features,
      weight: readout.weight.slice(),
      bias: readout.bias.slice(),
    };
    const two = (length: number) => [new Float32Array(length), new Float32Array(length)];
    this.#moments = { weight: two(readout.weight.length), bias: two(READOUT_COLUMNS) };
    const { synapseStep, neuronStep, brainOptimiser: method, maxChange } = settings;
    this.#optimiser = synapseStep === 0 && neuronStep === 0
      ? undefined
      : new BrainOptimiser(brain, { method, maxLength: MAX_LENGTH, ...maxChange ? { maxChange } : {} });
  }

  /** Whether the brain learns too. */
  get brainLearns(): boolean {
    return this.#optimiser !== undefined;
  }

  /**
   * Learns from a batch.
   *
   * @param factor What step sizes are multiplied with.
   * @throws {RangeError} If a gradient is no finite number.
   */
  async learn(rows: Int32Array, factor: number): Promise<Learned> {
    const { steps, window, readoutStep, synapseStep, neuronStep } = this.#settings;
    const shown = drive(this.#eye, this.#positions.board, { rows });
    const rates = await this.#brain.read(shown, { steps });
    const found = await headGradients(this.readout, rates, this.#positions, rows, this.brainLearns);
    const readoutLength = lengthOf(found.weight, found.bias);
    if (!Number.isFinite(readoutLength)) {
      throw new RangeError(`Cannot take a step: the readout's gradient is ${readoutLength} long`);
    }
    let lengths = { synapses: 0, neurons: 0 };
    if (this.#optimiser !== undefined) {
      const gradients = await this.#brain.backward(shown, found.rates!, { window, steps });
      lengths = this.#optimiser.step(gradients, {
        synapses: factor * synapseStep,
        neurons: factor * neuronStep,
      });
      await this.#brain.update();
    }
    this.#steps++;
    const share = Math.min(1, MAX_LENGTH / readoutLength), rate = factor * readoutStep;
    for (const part of ["weight", "bias"] as const) {
      const [first, second] = this.#moments[part];
      adam(this.readout[part], found[part], share, first!, second!, rate, this.#steps);
    }
    return { policy: found.policy, lengths: [readoutLength, lengths.synapses, lengths.neurons] };
  }

  /** All that it needs to go on: the arrays themselves, not copies. */
  get tensors(): Record<string, NamedTensor> {
    const { features, weight, bias } = this.readout;
    const shape = [features, READOUT_COLUMNS];
    const flat = (data: TensorData): NamedTensor => ({ shape: [data.length], data });
    const tensors: Record<string, NamedTensor> = {
      "readout.weight": { shape, data: weight },
      "readout.bias": flat(bias),
    };
    ["first", "second"].forEach((name, i) => {
      tensors[`readout.weight.${name}`] = { shape, data: this.#moments.weight[i]! };
      tensors[`readout.bias.${name}`] = flat(this.#moments.bias[i]!);
    });
    for (const { name, values, moments } of this.#learned()) {
      tensors[`brain.${name}`] = flat(values);
      moments.forEach((data, i) => tensors[`brain.${name}.${["first", "second"][i]}`] = flat(data));
    }
    return tensors;
  }

  /** Steps it has taken. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Goes on from what `tensors` and `steps` gave.
   *
   * @throws {DataError} If a tensor is missing or of another size.
   */
  async restore(tensors: Readonly<Record<string, NamedTensor>>, steps: number): Promise<void> {
    for (const [name, { data }] of Object.entries(this.tensors)) {
      const saved = tensors[name]?.data;
      if (saved?.constructor !== data.constructor || saved.length !== data.length) {
        throw new DataError(`Cannot go on with the run: its checkpoint has no tensor '${name}' that fits`);
      }
      if (saved !== data) (data as Float32Array).set(saved as Float32Array);
    }
    this.#steps = steps;
    if (this.#optimiser === undefined) return;
    // Its moments are the very arrays that were just set.
    this.#optimiser.restore({ steps, moments: this.#optimiser.state.moments });
    await this.#brain.update();
  }

  /** What of the brain learns, with the optimiser's memory of it. */
  #learned(): { name: string; values: Float64Array; moments: readonly Float32Array[] }[] {
    if (this.#optimiser === undefined) return [];
    const { moments } = this.#optimiser.state;
    const { theta, gain, bias } = this.#brain, { synapseStep, neuronStep } = this.#settings;
    return [
      ...synapseStep > 0 ? [{ name: "theta", values: theta, moments: moments[0]! }] : [],
      ...neuronStep > 0
        ? [
          { name: "gain", values: gain, moments: moments[1]! },
          { name: "bias", values: bias, moments: moments[2]! },
        ]
        : [],
    ];
  }
}
