import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import { checkDrive, checkModel, checkRead, checkWalk } from "../../_checks.ts";
import type {
  BrainModel,
  EngineBackwardOptions,
  EngineGradients,
  Homeostasis,
  LoadedBrain,
} from "../../engine.ts";
import { BackwardRoom, walkBack } from "./_backward.ts";
import { calibrate } from "./_calibrate.ts";
import type { Gpu } from "./_gpu.ts";
import { LINE_POSITIONS } from "./_kernel.ts";
import { cutParts, LINE_BYTES, type Lines, makeLines } from "./_parts.ts";
import { Reading } from "./_reading.ts";
import {
  makeNumbers,
  type Numbers,
  recordInputs,
  recordRates,
  ResidentWiring,
  type Stage,
  writeModelNumbers,
} from "./_resident.ts";
import { putDrive, SparseLines } from "./_sparse.ts";

/** Readings kept: a brain is seldom read in more ways than these. */
const READINGS = 4;
/** Batches under way at once: while one is brought back, the next is computed. */
const UNDER_WAY = 2;

/** Everything a brain has in GPU memory. */
interface Resident {
  readonly gpu: Gpu;
  readonly stage: Stage;
  readonly numbers: Numbers;
  readonly rates: Lines;
  readonly input: Lines;
  readonly drive: SparseLines;
  readonly readings: Reading[];
  room: BackwardRoom | null;
}

/** A brain on a GPU. One call at a time uses it; others wait for their turn. */
export class GpuBrain implements LoadedBrain {
  readonly #open: () => Promise<Gpu>;
  readonly #rowStart: Int32Array;
  readonly #pre: Int32Array;
  readonly #neurons: number;
  readonly #steps: number;
  readonly #leak: number;
  #weight = new Float32Array(0);
  #resident!: Resident;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(open: () => Promise<Gpu>, model: BrainModel) {
    this.#open = open;
    this.#rowStart = model.rowStart.slice();
    this.#pre = model.pre.slice();
    this.#neurons = model.neurons;
    this.#steps = model.steps;
    this.#leak = model.leak;
  }

  /** Opens a GPU and puts a brain into it. */
  static async load(model: BrainModel, open: () => Promise<Gpu>): Promise<GpuBrain> {
    checkModel(model);
    const brain = new GpuBrain(open, model);
    await brain.#moveIn(model);
    return brain;
  }

  async #moveIn(model: BrainModel): Promise<void> {
    const gpu = await this.#open();
    try {
      const parts = cutParts(this.#neurons, this.#steps, gpu.largestBuffer);
      this.#resident = await gpu.guard("load a brain", () => {
        const wiring = new ResidentWiring(
          gpu,
          { rowStart: this.#rowStart, sender: this.#pre, order: null },
          parts,
        );
        return {
          gpu,
          stage: { gpu, parts, wiring, leak: this.#leak },
          numbers: makeNumbers(gpu, parts, this.#steps),
          rates: makeLines(gpu, parts, gpu.half ? LINE_BYTES / 2 : LINE_BYTES),
          input: makeLines(gpu, parts),
          drive: new SparseLines(gpu, parts),
          readings: [],
          room: null,
        };
      });
      await this.#write(model);
    } catch (error) {
      gpu.close();
      throw error;
    }
  }

  async #write(model: BrainModel): Promise<void> {
    const { gpu, stage, numbers, room } = this.#resident;
    this.#weight = Float32Array.from(model.weight);
    await gpu.guard("load a brain", () => {
      stage.wiring.write(this.#weight);
      room?.wiring.write(this.#weight);
      writeModelNumbers(gpu, stage.parts, numbers, model);
    });
  }

  update(model: BrainModel): Promise<void> {
    return this.#inTurn(async () => {
      checkModel(model);
      if (model.neurons !== this.#neurons || model.pre.length !== this.#pre.length) {
        throw new RangeError("Cannot update a brain: the wiring has another size, the same wiring is wanted");
      }
      if (!this.#resident.gpu.lost) return await this.#write(model);
      this.#resident.gpu.close();
      await this.#moveIn(model);
    });
  }

  read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    { signal, onProgress }: LongWork = {},
  ): Promise<Float32Array> {
    return this.#inTurn(async () => {
      checkDrive("read rates", drive, this.#neurons);
      checkRead(neurons, steps, { neurons: this.#neurons, steps: this.#steps });
      const { positions } = drive, width = neurons.length;
      const result = new Float32Array(positions * width);
      const reading = await this.#reading(neurons, steps);
      const underWay: Promise<void>[] = [];
      try {
        for (let first = 0; first < positions; first += LINE_POSITIONS) {
          signal?.throwIfAborted();
          if (underWay.length === UNDER_WAY) await underWay.shift();
          const count = Math.min(LINE_POSITIONS, positions - first);
          const staging = await this.#think(drive, first, count, reading);
          const own = result.subarray(first * width, (first + count) * width);
          const received = reading.receive(staging, count, own).then(() =>
            onProgress?.({ task: "thinking", done: first + count, total: positions, unit: "positions" })
          );
          received.catch(() => {}); // it is awaited later
          underWay.push(received);
        }
        await Promise.all(underWay);
      } finally {
        // Nothing may come back after this call has ended, whatever its end is.
        await Promise.allSettled(underWay);
      }
      return result;
    });
  }

  /** Sends off a think about some positions; what is read of it ends in the staging buffer. */
  async #think(drive: Drive, first: number, count: number, reading: Reading): Promise<GPUBuffer> {
    const { gpu, stage, rates, input, numbers, drive: lines } = this.#resident;
    let staging: GPUBuffer;
    await gpu.submit("read rates", (encoder) => {
      putDrive(lines, drive, first, count);
      for (const buffer of rates) encoder.clearBuffer(buffer);
      reading.clear(encoder);
      for (let step = 1; step <= reading.last; step++) {
        recordInputs(stage, encoder, { step, drive: lines, rates, input });
        const pass = encoder.beginComputePass();
        recordRates(stage, pass, { step, numbers, rates, input });
        for (const read of reading.steps) if (read === step) reading.collect(pass, rates);
        pass.end();
      }
      staging = reading.send(encoder);
    });
    return staging!;
  }

  rates(drive: Drive, { signal, onProgress }: LongWork = {}): Promise<Float32Array> {
    return this.#inTurn(async () => {
      checkDrive("read rates", drive, this.#neurons);
      const { gpu, stage, rates, input, numbers, drive: lines } = this.#resident;
      const { positions } = drive, neurons = this.#neurons;
      const everyone = Int32Array.from({ length: neurons }, (_, neuron) => neuron);
      const result = new Float32Array(this.#steps * positions * neurons);
      const reading = await gpu.guard("read rates", () => new Reading(gpu, stage.parts, everyone, [1]));
      try {
        for (let first = 0; first < positions; first += LINE_POSITIONS) {
          const count = Math.min(LINE_POSITIONS, positions - first);
          for (let step = 1; step <= this.#steps; step++) {
            signal?.throwIfAborted();
            let staging: GPUBuffer;
            await gpu.submit("read rates", (encoder) => {
              if (step === 1) {
                putDrive(lines, drive, first, count);
                for (const buffer of rates) encoder.clearBuffer(buffer);
              }
              reading.clear(encoder);
              recordInputs(stage, encoder, { step, drive: lines, rates, input });
              const pass = encoder.beginComputePass();
              recordRates(stage, pass, { step, numbers, rates, input });
              reading.collect(pass, rates);
              pass.end();
              staging = reading.send(encoder);
            });
            const at = ((step - 1) * positions + first) * neurons;
            await reading.receive(staging!, count, result.subarray(at, at + count * neurons));
          }
          onProgress?.({ task: "thinking", done: first + count, total: positions, unit: "positions" });
        }
      } finally {
        reading.free();
      }
      return result;
    });
  }

  calibrate(
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis> {
    return this.#inTurn(async () => {
      checkDrive("calibrate", drive, this.#neurons);
      const { stage, numbers } = this.#resident;
      return await calibrate(stage, numbers, drive, { steps: this.#steps, ...options });
    });
  }

  backward(
    drive: Drive,
    neurons: Int32Array,
    outputGradient: Float32Array | Float64Array,
    options: EngineBackwardOptions,
  ): Promise<EngineGradients> {
    return this.#inTurn(async () => {
      checkDrive("walk back", drive, this.#neurons);
      const { steps: read = [this.#steps] } = options, last = Math.max(...read);
      checkRead(neurons, read, { neurons: this.#neurons, steps: this.#steps });
      checkWalk(outputGradient, drive.positions, neurons.length, options.window, last);
      const resident = this.#resident, { gpu, stage } = resident;
      resident.room ??= await gpu.guard("walk back", () => {
        const room = new BackwardRoom(stage, this.#rowStart, this.#pre);
        room.wiring.write(this.#weight);
        return room;
      });
      const walker = { ...resident, room: resident.room, steps: last };
      const share = outputGradient.map((error) => error / read.length);
      return await walkBack(walker, drive, neurons, share, { ...options, steps: read });
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#inTurn(() => Promise.resolve(this.#resident.gpu.close()));
  }

  async #reading(neurons: Int32Array, steps: readonly number[]): Promise<Reading> {
    const { gpu, readings, stage } = this.#resident;
    const key = Reading.keyOf(neurons, steps);
    const known = readings.find((reading) => reading.key === key);
    if (known !== undefined) return known;
    const reading = await gpu.guard("read rates", () => new Reading(gpu, stage.parts, neurons, steps));
    readings.unshift(reading);
    for (const old of readings.splice(READINGS)) old.free();
    return reading;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}
