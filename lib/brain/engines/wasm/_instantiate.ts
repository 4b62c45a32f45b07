import { PLAIN_KERNELS, RELAXED_KERNELS } from "./_kernels.ts";

/** What kernels.as exports; addresses are bytes in the shared memory, and its comments say what each does. */
export interface Kernels {
  /** One brain step of 16 positions for some rows. */
  step(
    rows: number,
    count: number,
    pairs: number,
    rowStart: number,
    scale: number,
    shift: number,
    leak: number,
    before: number,
    after: number,
    drive: number,
    silence: number,
  ): void;
  /** Gives rows that no board has reached their constant rates. */
  fill(rows: number, count: number, rates: number, after: number): void;
  /** Keeps the rates of the first position. */
  keepFirst(count: number, state: number, rates: number): void;
  /** Adds the lines of some rows to sums. */
  collect(rows: number, count: number, state: number, sums: number, fresh: boolean): void;
  /** First half of a calibration step: u of 16 positions for some rows. */
  gatherInputs(
    row: number,
    endRow: number,
    pairs: number,
    rowStart: number,
    place: number,
    drive: number,
    silent: boolean,
    rates: number,
    inputs: number,
  ): void;
  /** Second half: mean, deviation and new rates of some rows over all positions. */
  settle(
    row: number,
    endRow: number,
    stride: number,
    positions: number,
    gain: number,
    bias: number,
    mean: number,
    spread: number,
    floor: number,
    calm: boolean,
    leak: number,
    rates: number,
    inputs: number,
  ): void;
}

/** The two modules by what they need. */
export type Simd = "plain" | "relaxed";

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Which module this machine runs: the relaxed one where it is valid. */
export function bestSimd(): Simd {
  return WebAssembly.validate(bytesOf(RELAXED_KERNELS)) ? "relaxed" : "plain";
}

/** Compiles a module. */
export function compileKernels(simd: Simd): Promise<WebAssembly.Module> {
  return WebAssembly.compile(bytesOf(simd === "relaxed" ? RELAXED_KERNELS : PLAIN_KERNELS));
}

/** The kernels on a memory. */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return {
    step: exports["step"] as Kernels["step"],
    fill: exports["fill"] as Kernels["fill"],
    keepFirst: exports["keepFirst"] as Kernels["keepFirst"],
    collect: exports["collect"] as Kernels["collect"],
    gatherInputs: exports["gatherInputs"] as Kernels["gatherInputs"],
    settle: exports["settle"] as Kernels["settle"],
  };
}
