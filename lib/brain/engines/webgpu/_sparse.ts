import type { Drive } from "../../../eye/mod.ts";
import type { Gpu } from "./_gpu.ts";
import { LINE_POSITIONS } from "./_kernels.ts";
import type { Lines, Parts } from "./_parts.ts";

/** Bytes of an entry: where, and what. */
const ENTRY_BYTES = 8;

/** Numbers of a batch that are not 0, on their way into a state: the eye's drive, or an error to walk back. */
export class SparseLines {
  readonly #gpu: Gpu;
  readonly #parts: Parts;
  /** By part: buffers in use again and again. */
  readonly #lists: GPUBuffer[][];
  /** Kept for the next batch, by part. */
  readonly #words: number[][];
  /** What the buffers hold. */
  #calls: { part: number; list: GPUBuffer; count: number }[] = [];

  constructor(gpu: Gpu, parts: Parts) {
    this.#gpu = gpu;
    this.#parts = parts;
    this.#lists = Array.from({ length: parts.count }, () => []);
    this.#words = Array.from({ length: parts.count }, () => []);
  }

  /** Replaces the numbers, before whatever is submitted next. Each place at most once. */
  write(each: (put: (neuron: number, position: number, value: number) => void) => void): void {
    const { size } = this.#parts, bits = new Float32Array(1), word = new Uint32Array(bits.buffer);
    for (const words of this.#words) words.length = 0;
    each((neuron, position, value) => {
      const part = Math.floor(neuron / size);
      bits[0] = value;
      this.#words[part]!.push((neuron - part * size) * LINE_POSITIONS + position, word[0]!);
    });
    this.#calls = [];
    const most = Math.floor(this.#gpu.largestBuffer / ENTRY_BYTES) - 1;
    for (const [part, words] of this.#words.entries()) {
      for (let first = 0, chunk = 0; first < words.length; first += 2 * most, chunk++) {
        const own = words.slice(first, first + 2 * most), count = own.length / 2;
        const list = this.#list(part, chunk, count, most);
        this.#gpu.write(list, Uint32Array.from([count, 0].concat(own)));
        this.#calls.push({ part, list, count: list.size / ENTRY_BYTES - 1 });
      }
    }
  }

  /** A buffer with room for that many entries. */
  #list(part: number, chunk: number, entries: number, most: number): GPUBuffer {
    const lists = this.#lists[part]!, known = lists[chunk];
    if (known !== undefined && known.size >= ENTRY_BYTES * (entries + 1)) return known;
    if (known !== undefined) this.#gpu.free([known]);
    // Twice the room, so that batches of growing size do not each need a new one.
    return lists[chunk] = this.#gpu.buffer(ENTRY_BYTES * (Math.min(2 * entries, most) + 1));
  }

  /** Adds the numbers to a state. */
  addTo(pass: GPUComputePassEncoder, state: Lines): void {
    for (const { part, list, count } of this.#calls) {
      this.#gpu.dispatch(pass, "scatter", { params: { count }, buffers: [list, state[part]!] });
    }
  }

  /** Gives the buffers back. */
  free(): void {
    this.#gpu.free(this.#lists.flat());
  }
}

/** Takes the drive of some positions. */
export function putDrive(lines: SparseLines, drive: Drive, first: number, count: number): void {
  lines.write((put) => {
    for (let position = 0; position < count; position++) {
      const end = drive.start[first + position + 1]!;
      for (let k = drive.start[first + position]!; k < end; k++) {
        put(drive.neuron[k]!, position, drive.value?.[k] ?? 1);
      }
    }
  });
}
