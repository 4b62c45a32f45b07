import { DataError } from "../common/mod.ts";
import {
  BackwardBits,
  buildFse,
  decodeHuffman,
  type FseTable,
  type HuffmanTable,
  readFse,
  readHuffman,
  repeatFse,
} from "./_zstd_tables.ts";

/** The most bytes a block unpacks to. */
export const BLOCK_BYTES = 1 << 17;

/** A kind of number that sequences are made of: its codes' meanings and the table it has unless told. */
interface CodeKind {
  readonly name: string;
  /** The least number of each code. */
  readonly base: readonly number[];
  /** Bits that are added to it. */
  readonly extra: readonly number[];
  readonly mostLog: number;
  readonly usual: FseTable;
}

/** Numbers of codes whose ranges follow each other without a gap. */
function ranges(first: number, extra: readonly number[]): number[] {
  let base = first;
  return extra.map((bits) => {
    const least = base;
    base += 2 ** bits;
    return least;
  });
}

const zeros = (count: number) => new Array<number>(count).fill(0);

// Code tables and usual shares: RFC 8878, sections 3.1.1.3.2.1.1 and 3.1.1.3.2.2.
const LITERAL_EXTRA = [...zeros(16), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const MATCH_EXTRA = [...zeros(32), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
// deno-fmt-ignore
const LITERAL_SHARES = [
  4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
];
// deno-fmt-ignore
const MATCH_SHARES = [
  1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
];
// deno-fmt-ignore
const OFFSET_SHARES = [
  1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
];

/** Literal lengths, offsets and match lengths, in the order in which their tables come. */
const KINDS: readonly [CodeKind, CodeKind, CodeKind] = [
  {
    name: "literal lengths",
    base: ranges(0, LITERAL_EXTRA),
    extra: LITERAL_EXTRA,
    mostLog: 9,
    usual: buildFse(LITERAL_SHARES, 6),
  },
  {
    name: "offsets",
    base: Array.from({ length: 32 }, (_, code) => 2 ** code),
    extra: Array.from({ length: 32 }, (_, code) => code),
    mostLog: 8,
    usual: buildFse(OFFSET_SHARES, 5),
  },
  {
    name: "match lengths",
    base: ranges(3, MATCH_EXTRA),
    extra: MATCH_EXTRA,
    mostLog: 9,
    usual: buildFse(MATCH_SHARES, 6),
  },
];

function corrupt(what: string): never {
  throw new DataError(`the zstd data is corrupt (${what})`);
}

/** What blocks of one frame hand on to the next: tables, and the last three offsets. */
export class BlockDecoder {
  #huffman: HuffmanTable | undefined;
  readonly #tables: (FseTable | undefined)[] = [undefined, undefined, undefined];
  readonly #offsets: [number, number, number] = [1, 4, 8];
  readonly #literals = new Uint8Array(BLOCK_BYTES);
  #literalCount = 0;

  /**
   * Unpacks a compressed block.
   *
   * @param bytes Where it is, from `start` to `end`.
   * @param out Where it goes, with room for `BLOCK_BYTES` behind `at`.
   * @param history How many bytes before `at` belong to the frame and lie within its window.
   * @returns Where its output ends.
   */
  decode(
    bytes: Uint8Array,
    start: number,
    end: number,
    out: Uint8Array,
    at: number,
    history: number,
  ): number {
    const next = this.#readLiterals(bytes, start, end);
    return this.#readSequences(bytes, next, end, out, at, history);
  }

  #readLiterals(bytes: Uint8Array, start: number, end: number): number {
    const type = bytes[start]! & 3;
    const format = (bytes[start]! >> 2) & 3;
    const header = type < 2 ? [1, 2, 1, 3][format]! : [3, 3, 4, 5][format]!;
    if (start + header > end) corrupt("a block is cut off");
    // The header as one number: sizes follow the four bits of type and format.
    let fields = 0;
    for (let i = header - 1; i >= 0; i--) fields = fields * 256 + bytes[start + i]!;
    const at = start + header;
    if (type < 2) {
      const size = Math.floor(fields / (header === 1 ? 8 : 16));
      if (size > BLOCK_BYTES || at + (type === 0 ? size : 1) > end) corrupt("literals are cut off");
      this.#literalCount = size;
      if (type === 0) this.#literals.set(bytes.subarray(at, at + size));
      else this.#literals.fill(bytes[at]!, 0, size);
      return at + (type === 0 ? size : 1);
    }
    const width = 2 ** [10, 10, 14, 18][format]!;
    const size = Math.floor(fields / 16) % width;
    const next = at + Math.floor(fields / 16 / width);
    if (size > BLOCK_BYTES || next > end) corrupt("literals are cut off");
    let streams = at;
    if (type === 2) {
      const read = readHuffman(bytes, at, next);
      this.#huffman = read.table;
      streams = read.next;
    }
    if (this.#huffman === undefined) corrupt("a block repeats a Huffman table that never came");
    this.#literalCount = size;
    this.#readStreams(this.#huffman, bytes, streams, next, format === 0 ? 1 : 4);
    return next;
  }

  #readStreams(table: HuffmanTable, bytes: Uint8Array, start: number, end: number, count: 1 | 4): void {
    const size = this.#literalCount;
    if (count === 1) return decodeHuffman(table, bytes, start, end, this.#literals, 0, size);
    if (start + 6 > end) corrupt("literals are cut off");
    const part = (size + 3) >> 2;
    if (3 * part > size) corrupt("literals too few for four streams");
    let from = start + 6;
    for (let stream = 0; stream < 4; stream++) {
      const length = bytes[start + 2 * stream]! | bytes[start + 2 * stream + 1]! << 8;
      const to = stream < 3 ? from + length : end;
      if (to > end) corrupt("literals are cut off");
      const symbols = stream < 3 ? part : size - 3 * part;
      decodeHuffman(table, bytes, from, to, this.#literals, stream * part, symbols);
      from = to;
    }
  }

  #readSequences(
    bytes: Uint8Array,
    start: number,
    end: number,
    out: Uint8Array,
    outStart: number,
    history: number,
  ): number {
    let next = start;
    const byte = () => {
      if (next >= end) corrupt("a block is cut off");
      return bytes[next++]!;
    };
    let count = byte();
    if (count === 255) count = byte() + byte() * 256 + 0x7f00;
    else if (count >= 128) count = (count - 128) * 256 + byte();
    const literals = this.#literals;
    const literalCount = this.#literalCount;
    if (count === 0) {
      if (next !== end) corrupt("bytes behind a block's literals");
      out.set(literals.subarray(0, literalCount), outStart);
      return outStart + literalCount;
    }
    const modes = byte();
    if (modes & 3) corrupt("reserved bits are set");
    for (let kind = 0; kind < 3; kind++) {
      next = this.#readTable(kind, (modes >> (6 - 2 * kind)) & 3, bytes, next, end);
    }
    const [literalTable, offsetTable, matchTable] = this.#tables as [FseTable, FseTable, FseTable];
    const [literalKind, offsetKind, matchKind] = KINDS;
    const stream = new BackwardBits(bytes, next, end);
    let literalState = stream.read(literalTable.log);
    let offsetState = stream.read(offsetTable.log);
    let matchState = stream.read(matchTable.log);
    let at = outStart;
    let literalAt = 0;
    const most = outStart + BLOCK_BYTES;
    for (let i = 0; i < count; i++) {
      const offsetCode = offsetTable.symbol[offsetState]!;
      const matchCode = matchTable.symbol[matchState]!;
      const literalCode = literalTable.symbol[literalState]!;
      const offsetValue = offsetKind.base[offsetCode]! + stream.read(offsetCode);
      const matchLength = matchKind.base[matchCode]! + stream.read(matchKind.extra[matchCode]!);
      const literalLength = literalKind.base[literalCode]! + stream.read(literalKind.extra[literalCode]!);
      const offset = this.#offset(offsetValue, literalLength);
      if (i + 1 < count) {
        literalState = literalTable.base[literalState]! + stream.read(literalTable.bits[literalState]!);
        matchState = matchTable.base[matchState]! + stream.read(matchTable.bits[matchState]!);
        offsetState = offsetTable.base[offsetState]! + stream.read(offsetTable.bits[offsetState]!);
      }
      if (literalAt + literalLength > literalCount) corrupt("more literals used than there are");
      if (at + literalLength + matchLength > most) corrupt("a block of more than 128 kB");
      for (const until = literalAt + literalLength; literalAt < until;) out[at++] = literals[literalAt++]!;
      if (!(offset > 0 && offset <= at - outStart + history)) corrupt("an offset before the window");
      // Byte by byte: a match may run into its own output.
      for (let from = at - offset, until = at + matchLength; at < until;) out[at++] = out[from++]!;
    }
    if (stream.left !== 0) corrupt("a stream of sequences of the wrong length");
    const rest = literalCount - literalAt;
    if (at + rest > most) corrupt("a block of more than 128 kB");
    out.set(literals.subarray(literalAt, literalCount), at);
    return at + rest;
  }

  #readTable(kind: number, mode: number, bytes: Uint8Array, start: number, end: number): number {
    const { name, base, mostLog, usual } = KINDS[kind]!;
    if (mode === 0) this.#tables[kind] = usual;
    else if (mode === 1) {
      const symbol = start < end ? bytes[start]! : 255;
      if (symbol >= base.length) corrupt(`${name} without a code`);
      this.#tables[kind] = repeatFse(symbol);
      return start + 1;
    } else if (mode === 2) {
      const { table, next } = readFse(bytes, start, end, mostLog, base.length);
      this.#tables[kind] = table;
      return next;
    } else if (this.#tables[kind] === undefined) corrupt(`${name} repeat a table that never came`);
    return start;
  }

  /** The offset that a value means: itself less 3, or one of the last three (RFC 8878, section 3.1.1.5). */
  #offset(value: number, literalLength: number): number {
    const last = this.#offsets;
    if (value > 3) {
      last[2] = last[1];
      last[1] = last[0];
      return last[0] = value - 3;
    }
    const which = value - 1 + (literalLength === 0 ? 1 : 0);
    if (which === 0) return last[0];
    const offset = which === 3 ? last[0] - 1 : last[which]!;
    if (which > 1) last[2] = last[1];
    last[1] = last[0];
    return last[0] = offset;
  }
}
