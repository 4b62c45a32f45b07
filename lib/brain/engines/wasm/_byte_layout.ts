import { Allocator, memoryOf, STEP_WORDS, type TileSize } from "./_layout.ts";

/** Bytes of what is heard of a neuron by 16 positions, of its rates, and of its inputs. */
export const HEARD_BYTES = 16, RATE_BYTES = 32, INPUT_BYTES = 64;
/** Bytes of four connections in a row's list, and in a tile. */
export const QUARTET_BYTES = 20, TILE_QUARTET_BYTES = 12;
/** What stands for a rate of 1 where it is heard. */
export const HEARD_ONE = 127;

/** How the connections are held, before memory is laid out for them. */
export interface ByteSizes extends TileSize {
  /** Neurons. */
  readonly neurons: number;
  /** Steps of a think. */
  readonly steps: number;
  /** How far a rate moves in a step. */
  readonly leak: number;
  /** Quartets of all rows. */
  readonly quartets: number;
  /** Bytes of all tiles. */
  readonly tileBytes: number;
}

/** The wiring in memory: what a think and a calibration share. */
export interface ByteWiringLayout extends ByteSizes {
  /** `[columns * bands + 1]` u32: where each tile starts. */
  readonly tileTable: number;
  /** Where the tiles lie. */
  readonly tiles: number;
  /** `[neurons]` f32: what 1 stands for in a row's input. */
  readonly units: number;
}

/** Where everything lies in the memory of a brain of bytes: byte addresses, all multiples of 64. */
export interface ByteLayout extends ByteWiringLayout {
  /** `[quartets]`, row by row. */
  readonly quartetsAt: number;
  /** `[neurons + 1]` u32: which quartet is a row's first. */
  readonly rowStart: number;
  /** `[steps][neurons]` f32: gain / sigma. */
  readonly scale: number;
  /** `[steps][neurons]` f32: bias - scale * mu. */
  readonly shift: number;
  /** `[steps][neurons]` i16: rates of neurons that no board has reached. */
  readonly constants: number;
  /** `[steps][STEP_WORDS]` u32: what each step has to do. */
  readonly table: number;
  /** u32: rows that are read. */
  readonly readRows: number;
  /** u32: row lists that the table points to, room for `steps * neurons`. */
  readonly lists: number;
  /** Where each worker's own area starts. */
  readonly areas: number;
  /** Bytes of one worker's area. */
  readonly areaBytes: number;
}

function wiringParts(room: Allocator, { neurons, senders, receivers, tileBytes }: ByteSizes) {
  const tiles = Math.max(1, Math.ceil(neurons / senders)) * Math.max(1, Math.ceil(neurons / receivers));
  return {
    tileTable: room.take(4 * (tiles + 1)),
    tiles: room.take(tileBytes),
    units: room.take(4 * neurons),
  };
}

/** Lays out the memory of a brain of bytes. */
export function layOutBytes(
  sizes: ByteSizes,
  workers: number,
): { layout: ByteLayout; memory: WebAssembly.Memory } {
  const { neurons, steps, quartets } = sizes, room = new Allocator();
  room.take(64);
  const areaBytes = neurons * (2 * HEARD_BYTES + RATE_BYTES + 3 * INPUT_BYTES);
  const layout: ByteLayout = {
    ...sizes,
    ...wiringParts(room, sizes),
    quartetsAt: room.take(quartets * QUARTET_BYTES),
    rowStart: room.take(4 * (neurons + 1)),
    scale: room.take(4 * steps * neurons),
    shift: room.take(4 * steps * neurons),
    constants: room.take(2 * steps * neurons),
    table: room.take(4 * steps * STEP_WORDS),
    readRows: room.take(4 * neurons),
    lists: room.take(4 * steps * neurons),
    areas: room.take(workers * Math.ceil(areaBytes / 64) * 64),
    areaBytes: Math.ceil(areaBytes / 64) * 64,
  };
  return { layout, memory: memoryOf(room.size, `load a brain of ${neurons} neurons`) };
}

/** The parts of a worker's area: inputs, rates, what is heard of them after odd and even steps, drive and sums. */
export function byteAreaParts(
  { areas, areaBytes, neurons }: ByteLayout,
  area: number,
): { inputs: number; drive: number; sums: number; rates: number; odd: number; even: number } {
  const inputs = areas + area * areaBytes, wide = neurons * INPUT_BYTES, rates = inputs + 3 * wide;
  const odd = rates + neurons * RATE_BYTES;
  return {
    inputs,
    drive: inputs + wide,
    sums: inputs + 2 * wide,
    rates,
    odd,
    even: odd + neurons * HEARD_BYTES,
  };
}

/** Where everything lies in the memory of a calibration. */
export interface ByteCalibrationLayout extends ByteWiringLayout {
  /** Positions. */
  readonly positions: number;
  /** Lines of 16 positions. */
  readonly lines: number;
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
  /** States of the first line: inputs, rates and what is heard; those of the next lie `stride` bytes further. */
  readonly inputs: number;
  /** See `inputs`. */
  readonly rates: number;
  /** See `inputs`. */
  readonly heard: number;
  /** See `inputs`. */
  readonly stride: number;
}

/** Lays out the memory of a calibration. */
export function layOutByteCalibration(
  sizes: ByteSizes,
  positions: number,
  driven: number,
): { layout: ByteCalibrationLayout; memory: WebAssembly.Memory } {
  const { neurons } = sizes, room = new Allocator();
  room.take(64);
  const lines = Math.ceil(positions / 16);
  const stride = Math.ceil(neurons * (INPUT_BYTES + RATE_BYTES + HEARD_BYTES) / 64) * 64;
  const parts = {
    ...sizes,
    ...wiringParts(room, sizes),
    positions,
    lines,
    gain: room.take(8 * neurons),
    bias: room.take(8 * neurons),
    mean: room.take(8 * neurons),
    spread: room.take(8 * neurons),
    place: room.take(4 * neurons),
    drive: room.take(4 * driven * lines * 16),
    inputs: room.take(lines * stride),
    stride,
  };
  const rates = parts.inputs + neurons * INPUT_BYTES;
  return {
    layout: { ...parts, rates, heard: rates + neurons * RATE_BYTES },
    memory: memoryOf(room.size, `calibrate ${neurons} neurons on ${positions} positions at once`),
  };
}
