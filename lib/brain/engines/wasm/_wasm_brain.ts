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
import { type Part, walkBack } from "./_backward.ts";
import { thinkAround } from "./_bypass.ts";
import { calibrate } from "./_calibrate.ts";
import { Crew } from "./_crew.ts";
import { instantiate, type Kernels } from "./_instantiate.ts";
import type { Job } from "./_job.ts";
import {
  areaParts,
  layOutThink,
  LINE_POSITIONS,
  NARROW_POSITIONS,
  SHORT_ONE,
  SHORT_POSITIONS,
  type ThinkLayout,
  type TileSize,
} from "./_layout.ts";
import { light, type Lit } from "./_light.ts";
import { type Numbering, numberingOf, renumber, writeStrengths, writeWiring } from "./_model_memory.ts";
import { canSplit } from "./_narrow_step.ts";
import type { Wiring } from "./_plan.ts";
import { readFew } from "./_read_few.ts";
import { inOrder, type Reading, Readings } from "./_readings.ts";
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
  /** Positions in a line. */
  readonly #lanes: number;
  readonly #numbering: Numbering;
  readonly #wiring: Wiring;
  readonly #room: number;
  /** The arithmetic on this thread, for what is written and no worker's. */
  readonly #kernels: Kernels;
  readonly #readings: Readings;
  #gain: Float64Array;
  #bias: Float64Array;
  /** Steps whose constant rates are in memory. */
  #constantsKnown = 0;

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
    this.#lanes = short ? SHORT_POSITIONS : LINE_POSITIONS;
    this.#memory = memory;
    writeWiring(memory, layout, this.#wiring);
    writeTiles(memory, { ...layout, table: layout.tileTable }, tiling, this.#wiring);
    this.#readings = new Readings(memory, layout, this.#wiring, this.#numbering, lightCone);
    this.#gain = model.gain.slice();
    this.#bias = model.bias.slice();
    this.#kernels = instantiate(module, memory);
    writeStrengths(this.#kernels, memory, layout, model, this.#numbering, this.#wiring);
    this.#room = this.#crew.open({ module, memory, think: layout });
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
      this.#constantsKnown = 0;
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
      if (bypass === undefined && this.#splits(drive.positions)) {
        return await this.#readSplit(drive, reading, { signal, onProgress });
      }
      await this.#prepare(reading.plan.constantsUntil, signal);
      const result = new Float32Array(drive.positions * neurons.length);
      const last = reading.plan.steps.length, lanes = this.#lanes;
      const share = Math.fround(1 / (this.#layout.short ? SHORT_ONE * steps.length : steps.length));
      await this.#batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        if (bypass === undefined) await run({ kind: "think", area, first: 1, last });
        else await thinkAround(this.#held, bypass, { first, count, area, last }, run);
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
      await this.#prepare(plan.constantsUntil, signal);
      const result = new Float32Array(drive.positions * steps.length * neurons.length);
      const lanes = this.#lanes, share = Math.fround(this.#layout.short ? 1 / SHORT_ONE : 1);
      await this.#batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        for (const { from, step, place } of inOrder(steps)) {
          await run({ kind: "think", area, first: from, last: step });
          const state = this.#state(area, step);
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

  /** The rates of all neurons in an area after a step, line by line. */
  #state(area: number, step: number): Int16Array | Float32Array {
    const { odd, even } = areaParts(this.#layout, area), at = step % 2 === 1 ? odd : even;
    const length = this.#layout.neurons * this.#lanes, { buffer } = this.#memory;
    return this.#layout.short ? new Int16Array(buffer, at, length) : new Float32Array(buffer, at, length);
  }

  rates(drive: Drive, { signal, onProgress }: LongWork = {}): Promise<Float32Array> {
    return this.#crew.inTurn(async () => {
      const { neurons, steps, short } = this.#layout, { place } = this.#numbering;
      const lanes = this.#lanes, one = short ? SHORT_ONE : 1;
      checkDrive("read rates", drive, neurons);
      const all = Array.from({ length: steps }, (_, step) => step + 1);
      const { plan } = this.#readings.use(drive, this.#numbering.order, all);
      await this.#prepare(plan.constantsUntil, signal);
      const result = new Float32Array(steps * drive.positions * neurons);
      await this.#batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        for (let step = 1; step <= steps; step++) {
          await run({ kind: "think", area, first: step, last: step });
          const state = this.#state(area, step);
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
      await this.#prepare(reading.plan.constantsUntil, signal);
      const walked = {
        crew: this.#crew,
        room: this.#room,
        memory: this.#memory,
        layout,
        numbering: this.#numbering,
        wiring: this.#wiring,
      };
      return await walkBack(walked, reading, drive, outputGradient, options, this.#lit.bind(this));
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

  get #held(): Lit {
    return { memory: this.#memory, layout: this.#layout, numbering: this.#numbering };
  }

  /** Whether workers share each step's rows: where a line of positions for each would leave some without work. */
  #splits(positions: number): boolean {
    if (this.#layout.short) return false;
    if (positions <= NARROW_POSITIONS) return true;
    return Math.ceil(positions / LINE_POSITIONS) < this.#crew.size && canSplit(this.#layout);
  }

  /** Reads a line of positions after the other, all workers at it. */
  async #readSplit(
    drive: Drive,
    reading: Reading,
    { signal, onProgress }: LongWork,
  ): Promise<Float32Array> {
    const { positions } = drive, { plan, slots } = reading;
    const wide = positions === 1 ? 1 : positions <= NARROW_POSITIONS ? NARROW_POSITIONS : LINE_POSITIONS;
    await this.#prepare(wide === LINE_POSITIONS ? plan.constantsUntil : plan.narrowConstantsUntil, signal);
    const result = new Float32Array(positions * slots.length);
    const held = { crew: this.#crew, room: this.#room, memory: this.#memory, layout: this.#layout };
    for (let first = 0; first < positions; first += wide) {
      const count = Math.min(wide, positions - first);
      const rates = await this.#lit(
        drive,
        { first, count, area: 0, wide },
        () => readFew(held, reading, count, wide, signal),
      );
      result.set(rates, first * slots.length);
      onProgress?.({ task: "thinking", done: first + count, total: positions, unit: "positions" });
    }
    return result;
  }

  /** Deals out the positions, a line at a time, with their drive in the hand's area while `act` runs. */
  async #batches(
    drive: Drive,
    { signal, onProgress }: LongWork,
    act: (first: number, count: number, area: number, run: (job: Job) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { positions } = drive;
    let done = 0;
    await this.#crew.deal(
      this.#room,
      Math.ceil(positions / this.#lanes),
      signal,
      async (batch, area, run) => {
        const first = batch * this.#lanes, count = Math.min(this.#lanes, positions - first);
        await this.#lit(drive, { first, count, area }, () => act(first, count, area, run));
        done += count;
        onProgress?.({ task: "thinking", done, total: positions, unit: "positions" });
      },
    );
  }

  /** Keeps the drive of a batch in an area while `act` runs. */
  async #lit<T>(
    drive: Drive,
    part: Part & { readonly wide?: number },
    act: () => Promise<T>,
  ): Promise<T> {
    const lines = { ...part, wide: part.wide ?? this.#lanes };
    light(this.#held, drive, lines, true);
    try {
      return await act();
    } finally {
      light(this.#held, drive, lines, false);
    }
  }

  /** Measures the constant rates of the first steps, if they are not known. */
  async #prepare(until: number, signal: AbortSignal | undefined): Promise<void> {
    if (until <= this.#constantsKnown) return;
    await this.#crew.deal(this.#room, 1, signal, (_task, _area, run) => run({ kind: "dark", last: until }));
    this.#constantsKnown = until;
  }
}
