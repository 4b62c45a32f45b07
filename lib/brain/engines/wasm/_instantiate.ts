import type { ByteKernels } from "./_byte_kernels.ts";
import { PLAIN_KERNELS, RELAXED_KERNELS } from "./_kernels.ts";

/** What kernels.as exports; addresses are bytes in the shared memory, and its comments say what each does. */
export interface Kernels extends ByteKernels {
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
    inputs: number,
    after: number,
    drive: number,
    silence: number,
  ): void;
  /** Sets u of some rows to x. */
  begin(row: number, endRow: number, rows: number, count: number, drive: number, inputs: number): void;
  /** Adds to u what a tile brings. */
  addTile(group: number, end: number, before: number, inputs: number): void;
  /** Turns u into new rates. */
  move(
    row: number,
    endRow: number,
    scale: number,
    shift: number,
    leak: number,
    before: number,
    inputs: number,
    after: number,
  ): void;
  /** Gives rows that no board has reached their constant rates. */
  fill(rows: number, count: number, rates: number, after: number): void;
  /** One brain step of up to 4 positions for some rows. */
  stepNarrow(
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
  ): void;
  /** `fill` for up to 4 positions. */
  fillNarrow(rows: number, count: number, rates: number, after: number): void;
  /** The same for one position. */
  stepOne: Kernels["stepNarrow"];
  /** `fill` for one position. */
  fillOne: Kernels["fillNarrow"];
  /** Adds the lines of some rows to sums. */
  collect(rows: number, count: number, state: number, sums: number, fresh: boolean): void;
  /** First half of a calibration step begins: u of 16 positions is x. */
  beginDriven(row: number, endRow: number, place: number, drive: number, inputs: number): void;
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
  /** The error of some rows on its way back to their inputs. */
  turn(
    rows: number,
    count: number,
    scale: number,
    shift: number,
    mean: number,
    narrow: number,
    leak: number,
    error: number,
    inputs: number,
    gain: number,
    bias: number,
  ): void;
  /** Hands the errors of a tile's receivers to its senders and weights. */
  blameTile(
    group: number,
    end: number,
    before: number,
    blamed: number,
    error: number,
    gradient: number,
  ): void;
  /** The same for some rows. */
  blameRows(
    rows: number,
    count: number,
    pairs: number,
    rowStart: number,
    slot: number,
    before: number,
    blamed: number,
    error: number,
    gradient: number,
  ): void;
  /** `step` for lines of 32. */
  stepShort(
    rows: number,
    count: number,
    pairs: number,
    rowStart: number,
    units: number,
    scale: number,
    shift: number,
    leak: number,
    before: number,
    after: number,
    drive: number,
    silence: number,
  ): void;
  /** `addTile` for lines of 32. */
  addShortTile(group: number, end: number, before: number, inputs: number): void;
  /** `move` for lines of 32. */
  moveShort(
    row: number,
    endRow: number,
    units: number,
    scale: number,
    shift: number,
    leak: number,
    before: number,
    after: number,
    driven: number,
    count: number,
    drive: number,
  ): void;
  /** Keeps the rates of the first of 32 positions. */
  keepFirstShort(count: number, state: number, rates: number): void;
  /** `collect` for lines of 32. */
  collectShort(rows: number, count: number, state: number, sums: number, fresh: boolean): void;
  /** `settle` for lines of 32. */
  settleShort(
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
    units: number,
    place: number,
    drive: number,
  ): void;
  /** softplus and its slope. */
  strengths(count: number, theta: number, strength: number, slope: number, nothing: number): void;
  /** Puts weights into pairs, by rows and in tiles. */
  writeWeights(count: number, weight: number, pair: number, tiled: number): void;
  /** Adds up the weights' gradients. */
  sumGradients(
    count: number,
    slot: number,
    gradient: number,
    gradients: number,
    stride: number,
    total: number,
  ): void;
  /** Folds homeostasis, gain and bias into a step's multiply-add. */
  fold(
    count: number,
    gain: number,
    bias: number,
    mean: number,
    spread: number,
    scale: number,
    shift: number,
    mean32: number,
    narrow: number,
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

/** The module that runs everywhere, compiled at once. */
export function plainKernels(): WebAssembly.Module {
  return new WebAssembly.Module(bytesOf(PLAIN_KERNELS));
}

/** The kernels on a memory. */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  // The names and kinds are those of kernels.as; a test compiles it anew and compares.
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Record<string, unknown> as
    & Kernels
    & Record<string, unknown>;
}
