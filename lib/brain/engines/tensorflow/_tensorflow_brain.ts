import { driveGradient } from "../_drive_gradient.ts";
import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import { breather } from "../../../common/_breather.ts";
import { checkDrive, checkModel, checkRead, checkWalk } from "../../_checks.ts";
import type {
  BrainModel,
  EngineBackwardOptions,
  EngineGradients,
  Homeostasis,
  LoadedBrain,
} from "../../engine.ts";
import { ConnectionErrors } from "./_connection_errors.ts";
import type { Binding } from "../../../common/_tensorflow_addon.ts";
import { calibrate } from "./_calibrate.ts";
import { type Resident, settleIn } from "./_resident.ts";
import { type Id, Tensors } from "./_tensors.ts";

/** What one step went through. */
interface Step {
  readonly number: number;
  /** `[neurons, batch]`: r before the step; `null` before the first, when all rates are 0. */
  readonly before: Id | null;
  /** u. */
  readonly input: Id;
  /** tanh z. */
  readonly squashed: Id;
  /** r after the step. */
  readonly rates: Id;
}

/** u of a batch: W r + x. */
export function inputs(room: Tensors, { matrix }: Resident, before: Id | null, x: Id): Id {
  if (before === null) return x;
  const product = room.product(matrix, before);
  const sum = room.add(product, x);
  room.free(product);
  return sum;
}

/** tanh z and the rates that follow: `[neurons, batch]` each. */
export function settle(
  room: Tensors,
  { stays, leak }: Resident,
  { before, input, scale, shift }: { before: Id | null; input: Id; scale: Id; shift: Id },
): { squashed: Id; rates: Id } {
  const scaled = room.mul(input, scale), activation = room.add(scaled, shift);
  const squashed = room.tanh(activation), target = room.relu(squashed), moved = room.mul(target, leak);
  room.free(scaled, activation, target);
  if (before === null) return { squashed, rates: moved };
  const kept = room.mul(before, stays), rates = room.add(kept, moved);
  room.free(kept, moved);
  return { squashed, rates };
}

/** `[neurons, width]`: what the eye adds to positions from `first` on; 0 where there are no more. */
export function denseDrive(drive: Drive, first: number, width: number, neurons: number): Float32Array {
  const x = new Float32Array(neurons * width);
  for (let lane = 0; lane < width && first + lane < drive.positions; lane++) {
    for (let k = drive.start[first + lane]!; k < drive.start[first + lane + 1]!; k++) {
      x[drive.neuron[k]! * width + lane] = drive.value?.[k] ?? 1;
    }
  }
  return x;
}

/** A brain in TensorFlow's memory. */
export class TensorflowBrain implements LoadedBrain {
  readonly #root: Tensors;
  readonly #batch: number;
  readonly #binding: Binding;
  #model: BrainModel;
  #tensors: Tensors;
  #brain: Resident;
  #last: Promise<unknown> = Promise.resolve();

  constructor(model: BrainModel, binding: Binding, batch: number) {
    checkModel(model);
    this.#binding = binding;
    this.#root = new Tensors(binding);
    this.#batch = batch;
    this.#model = {
      ...model,
      weight: model.weight.slice(),
      gain: model.gain.slice(),
      bias: model.bias.slice(),
    };
    this.#tensors = this.#root.room();
    this.#brain = settleIn(this.#tensors, this.#model);
  }

  update(model: BrainModel): Promise<void> {
    return this.#inTurn(() => {
      checkModel(model);
      if (model.neurons !== this.#model.neurons || model.pre.length !== this.#model.pre.length) {
        throw new RangeError("Cannot update a brain: the wiring has another size, the same wiring is wanted");
      }
      this.#model = {
        ...model,
        weight: model.weight.slice(),
        gain: model.gain.slice(),
        bias: model.bias.slice(),
      };
      this.#tensors[Symbol.dispose]();
      this.#tensors = this.#root.room();
      this.#brain = settleIn(this.#tensors, this.#model);
      return Promise.resolve();
    });
  }

  read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    work: LongWork = {},
  ): Promise<Float32Array> {
    return this.#inTurn(async () => {
      checkDrive("read rates", drive, this.#model.neurons);
      checkRead(neurons, steps, this.#model);
      const result = new Float32Array(drive.positions * neurons.length);
      const wanted = new Set(steps), last = Math.max(...steps);
      using room = this.#root.room();
      const which = room.int32(neurons.slice(), [neurons.length]);
      await this.#batches(drive, work, last, (room, first, count, width, { number, rates }) => {
        if (!wanted.has(number)) return;
        const chosen = room.rows(rates, which), values = room.read(chosen);
        room.free(chosen);
        for (let i = 0; i < neurons.length; i++) {
          for (let lane = 0; lane < count; lane++) {
            result[(first + lane) * neurons.length + i]! += values[i * width + lane]! / wanted.size;
          }
        }
      });
      return result;
    });
  }

  rates(drive: Drive, work: LongWork = {}): Promise<Float32Array> {
    return this.#inTurn(async () => {
      const { neurons, steps } = this.#model;
      checkDrive("read rates", drive, neurons);
      const result = new Float32Array(steps * drive.positions * neurons);
      await this.#batches(drive, work, steps, (room, first, count, width, { number, rates }) => {
        const values = room.read(rates), at = ((number - 1) * drive.positions + first) * neurons;
        turnOver(values, width, count, result.subarray(at, at + count * neurons));
      });
      return result;
    });
  }

  calibrate(
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis> {
    return this.#inTurn(async () => {
      checkDrive("calibrate", drive, this.#model.neurons);
      using room = this.#root.room();
      return await calibrate(room, this.#model, this.#brain, drive, this.#batch, options);
    });
  }

  backward(
    drive: Drive,
    neurons: Int32Array,
    outputGradient: Float32Array | Float64Array,
    { window, blame: wantsBlame = false, drive: wantsDrive = false, ...work }: EngineBackwardOptions,
  ): Promise<EngineGradients> {
    return this.#inTurn(async () => {
      const model = this.#model, { neurons: all, steps, pre, spread } = model;
      checkDrive("walk back", drive, all);
      checkRead(neurons, [steps], model);
      checkWalk(outputGradient, drive.positions, neurons.length, window, steps);
      const gain = new Float64Array(all), bias = new Float64Array(all);
      const blame = new Map<number, Float32Array>();
      using connections = new ConnectionErrors(this.#root.room(), model);
      let kept: Step[] = [];
      await this.#batches(drive, work, steps, (room, first, count, width, step, done) => {
        if (step.number > steps - window) kept.push(step);
        if (!done) return;
        let change = room.float(denseError(neurons, outputGradient, first, count, width, all), [all, width]);
        for (const { number, before, input, squashed } of kept.toReversed()) {
          // relu(tanh z) turns only where tanh z is above 0.
          const below = room.mul(change, this.#brain.leak), open = room.reluGrad(below, squashed);
          const activation = room.tanhGrad(squashed, open);
          const found = room.mul(activation, this.#brain.scale[number - 1]!);
          const unusual = room.sub(input, this.#brain.mean[number - 1]!);
          const product = room.mul(activation, unusual);
          const sums = room.read(room.sumRows(activation)), weighted = room.read(room.sumRows(product));
          for (let j = 0; j < all; j++) {
            const at = (number - 1) * all + j;
            bias[j]! += sums[j]!;
            gain[j]! += weighted[j]! / (spread?.[at] ?? 1);
          }
          if (wantsBlame || wantsDrive) {
            let into = blame.get(number);
            if (into === undefined) blame.set(number, into = new Float32Array(drive.positions * all));
            turnOver(room.read(found), width, count, into.subarray(first * all, (first + count) * all));
          }
          if (before !== null) connections.add(found, before);
          if (number === steps - window + 1) break;
          const carried = room.mul(change, this.#brain.stays);
          const back = room.product(this.#brain.transposed(), found);
          room.free(change, below, open, activation, unusual, product);
          change = room.add(carried, back);
          room.free(carried, back, found);
        }
        kept = [];
      }, window);
      return {
        weight: connections.sum(pre.length),
        gain,
        bias,
        blame: wantsBlame ? blame : new Map(),
        ...(wantsDrive ? { drive: driveGradient(drive, all, blame) } : {}),
      };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inTurn(() => Promise.resolve(this.#tensors[Symbol.dispose]()));
  }

  /** One thing after the other: `update` must not take a matrix away from a think. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Takes positions through the steps, a batch at a time; the last `keep` steps stay in the room until the batch is done. */
  async #batches(
    drive: Drive,
    { signal, onProgress }: LongWork,
    last: number,
    after: (
      room: Tensors,
      first: number,
      count: number,
      width: number,
      step: Step,
      done: boolean,
    ) => void,
    keep = 0,
  ): Promise<void> {
    const { positions } = drive, { neurons } = this.#model;
    const breathe = breather(signal);
    for (let first = 0; first < positions; first += this.#batch) {
      const count = Math.min(this.#batch, positions - first);
      const width = 16 * Math.ceil(count / 16);
      using room = this.#root.room();
      const x = room.float(denseDrive(drive, first, width, neurons), [neurons, width]);
      let before: Id | null = null;
      for (let number = 1; number <= last; number++) {
        await breathe();
        const input: Id = inputs(room, this.#brain, before, x);
        const scale = this.#brain.scale[number - 1]!, shift = this.#brain.shift[number - 1]!;
        const { squashed, rates } = settle(room, this.#brain, { before, input, scale, shift });
        after(room, first, count, width, { number, before, input, squashed, rates }, number === last);
        if (number <= last - keep) {
          room.free(squashed);
          if (input !== x) room.free(input);
          if (before !== null) room.free(before);
        }
        before = rates;
      }
      onProgress?.({ task: "thinking", done: first + count, total: positions, unit: "positions" });
    }
  }
}

/** `[rows][width]` to `[count][rows]`. */
function turnOver(values: Float32Array, width: number, count: number, into: Float32Array): void {
  const rows = into.length / count;
  for (let lane = 0; lane < count; lane++) {
    for (let j = 0; j < rows; j++) into[lane * rows + j] = values[j * width + lane]!;
  }
}

/** `[all, width]`: the error of the neurons read, 0 for the others; added up where a neuron is read twice. */
function denseError(
  neurons: Int32Array,
  error: Float32Array | Float64Array,
  first: number,
  count: number,
  width: number,
  all: number,
): Float32Array {
  const dense = new Float32Array(all * width);
  for (let lane = 0; lane < count; lane++) {
    for (let i = 0; i < neurons.length; i++) {
      dense[neurons[i]! * width + lane]! += error[(first + lane) * neurons.length + i]!;
    }
  }
  return dense;
}
