import type { LongWork } from "../../../common/mod.ts";
import type { Drive } from "../../../eye/mod.ts";
import { checkDrive, checkModel, checkRead } from "../../_checks.ts";
import type { BrainModel, EngineGradients, Homeostasis, LoadedBrain } from "../../engine.ts";
import { calibrateByteBrain, type CalibratedBytes } from "./_byte_calibrate.ts";
import { byteAreaParts, type ByteLayout, layOutBytes } from "./_byte_layout.ts";
import type { ByteJob } from "./_byte_step.ts";
import {
  type ByteTiling,
  type ByteWeights,
  planByteTiles,
  roundWeights,
  writeByteRows,
  writeByteTiles,
} from "./_byte_weights.ts";
import { Crew } from "./_crew.ts";
import { LINE_POSITIONS, SHORT_ONE, type TileSize } from "./_layout.ts";
import { foldHomeostasis, numberingOf, renumber } from "./_model_memory.ts";
import type { Wiring } from "./_plan.ts";
import { inOrder, Readings } from "./_readings.ts";

/** How a brain of bytes is held by the engine. */
export interface ByteBrainOptions {
  readonly module: WebAssembly.Module;
  readonly workers: number;
  readonly lightCone: boolean;
  readonly tile: TileSize;
}

/** What a unit of a rate of 16 bits stands for. */
const SHORT_SHARE = Math.fround(1 / SHORT_ONE);

/** Everything that depends on the weights. */
interface Held {
  readonly weights: ByteWeights;
  readonly tiling: ByteTiling;
  readonly layout: ByteLayout;
  readonly memory: WebAssembly.Memory;
  readonly readings: Readings;
  readonly room: number;
}

/** A brain in WebAssembly memory whose neurons hear each other in bytes. */
export class ByteBrain implements LoadedBrain {
  readonly #crew: Crew;
  readonly #options: ByteBrainOptions;
  readonly #wiring: Wiring;
  readonly #neurons: number;
  #model: BrainModel;
  #held: Held;
  /** Steps whose constant rates are in memory. */
  #constantsKnown = 0;

  constructor(model: BrainModel, options: ByteBrainOptions) {
    checkModel(model);
    this.#neurons = model.neurons;
    this.#options = options;
    this.#crew = new Crew(options.workers);
    this.#wiring = renumber(model, this.#numbering());
    this.#held = this.#hold(model);
    this.#model = copyOf(model);
    this.#writeHomeostasis();
  }

  /** Neurons keep their numbers: which column they are in matters less than what it costs to move them. */
  #numbering() {
    return numberingOf(Int32Array.from({ length: this.#neurons }, (_, neuron) => neuron));
  }

  #hold(model: BrainModel): Held {
    const { module, lightCone, tile } = this.#options, { neurons, steps, leak } = model;
    const weights = roundWeights(model.weight, this.#wiring), tiling = planByteTiles(weights, tile);
    const { quartets, tileBytes } = tiling;
    const { layout, memory } = layOutBytes(
      { neurons, steps, leak, ...tile, quartets, tileBytes },
      this.#crew.size,
    );
    writeByteTiles(memory, layout, tiling, weights);
    writeByteRows(memory, layout, weights);
    const readings = new Readings(memory, layout, this.#wiring, this.#numbering(), lightCone);
    return {
      weights,
      tiling,
      layout,
      memory,
      readings,
      room: this.#crew.open({ module, memory, bytes: layout }),
    };
  }

  #writeHomeostasis(): void {
    const { gain, bias, mean, spread, steps, neurons } = this.#model, { layout, memory } = this.#held;
    const part = (at: number) => new Float32Array(memory.buffer, at, steps * neurons);
    const scales = part(layout.scale), shifts = part(layout.shift);
    for (let step = 0, at = 0; step < steps; step++) {
      for (let neuron = 0; neuron < neurons; neuron++, at++) {
        const { scale, shift } = foldHomeostasis(
          gain[neuron]!,
          bias[neuron]!,
          mean?.[at] ?? 0,
          spread?.[at] ?? 1,
        );
        scales[at] = scale;
        shifts[at] = shift;
      }
    }
    this.#constantsKnown = 0;
  }

  update(model: BrainModel): Promise<void> {
    return this.#crew.inTurn(() => {
      checkModel(model);
      if (model.neurons !== this.#neurons || model.pre.length !== this.#wiring.pre.length) {
        throw new RangeError("Cannot update a brain: the wiring has another size, the same wiring is wanted");
      }
      const known = this.#model.weight;
      if (model.weight.some((weight, k) => weight !== known[k])) {
        this.#crew.close(this.#held.room);
        this.#held = this.#hold(model);
      }
      this.#model = copyOf(model);
      this.#writeHomeostasis();
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
      const { layout, memory, readings } = this.#held;
      checkDrive("read rates", drive, this.#neurons);
      checkRead(neurons, steps, layout);
      const reading = readings.use(drive, neurons, steps), last = reading.plan.steps.length;
      await this.#prepare(reading.plan.constantsUntil, signal);
      const result = new Float32Array(drive.positions * neurons.length);
      const share = Math.fround(1 / (SHORT_ONE * steps.length));
      await this.#batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        await run({ kind: "bytes", area, first: 1, last, dark: false });
        const at = byteAreaParts(layout, area).sums;
        const sums = new Float32Array(memory.buffer, at, reading.rows.length * LINE_POSITIONS);
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

  readEach(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    { signal, onProgress }: LongWork = {},
  ): Promise<Float32Array> {
    return this.#crew.inTurn(async () => {
      const { layout, memory, readings } = this.#held;
      checkDrive("read rates", drive, this.#neurons);
      checkRead(neurons, steps, layout);
      const { plan, rows, slots } = readings.use(drive, neurons, steps);
      await this.#prepare(plan.constantsUntil, signal);
      const result = new Float32Array(drive.positions * steps.length * neurons.length);
      await this.#batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        const at = byteAreaParts(layout, area).rates;
        const rates = new Int16Array(memory.buffer, at, this.#neurons * LINE_POSITIONS);
        for (const { from, step, place } of inOrder(steps)) {
          await run({ kind: "bytes", area, first: from, last: step, dark: false });
          for (let lane = 0; lane < count; lane++) {
            const into = ((first + lane) * steps.length + place) * neurons.length;
            for (let i = 0; i < neurons.length; i++) {
              result[into + i] = rates[rows[slots[i]!]! * LINE_POSITIONS + lane]! * SHORT_SHARE;
            }
          }
        }
      });
      return result;
    });
  }

  rates(drive: Drive, { signal, onProgress }: LongWork = {}): Promise<Float32Array> {
    return this.#crew.inTurn(async () => {
      const { layout, memory, readings } = this.#held, { neurons, steps } = layout;
      checkDrive("read rates", drive, neurons);
      const every = Int32Array.from({ length: neurons }, (_, neuron) => neuron);
      const { plan } = readings.use(drive, every, Array.from({ length: steps }, (_, step) => step + 1));
      await this.#prepare(plan.constantsUntil, signal);
      const result = new Float32Array(steps * drive.positions * neurons);
      await this.#batches(drive, { signal, onProgress }, async (first, count, area, run) => {
        const at = byteAreaParts(layout, area).rates;
        const rates = new Int16Array(memory.buffer, at, neurons * LINE_POSITIONS);
        for (let step = 1; step <= steps; step++) {
          await run({ kind: "bytes", area, first: step, last: step, dark: false });
          for (let lane = 0; lane < count; lane++) {
            const into = ((step - 1) * drive.positions + first + lane) * neurons;
            for (let j = 0; j < neurons; j++) {
              result[into + j] = rates[j * LINE_POSITIONS + lane]! / SHORT_ONE;
            }
          }
        }
      });
      return result;
    });
  }

  backward(): Promise<EngineGradients> {
    return Promise.reject(
      new RangeError(
        "Cannot walk back: 8-bit rates are too coarse for gradients, precision float32 is wanted",
      ),
    );
  }

  calibrate(
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis> {
    return this.#crew.inTurn(async () => {
      checkDrive("calibrate", drive, this.#neurons);
      const brain: CalibratedBytes = {
        crew: this.#crew,
        module: this.#options.module,
        gain: this.#model.gain,
        bias: this.#model.bias,
        ...this.#held,
      };
      return await calibrateByteBrain(brain, drive, options);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#crew.inTurn(() => Promise.resolve(this.#crew.dispose()));
  }

  /** Deals out the positions, 16 at a time, with their drive in the hand's area while `act` runs. */
  async #batches(
    drive: Drive,
    { signal, onProgress }: LongWork,
    act: (first: number, count: number, area: number, run: (job: ByteJob) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { positions } = drive, batches = Math.ceil(positions / LINE_POSITIONS);
    let done = 0;
    await this.#crew.deal(this.#held.room, batches, signal, async (batch, area, run) => {
      const first = batch * LINE_POSITIONS, count = Math.min(LINE_POSITIONS, positions - first);
      this.#light(drive, first, count, area, true);
      try {
        await act(first, count, area, run);
      } finally {
        this.#light(drive, first, count, area, false);
      }
      done += count;
      onProgress?.({ task: "thinking", done, total: positions, unit: "positions" });
    });
  }

  /** Puts the drive of a batch into an area, or takes it out again: only those numbers, never the whole state. */
  #light({ start, neuron, value }: Drive, first: number, count: number, area: number, on: boolean): void {
    const { layout, memory } = this.#held, at = byteAreaParts(layout, area).drive;
    const x = new Float32Array(memory.buffer, at, this.#neurons * LINE_POSITIONS);
    for (let lane = 0; lane < count; lane++) {
      for (let k = start[first + lane]!; k < start[first + lane + 1]!; k++) {
        x[neuron[k]! * LINE_POSITIONS + lane] = on ? value?.[k] ?? 1 : 0;
      }
    }
  }

  /** Measures the constant rates of the first steps, if they are not known. */
  async #prepare(until: number, signal: AbortSignal | undefined): Promise<void> {
    if (until <= this.#constantsKnown) return;
    const job = { kind: "bytes", area: 0, first: 1, last: until, dark: true } as const;
    await this.#crew.deal(this.#held.room, 1, signal, (_task, _area, run) => run(job));
    this.#constantsKnown = until;
  }
}

/** Keeps what a caller may change later. */
function copyOf(model: BrainModel): BrainModel {
  return { ...model, weight: model.weight.slice(), gain: model.gain.slice(), bias: model.bias.slice() };
}
