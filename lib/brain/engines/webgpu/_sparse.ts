import type { Drive } from "../../../eye/mod.ts";
import type { Gpu } from "./_gpu.ts";
import { LINE_POSITIONS } from "./_kernel.ts";
import type { Lines, Parts } from "./_parts.ts";

/** Bytes of an entry: where, and what. */
const ENTRY_BYTES = 8;

/** Numbers of a batch that are not 0, on their way into a state: the eye's drive, or an error to walk back. */
export class SparseLines {
  readonly #gpu: Gpu;
  readonly #parts: Parts;
  /** By part: buffers in use again and again. */
  readonly #lists: GPUBuffer[][];
  /** Kept for the next batch, by part: entries, and how many words of them are in use. */
  readonly #words: { array: Uint32Array<ArrayBuffer>; used: number }[];
  /** What the buffers hold. */
  #calls: { part: number; list: GPUBuffer; count: number }[] = [];

  constructor(gpu: Gpu, parts: Parts) {
    this.#gpu = gpu;
    this.#parts = parts;
    this.#lists = Array.from({ length: parts.count }, () => []);
    this.#words = Array.from({ length: parts.count }, () => ({ array: new Uint32Array(256), used: 0 }));
  }

  /** Replaces the numbers, before whatever is submitted next. Each place at most once. */
  write(each: (put: (neuron: number, position: number, value: number) => void) => void): void {
    const { size } = this.#parts, bits = new Float32Array(1), word = new Uint32Array(bits.buffer);
    for (const words of this.#words) words.used = 0;
    each((neuron, position, value) => {
      const part = Math.floor(neuron / size), words = this.#words[part]!;
      if (words.used === words.array.length) {
        const wider = new Uint32Array(2 * words.used);
        wider.set(words.array);
        words.array = wider;
      }
      bits[0] = value;
      words.array[words.used++] = (neuron - part * size) * LINE_POSITIONS + position;
      words.array[words.used++] = word[0]!;
    });
    this.#calls = [];
    const most = Math.floor(this.#gpu.largestBuffer / ENTRY_BYTES) - 1;
    for (const [part, { array, used }] of this.#words.entries()) {
      for (let first = 0, chunk = 0; first < used; first += 2 * most, chunk++) {
        const own = array.subarray(first, Math.min(first + 2 * most, used)), count = own.length / 2;
        const list = this.#list(part, chunk, count, most);
        this.#gpu.write(list, Uint32Array.of(count, 0));
        this.#gpu.write(list, own, ENTRY_BYTES);
        // As many threads as there is room: then the kernel's parameters stay the same from batch to batch.
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
