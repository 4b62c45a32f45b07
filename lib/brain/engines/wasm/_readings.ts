import { STEP, STEP_WORDS, type ThinkLayout } from "./_layout.ts";
import type { Numbering } from "./_model_memory.ts";
import { firstSteps, lastSteps, type Plan, planThink, type Wiring } from "./_plan.ts";

/** Plans kept: a brain is seldom read in more ways than these. */
const PLANS = 4;

/** Where plans go. */
type PlanLayout = Pick<ThinkLayout, "neurons" | "steps" | "lists" | "table" | "readRows">;

/** What is read: rows in ascending order of place, and where each neuron asked for stands among them. */
export interface Reading {
  readonly key: string;
  readonly rows: Int32Array;
  readonly slots: Int32Array;
  readonly steps: ReadonlySet<number>;
  readonly plan: Plan;
}

/** Steps to stop at, ascending: each with the step to go on from, and with its place among those asked for. */
export function inOrder(steps: readonly number[]): { from: number; step: number; place: number }[] {
  const places = steps.map((step, place) => ({ step, place })).sort((a, b) => a.step - b.step);
  return places.map((each, i) => ({ from: (places[i - 1]?.step ?? 0) + 1, ...each }));
}

/** The ways in which a brain is read, with their plans. */
export class Readings {
  readonly #memory: WebAssembly.Memory;
  readonly #layout: PlanLayout;
  readonly #wiring: Wiring;
  readonly #numbering: Numbering;
  readonly #lightCone: boolean;
  /** By place: whether any drive so far went there. */
  readonly #driven: Uint8Array;
  readonly #known: Reading[] = [];
  /** Which plan the table in memory holds. */
  #written: Reading | null = null;

  constructor(
    memory: WebAssembly.Memory,
    layout: PlanLayout,
    wiring: Wiring,
    numbering: Numbering,
    lightCone: boolean,
  ) {
    this.#memory = memory;
    this.#layout = layout;
    this.#wiring = wiring;
    this.#numbering = numbering;
    this.#lightCone = lightCone;
    this.#driven = new Uint8Array(layout.neurons);
  }

  /**
   * The plan for a read, made now or kept from before, and written into memory. A neuron that was never driven before
   * changes every plan.
   *
   * @param drive What the eye or a bypass adds to; only `neuron` counts.
   * @param window Steps before the last whose inputs are kept for the way back.
   */
  use(
    drive: { readonly neuron: Iterable<number> },
    neurons: Int32Array,
    steps: readonly number[],
    window = 0,
  ): Reading {
    const { place } = this.#numbering;
    for (const neuron of drive.neuron) {
      if (this.#driven[place[neuron]!] !== 0) continue;
      this.#driven[place[neuron]!] = 1;
      this.#known.length = 0;
    }
    const key = `${window} ${steps.join()} ${neurons.join()}`;
    const known = this.#known.find((reading) => reading.key === key);
    if (known !== undefined) {
      this.#write(known);
      return known;
    }
    const rows = Int32Array.from(new Set(neurons), (neuron) => place[neuron]!).sort();
    const slotOf = new Int32Array(this.#layout.neurons);
    rows.forEach((row, slot) => slotOf[row] = slot);
    const reading: Reading = {
      key,
      rows,
      slots: Int32Array.from(neurons, (neuron) => slotOf[place[neuron]!]!),
      steps: new Set(steps),
      plan: this.#plan(rows, Math.max(...steps), window),
    };
    this.#known.unshift(reading);
    this.#known.length = Math.min(this.#known.length, PLANS);
    this.#write(reading);
    return reading;
  }

  #plan(rows: Int32Array, lastRead: number, window: number): Plan {
    const everywhere = (step: number) => new Int32Array(this.#layout.neurons).fill(step);
    return planThink(
      this.#wiring,
      this.#driven,
      this.#lightCone ? firstSteps(this.#wiring, this.#driven, lastRead) : everywhere(1),
      this.#lightCone ? lastSteps(this.#wiring, rows, lastRead) : everywhere(lastRead),
      lastRead,
      lastRead - window + 1,
    );
  }

  /** Puts a plan into memory. */
  #write(reading: Reading): void {
    if (this.#written === reading) return;
    const { steps, lists, table, readRows } = this.#layout;
    const words = new Uint32Array(this.#memory.buffer, table, steps * STEP_WORDS);
    let at = lists, fresh = true;
    const put = (rows: Int32Array): [address: number, count: number] => {
      new Int32Array(this.#memory.buffer, at, rows.length).set(rows);
      at += 4 * rows.length;
      return [at - 4 * rows.length, rows.length];
    };
    reading.plan.steps.forEach(({ plain, driven, constant, tiled }, step) => {
      const entry = words.subarray(step * STEP_WORDS, (step + 1) * STEP_WORDS);
      entry.set(put(plain), STEP.plain);
      entry.set(put(driven), STEP.driven);
      entry.set(put(constant), STEP.constant);
      entry[STEP.collect] = reading.steps.has(step + 1) ? fresh ? 2 : 1 : 0;
      entry[STEP.readCount] = reading.rows.length;
      entry[STEP.tiled] = Number(tiled);
      if (entry[STEP.collect] !== 0) fresh = false;
    });
    new Int32Array(this.#memory.buffer, readRows, reading.rows.length).set(reading.rows);
    this.#written = reading;
  }
}
