import type { Homeostasis } from "../brain/mod.ts";
import type { LongWork } from "../common/mod.ts";
import type { Drive } from "../eye/mod.ts";
import { addPlastic, addRest, LANES, moveLanes, setLaneDrive } from "./_lanes.ts";
import { measure } from "./_measure.ts";
import { type BrainParts, takeApart, type Thinker } from "./_thinker.ts";
import type { PlasticSynapses } from "./dopamine.ts";
import type { TakenOut } from "./plastic_synapses.ts";

/** The equations in float64, in the calling thread. */
export class DoubleThinker implements Thinker {
  readonly synapses: PlasticSynapses;
  readonly #parts: BrainParts;
  readonly #rest: TakenOut["rest"];
  #homeostasis: Homeostasis | null = null;

  constructor(parts: BrainParts) {
    const { synapses, rest } = takeApart(parts.connectome, parts.body);
    this.#parts = parts;
    this.synapses = synapses;
    this.#rest = rest;
  }

  use(homeostasis: Homeostasis): Promise<void> {
    this.#homeostasis = homeostasis;
    return Promise.resolve();
  }

  async calibrate(
    drive: Drive,
    { floor, calm, signal, onProgress }: LongWork & { readonly floor: number; readonly calm: boolean },
  ): Promise<Homeostasis> {
    const { neurons } = this.#rest, { positions } = drive, { steps } = this.#parts;
    const blocks = Array.from(
      { length: Math.ceil(positions / LANES) },
      () => new Float64Array(neurons * LANES),
    );
    const inputs = blocks.map((block) => new Float64Array(block.length));
    const mean = new Float64Array(steps * neurons), spread = new Float64Array(steps * neurons);
    for (let step = 1; step <= steps; step++) {
      for (const [i, rates] of blocks.entries()) {
        await turn(signal);
        this.#inputs(drive, i * LANES, step, rates, inputs[i]!);
      }
      const mu = mean.subarray((step - 1) * neurons, step * neurons);
      const sigma = spread.subarray((step - 1) * neurons, step * neurons);
      measure(inputs, positions, mu, sigma, { floor, calm });
      blocks.forEach((rates, i) => moveLanes(rates, inputs[i]!, mu, sigma, this.#parts));
      onProgress?.({ task: "calibrating", done: step, total: steps, unit: "steps" });
    }
    return { mean, spread };
  }

  async read(
    drive: Drive,
    wanted: Int32Array,
    steps: readonly number[],
    { signal, onProgress }: LongWork,
  ): Promise<Float64Array> {
    const { mean, spread } = this.#homeostasis!;
    const { neurons } = this.#rest, { positions } = drive, last = Math.max(...steps);
    const result = new Float64Array(steps.length * positions * wanted.length);
    const rates = new Float64Array(neurons * LANES), input = new Float64Array(neurons * LANES);
    for (let first = 0; first < positions; first += LANES) {
      await turn(signal);
      rates.fill(0);
      const lanes = Math.min(LANES, positions - first);
      for (let step = 1; step <= last; step++) {
        this.#inputs(drive, first, step, rates, input);
        const part = [(step - 1) * neurons, step * neurons] as const;
        moveLanes(rates, input, mean.subarray(...part), spread.subarray(...part), this.#parts);
        const kept = steps.indexOf(step);
        for (let lane = 0; kept >= 0 && lane < lanes; lane++) {
          const at = (kept * positions + first + lane) * wanted.length;
          for (let i = 0; i < wanted.length; i++) result[at + i] = rates[wanted[i]! * LANES + lane]!;
        }
      }
      onProgress?.({ task: "looking", done: first + lanes, total: positions, unit: "positions" });
    }
    return result;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  /** u of a block of positions: the eye, the rest of the brain, and the Kenyon cells through the cut. */
  #inputs(drive: Drive, first: number, step: number, rates: Float64Array, input: Float64Array): void {
    const { body: { kenyon, mbon }, gate, gated } = this.#parts;
    const passed = new Float64Array(kenyon.length * LANES), lane = new Float64Array(kenyon.length);
    // Before the first step all rates are 0.
    for (let l = 0; step > 1 && l < LANES && first + l < drive.positions; l++) {
      for (let k = 0; k < lane.length; k++) lane[k] = rates[kenyon[k]! * LANES + l]!;
      gate.pass(lane, lane, { step: step - 1, position: first + l });
      for (let k = 0; k < lane.length; k++) passed[k * LANES + l] = lane[k]!;
    }
    let sent = rates;
    if (gated === "all") {
      sent = rates.slice();
      kenyon.forEach((j, k) => sent.set(passed.subarray(k * LANES, (k + 1) * LANES), j * LANES));
    }
    setLaneDrive(drive, first, input);
    addRest(this.#rest, sent, input);
    addPlastic(this.synapses, mbon, passed, input);
  }
}

/** Lets everything else on this thread run, and stops where that is asked for. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise((resolve) => setTimeout(resolve, 0));
  signal?.throwIfAborted();
}
