/** Positions in a line: 16 rates of 4 bytes are one cache line. */
export const LINE_POSITIONS = 16;
/** Bytes of a line. */
export const LINE_BYTES = 64;
/** Bytes of a connection: the sender's place in a state, then the weight. */
export const PAIR_BYTES = 8;
/** A WebAssembly memory has at most 2^32 bytes. */
const LARGEST = 2 ** 32;
const PAGE_BYTES = 65536;

/** Words of the control block, the first bytes of every memory. */
export const CONTROL = { stop: 0, nextChunk: 1 } as const;

/** Words of a step's entry in the plan table. */
export const STEP_WORDS = 8;
/**
 * What these words are: rows (address, count) of three kinds, then whether the readout is collected (0 no, 1 added, 2 the first)
 * and how many rows it has. */
export const STEP = {
  plain: 0,
  plainCount: 1,
  driven: 2,
  drivenCount: 3,
  constant: 4,
  constantCount: 5,
  collect: 6,
  readCount: 7,
} as const;

/** Where everything lies in the memory of a loaded brain: byte addresses, all multiples of 64. */
export interface ThinkLayout {
  /** Neurons. */
  readonly neurons: number;
  /** Steps of a think. */
  readonly steps: number;
  /** How far a rate moves in a step. */
  readonly leak: number;
  /** A line of zeros. */
  readonly silence: number;
  /** `[connections]` pairs. */
  readonly pairs: number;
  /** `[neurons + 1]` u32: where a row's pairs start. */
  readonly rowStart: number;
  /** `[steps][neurons]` f32: gain / sigma. */
  readonly scale: number;
  /** `[steps][neurons]` f32: bias - scale * mu. */
  readonly shift: number;
  /** `[steps][neurons]` f32: rates of neurons that no board has reached. */
  readonly constants: number;
  /** `[steps][STEP_WORDS]` u32: what each step has to do. */
  readonly table: number;
  /** u32: rows that are read. */
  readonly readRows: number;
  /** u32: row lists that the table points to, room for `steps * neurons`. */
  readonly lists: number;
  /** Where each worker's own area starts, and its bytes: two states, the drive, the sums; `neurons` lines each. */
  readonly areas: number;
  /** Bytes of one worker's area. */
  readonly areaBytes: number;
}

/** Hands out addresses one after the other. */
class Allocator {
  /** Bytes handed out. */
  size = 0;

  take(bytes: number): number {
    const at = this.size;
    this.size += Math.ceil(bytes / LINE_BYTES) * LINE_BYTES;
    return at;
  }
}

function memoryOf(size: number, what: string): WebAssembly.Memory {
  if (size > LARGEST) {
    const gigabytes = (size / 2 ** 30).toFixed(1);
    throw new RangeError(
      `Cannot ${what}: it takes ${gigabytes} GiB, at most 4 GiB are there for WebAssembly`,
    );
  }
  // Pages that nothing touches take no room, so the whole is asked for at once and never grows.
  const pages = Math.ceil(size / PAGE_BYTES);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** Lays out the memory of a brain. */
export function layOutThink(
  { neurons, steps, leak, connections, workers }: {
    neurons: number;
    steps: number;
    leak: number;
    connections: number;
    workers: number;
  },
): { layout: ThinkLayout; memory: WebAssembly.Memory } {
  const room = new Allocator();
  room.take(LINE_BYTES);
  const areaBytes = 4 * neurons * LINE_BYTES;
  const layout: ThinkLayout = {
    neurons,
    steps,
    leak,
    silence: room.take(LINE_BYTES),
    pairs: room.take(connections * PAIR_BYTES),
    rowStart: room.take(4 * (neurons + 1)),
    scale: room.take(4 * steps * neurons),
    shift: room.take(4 * steps * neurons),
    constants: room.take(4 * steps * neurons),
    table: room.take(4 * steps * STEP_WORDS),
    readRows: room.take(4 * neurons),
    lists: room.take(4 * steps * neurons),
    areas: room.take(workers * areaBytes),
    areaBytes,
  };
  return { layout, memory: memoryOf(room.size, `load a brain of ${neurons} neurons`) };
}

/** The parts of a worker's area. */
export function areaParts(
  { areas, areaBytes, neurons }: ThinkLayout,
  area: number,
): { odd: number; even: number; drive: number; sums: number } {
  const odd = areas + area * areaBytes, wide = neurons * LINE_BYTES;
  return { odd, even: odd + wide, drive: odd + 2 * wide, sums: odd + 3 * wide };
}

/** Where everything lies in the memory of a calibration. */
export interface CalibrationLayout {
  /** Neurons. */
  readonly neurons: number;
  /** How far a rate moves in a step. */
  readonly leak: number;
  /** Positions. */
  readonly positions: number;
  /** Lines a neuron: positions / 16, rounded up; each is in a state of its own. */
  readonly lines: number;
  /** `[connections]` pairs. */
  readonly pairs: number;
  /** `[neurons + 1]` u32. */
  readonly rowStart: number;
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
  /** `[driven neurons][lines]`. */
  readonly drive: number;
  /** `[lines]` states of rates; zeros at first. */
  readonly rates: number;
  /** `[lines]` states of u. */
  readonly inputs: number;
}

/** Lays out the memory of a calibration. */
export function layOutCalibration(
  { neurons, leak, connections, positions, driven }: {
    neurons: number;
    leak: number;
    connections: number;
    positions: number;
    driven: number;
  },
): { layout: CalibrationLayout; memory: WebAssembly.Memory } {
  const room = new Allocator();
  room.take(LINE_BYTES);
  const lines = Math.ceil(positions / LINE_POSITIONS), wide = lines * LINE_BYTES;
  const layout: CalibrationLayout = {
    neurons,
    leak,
    positions,
    lines,
    pairs: room.take(connections * PAIR_BYTES),
    rowStart: room.take(4 * (neurons + 1)),
    gain: room.take(8 * neurons),
    bias: room.take(8 * neurons),
    mean: room.take(8 * neurons),
    spread: room.take(8 * neurons),
    place: room.take(4 * neurons),
    drive: room.take(driven * wide),
    rates: room.take(neurons * wide),
    inputs: room.take(neurons * wide),
  };
  const what = `calibrate ${neurons} neurons on ${positions} positions at once`;
  return { layout, memory: memoryOf(room.size, what) };
}
