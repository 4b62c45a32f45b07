import {
  Allocator,
  LINE_BYTES,
  LINE_POSITIONS,
  memoryOf,
  PAIR_BYTES,
  SHORT_POSITIONS,
  type Tiling,
} from "./_layout.ts";

/** Where everything lies in the memory of a calibration. */
export interface CalibrationLayout {
  /** Neurons. */
  readonly neurons: number;
  /** How far a rate moves in a step. */
  readonly leak: number;
  /** Positions. */
  readonly positions: number;
  /** Whether rates and weights have 16 bits. */
  readonly short: boolean;
  /** `[neurons]` f32: what 1 stands for in a row's 16-bit input. */
  readonly units: number;
  /** Lines a neuron: positions / 16 (short: 32), rounded up; each is in a state of its own. */
  readonly lines: number;
  /** The tiles of the brain, copied. */
  readonly tiles: number;
  /** `[columns * bands + 1][2]` u32, as in the brain's own memory, but with addresses in this one. */
  readonly tileTable: number;
  /** How they are cut. */
  readonly tiling: Tiling;
  /** `[neurons]` f64. */
  readonly gain: number;
  /** `[neurons]` f64. */
  readonly bias: number;
  /** `[neurons]` f64, of the step at hand. */
  readonly mean: number;
  /** `[neurons]` f64, of the step at hand. */
  readonly spread: number;
  /** `[neurons]` i32: where a neuron's x lies in `drive`, or -1. */
  readonly place: number;
  /** `[driven neurons][lines]`: f32 a position. */
  readonly drive: number;
  /** `[lines]` states of rates; zeros at first. */
  readonly rates: number;
  /** `[lines]` states of u. */
  readonly inputs: number;
}

/** Lays out the memory of a calibration. */
export function layOutCalibration(
  { neurons, leak, connections, tiling, positions, driven, short }: {
    neurons: number;
    leak: number;
    connections: number;
    tiling: Tiling;
    positions: number;
    driven: number;
    short: boolean;
  },
): { layout: CalibrationLayout; memory: WebAssembly.Memory } {
  const room = new Allocator();
  room.take(LINE_BYTES);
  const lanes = short ? SHORT_POSITIONS : LINE_POSITIONS;
  const lines = Math.ceil(positions / lanes), wide = lines * LINE_BYTES;
  const layout: CalibrationLayout = {
    neurons,
    leak,
    positions,
    lines,
    short,
    units: room.take(short ? 4 * neurons : 0),
    tiles: room.take((connections + tiling.groups) * PAIR_BYTES),
    tileTable: room.take(8 * (tiling.columns * tiling.bands + 1)),
    tiling,
    gain: room.take(8 * neurons),
    bias: room.take(8 * neurons),
    mean: room.take(8 * neurons),
    spread: room.take(8 * neurons),
    place: room.take(4 * neurons),
    drive: room.take(4 * driven * lines * lanes),
    rates: room.take(neurons * wide),
    inputs: room.take(neurons * wide),
  };
  const what = `calibrate ${neurons} neurons on ${positions} positions at once`;
  return { layout, memory: memoryOf(room.size, what) };
}
