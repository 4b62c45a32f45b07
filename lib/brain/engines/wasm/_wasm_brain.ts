import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import { checkDrive, checkModel, checkRead, checkStrengths, checkWalk } from "../../_checks.ts";
import type {
  BrainModel,
  Bypass,
  EngineBackwardOptions,
  EngineGradients,
  Homeostasis,
  LoadedBrain,
} from "../../engine.ts";
import { walkBack } from "./_backward.ts";
import { thinkAround } from "./_bypass.ts";
import { calibrate } from "./_calibrate.ts";
import { Crew } from "./_crew.ts";
import { instantiate, type Kernels } from "./_instantiate.ts";
import { areaParts, layOutThink, SHORT_ONE, type ThinkLayout, type TileSize } from "./_layout.ts";
import { type Numbering, numberingOf, renumber, writeStrengths, writeWiring } from "./_model_memory.ts";
import type { Wiring } from "./_plan.ts";
import { inOrder, Readings } from "./_readings.ts";
import { ThinkRoom } from "./_think_room.ts";
import { planTiles, writeTiles } from "./_tiles.ts";

/** How a brain is held by the engine. */
export interface WasmBrainOptions {
  readonly module: WebAssembly.Module;
  readonly workers: number;
  readonly lightCone: boolean;
  readonly tile: TileSize;
  readonly short: boolean;
}

/** A brain in WebAssembly memory. */
export class WasmBrain implements LoadedBrain {
  readonly #crew: Crew;
  readonly #module: WebAssembly.Module;
  readonly #memory: WebAssembly.Memory;
  readonly #layout: ThinkLayout;
  readonly #numbering: Numbering;
  readonly #wiring: Wiring;
  readonly #room: ThinkRoom;
  /** The arithmetic on this thread, for what is written and no worker's. */
  readonly #kernels: Kernels;
  readonly #readings: Readings;
  #gain: Float64Array;
  #bias: Float64Array;

  constructor(model: BrainModel, { module, workers, lightCone, tile, short }: WasmBrainOptions) {
    checkModel(model);
    const { neurons, steps, leak, pre } = model;
    this.#crew = new Crew(workers);
    this.#module = module;
    this.#numbering = numberingOf(Int32Array.from({ length: neurons }, (_, neuron) => neuron));
    this.#wiring = renumber(model, this.#numbering);
    const tiling = planTiles(this.#wiring, tile);
    const { layout, memory } = layOutThink({
      neurons,
      steps,
      leak,
      connections: pre.length,
      workers: this.#crew.size,
      tiling,
      short,
    });
    this.#layout = layout;
    this.#memory = memory;
    writeWiring(memory, layout, this.#wiring);
    writeTiles(memory, { ...layout, table: layout.tileTable }, tiling, this.#wiring);
    this.#readings = new Readings(memory, layout, this.#wiring, this.#numbering, lightCone);
    this.#gain = model.gain.slice();
    this.#bias = model.bias.slice();
    this.#kernels = instantiate(module, memory);
    writeStrengths(this.#kernels, memory, layout, model, this.#numbering, this.#wiring);
    this.#room = new ThinkRoom(this.#crew, { module, memory, layout, numbering: this.#numbering });
  }

  update(model: BrainModel): Promise<void> {
    return this.#crew.inTurn(() => {
      if (model.neurons !== this.#layout.neurons || model.pre.length !== this.#wiring.pre.length) {
        throw new RangeError("Cannot update a brain: the wiring has another size, the same wiring is wanted");
      }
      checkStrengths(model);
      this.#gain = model.gain.slice();
      this.#bias = model.bias.slice();
      writeStrengths(this.#kernels, this.#memory, this.#layout, model, this.#numbering, this.#wiring);
      this.#room.forgetConstants();
      return Promise.resolve();
    });
  }

  read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    work: LongWork = {},
  ): Promise<Float32Array> {
    return this.#read(drive, neurons, steps, work);
  }

  readAround(
    bypass: Bypass,
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    work: LongWork = {},
  ): Promise<Float32Array> {
    return this.#read(drive, neurons, steps, work, bypass);
  }

  #read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    { signal, onProgress }: LongWork,
    bypass?: Bypass,
  ): Promise<Float32Array> {
    return this.#crew.inTurn(async () => {
      checkDrive("read rates", drive, this.#layout.neurons);
      checkRead(neurons, steps, this.#layout);
      // A bypass lights neurons as the eye does, at any step.
      const lit = bypass === undefined ? drive.neuron : [...drive.neuron, ...bypass.to];
      const reading = this.#readings.use({ neuron: lit }, neurons, steps);
      if (bypass === undefined && this.#room.splits(drive.positions)) {
        return await this.#room.readSplit(drive, reading, { signal, onProgress });
      }
      await this.#room.prepare(reading.plan.constantsUntil, signal);
      const result = new Float32Array(drive.positions * neurons.length);
      const last = reading.plan.steps.length, lanes = this.#room.lanes;
      const share = Math.fround(1 / (this.#layout.short ? SHORT_ONE * steps.length : steps.length));
      await this.#room.batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        if (bypass === undefined) await run({ kind: "think", area, first: 1, last });
        else await thinkAround(this.#room.lit, bypass, { first, count, area, last }, run);
        const at = areaParts(this.#layout, area).sums;
        const sums = new Float32Array(this.#memory.buffer, at, reading.rows.length * lanes);
        for (let lane = 0; lane < count; lane++) {
          const into = (first + lane) * neurons.length;
          for (let i = 0; i < neurons.length; i++) {
            result[into + i] = sums[reading.slots[i]! * lanes + lane]! * share;
          }
        }
      });
      return result;
    });
  }

  readEach(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    { signal, onProgress }: LongWork = {},
  ): Promise<Float32Array> {
    return this.#crew.inTurn(async () => {
      checkDrive("read rates", drive, this.#layout.neurons);
      checkRead(neurons, steps, this.#layout);
      const { plan, rows, slots } = this.#readings.use(drive, neurons, steps);
      await this.#room.prepare(plan.constantsUntil, signal);
      const result = new Float32Array(drive.positions * steps.length * neurons.length);
      const lanes = this.#room.lanes, share = Math.fround(this.#layout.short ? 1 / SHORT_ONE : 1);
      await this.#room.batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        for (const { from, step, place } of inOrder(steps)) {
          await run({ kind: "think", area, first: from, last: step });
          const state = this.#room.state(area, step);
          for (let lane = 0; lane < count; lane++) {
            const into = ((first + lane) * steps.length + place) * neurons.length;
            for (let i = 0; i < neurons.length; i++) {
              result[into + i] = state[rows[slots[i]!]! * lanes + lane]! * share;
            }
          }
        }
      });
      return result;
    });
  }

  rates(drive: Drive, { signal, onProgress }: LongWork = {}): Promise<Float32Array> {
    return this.#crew.inTurn(async () => {
      const { neurons, steps, short } = this.#layout, { place } = this.#numbering;
      const lanes = this.#room.lanes, one = short ? SHORT_ONE : 1;
      checkDrive("read rates", drive, neurons);
      const all = Array.from({ length: steps }, (_, step) => step + 1);
      const { plan } = this.#readings.use(drive, this.#numbering.order, all);
      await this.#room.prepare(plan.constantsUntil, signal);
      const result = new Float32Array(steps * drive.positions * neurons);
      await this.#room.batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        for (let step = 1; step <= steps; step++) {
          await run({ kind: "think", area, first: step, last: step });
          const state = this.#room.state(area, step);
          for (let lane = 0; lane < count; lane++) {
            const into = ((step - 1) * drive.positions + first + lane) * neurons;
            for (let j = 0; j < neurons; j++) result[into + j] = state[place[j]! * lanes + lane]! / one;
          }
        }
      });
      return result;
    });
  }

  backward(
    drive: Drive,
    neurons: Int32Array,
    outputGradient: Float32Array | Float64Array,
    options: EngineBackwardOptions,
  ): Promise<EngineGradients> {
    return this.#crew.inTurn(async () => {
      const layout = this.#layout,
        { positions } = drive,
        { window, steps = [layout.steps], signal } = options;
      checkDrive("walk back", drive, layout.neurons);
      checkRead(neurons, steps, layout);
      checkWalk(outputGradient, positions, neurons.length, window, Math.max(...steps));
      if (layout.short) {
        throw new RangeError(
          "Cannot walk back: 16-bit rates are too coarse for gradients, precision float32 is wanted",
        );
      }
      if (layout.backHands === 0) {
        throw new RangeError(
          `Cannot walk back: ${layout.neurons} neurons leave no room for it in the 4 GiB of WebAssembly`,
        );
      }
      const reading = this.#readings.use(drive, neurons, steps, window);
      await this.#room.prepare(reading.plan.constantsUntil, signal);
      const walked = {
        crew: this.#crew,
        room: this.#room.number,
        memory: this.#memory,
        layout,
        numbering: this.#numbering,
        wiring: this.#wiring,
      };
      return await walkBack(
        walked,
        reading,
        drive,
        outputGradient,
        options,
        this.#room.withDrive.bind(this.#room),
      );
    });
  }

  calibrate(
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis> {
    return this.#calibrate(drive, options);
  }

  calibrateAround(
    bypass: Bypass,
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis> {
    return this.#calibrate(drive, options, bypass);
  }

  #calibrate(
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
    bypass?: Bypass,
  ): Promise<Homeostasis> {
    return this.#crew.inTurn(async () => {
      checkDrive("calibrate", drive, this.#layout.neurons);
      return await calibrate(
        {
          crew: this.#crew,
          module: this.#module,
          memory: this.#memory,
          layout: this.#layout,
          connections: this.#wiring.pre.length,
          numbering: this.#numbering,
          gain: this.#gain,
          bias: this.#bias,
        },
        drive,
        options,
        bypass,
      );
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#crew.inTurn(() => Promise.resolve(this.#crew.dispose()));
  }
}
