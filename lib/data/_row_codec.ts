import { encode } from "@msgpack/msgpack";
import { DataError } from "../common/mod.ts";
import type { LabelledMove, ShardRow } from "./shard.ts";

/** A row as MessagePack, the way ChessBench's shards hold it, with the game's number where there is one. */
export function encodeRow(row: ShardRow): Uint8Array {
  const moves = Object.fromEntries(
    row.moves.map(({ uci, winProb, mate }) => [
      uci,
      mate === undefined ? { win_prob: winProb } : { win_prob: winProb, mate },
    ]),
  );
  const { fen, game } = row;
  return encode(game === undefined ? { fen, moves } : { fen, moves, game });
}

/** Thrown inside `RowDecoder` where the bytes end within a row; more of them may come. */
const INCOMPLETE: unique symbol = Symbol("incomplete");

/** Types of MessagePack values that are skipped may nest, but no shard nests deeply. */
const DEEPEST = 16;

/**
 * Reads rows from a buffer. Made for this one schema: several times as fast as a general decoder that builds every
 * map as an object, and it knows where a row ends even if its bytes have not all arrived.
 */
export class RowDecoder {
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #at = 0;
  readonly #text = new TextDecoder("utf-8", { fatal: true });

  /** Where the next row starts. */
  get position(): number {
    return this.#at;
  }

  /** Goes on with another buffer. */
  reset(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = 0;
  }

  /**
   * The next row; `undefined`, with `position` where it was, if its end has not arrived.
   *
   * @throws {DataError} If it is something else; the message says what, not where.
   */
  next(): ShardRow | undefined {
    const start = this.#at;
    if (start >= this.#bytes.length) return undefined;
    try {
      return this.#row();
    } catch (error) {
      this.#at = start;
      if (error === INCOMPLETE) return undefined;
      throw error;
    }
  }

  #row(): ShardRow {
    let fen: string | undefined;
    let moves: LabelledMove[] | undefined;
    let game: number | undefined;
    for (let left = this.#mapSize("a row"); left > 0; left--) {
      const key = this.#string("a key");
      if (key === "fen") fen = this.#string("fen");
      else if (key === "moves") moves = this.#moves();
      else if (key === "game") game = this.#game();
      else this.#skip(0);
    }
    if (fen === undefined) throw new DataError("a row has no fen");
    if (moves === undefined) throw new DataError("a row has no moves");
    return game === undefined ? { fen, moves } : { fen, moves, game };
  }

  #moves(): LabelledMove[] {
    const size = this.#mapSize("moves");
    const moves: LabelledMove[] = [];
    for (let i = 0; i < size; i++) {
      const uci = this.#string("a move");
      let winProb: number | undefined;
      let mate: number | "#" | undefined;
      for (let left = this.#mapSize("a move's opinion"); left > 0; left--) {
        const key = this.#string("a key");
        if (key === "win_prob") winProb = this.#number("win_prob");
        else if (key === "mate") mate = this.#mate();
        else this.#skip(0);
      }
      if (winProb === undefined) throw new DataError(`the move ${uci} has no win_prob`);
      moves.push(mate === undefined ? { uci, winProb } : { uci, winProb, mate });
    }
    return moves;
  }

  #game(): number | undefined {
    if (this.#peek() === 0xc0) return void this.#at++;
    const game = this.#number("game");
    if (!Number.isInteger(game) || game < 0 || game > 0x7fffffff) {
      throw new DataError(`game is ${game}, a whole number from 0 to 2^31 - 1 is wanted`);
    }
    return game;
  }

  #mate(): number | "#" | undefined {
    const tag = this.#peek();
    if (tag === 0xc0) return void this.#at++;
    if ((tag & 0xe0) !== 0xa0) return this.#number("mate");
    const text = this.#string("mate");
    if (text !== "#") throw new DataError(`mate is '${text}', a number or # is wanted`);
    return "#";
  }

  #peek(): number {
    if (this.#at >= this.#bytes.length) throw INCOMPLETE;
    return this.#bytes[this.#at]!;
  }

  /** Takes `count` bytes and gives where they start. */
  #take(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) throw INCOMPLETE;
    this.#at = at + count;
    return at;
  }

  #mapSize(what: string): number {
    const tag = this.#bytes[this.#take(1)]!;
    if ((tag & 0xf0) === 0x80) return tag & 0x0f;
    if (tag === 0xde) return this.#view.getUint16(this.#take(2));
    if (tag === 0xdf) return this.#view.getUint32(this.#take(4));
    throw new DataError(`${what} is ${kindOf(tag)}, a map is wanted`);
  }

  #string(what: string): string {
    const tag = this.#bytes[this.#take(1)]!;
    let length: number;
    if ((tag & 0xe0) === 0xa0) length = tag & 0x1f;
    else if (tag === 0xd9) length = this.#bytes[this.#take(1)]!;
    else if (tag === 0xda) length = this.#view.getUint16(this.#take(2));
    else throw new DataError(`${what} is ${kindOf(tag)}, a short text is wanted`);
    const at = this.#take(length);
    const bytes = this.#bytes;
    if (length <= 8) {
      // Keys and moves: nearly all the text there is, and faster letter by letter than through a decoder.
      let text = "";
      for (let i = at; i < at + length; i++) {
        if (bytes[i]! > 127) throw new DataError(`${what} is not plain text`);
        text += String.fromCharCode(bytes[i]!);
      }
      return text;
    }
    try {
      return this.#text.decode(bytes.subarray(at, at + length));
    } catch {
      throw new DataError(`${what} is not UTF-8 text`);
    }
  }

  #number(what: string): number {
    const tag = this.#bytes[this.#take(1)]!;
    if (tag < 0x80) return tag;
    if (tag >= 0xe0) return tag - 256;
    const view = this.#view;
    switch (tag) {
      case 0xca:
        return view.getFloat32(this.#take(4));
      case 0xcb:
        return view.getFloat64(this.#take(8));
      case 0xcc:
        return view.getUint8(this.#take(1));
      case 0xcd:
        return view.getUint16(this.#take(2));
      case 0xce:
        return view.getUint32(this.#take(4));
      case 0xcf:
        return Number(view.getBigUint64(this.#take(8)));
      case 0xd0:
        return view.getInt8(this.#take(1));
      case 0xd1:
        return view.getInt16(this.#take(2));
      case 0xd2:
        return view.getInt32(this.#take(4));
      case 0xd3:
        return Number(view.getBigInt64(this.#take(8)));
    }
    throw new DataError(`${what} is ${kindOf(tag)}, a number is wanted`);
  }

  /** Passes over a value of any kind. */
  #skip(depth: number): void {
    if (depth > DEEPEST) throw new DataError(`a value nests deeper than ${DEEPEST} levels`);
    const tag = this.#bytes[this.#take(1)]!;
    if (tag < 0x80 || tag >= 0xe0 || tag === 0xc0 || tag === 0xc2 || tag === 0xc3) return;
    let items = 0;
    if ((tag & 0xf0) === 0x80) items = 2 * (tag & 0x0f);
    else if ((tag & 0xf0) === 0x90) items = tag & 0x0f;
    else if ((tag & 0xe0) === 0xa0) this.#take(tag & 0x1f);
    else if (tag === 0xdc) items = this.#view.getUint16(this.#take(2));
    else if (tag === 0xdd) items = this.#view.getUint32(this.#take(4));
    else if (tag === 0xde) items = 2 * this.#view.getUint16(this.#take(2));
    else if (tag === 0xdf) items = 2 * this.#view.getUint32(this.#take(4));
    else if (tag === 0xd9 || tag === 0xc4 || tag === 0xc7) {
      this.#take(this.#view.getUint8(this.#take(1)) + (tag === 0xc7 ? 1 : 0));
    } else if (tag === 0xda || tag === 0xc5 || tag === 0xc8) {
      this.#take(this.#view.getUint16(this.#take(2)) + (tag === 0xc8 ? 1 : 0));
    } else if (tag === 0xdb || tag === 0xc6 || tag === 0xc9) {
      this.#take(this.#view.getUint32(this.#take(4)) + (tag === 0xc9 ? 1 : 0));
    } else {
      const length = SIZES[tag];
      if (length === undefined) throw new DataError(`a value is ${kindOf(tag)}, MessagePack is wanted`);
      this.#take(length);
    }
    for (; items > 0; items--) this.#skip(depth + 1);
  }
}

/** Bytes after the tag of the values that always have as many: floats, whole numbers, short extensions. */
const SIZES: Readonly<Record<number, number>> = {
  0xca: 4,
  0xcb: 8,
  0xcc: 1,
  0xcd: 2,
  0xce: 4,
  0xcf: 8,
  0xd0: 1,
  0xd1: 2,
  0xd2: 4,
  0xd3: 8,
  0xd4: 2,
  0xd5: 3,
  0xd6: 5,
  0xd7: 9,
  0xd8: 17,
};

/** What a MessagePack tag announces, in words. */
function kindOf(tag: number): string {
  if (tag < 0x80 || tag >= 0xe0 || (tag >= 0xca && tag <= 0xd3)) return "a number";
  if (tag < 0x90 || tag === 0xde || tag === 0xdf) return "a map";
  if (tag < 0xa0 || tag === 0xdc || tag === 0xdd) return "a list";
  if (tag < 0xc0 || (tag >= 0xd9 && tag <= 0xdb)) return "text";
  if (tag === 0xc0) return "nothing";
  if (tag === 0xc2 || tag === 0xc3) return "true or false";
  return `byte ${tag}`;
}
