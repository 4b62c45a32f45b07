import { DataError } from "../common/mod.ts";

/** A table of finite state entropy coding (RFC 8878, section 4.1): what each state stands for and leads to. */
export interface FseTable {
  /** The table has 2^log states. */
  readonly log: number;
  /** The symbol of each state. */
  readonly symbol: Uint8Array;
  /** Bits to read for the next state. */
  readonly bits: Uint8Array;
  /** What they are added to. */
  readonly base: Uint16Array;
}

/** A table of Huffman codes: looked up by the next `bits` bits. */
export interface HuffmanTable {
  /** Bits of the longest code. */
  readonly bits: number;
  /** Symbol for each group of bits. */
  readonly symbol: Uint8Array;
  /** How many of the bits the symbol's code takes. */
  readonly length: Uint8Array;
}

function corrupt(what: string): never {
  throw new DataError(`the zstd data is corrupt (${what})`);
}

/** The exponent of the largest power of two that is not above a number of at least 1. */
function floorLog2(value: number): number {
  return 31 - Math.clz32(value);
}

/**
 * Bits read from the end of some bytes towards their start (RFC 8878, section 4.1.2). The last byte's highest
 * set bit only marks where they begin.
 */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  /** Bits that are left; negative after more were asked for than there are. */
  left: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    const last = end > start ? bytes[end - 1]! : 0;
    if (last === 0) corrupt("a bit stream has no end mark");
    this.left = (end - start - 1) * 8 + floorLog2(last);
  }

  /** The next `count` bits, at most 32; zeros beyond the start. */
  read(count: number): number {
    if (count > 16) {
      const upper = this.read(count - 16);
      return upper * 0x10000 + this.read(16);
    }
    this.left -= count;
    const at = this.left;
    if (at < 0) return this.#readPastStart(at, count);
    const byte = this.#start + (at >> 3);
    const bytes = this.#bytes;
    // Bytes beyond the array read as undefined, which bit operators take for 0.
    const word = bytes[byte]! | bytes[byte + 1]! << 8 | bytes[byte + 2]! << 16;
    return (word >>> (at & 7)) & ((1 << count) - 1);
  }

  #readPastStart(at: number, count: number): number {
    const there = count + at;
    if (there <= 0) return 0;
    const word = this.#bytes[this.#start]! | this.#bytes[this.#start + 1]! << 8;
    return (word & ((1 << there) - 1)) << -at;
  }
}

/** Builds the states of a table from the symbols' shares; -1 is a share below one state. */
export function buildFse(shares: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const symbol = new Uint8Array(size);
  const bits = new Uint8Array(size);
  const base = new Uint16Array(size);
  const next = new Uint16Array(shares.length);
  let high = size;
  shares.forEach((share, s) => {
    next[s] = Math.abs(share);
    if (share === -1) symbol[--high] = s;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  shares.forEach((share, s) => {
    for (let i = 0; i < share; i++) {
      symbol[at] = s;
      do at = (at + step) & (size - 1); while (at >= high);
    }
  });
  for (let state = 0; state < size; state++) {
    const n = next[symbol[state]!]!++;
    bits[state] = log - floorLog2(n);
    base[state] = (n << bits[state]!) - size;
  }
  return { log, symbol, bits, base };
}

/** A table with one state, for a symbol that is repeated. */
export function repeatFse(symbol: number): FseTable {
  return { log: 0, symbol: Uint8Array.of(symbol), bits: new Uint8Array(1), base: new Uint16Array(1) };
}

/**
 * Reads the description of a table (RFC 8878, section 4.1.1).
 *
 * @returns The table and where the bytes after it start.
 */
export function readFse(
  bytes: Uint8Array,
  start: number,
  end: number,
  mostLog: number,
  mostSymbols: number,
): { table: FseTable; next: number } {
  let bit = 0;
  const read = (count: number) => {
    const at = start + (bit >> 3);
    const byte = (i: number) => at + i < end ? bytes[at + i]! : 0;
    const value = ((byte(0) | byte(1) << 8 | byte(2) << 16) >>> (bit & 7)) & ((1 << count) - 1);
    bit += count;
    return value;
  };
  const log = read(4) + 5;
  if (log > mostLog) corrupt(`a table of 2^${log} states`);
  const shares: number[] = [];
  let left = 1 << log;
  while (left > 0) {
    if (shares.length >= mostSymbols) corrupt("a table with too many symbols");
    // Values up to left + 1 are written; those below `short` take a bit less.
    const count = floorLog2(left + 1) + 1;
    const short = (1 << count) - 1 - (left + 1);
    const lowMask = (1 << (count - 1)) - 1;
    let value = read(count);
    if ((value & lowMask) < short) {
      bit--;
      value &= lowMask;
    } else if (value > lowMask) value -= short;
    const share = value - 1;
    shares.push(share);
    left -= Math.abs(share);
    if (share !== 0) continue;
    for (let zeros = 3; zeros === 3;) {
      zeros = read(2);
      for (let i = 0; i < zeros; i++) shares.push(0);
    }
  }
  const next = start + ((bit + 7) >> 3);
  if (left < 0 || shares.length > mostSymbols || next > end) corrupt("a table that does not add up");
  return { table: buildFse(shares, log), next };
}

/**
 * Reads the description of a Huffman table (RFC 8878, section 4.2.1).
 *
 * @returns The table and where the bytes after it start.
 */
export function readHuffman(
  bytes: Uint8Array,
  start: number,
  end: number,
): { table: HuffmanTable; next: number } {
  if (start >= end) corrupt("a Huffman table is missing");
  const header = bytes[start]!;
  const weights: number[] = [];
  let next: number;
  if (header >= 128) {
    const count = header - 127;
    next = start + 1 + ((count + 1) >> 1);
    for (let i = 0; i < count; i++) {
      const byte = bytes[start + 1 + (i >> 1)] ?? 0;
      weights.push(i & 1 ? byte & 15 : byte >> 4);
    }
  } else {
    next = start + 1 + header;
    if (next > end) corrupt("a Huffman table is cut off");
    const { table, next: at } = readFse(bytes, start + 1, next, 6, 13);
    const stream = new BackwardBits(bytes, at, next);
    const states = [stream.read(table.log), stream.read(table.log)];
    if (stream.left < 0) corrupt("a Huffman table is cut off");
    for (let turn = 0; weights.length < 256; turn ^= 1) {
      const state = states[turn]!;
      weights.push(table.symbol[state]!);
      states[turn] = table.base[state]! + stream.read(table.bits[state]!);
      if (stream.left < 0) {
        weights.push(table.symbol[states[turn ^ 1]!]!);
        break;
      }
    }
  }
  if (next > end || weights.length > 255) corrupt("a Huffman table is cut off");
  return { table: buildHuffman(weights), next };
}

function buildHuffman(weights: number[]): HuffmanTable {
  const sum = weights.reduce((total, weight) => total + (weight > 0 ? 2 ** (weight - 1) : 0), 0);
  if (sum === 0) corrupt("a Huffman table without codes");
  const bits = floorLog2(sum) + 1;
  // The last symbol's weight is not written: it fills the table up to a power of two.
  const left = (1 << bits) - sum;
  if (bits > 11 || (left & (left - 1)) !== 0) corrupt("a Huffman table that does not add up");
  const all = [...weights, floorLog2(left) + 1];
  const symbol = new Uint8Array(1 << bits);
  const length = new Uint8Array(1 << bits);
  let at = 0;
  for (let weight = 1; weight <= bits; weight++) {
    for (let s = 0; s < all.length; s++) {
      if (all[s] !== weight) continue;
      const until = at + (1 << (weight - 1));
      symbol.fill(s, at, until);
      length.fill(bits + 1 - weight, at, until);
      at = until;
    }
  }
  return { bits, symbol, length };
}

/** Decodes `count` symbols of one Huffman stream, which must end exactly with them. */
export function decodeHuffman(
  table: HuffmanTable,
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  at: number,
  count: number,
): void {
  let left = new BackwardBits(bytes, start, end).left;
  const { bits, symbol, length } = table;
  const mask = (1 << bits) - 1;
  let i = 0;
  for (; i < count && left >= bits; i++) {
    const bit = left - bits;
    const byte = start + (bit >> 3);
    const word = bytes[byte]! | bytes[byte + 1]! << 8 | bytes[byte + 2]! << 16;
    const code = (word >>> (bit & 7)) & mask;
    into[at + i] = symbol[code]!;
    left -= length[code]!;
  }
  for (; i < count && left > 0; i++) {
    // Fewer bits than the longest code takes: what is missing counts as zeros.
    const word = bytes[start]! | bytes[start + 1]! << 8;
    const code = left >= bits ? (word >>> (left - bits)) & mask : (word << (bits - left)) & mask;
    into[at + i] = symbol[code]!;
    left -= length[code]!;
  }
  if (left !== 0 || i < count) corrupt("a Huffman stream of the wrong length");
}
