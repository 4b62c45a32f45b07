import { PLAIN_HEADS, RELAXED_HEADS } from "./_kernels.ts";

/** Columns of the heads, padded to whole panels. */
export const PADDED_COLUMNS = 136;
/** Columns of a panel: two SIMD registers. */
export const PANEL = 8;
/** Features, or positions, that the kernels take at once. */
export const TILE = 6;

/** What kernels.as exports; addresses are bytes in the shared memory, and its comments say what each does. */
export interface HeadsKernels {
  /** Features of a position from its bytes. */
  mix(
    bytes: number,
    columns: number,
    kept: number,
    combinations: number,
    mixture: number,
    features: number,
  ): void;
  /** Scales features and lays them out for `score` and `learn`. */
  pack(
    count: number,
    features: number,
    scale: number,
    shift: number,
    lane: number,
    turned: number,
    stride: number,
  ): void;
  /** Scaled features of a position from its bytes, in a row. */
  lay(
    bytes: number,
    columns: number,
    kept: number,
    combinations: number,
    mixture: number,
    scale: number,
    shift: number,
    features: number,
  ): void;
  /** Scores of six positions. */
  score(count: number, lanes: number, weights: number, scores: number): void;
  /** Gradient of six features' weights, and Adam. */
  learn(
    count: number,
    feature: number,
    positions: number,
    turned: number,
    errors: number,
    weights: number,
    momentum: number,
    variance: number,
    decay: number,
    beta1: number,
    beta2: number,
    rate: number,
    epsilon: number,
  ): void;
}

/** Words (int32) of the control block at address 0. */
export const CONTROL = {
  /** Set from outside: stop after this batch. */
  stop: 0,
  /** Set by the last worker to arrive, for all: there is no next batch. */
  halt: 1,
  /** Workers that wait for the others. */
  arrived: 2,
  /** How often all have met. */
  meeting: 3,
  /** The next six positions or features that nobody has taken. */
  next: 4,
  /** Positions done. */
  done: 5,
} as const;

/** Where everything lies in the shared memory, in bytes. */
export interface HeadsLayout {
  /** Bytes that are kept of a position: columns times steps. */
  readonly bytesKept: number;
  /** Descending neurons. */
  readonly columns: number;
  /** Steps kept apart. */
  readonly kept: number;
  /** Numbers made of each neuron's steps: 1 is their mean, as many as `kept` all that there is to know. */
  readonly combinations: number;
  /** Features, with the bias as the last of them, padded to whole tiles. */
  readonly features: number;
  /** Most positions of a batch. */
  readonly batch: number;
  /** `[17][features][8]` f32 each. */
  readonly weights: number;
  readonly momentum: number;
  readonly variance: number;
  /** `[features]` f32 each. */
  readonly scale: number;
  readonly shift: number;
  readonly decay: number;
  /** `[combinations][kept]` f32. */
  readonly mixture: number;
  /** `[batch][136]` f32: scores, then their gradient. */
  readonly scores: number;
  /** `[features / 6][batch][6]` f32. */
  readonly turned: number;
  /** One a worker: bytes of a position, its features, the features of six positions. */
  readonly desks: readonly { readonly bytes: number; readonly features: number; readonly lanes: number }[];
  /** All of it. */
  readonly bytes: number;
}

/** Plans the memory. */
export function planHeads(
  columns: number,
  kept: number,
  combinations: number,
  batch: number,
  workers: number,
): HeadsLayout {
  const features = Math.ceil((columns * combinations + 1) / TILE) * TILE;
  const positions = Math.ceil(batch / TILE) * TILE;
  let at = 256;
  const room = (bytes: number): number => {
    const start = at;
    at += Math.ceil(bytes / 64) * 64;
    return start;
  };
  const numbers = features * PADDED_COLUMNS * 4;
  // The kernels read and write up to three numbers more than there are.
  const spare = 16;
  return {
    bytesKept: columns * kept,
    columns,
    kept,
    combinations,
    features,
    batch,
    weights: room(numbers),
    momentum: room(numbers),
    variance: room(numbers),
    scale: room(features * 4 + spare),
    shift: room(features * 4 + spare),
    decay: room(features * 4 + spare),
    mixture: room(combinations * kept * 4),
    scores: room(positions * PADDED_COLUMNS * 4),
    turned: room(features * positions * 4 + spare),
    desks: Array.from({ length: workers }, () => ({
      bytes: room(columns * kept + spare),
      features: room(features * 4 + spare),
      lanes: room(features * TILE * 4),
    })),
    bytes: at,
  };
}

/** Where the weight of a feature and a column stands, counted in floats from `weights`. */
export function placeOf(features: number, feature: number, column: number): number {
  return (Math.floor(column / PANEL) * features + feature) * PANEL + column % PANEL;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Which module this machine runs: `relaxed` rounds multiply-adds once and is a third faster. */
export type HeadsArithmetic = "plain" | "relaxed";

/** The relaxed module where it is valid. */
export function bestArithmetic(): HeadsArithmetic {
  return WebAssembly.validate(bytesOf(RELAXED_HEADS)) ? "relaxed" : "plain";
}

/** Compiles a module. */
export function compileHeads(arithmetic: HeadsArithmetic): Promise<WebAssembly.Module> {
  return WebAssembly.compile(bytesOf(arithmetic === "relaxed" ? RELAXED_HEADS : PLAIN_HEADS));
}

/** The kernels on a memory. */
export function instantiateHeads(module: WebAssembly.Module, memory: WebAssembly.Memory): HeadsKernels {
  // The names and kinds are those of kernels.as; a test compiles it anew and compares.
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Record<string, unknown> as
    & HeadsKernels
    & Record<string, unknown>;
}
