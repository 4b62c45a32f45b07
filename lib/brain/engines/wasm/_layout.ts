/** Positions in a line: 16 rates of 4 bytes are one cache line. */
export const LINE_POSITIONS = 16;
/** Bytes of a line. */
export const LINE_BYTES = 64;
/** Positions in a line of 16-bit numbers. */
export const SHORT_POSITIONS = 32;
/** What stands for a rate of 1 in 16 bits. */
export const SHORT_ONE = 32767;
/** Positions in a narrow line, when only a few are asked for; one alone has lines of one number. */
export const NARROW_POSITIONS = 4;
/** Bytes of a connection: the sender's place in a state, then the weight. */
export const PAIR_BYTES = 8;
/** Weights written at once: they stay in a core's own cache. */
export const WEIGHTS_AT_ONCE = 8192;
/** A WebAssembly memory has at most 2^32 bytes. */
const LARGEST = 2 ** 32;
const PAGE_BYTES = 65536;

/** Words of the control block, the first bytes of every memory. */
export const CONTROL = { stop: 0, nextChunk: 1 } as const;

/** Batches that add to one gradient each, so that the sums do not depend on the number of workers. */
export const GRADIENTS = 4;

/** How many neurons are in a tile. */
export interface TileSize {
  /** Senders whose lines are read from a core's own cache. */
  readonly senders: number;
  /** Receivers whose lines are kept there beside them. */
  readonly receivers: number;
}

/** How the connections are cut into tiles. */
export interface Tiling extends TileSize {
  /** Columns of senders. */
  readonly columns: number;
  /** Bands of receivers. */
  readonly bands: number;
  /** Receivers of all tiles, each with its pairs. */
  readonly groups: number;
}

/** Words of a step's entry in the plan table. */
export const STEP_WORDS = 9;
/**
 * What these words are: rows (address, count) of three kinds, whether the readout is collected (0 no, 1 added, 2 the
 * first) and how many rows it has, and whether so many rows are needed that all of them are computed, by tiles.
 */
export const STEP = {
  plain: 0,
  plainCount: 1,
  driven: 2,
  drivenCount: 3,
  constant: 4,
  constantCount: 5,
  collect: 6,
  readCount: 7,
  tiled: 8,
} as const;

/** Where everything lies in the memory of a loaded brain: byte addresses, all multiples of 64. */
export interface ThinkLayout {
  /** Neurons. */
  readonly neurons: number;
  /** Connections. */
  readonly connections: number;
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
  /** The pairs once more, in tiles. */
  readonly tiles: number;
  /** `[columns * bands + 1][2]` u32: where each tile starts, and how many pairs come before it. */
  readonly tileTable: number;
  /** `[connections]` u32: which number each pair has among those of all tiles. */
  readonly slot: number;
  /** `[connections]` u32: which 4-byte word of the memory holds each pair's weight in its tile. */
  readonly tiled: number;
  /** How they are cut. */
  readonly tiling: Tiling;
  /** Whether rates and weights have 16 bits, 32 positions a line. */
  readonly short: boolean;
  /** `[neurons]` f32: what 1 stands for in a row's 16-bit input. */
  readonly units: number;
  /** `[steps][neurons]` f32: gain / sigma. */
  readonly scale: number;
  /** `[steps][neurons]` f32: bias - scale * mu. */
  readonly shift: number;
  /** `[steps][neurons]` f32: mu, for the way back. */
  readonly mean: number;
  /** `[steps][neurons]` f32: 1 / sigma, for the way back. */
  readonly narrow: number;
  /** `[steps][neurons]` f32: rates of neurons that no board has reached. */
  readonly constants: number;
  /** `[steps][STEP_WORDS]` u32: what each step has to do. */
  readonly table: number;
  /** u32: rows that are read. */
  readonly readRows: number;
  /** u32: row lists that the table points to, room for `steps * neurons`. */
  readonly lists: number;
  /** Where each worker's own area starts, and its bytes: two states, the drive, the sums; `neurons` lines each (the last two: pairs of lines, where a line has 16-bit numbers). */
  readonly areas: number;
  /** Bytes of one worker's area. */
  readonly areaBytes: number;
  /** What workers keep for the way back, `backBytes` each: `steps` states of rates, of inputs, and one of errors. */
  readonly back: number;
  /** Bytes of what one worker keeps; 0 where memory does not suffice for the way back. */
  readonly backBytes: number;
  /** Workers that can walk back at once. */
  readonly backHands: number;
  /** `[GRADIENTS]`: of weights (f32, by number in the tiles), gain and bias (f64), `gradientBytes` each. */
  readonly gradients: number;
  /** Bytes of one gradient. */
  readonly gradientBytes: number;
  /** `[connections]` f32, by row: the sum of the weights' gradients. */
  readonly total: number;
  /** What the thread that writes strengths puts numbers into on their way: weights, or four f64 a neuron. */
  readonly scratch: number;
}

/** Hands out addresses one after the other. */
export class Allocator {
  /** Bytes handed out. */
  size = 0;

  take(bytes: number): number {
    const at = this.size;
    this.size += Math.ceil(bytes / LINE_BYTES) * LINE_BYTES;
    return at;
  }
}

/** A memory of that size, shared by the workers. */
export function memoryOf(size: number, what: string): WebAssembly.Memory {
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
  { neurons, steps, leak, connections, workers, tiling, short }: {
    neurons: number;
    steps: number;
    leak: number;
    connections: number;
    workers: number;
    tiling: Tiling;
    short: boolean;
  },
): { layout: ThinkLayout; memory: WebAssembly.Memory } {
  const room = new Allocator();
  room.take(LINE_BYTES);
  const wide = neurons * LINE_BYTES, areaBytes = (short ? 6 : 4) * wide;
  const forward = {
    neurons,
    connections,
    steps,
    leak,
    silence: room.take(LINE_BYTES),
    pairs: room.take(connections * PAIR_BYTES),
    rowStart: room.take(4 * (neurons + 1)),
    tiles: room.take((connections + tiling.groups) * PAIR_BYTES),
    tileTable: room.take(8 * (tiling.columns * tiling.bands + 1)),
    slot: room.take(4 * connections),
    tiled: room.take(4 * connections),
    tiling,
    short,
    units: room.take(short ? 4 * neurons : 0),
    scale: room.take(4 * steps * neurons),
    shift: room.take(4 * steps * neurons),
    mean: room.take(4 * steps * neurons),
    narrow: room.take(4 * steps * neurons),
    constants: room.take(4 * steps * neurons),
    table: room.take(4 * steps * STEP_WORDS),
    readRows: room.take(4 * neurons),
    lists: room.take(4 * steps * neurons),
    areas: room.take(workers * areaBytes),
    areaBytes,
  };
  const gradientBytes = weightGradientBytes(connections) + 16 * neurons + LINE_BYTES;
  const backBytes = (2 * steps + 1) * wide;
  let backHands = short ? 0 : Math.min(workers, GRADIENTS);
  const totalBytes = weightGradientBytes(connections),
    scratchBytes = 8 * Math.max(WEIGHTS_AT_ONCE, 4 * neurons);
  const free = LARGEST - room.size - GRADIENTS * (gradientBytes + LINE_BYTES) - totalBytes - scratchBytes;
  while (backHands > 0 && backHands * backBytes > free) backHands--;
  const layout: ThinkLayout = {
    ...forward,
    back: room.take(backHands * backBytes),
    backBytes: backHands === 0 ? 0 : backBytes,
    backHands,
    gradients: room.take(
      backHands === 0 ? 0 : GRADIENTS * Math.ceil(gradientBytes / LINE_BYTES) * LINE_BYTES,
    ),
    gradientBytes: Math.ceil(gradientBytes / LINE_BYTES) * LINE_BYTES,
    total: room.take(backHands === 0 ? 0 : totalBytes),
    scratch: room.take(scratchBytes),
  };
  return { layout, memory: memoryOf(room.size, `load a brain of ${neurons} neurons`) };
}

function weightGradientBytes(connections: number): number {
  return Math.ceil(4 * connections / LINE_BYTES) * LINE_BYTES;
}

/** The parts of what a worker keeps for the way back. */
export function backParts(
  { back, backBytes, neurons, steps }: ThinkLayout,
  hand: number,
): { rates: number; inputs: number; error: number } {
  const rates = back + hand * backBytes, wide = neurons * LINE_BYTES;
  return { rates, inputs: rates + steps * wide, error: rates + 2 * steps * wide };
}

/** The parts of a gradient. */
export function gradientParts(
  { gradients, gradientBytes, neurons, connections }: ThinkLayout,
  number: number,
): { weight: number; gain: number; bias: number } {
  const weight = gradients + number * gradientBytes, gain = weight + weightGradientBytes(connections);
  return { weight, gain, bias: gain + 8 * neurons };
}

/** The parts of a worker's area. */
export function areaParts(
  { areas, areaBytes, neurons, short }: ThinkLayout,
  area: number,
): { odd: number; even: number; drive: number; sums: number } {
  const odd = areas + area * areaBytes, wide = neurons * LINE_BYTES;
  return { odd, even: odd + wide, drive: odd + 2 * wide, sums: odd + (short ? 4 : 3) * wide };
}
