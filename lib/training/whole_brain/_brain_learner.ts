import { adam } from "../../brain/_descend.ts";
import { BrainOptimiser, type FlyBrain } from "../../brain/mod.ts";
import { DataError } from "../../common/mod.ts";
import type { Positions } from "../../data/positions.ts";
import { denseDrive, type Drive, drive, type Eye } from "../../eye/mod.ts";
import { type Readout, READOUT_COLUMNS } from "../../readout/mod.ts";
import { BatchEcho } from "./batch_echo.ts";
import { BatchHeads, batchScaling } from "./batch_heads.ts";
import { BatchThinker } from "./batch_thinker.ts";
import type { ResolvedLearnBrainSettings } from "./learn_brain_settings.ts";
import { trainRows } from "../read_rows.ts";
import { darken, dropoutMask } from "./_dropout.ts";
import { meanOf, readSteps, shareOut } from "./_read_steps.ts";
import { RunningAverage } from "./_running_average.ts";
import type { NamedTensor, TensorData } from "../run/safetensors.ts";

/** Added to the deviation of a rate before it scales the rate: one that hardly moves is not blown up. */
const LEAST_SPREAD = 0.05;
/** No group's gradient is longer. */
const MAX_LENGTH = 10;

/** What learns: the brain's numbers and the heads'. */
type Part = "theta" | "gain" | "bias" | "heads.weight" | "heads.bias";

/** A brain and its heads, learning from a batch at a time through the statistics of that batch. */
export class BrainLearner {
  readonly #brain: FlyBrain;
  readonly #eye: Eye;
  readonly #positions: Positions;
  readonly #settings: ResolvedLearnBrainSettings;
  readonly #measuring: Drive;
  /** None where only heads learn. */
  readonly #thinker: BatchThinker | undefined;
  readonly #optimiser: BrainOptimiser;
  readonly #heads: BatchHeads;
  /** Adam's two moments for the heads' weights and biases. */
  readonly #moments: readonly (readonly [Float32Array, Float32Array])[];
  /** What the eye's cells tell, each once. */
  readonly #signals: Eye;
  /** The guess of what the eye saw, where one is wanted, and Adam's moments for its weights and biases. */
  readonly #echo: BatchEcho | undefined;
  readonly #echoMoments: readonly (readonly [Float32Array, Float32Array])[];
  /** The measured strengths' theta: where decay pulls to. */
  readonly #wired: Float64Array;
  /** The best numbers so far, on VAL. */
  readonly #best: Readonly<Record<Part, Float32Array | Float64Array>>;
  /** The average of what was learned, where one is wanted. */
  readonly #average: RunningAverage | undefined;
  #steps = 0;

  private constructor(
    brain: FlyBrain,
    eye: Eye,
    positions: Positions,
    settings: ResolvedLearnBrainSettings,
    measuring: Drive,
    heads: BatchHeads,
  ) {
    this.#brain = brain;
    this.#eye = eye;
    this.#positions = positions;
    this.#settings = settings;
    this.#measuring = measuring;
    this.#heads = heads;
    const { batch, floor, read, synapseStep, neuronStep, brainOpt: method, maxChange } = settings;
    this.#thinker = synapseStep + neuronStep > 0
      ? new BatchThinker(brain, batch, { floor, read, lit: eye.cell })
      : undefined;
    this.#optimiser = new BrainOptimiser(brain, {
      method,
      maxLength: MAX_LENGTH,
      ...maxChange > 0 ? { maxChange } : {},
      ...this.#thinker === undefined ? {} : { connections: this.#thinker.connections },
    });
    this.#moments = [heads.weight, heads.bias].map(({ length }) =>
      [new Float32Array(length), new Float32Array(length)] as const
    );
    this.#signals = signalsOf(eye);
    const echo = this.#echo = settings.echo > 0
      ? new BatchEcho(heads.scaling, batch, this.#signals.cell.length)
      : undefined;
    this.#echoMoments = (echo === undefined ? [] : [echo.weight, echo.bias]).map(({ length }) =>
      [new Float32Array(length), new Float32Array(length)] as const
    );
    this.#wired = brain.theta.slice();
    this.#best = {
      theta: brain.theta.slice(),
      gain: brain.gain.slice(),
      bias: brain.bias.slice(),
      "heads.weight": heads.weight.slice(),
      "heads.bias": heads.bias.slice(),
    };
    this.#average = settings.average > 0 ? new RunningAverage(this.#live, settings.average) : undefined;
  }

  /**
   * Calibrates a brain whose strengths are as measured, and measures what brings its rates to mean 0 and about unit spread:
   * only a change of the heads' coordinates.
   */
  static async create(
    brain: FlyBrain,
    eye: Eye,
    positions: Positions,
    settings: ResolvedLearnBrainSettings,
    signal?: AbortSignal,
  ): Promise<BrainLearner> {
    const { calibration, train, batch, floor, read, apart } = settings;
    const rows = trainRows(positions).subarray(0, Math.min(calibration, train));
    const measuring = drive(eye, positions.board, { rows });
    await brain.calibrate(measuring, { floor, signal });
    const rates = await readSteps(brain, measuring, { read, apart }, signal);
    const features = rates.length / measuring.positions;
    const heads = new BatchHeads(batchScaling(rates, features, LEAST_SPREAD), batch);
    return new BrainLearner(brain, eye, positions, settings, measuring, heads);
  }

  /** The heads as a readout of plain rates. */
  get readout(): Readout {
    return this.#heads.readout;
  }

  /** Steps taken. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Learns from a batch; where only heads learn, from what the calibrated brain says.
   *
   * @param factor What step sizes are multiplied with.
   * @param options Whether synapses learn too.
   * @returns The mean policy loss before the step.
   * @throws {RangeError} If a gradient is no finite number.
   */
  async learn(
    rows: Int32Array,
    factor: number,
    { synapses = true }: { readonly synapses?: boolean } = {},
  ): Promise<number> {
    const { read, apart, neuronStep, headStep, decay, headDecay } = this.#settings;
    const { dark, dropout, valueWeight: value, seed } = this.#settings, moment = this.#steps;
    const synapseStep = synapses ? this.#settings.synapseStep : 0;
    const shown = darken(drive(this.#eye, this.#positions.board, { rows }), dark, seed, moment);
    const thought = this.#thinker?.think(shown);
    const parts = apart ? 1 : read.length, outputs = this.#brain.connectome.output.length;
    const rates = thought === undefined
      ? await readSteps(this.#brain, shown, { read, apart })
      : meanOf(thought.rates, rows.length, parts, outputs);
    const mask = dropoutMask(rates.length, dropout, seed, moment);
    const found = this.#heads.gradients(rates, this.#positions, rows, { mask, value });
    const echo = this.#echo?.gradients(rates, this.#lit(rows));
    if (echo !== undefined) {
      const { echo: share } = this.#settings;
      for (let i = 0; i < echo.rates.length; i++) found.rates[i]! += share * echo.rates[i]!;
    }
    if (thought !== undefined) {
      const error = shareOut(found.rates, rows.length, parts, outputs);
      this.#optimiser.step(thought.backward(error), {
        synapses: factor * synapseStep,
        neurons: factor * neuronStep,
      });
    }
    const pull = decay * factor * synapseStep, { theta } = this.#brain, wired = this.#wired;
    for (let k = 0; pull > 0 && k < theta.length; k++) theta[k]! -= pull * (theta[k]! - wired[k]!);
    this.#steps++;
    const { weight, bias } = this.#heads, rate = factor * headStep, keep = 1 - headDecay * rate;
    for (let k = 0; keep < 1 && k < weight.length; k++) weight[k]! *= keep;
    adam(weight, found.weight, 1, ...this.#moments[0]!, rate, this.#steps);
    adam(bias, found.bias, 1, ...this.#moments[1]!, rate, this.#steps);
    if (echo !== undefined) {
      const { weight, bias } = this.#echo!;
      adam(weight, echo.weight, 1, ...this.#echoMoments[0]!, rate, this.#steps);
      adam(bias, echo.bias, 1, ...this.#echoMoments[1]!, rate, this.#steps);
    }
    this.#average?.add(this.#live, this.#steps);
    return found.policy;
  }

  #lit(rows: Int32Array): Uint8Array {
    const lit = new Uint8Array(rows.length * this.#signals.cell.length);
    return denseDrive(this.#signals, this.#positions.board, lit, { rows });
  }

  /**
   * Calibrates the brain as it is now, or the average of what it was, so that it runs as any other. `goOn` before it
   * learns again.
   */
  async settle(signal?: AbortSignal): Promise<void> {
    this.#average?.swap(this.#live);
    await this.#calibrate(signal);
  }

  /** Goes on from where it was before it settled. */
  goOn(): void {
    this.#average?.swap(this.#live);
  }

  async #calibrate(signal?: AbortSignal): Promise<void> {
    if (this.#thinker === undefined) return;
    await this.#brain.update();
    await this.#brain.calibrate(this.#measuring, { floor: this.#settings.floor, signal });
  }

  /** Remembers the brain and heads as they are now. */
  keepBest(): void {
    for (const [part, values] of Object.entries(this.#live)) this.#best[part as Part].set(values);
  }

  /** Goes back to what was remembered, and calibrates. */
  async takeBest(signal?: AbortSignal): Promise<void> {
    for (const [part, values] of Object.entries(this.#live)) values.set(this.#best[part as Part]);
    await this.#calibrate(signal);
  }

  get #live(): Record<Part, Float32Array | Float64Array> {
    const { theta, gain, bias } = this.#brain, { weight, bias: headBias } = this.#heads;
    return { theta, gain, bias, "heads.weight": weight, "heads.bias": headBias };
  }

  /** All that it needs to go on: the arrays themselves, not copies. */
  get tensors(): Record<string, NamedTensor> {
    const tensors: Record<string, NamedTensor> = {};
    const put = (name: string, data: TensorData) => {
      const shape = name.includes("heads.weight")
        ? [data.length / READOUT_COLUMNS, READOUT_COLUMNS]
        : [data.length];
      tensors[name] = { shape, data };
    };
    const { moments } = this.#optimiser.state, all = [...moments, ...this.#moments];
    Object.entries(this.#live).forEach(([part, values], i) => {
      put(part, values);
      put(`${part}.first`, all[i]![0]!);
      if (all[i]!.length > 1) put(`${part}.second`, all[i]![1]!);
      put(`best.${part}`, this.#best[part as Part]);
      if (this.#average !== undefined) put(`average.${part}`, this.#average.values[part]!);
    });
    if (this.#echo !== undefined) {
      for (const [i, part] of (["weight", "bias"] as const).entries()) {
        put(`echo.${part}`, this.#echo[part]);
        put(`echo.${part}.first`, this.#echoMoments[i]![0]);
        put(`echo.${part}.second`, this.#echoMoments[i]![1]);
      }
    }
    put("heads.scale", this.#heads.scaling.scale);
    put("heads.shift", this.#heads.scaling.shift);
    return tensors;
  }

  /**
   * Goes on from what `tensors` and `steps` gave.
   *
   * @throws {DataError} If a tensor is missing or of another size.
   */
  restore(tensors: Readonly<Record<string, NamedTensor>>, steps: number): void {
    for (const [name, { data }] of Object.entries(this.tensors)) {
      const saved = tensors[name]?.data;
      if (saved?.constructor !== data.constructor || saved.length !== data.length) {
        throw new DataError(`Cannot go on with the run: its checkpoint has no tensor '${name}' that fits`);
      }
      (data as Float32Array).set(saved as Float32Array);
    }
    this.#steps = steps;
    // Its moments are the very arrays that were just set.
    this.#optimiser.restore({ steps, moments: this.#optimiser.state.moments });
  }
}

/** An eye with the first of all cells that report the same. */
function signalsOf({ cell, square, planes, ...eye }: Eye): Eye {
  const first = new Map<string, number>();
  cell.forEach((_, i) => {
    const told = `${square[i]} ${planes[i]}`;
    if (!first.has(told)) first.set(told, i);
  });
  const kept = [...first.values()];
  return {
    ...eye,
    cell: Int32Array.from(kept, (i) => cell[i]!),
    square: Uint8Array.from(kept, (i) => square[i]!),
    planes: Uint16Array.from(kept, (i) => planes[i]!),
  };
}
