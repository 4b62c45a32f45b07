import { BATCH_KERNELS } from "./_kernels.ts";

/** What kernels.as exports; addresses are bytes, and its comments say what each does. */
export interface BatchKernels {
  forward(...numbers: number[]): void;
  backward(...numbers: number[]): void;
  score(...numbers: number[]): void;
  weightSlope(...numbers: number[]): void;
  blame(...numbers: number[]): void;
}

/** Bytes of a page of WebAssembly memory. */
const PAGE = 65536;

/** Memory that grows no more once the kernels run in it. */
export class KernelRoom {
  #end = 16;
  #memory: WebAssembly.Memory | undefined;

  /** The address of room for so many float32 or int32, a multiple of 16. */
  take(numbers: number): number {
    const from = this.#end;
    this.#end += Math.ceil(numbers / 4) * 16;
    return from;
  }

  /**
   * The kernels, with all room taken so far.
   *
   * @throws {RangeError} If that is over 4 GiB.
   */
  open(): BatchKernels {
    const pages = Math.ceil(this.#end / PAGE);
    if (pages > PAGE) {
      throw new RangeError(
        `Cannot think in a batch: it needs ${this.#end} bytes, at most 4294967296 are wanted`,
      );
    }
    this.#memory = new WebAssembly.Memory({ initial: pages, maximum: PAGE });
    const code = Uint8Array.from(atob(BATCH_KERNELS), (letter) => letter.charCodeAt(0));
    // The names and kinds are those of kernels.as; a test compiles it anew and compares.
    return new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory: this.#memory } })
      .exports as Record<string, unknown> as BatchKernels & Record<string, unknown>;
  }

  /** Numbers at an address, once opened. */
  floats(at: number, length: number): Float32Array {
    return new Float32Array(this.#memory!.buffer, at, length);
  }

  /** Whole numbers at an address, once opened. */
  whole(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#memory!.buffer, at, length);
  }
}
