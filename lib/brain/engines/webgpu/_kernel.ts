/** Positions that lie side by side for one neuron: 128 bytes of float32, what a GPU fetches at once. */
export const LINE_POSITIONS = 32;
/** vec4 a line. */
export const LANES = LINE_POSITIONS / 4;
/** Threads of a group. */
export const GROUP = 64;

/** A kernel's code, and how many items of its count one group of threads takes. */
export interface Kernel {
  /** WGSL. */
  readonly code: string;
  /** Items a group. */
  readonly itemsPerGroup: number;
}
