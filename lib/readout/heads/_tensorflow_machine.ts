import { breather } from "../../common/_breather.ts";
import { defaultFolder, loadBinding } from "../../common/_tensorflow_addon.ts";
import { type PositionLoss, positionLoss } from "../_legal_softmax.ts";
import { READOUT_COLUMNS } from "../readout.ts";
import {
  bestArithmetic,
  compileHeads,
  type HeadsKernels,
  type HeadsLayout,
  instantiateHeads,
  planHeads,
} from "./_layout.ts";
import { furnish, type HeadsMachine, type MachineSettings, type WeightPart } from "./_machine.ts";
import { TensorflowVariables } from "./_tensorflow_variables.ts";
import { adamStep, type HeadsJob } from "./_work.ts";

/** Milliseconds between reports. */
const REPORT_EVERY = 100;

/**
 * TensorFlow's products and its Adam, on as many threads as TensorFlow takes. Bytes become features in our own kernels, and
 * the losses over each position's legal moves, which lie between the products, are our own too: the calling thread's work.
 */
export class TensorflowMachine implements HeadsMachine {
  readonly arithmetic: string;
  readonly #layout: HeadsLayout;
  readonly #memory: WebAssembly.Memory;
  readonly #kernels: HeadsKernels;
  readonly #variables: TensorflowVariables;
  readonly #numbers: number;

  private constructor(module: WebAssembly.Module, settings: MachineSettings, batch: number) {
    const { columns, kept, combinations } = settings, binding = loadBinding(defaultFolder());
    this.arithmetic = tensorflowArithmetic();
    this.#layout = planHeads(columns, kept, combinations, batch, 1);
    this.#memory = furnish(this.#layout, settings);
    this.#kernels = instantiateHeads(module, this.#memory);
    this.#variables = new TensorflowVariables(
      binding,
      this.#floats(this.#layout.decay, this.#layout.features),
    );
    this.#numbers = (columns * combinations + 1) * READOUT_COLUMNS;
    const { turned, features } = this.#layout, rows = this.#floats(turned, batch * features);
    for (let bias = columns * combinations; bias < rows.length; bias += features) rows[bias] = 1;
  }

  static async create(settings: MachineSettings, batch: number): Promise<TensorflowMachine> {
    return new TensorflowMachine(await compileHeads(bestArithmetic()), settings, batch);
  }

  async run(job: HeadsJob, signal: AbortSignal | undefined, report: (done: number) => void): Promise<void> {
    const breathe = breather(signal), { order, batch } = job;
    let next = performance.now() + REPORT_EVERY;
    for (let start = 0, steps = job.steps; start < order.length; start += batch) {
      const count = Math.min(batch, order.length - start);
      this.#batch(job, start, count, ++steps);
      await breathe();
      if (performance.now() < next) continue;
      report(start + count);
      next = performance.now() + REPORT_EVERY;
    }
  }

  #batch(job: HeadsJob, start: number, count: number, step: number): void {
    const { order, losses, deck, extra, learn } = job, { turned, features } = this.#layout;
    for (let i = 0; i < count; i++) this.#layOut(job, order[start + i]!, i);
    const batch = this.#variables.features(this.#floats(turned, count * features), count);
    const scores = this.#variables.scores(batch), each: PositionLoss = { policy: 0, value: 0, favourite: 0 };
    for (let i = 0; i < count; i++) {
      const place = start + i, row = order[place]!, of = row < 0 ? extra! : deck;
      // The gradient takes the place of the scores, which are no longer needed then.
      const gradient = learn ? scores : undefined;
      positionLoss(of, row < 0 ? ~row : row, scores, i * READOUT_COLUMNS, each, gradient, 1 / count);
      losses[2 * place] = each.policy;
      losses[2 * place + 1] = each.value;
    }
    if (learn) this.#variables.learn(batch, scores, adamStep(job.rate, step));
    this.#variables.free(batch);
  }

  /** Writes a position's features as row `place` of the batch, where the bias's 1 stands already. */
  #layOut({ deck, extra }: HeadsJob, row: number, place: number): void {
    const { columns, kept, combinations, mixture, features, scale, shift, turned, desks } = this.#layout;
    const desk = desks[0]!, from = row < 0 ? extra! : deck, at = (row < 0 ? ~row : row) * from.columns;
    new Uint8Array(this.#memory.buffer, desk.bytes, from.columns).set(
      from.rates.subarray(at, at + from.columns),
    );
    const to = turned + place * features * 4;
    this.#kernels.lay(desk.bytes, columns, kept, combinations, mixture, scale, shift, to);
  }

  take(part: WeightPart): Float32Array {
    return this.#variables.take(part).slice(0, this.#numbers);
  }

  put(part: WeightPart, from: Float32Array): void {
    if (from.length !== this.#numbers) {
      throw new RangeError(
        `Cannot put ${from.length} numbers into the heads: ${this.#numbers} are wanted`,
      );
    }
    const all = new Float32Array(this.#layout.features * READOUT_COLUMNS);
    all.set(from);
    this.#variables.put(part, all);
  }

  #floats(at: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, length);
  }

  [Symbol.dispose](): void {
    this.#variables[Symbol.dispose]();
  }
}

/** What `TensorflowMachine` says its arithmetic is: another version may add up in another order. */
export function tensorflowArithmetic(): string {
  return `tensorflow ${loadBinding(defaultFolder()).TF_Version}`;
}
