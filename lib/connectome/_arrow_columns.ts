import { type ArrowBlock, type ArrowFile } from "./_arrow_file.ts";
import { type ArrowField, type ArrowPlace, TYPE } from "./_arrow_schema.ts";
import { StringPool } from "./_string_pool.ts";

/** A column of texts; each row is looked up only when asked for. */
export interface TextColumn {
  /** The text of a row, or `null`. */
  at(row: number): string | null;
}

/** A column of lists of numbers. */
export interface ListColumn {
  /** The numbers of a row (NaN for a null among them), or `null`. */
  at(row: number): Float64Array | null;
}

/** The columns of one batch, decoded from its body when asked for. */
export class BatchReader {
  readonly #file: ArrowFile;
  readonly #block: ArrowBlock;
  readonly #body: Uint8Array;
  readonly #pool: StringPool;

  constructor(file: ArrowFile, block: ArrowBlock, body: Uint8Array, pool: StringPool) {
    this.#file = file;
    this.#block = block;
    this.#body = body;
    this.#pool = pool;
  }

  #buffer(index: number, least: number): Uint8Array {
    const bytes = this.#file.buffer(this.#block, this.#body, index);
    if (bytes.length < least) throw new RangeError(`a buffer has ${bytes.length} bytes, ${least} are wanted`);
    return bytes;
  }

  #node(place: ArrowPlace): { length: number; nulls: number } {
    const node = this.#block.nodes[place.node];
    if (node === undefined) throw new RangeError("a column is missing in a record batch");
    const [length, nulls] = node as [number, number];
    if (!(length >= 0 && length <= 0x7fffffff)) throw new RangeError(`a column claims ${length} rows`);
    return { length, nulls };
  }

  /** Bit `i` says whether row `i` has a value; `null` where all have. */
  #validity(place: ArrowPlace): Uint8Array | null {
    const { length, nulls } = this.#node(place);
    return nulls === 0 || length === 0 ? null : this.#buffer(place.buffer, (length + 7) >> 3);
  }

  /** Numbers, NaN for null. */
  numbers(field: ArrowField, place: ArrowPlace): Float64Array {
    const { length } = this.#node(place);
    if (field.type === TYPE.null) return new Float64Array(length).fill(NaN);
    const bits = field.size;
    const bytes = this.#buffer(place.buffer + 1, length * bits / 8);
    const values = field.type === TYPE.float
      ? floats(bytes, length, bits)
      : integers(bytes, length, bits, field.signed);
    const valid = this.#validity(place);
    if (valid) {
      for (let i = 0; i < length; i++) if (!bit(valid, i)) values[i] = NaN;
    }
    if (bits === 64 && field.type === TYPE.int) {
      // One pass here is what makes later arithmetic on ids exact.
      for (let i = 0; i < length; i++) {
        if (Math.abs(values[i]!) > Number.MAX_SAFE_INTEGER) {
          throw new RangeError(`row ${i} holds ${values[i]}, at most 2^53 - 1 can be kept exactly`);
        }
      }
    }
    return values;
  }

  /** Texts. */
  texts(
    field: ArrowField,
    place: ArrowPlace,
    dictionary: readonly (string | null)[] | undefined,
  ): TextColumn {
    const { length } = this.#node(place);
    if (field.type === TYPE.null) return { at: () => null };
    const valid = this.#validity(place);
    if (field.dictionary) {
      const { bits, signed } = field.dictionary;
      const bytes = this.#buffer(place.buffer + 1, length * bits / 8);
      const index = integers(bytes, length, bits, signed);
      return {
        at: (row) => {
          if (valid && !bit(valid, row)) return null;
          const text = dictionary?.[index[row]!];
          if (text === undefined) throw new RangeError(`row ${row} points outside its dictionary`);
          return text;
        },
      };
    }
    if (length === 0) return { at: () => null };
    const offsets = this.#offsets(field, place, length);
    const bytes = this.#buffer(place.buffer + 2, offsets[length]!);
    const pool = this.#pool;
    return {
      at: (row) => {
        if (valid && !bit(valid, row)) return null;
        const start = offsets[row]!;
        const end = offsets[row + 1]!;
        if (!(start >= 0 && start <= end && end <= bytes.length)) {
          throw new RangeError(`row ${row} reaches beyond its texts`);
        }
        return pool.text(bytes, start, end);
      },
    };
  }

  #offsets(field: ArrowField, place: ArrowPlace, length: number): Float64Array | Int32Array {
    const wide = field.type === TYPE.largeUtf8 || field.type === TYPE.largeList;
    const bytes = this.#buffer(place.buffer + 1, (length + 1) * (wide ? 8 : 4));
    return wide
      ? integers(bytes, length + 1, 64, true)
      : new Int32Array(bytes.buffer, bytes.byteOffset, length + 1);
  }

  /** Lists of numbers. */
  lists(field: ArrowField, place: ArrowPlace): ListColumn {
    const { length } = this.#node(place);
    if (field.type === TYPE.null || length === 0) return { at: () => null };
    const valid = this.#validity(place);
    const values = this.numbers(field.children[0]!, place.children[0]!);
    const fixed = field.type === TYPE.fixedSizeList ? field.size : undefined;
    const offsets = fixed === undefined ? this.#offsets(field, place, length) : undefined;
    return {
      at: (row) => {
        if (valid && !bit(valid, row)) return null;
        const start = offsets ? offsets[row]! : row * fixed!;
        const end = offsets ? offsets[row + 1]! : start + fixed!;
        if (!(start >= 0 && start <= end && end <= values.length)) {
          throw new RangeError(`row ${row} reaches beyond its numbers`);
        }
        return values.subarray(start, end);
      },
    };
  }
}

function bit(bits: Uint8Array, at: number): boolean {
  return (bits[at >> 3]! >> (at & 7) & 1) === 1;
}

function floats(bytes: Uint8Array, length: number, bits: number): Float64Array {
  const { buffer, byteOffset } = bytes;
  // A copy: nulls are written into it.
  if (bits === 64) return new Float64Array(buffer, byteOffset, length).slice();
  if (bits === 32) return Float64Array.from(new Float32Array(buffer, byteOffset, length));
  throw new RangeError(`${bits}-bit floats are not read`);
}

function integers(bytes: Uint8Array, length: number, bits: number, signed: boolean): Float64Array {
  const { buffer, byteOffset } = bytes;
  if (bits === 64) {
    // Two 32-bit words instead of a BigInt: no object a row.
    const words = new Int32Array(buffer, byteOffset, 2 * length);
    const values = new Float64Array(length);
    if (signed) {
      for (let i = 0; i < length; i++) values[i] = words[2 * i + 1]! * 0x100000000 + (words[2 * i]! >>> 0);
    } else {
      for (let i = 0; i < length; i++) {
        values[i] = (words[2 * i + 1]! >>> 0) * 0x100000000 + (words[2 * i]! >>> 0);
      }
    }
    return values;
  }
  switch (bits) {
    case 32:
      return Float64Array.from(
        signed ? new Int32Array(buffer, byteOffset, length) : new Uint32Array(buffer, byteOffset, length),
      );
    case 16:
      return Float64Array.from(
        signed ? new Int16Array(buffer, byteOffset, length) : new Uint16Array(buffer, byteOffset, length),
      );
    case 8:
      return Float64Array.from(
        signed ? new Int8Array(buffer, byteOffset, length) : new Uint8Array(buffer, byteOffset, length),
      );
    default:
      throw new RangeError(`${bits}-bit integers are not read`);
  }
}
