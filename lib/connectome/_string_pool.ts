/**
 * Texts by their bytes. A column of a million rows often has ten different texts: each is decoded once, found again by
 * a hash of its bytes (FNV-1a), so that no row makes a new string.
 */
export class StringPool {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #slots = new Int32Array(256).fill(-1);
  #hashes: number[] = [];
  #bytes: Uint8Array[] = [];
  #texts: string[] = [];

  /** The text that stands from `start` up to `end`. */
  text(bytes: Uint8Array, start: number, end: number): string {
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = this.#slots[slot]!; entry >= 0; entry = this.#slots[slot]!) {
      if (this.#hashes[entry] === hash && same(this.#bytes[entry]!, bytes, start, end)) {
        return this.#texts[entry]!;
      }
      slot = (slot + 1) & mask;
    }
    const copy = bytes.slice(start, end);
    const text = this.#decode(copy);
    this.#slots[slot] = this.#texts.length;
    this.#hashes.push(hash);
    this.#bytes.push(copy);
    this.#texts.push(text);
    if (this.#texts.length * 2 > this.#slots.length) this.#grow();
    return text;
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new RangeError("a text is not UTF-8");
    }
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4).fill(-1);
    const mask = slots.length - 1;
    this.#hashes.forEach((hash, entry) => {
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = entry;
    });
    this.#slots = slots;
  }
}

function same(known: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let i = 0; i < known.length; i++) if (known[i] !== bytes[start + i]) return false;
  return true;
}
