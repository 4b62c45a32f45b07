/**
 * A table of a flatbuffer: just enough of the format to read the schema, footer and messages of an Arrow file.
 * Reading outside the bytes throws a RangeError, which the caller turns into an error about its file.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #slots: number;
  readonly #slotCount: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#slots = at - view.getInt32(at, true);
    this.#slotCount = (view.getUint16(this.#slots, true) - 4) >> 1;
  }

  /** The table that some bytes begin with. */
  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  #place(slot: number): number {
    if (slot >= this.#slotCount) return 0;
    const offset = this.#view.getUint16(this.#slots + 4 + 2 * slot, true);
    return offset === 0 ? 0 : this.#at + offset;
  }

  /** Whether a field is there. */
  has(slot: number): boolean {
    return this.#place(slot) !== 0;
  }

  /** A byte, or the default where it is absent. */
  byte(slot: number, absent = 0): number {
    const place = this.#place(slot);
    return place === 0 ? absent : this.#view.getUint8(place);
  }

  /** A 16-bit number. */
  short(slot: number, absent = 0): number {
    const place = this.#place(slot);
    return place === 0 ? absent : this.#view.getInt16(place, true);
  }

  /** A 32-bit number. */
  int(slot: number, absent = 0): number {
    const place = this.#place(slot);
    return place === 0 ? absent : this.#view.getInt32(place, true);
  }

  /** A 64-bit number that fits a double. */
  long(slot: number, absent = 0): number {
    const place = this.#place(slot);
    return place === 0 ? absent : readLong(this.#view, place);
  }

  /** A text. */
  text(slot: number): string {
    const place = this.#place(slot);
    if (place === 0) return "";
    const at = place + this.#view.getUint32(place, true);
    const length = this.#view.getUint32(at, true);
    if (at + 4 + length > this.#view.byteLength) throw new RangeError("a text reaches beyond its end");
    return new TextDecoder().decode(
      new Uint8Array(this.#view.buffer, this.#view.byteOffset + at + 4, length),
    );
  }

  /** A table within the table. */
  table(slot: number): FlatTable | undefined {
    const place = this.#place(slot);
    return place === 0 ? undefined : new FlatTable(this.#view, place + this.#view.getUint32(place, true));
  }

  #vector(slot: number): { at: number; length: number } {
    const place = this.#place(slot);
    if (place === 0) return { at: 0, length: 0 };
    const at = place + this.#view.getUint32(place, true);
    const length = this.#view.getUint32(at, true);
    // Every entry takes at least 4 bytes in the vectors that Arrow has; a broken length must not run for ever.
    if (length > this.#view.byteLength / 4) throw new RangeError("a list reaches beyond its end");
    return { at: at + 4, length };
  }

  /** A list of tables. */
  tables(slot: number): FlatTable[] {
    const { at, length } = this.#vector(slot);
    return Array.from({ length }, (_, i) => {
      const place = at + 4 * i;
      return new FlatTable(this.#view, place + this.#view.getUint32(place, true));
    });
  }

  /** A list of structs of 64-bit numbers: the given words (8 bytes each) of every struct. */
  structs(slot: number, words: number): number[][] {
    const { at, length } = this.#vector(slot);
    return Array.from({ length }, (_, i) => {
      const place = at + 8 * words * i;
      return Array.from({ length: words }, (_, word) => readLong(this.#view, place + 8 * word));
    });
  }
}

/** A signed 64-bit number, exact up to 2^53. */
function readLong(view: DataView, at: number): number {
  return view.getInt32(at + 4, true) * 0x100000000 + view.getUint32(at, true);
}
