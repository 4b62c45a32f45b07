import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import { checkDrive, checkModel, checkRead } from "../../_checks.ts";
import type { BrainModel, Homeostasis, LoadedBrain } from "../../engine.ts";
import { calibrate } from "./_calibrate.ts";
import { Crew } from "./_crew.ts";
import type { Job } from "./_job.ts";
import { areaParts, layOutThink, LINE_POSITIONS, STEP, STEP_WORDS, type ThinkLayout } from "./_layout.ts";
import { type Numbering, numberingOf, writeStrengths, writeWiring } from "./_model_memory.ts";
import { firstSteps, lastSteps, type Plan, planThink, type Wiring } from "./_plan.ts";

/** Plans kept: a brain is seldom read in more ways than these. */
const PLANS = 4;

/** What is read: rows in ascending order of place, and where each neuron asked for stands among them. */
interface Reading {
  readonly key: string;
  readonly rows: Int32Array;
  readonly slots: Int32Array;
  readonly steps: ReadonlySet<number>;
  readonly plan: Plan;
}

/** How a brain is held by the engine. */
export interface WasmBrainOptions {
  readonly module: WebAssembly.Module;
  readonly workers: number;
  readonly lightCone: boolean;
}

/** A brain in WebAssembly memory. */
export class WasmBrain implements LoadedBrain {
  readonly #crew: Crew;
  readonly #module: WebAssembly.Module;
  readonly #memory: WebAssembly.Memory;
  readonly #layout: ThinkLayout;
  readonly #numbering: Numbering;
  readonly #wiring: Wiring;
  readonly #room: number;
  readonly #lightCone: boolean;
  #gain: Float64Array;
  #bias: Float64Array;
  /** By place: whether any drive so far went there. */
  readonly #driven: Uint8Array;
  readonly #plans: Reading[] = [];
  /** Which plan the table in memory holds. */
  #written: Reading | null = null;
  #constantsKnown = false;

  constructor(model: BrainModel, { module, workers, lightCone }: WasmBrainOptions) {
    checkModel(model);
    const { neurons, steps, leak, pre } = model;
    this.#crew = new Crew(workers);
    this.#module = module;
    this.#lightCone = lightCone;
    const { layout, memory } = layOutThink({
      neurons,
      steps,
      leak,
      connections: pre.length,
      workers: this.#crew.size,
    });
    this.#layout = layout;
    this.#memory = memory;
    this.#numbering = numberingOf(Int32Array.from({ length: neurons }, (_, neuron) => neuron));
    this.#wiring = writeWiring(memory, layout, model, this.#numbering);
    this.#gain = model.gain.slice();
    this.#bias = model.bias.slice();
    writeStrengths(memory, layout, model, this.#numbering);
    this.#driven = new Uint8Array(neurons);
    this.#room = this.#crew.open({ module, memory, think: layout });
  }

  update(model: BrainModel): Promise<void> {
    return this.#crew.inTurn(() => {
      checkModel(model);
      if (model.neurons !== this.#layout.neurons || model.pre.length !== this.#wiring.pre.length) {
        throw new RangeError("Cannot update a brain: the wiring has another size, the same wiring is wanted");
      }
      this.#gain = model.gain.slice();
      this.#bias = model.bias.slice();
      writeStrengths(this.#memory, this.#layout, model, this.#numbering);
      this.#constantsKnown = false;
      return Promise.resolve();
    });
  }

  read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    { signal, onProgress }: LongWork = {},
  ): Promise<Float32Array> {
    return this.#crew.inTurn(async () => {
      checkDrive("read rates", drive, this.#layout.neurons);
      checkRead(neurons, steps, this.#layout);
      const reading = this.#reading(drive, neurons, steps);
      await this.#prepare(reading, signal);
      const result = new Float32Array(drive.positions * neurons.length);
      const last = reading.plan.steps.length, share = Math.fround(1 / steps.length);
      await this.#batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        await run({ kind: "think", area, first: 1, last });
        const at = areaParts(this.#layout, area).sums;
        const sums = new Float32Array(this.#memory.buffer, at, reading.rows.length * LINE_POSITIONS);
        for (let lane = 0; lane < count; lane++) {
          const into = (first + lane) * neurons.length;
          for (let i = 0; i < neurons.length; i++) {
            result[into + i] = sums[reading.slots[i]! * LINE_POSITIONS + lane]! * share;
          }
        }
      });
      return result;
    });
  }

  rates(drive: Drive, { signal, onProgress }: LongWork = {}): Promise<Float32Array> {
    return this.#crew.inTurn(async () => {
      const { neurons, steps } = this.#layout, { place } = this.#numbering;
      checkDrive("read rates", drive, neurons);
      const all = Array.from({ length: steps }, (_, step) => step + 1);
      await this.#prepare(this.#reading(drive, this.#numbering.order, all), signal);
      const result = new Float32Array(steps * drive.positions * neurons);
      await this.#batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        const { odd, even } = areaParts(this.#layout, area);
        for (let step = 1; step <= steps; step++) {
          await run({ kind: "think", area, first: step, last: step });
          const state = new Float32Array(
            this.#memory.buffer,
            step % 2 === 1 ? odd : even,
            neurons * LINE_POSITIONS,
          );
          for (let lane = 0; lane < count; lane++) {
            const into = ((step - 1) * drive.positions + first + lane) * neurons;
            for (let j = 0; j < neurons; j++) result[into + j] = state[place[j]! * LINE_POSITIONS + lane]!;
          }
        }
      });
      return result;
    });
  }

  calibrate(
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
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
      );
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#crew.inTurn(() => Promise.resolve(this.#crew.dispose()));
  }

  /** Deals out the positions, 16 at a time, with their drive in the hand's area while `act` runs. */
  async #batches(
    drive: Drive,
    { signal, onProgress }: LongWork,
    act: (first: number, count: number, area: number, run: (job: Job) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { positions } = drive;
    let done = 0;
    await this.#crew.deal(
      this.#room,
      Math.ceil(positions / LINE_POSITIONS),
      signal,
      async (batch, area, run) => {
        const first = batch * LINE_POSITIONS, count = Math.min(LINE_POSITIONS, positions - first);
        this.#light(drive, first, count, area, true);
        try {
          await act(first, count, area, run);
        } finally {
          this.#light(drive, first, count, area, false);
        }
        done += count;
        onProgress?.({ task: "thinking", done, total: positions, unit: "positions" });
      },
    );
  }

  /** Puts the drive of a batch into an area, or takes it out again: only those numbers, never the whole state. */
  #light(drive: Drive, first: number, count: number, area: number, on: boolean): void {
    const { neurons } = this.#layout, { place } = this.#numbering;
    const at = areaParts(this.#layout, area).drive;
    const x = new Float32Array(this.#memory.buffer, at, neurons * LINE_POSITIONS);
    for (let lane = 0; lane < count; lane++) {
      for (let k = drive.start[first + lane]!; k < drive.start[first + lane + 1]!; k++) {
        x[place[drive.neuron[k]!]! * LINE_POSITIONS + lane] = on ? drive.value?.[k] ?? 1 : 0;
      }
    }
  }

  /** The plan for a read, made now or kept from before. A neuron that was never driven before changes every plan. */
  #reading(drive: Drive, neurons: Int32Array, steps: readonly number[]): Reading {
    const { place } = this.#numbering;
    for (const neuron of drive.neuron) {
      if (this.#driven[place[neuron]!] !== 0) continue;
      this.#driven[place[neuron]!] = 1;
      this.#plans.length = 0;
    }
    const key = `${steps.join()} ${neurons.join()}`;
    const known = this.#plans.find((plan) => plan.key === key);
    if (known !== undefined) return known;

    const rows = Int32Array.from(new Set(neurons), (neuron) => place[neuron]!).sort();
    const slotOf = new Int32Array(this.#layout.neurons);
    rows.forEach((row, slot) => slotOf[row] = slot);
    const lastRead = Math.max(...steps);
    const everywhere = (step: number) => new Int32Array(this.#layout.neurons).fill(step);
    const reading: Reading = {
      key,
      rows,
      slots: Int32Array.from(neurons, (neuron) => slotOf[place[neuron]!]!),
      steps: new Set(steps),
      plan: planThink(
        this.#driven,
        this.#lightCone ? firstSteps(this.#wiring, this.#driven, lastRead) : everywhere(1),
        this.#lightCone ? lastSteps(this.#wiring, rows, lastRead) : everywhere(lastRead),
        lastRead,
      ),
    };
    this.#plans.unshift(reading);
    this.#plans.length = Math.min(this.#plans.length, PLANS);
    return reading;
  }

  /** Puts a plan into memory, and the constant rates that it needs. */
  async #prepare(reading: Reading, signal: AbortSignal | undefined): Promise<void> {
    const { steps, lists, table, readRows } = this.#layout;
    if (this.#written !== reading) {
      const words = new Uint32Array(this.#memory.buffer, table, steps * STEP_WORDS);
      let at = lists, fresh = true;
      const put = (rows: Int32Array): [address: number, count: number] => {
        new Int32Array(this.#memory.buffer, at, rows.length).set(rows);
        at += 4 * rows.length;
        return [at - 4 * rows.length, rows.length];
      };
      reading.plan.steps.forEach(({ plain, driven, constant }, step) => {
        const entry = words.subarray(step * STEP_WORDS, (step + 1) * STEP_WORDS);
        entry.set(put(plain), STEP.plain);
        entry.set(put(driven), STEP.driven);
        entry.set(put(constant), STEP.constant);
        entry[STEP.collect] = reading.steps.has(step + 1) ? fresh ? 2 : 1 : 0;
        entry[STEP.readCount] = reading.rows.length;
        if (entry[STEP.collect] !== 0) fresh = false;
      });
      new Int32Array(this.#memory.buffer, readRows, reading.rows.length).set(reading.rows);
      this.#written = reading;
    }
    if (reading.plan.hasConstants && !this.#constantsKnown) {
      await this.#crew.deal(
        this.#room,
        1,
        signal,
        (_, area, run) => run({ kind: "dark", area, first: 1, last: steps }),
      );
      this.#constantsKnown = true;
    }
  }
}
