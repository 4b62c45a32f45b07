import { doTogether, hire } from "./_crew.ts";
import { compileHeads, CONTROL, type HeadsArithmetic, type HeadsLayout, planHeads } from "./_layout.ts";
import { furnish, type HeadsMachine, type MachineSettings, type WeightPart } from "./_machine.ts";
import { putWeights, takeWeights } from "./_weights.ts";
import type { HeadsJob } from "./_work.ts";

/** Our own kernels, on as many threads as are asked for. */
export class WasmMachine implements HeadsMachine {
  readonly arithmetic: HeadsArithmetic;
  readonly #layout: HeadsLayout;
  readonly #memory: WebAssembly.Memory;
  readonly #workers: Worker[];

  private constructor(
    arithmetic: HeadsArithmetic,
    module: WebAssembly.Module,
    settings: MachineSettings,
    batch: number,
    workers: number,
  ) {
    const { columns, kept, combinations } = settings;
    this.arithmetic = arithmetic;
    this.#layout = planHeads(columns, kept, combinations, batch, workers);
    this.#memory = furnish(this.#layout, settings);
    this.#workers = hire(workers, { module, memory: this.#memory, layout: this.#layout, workers });
  }

  static async create(
    arithmetic: HeadsArithmetic,
    settings: MachineSettings,
    batch: number,
    workers: number,
  ): Promise<WasmMachine> {
    return new WasmMachine(arithmetic, await compileHeads(arithmetic), settings, batch, workers);
  }

  async run(job: HeadsJob, signal: AbortSignal | undefined, report: (done: number) => void): Promise<void> {
    if (this.#workers.length === 0) throw new Error("Cannot train heads: a thread failed before");
    const control = new Int32Array(this.#memory.buffer, 0, 8);
    control.fill(0);
    try {
      await doTogether(
        this.#workers,
        job,
        control,
        signal,
        () => report(Atomics.load(control, CONTROL.done)),
      );
    } catch (error) {
      // The others wait for one that will not come.
      this[Symbol.dispose]();
      throw error;
    }
  }

  take(part: WeightPart): Float32Array {
    return takeWeights(this.#memory, this.#layout, this.#layout[part]);
  }

  put(part: WeightPart, from: Float32Array): void {
    putWeights(this.#memory, this.#layout, this.#layout[part], from);
  }

  [Symbol.dispose](): void {
    for (const worker of this.#workers) worker.terminate();
    this.#workers.length = 0;
  }
}
