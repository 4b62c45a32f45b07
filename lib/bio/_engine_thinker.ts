import {
  type BrainModel,
  type Bypass,
  type BypassMoment,
  type Engine,
  type Homeostasis,
  type LoadedBrain,
} from "../brain/mod.ts";
import type { LongWork } from "../common/mod.ts";
import type { Drive } from "../eye/mod.ts";
import { type BrainParts, takeApart, type Thinker } from "./_thinker.ts";
import type { PlasticSynapses } from "./dopamine.ts";
import { nothingSent, plasticNow, type Sent, takeOutSenders } from "./_sent.ts";

/** What a Kenyon cell passes on below this, all of them together would not round an input in float32 otherwise. */
const FAINT = 1e-10;

/** A brain that an engine runs; the cut and what passes it are computed here, between its steps. */
export class EngineThinker implements Thinker {
  readonly synapses: PlasticSynapses;
  readonly #engine: Engine;
  readonly #parts: BrainParts;
  readonly #sent: Sent;
  #model: BrainModel;
  #loaded: Promise<LoadedBrain> | null = null;

  constructor(parts: BrainParts, engine: Engine) {
    const { connectome, body, gated, steps, leak } = parts, neurons = connectome.sign.length;
    const { synapses, rest } = takeApart(connectome, body);
    const others = gated === "all"
      ? takeOutSenders(rest, body.kenyon)
      : { rest, sent: nothingSent(body.kenyon) };
    this.#engine = engine;
    this.#parts = parts;
    this.synapses = synapses;
    this.#sent = others.sent;
    this.#model = {
      ...others.rest,
      steps,
      leak,
      gain: new Float64Array(neurons).fill(parts.gain),
      bias: new Float64Array(neurons).fill(parts.bias),
      mean: null,
      spread: null,
    };
  }

  async calibrate(
    drive: Drive,
    options: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis> {
    const brain = await this.#brain();
    return await brain.calibrateAround!(this.#bypass(), drive, options);
  }

  async use({ mean, spread }: Homeostasis): Promise<void> {
    this.#model = { ...this.#model, mean, spread };
    const loaded = await this.#loaded;
    await loaded?.update?.(this.#model);
  }

  async read(
    drive: Drive,
    neurons: Int32Array,
    steps: readonly number[],
    work: LongWork,
  ): Promise<Float64Array> {
    const brain = await this.#brain(), bypass = this.#bypass(), size = drive.positions * neurons.length;
    const result = new Float64Array(steps.length * size);
    for (const [i, step] of steps.entries()) {
      result.set(await brain.readAround!(bypass, drive, neurons, [step], work), i * size);
    }
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const loaded = this.#loaded;
    this.#loaded = null;
    await (await loaded)?.[Symbol.asyncDispose]();
  }

  #brain(): Promise<LoadedBrain> {
    this.#loaded ??= this.#engine.load(this.#model).then((brain) => {
      if (brain.readAround === undefined || brain.calibrateAround === undefined) {
        throw new TypeError(
          `Cannot make a dopamine fly's brain: the ${this.#engine.name} engine leaves no part to others, wasm is wanted`,
        );
      }
      return brain;
    });
    return this.#loaded;
  }

  #bypass(): Bypass {
    const { body: { kenyon, mbon }, gate } = this.#parts, { to, start, slot, weight } = this.#sent;
    const plastic = plasticNow(this.synapses), cells = kenyon.length;
    const lane = new Float64Array(cells), receivers = mbon.length + to.length;
    let passed = new Float64Array(), sums = new Float64Array();
    return {
      from: kenyon,
      to: Int32Array.from([...mbon, ...to]),
      pass: (rates: Float32Array, input: Float32Array, { step, first, count, lanes }: BypassMoment) => {
        if (passed.length !== cells * lanes) {
          passed = new Float64Array(cells * lanes);
          sums = new Float64Array(receivers * lanes);
        }
        sums.fill(0);
        for (let l = 0; l < lanes; l++) {
          if (l < count) {
            for (let k = 0; k < cells; k++) lane[k] = rates[k * lanes + l]!;
            gate.pass(lane, lane, { step, position: first + l });
          } else lane.fill(0);
          for (let k = 0; k < cells; k++) passed[k * lanes + l] = lane[k]! < FAINT ? 0 : lane[k]!;
        }
        for (let k = 0; k < cells; k++) {
          if (isSilent(passed, k * lanes, lanes)) continue;
          for (let at = plastic.start[k]!; at < plastic.start[k + 1]!; at++) {
            addLine(sums, plastic.slot[at]! * lanes, plastic.weight[at]!, passed, k * lanes, lanes);
          }
          for (let at = start[k]!; at < start[k + 1]!; at++) {
            addLine(sums, (mbon.length + slot[at]!) * lanes, weight[at]!, passed, k * lanes, lanes);
          }
        }
        input.set(sums);
      },
    };
  }
}

/** Whether a line has nothing but zeros: adding it would change no bit. */
function isSilent(lines: Float64Array, from: number, lanes: number): boolean {
  for (let l = 0; l < lanes; l++) if (lines[from + l] !== 0) return false;
  return true;
}

/** Adds a line, so many times, to another. */
function addLine(
  sums: Float64Array,
  to: number,
  times: number,
  lines: Float64Array,
  from: number,
  lanes: number,
): void {
  for (let l = 0; l < lanes; l++) sums[to + l]! += times * lines[from + l]!;
}
