import type { Gpu } from "./_gpu.ts";
import { LINE_POSITIONS } from "./_kernel.ts";
import { LINE_BYTES, type Lines, type Parts } from "./_parts.ts";

/** What is read of a think: which neurons, in which order, at which steps. */
export class Reading {
  /** Tells readings apart. */
  readonly key: string;
  /** Steps that are averaged; one that stands twice counts twice. */
  readonly steps: readonly number[];
  /** The last of them. */
  readonly last: number;
  readonly #gpu: Gpu;
  /** By part: rows, how many, and their sums. */
  readonly #lists: { readonly count: number; readonly rows: GPUBuffer; readonly sums: GPUBuffer }[];
  /** `[neurons]`: which line of the result each is. */
  readonly #line: Int32Array;
  readonly #lines: number;
  /** Staging buffers that nothing waits for. */
  readonly #free: GPUBuffer[] = [];

  constructor(gpu: Gpu, parts: Parts, neurons: Int32Array, steps: readonly number[]) {
    this.#gpu = gpu;
    this.key = Reading.keyOf(neurons, steps);
    this.steps = steps.slice();
    this.last = Math.max(...steps);
    const rows = Int32Array.from(new Set(neurons)).sort();
    const lineOf = new Map(Array.from(rows, (row, line) => [row, line]));
    this.#line = neurons.map((neuron) => lineOf.get(neuron)!);
    this.#lines = rows.length;
    this.#lists = Array.from({ length: parts.count }, (_, part) => {
      const low = part * parts.size;
      const own = Uint32Array.from(
        rows.filter((row) => row >= low && row < low + parts.size),
        (row) => row - low,
      );
      return { count: own.length, rows: gpu.upload(own), sums: gpu.buffer(own.length * LINE_BYTES) };
    });
  }

  static keyOf(neurons: Int32Array, steps: readonly number[]): string {
    return `${steps.join()} ${neurons.join()}`;
  }

  /** Forgets the sums. */
  clear(encoder: GPUCommandEncoder): void {
    for (const { sums } of this.#lists) encoder.clearBuffer(sums);
  }

  /** Adds the rates as they are. */
  collect(pass: GPUComputePassEncoder, rates: Lines): void {
    for (const [part, { count, rows, sums }] of this.#lists.entries()) {
      this.#gpu.dispatch(pass, "collect", { params: { count }, buffers: [rows, rates[part]!, sums] });
    }
  }

  /** Sends the sums on their way to the staging buffer that it gives back. */
  send(encoder: GPUCommandEncoder): GPUBuffer {
    const staging = this.#free.pop() ?? this.#gpu.staging(this.#lines * LINE_BYTES);
    let at = 0;
    for (const { count, sums } of this.#lists) {
      if (count > 0) encoder.copyBufferToBuffer(sums, 0, staging, at, count * LINE_BYTES);
      at += count * LINE_BYTES;
    }
    return staging;
  }

  /** Writes `[positions][neurons]` of what was sent, divided by the number of steps. */
  async receive(staging: GPUBuffer, count: number, result: Float32Array): Promise<void> {
    const sums = await this.#gpu.take("read rates", staging);
    this.#free.push(staging);
    const share = Math.fround(1 / this.steps.length), width = this.#line.length;
    for (let position = 0; position < count; position++) {
      for (let i = 0; i < width; i++) {
        result[position * width + i] = sums[this.#line[i]! * LINE_POSITIONS + position]! * share;
      }
    }
  }

  /** Gives the memory back. */
  free(): void {
    this.#gpu.free([...this.#lists.flatMap(({ rows, sums }) => [rows, sums]), ...this.#free]);
  }
}
