import { DataError } from "../common/mod.ts";
import { Xxh64 } from "./_xxh64.ts";
import { BLOCK_BYTES, BlockDecoder } from "./_zstd_block.ts";

/** The magic number at the start of a frame. */
const MAGIC = 0xfd2fb528;
/** Magic numbers of frames to skip, but for their lowest four bits. */
const SKIPPABLE = 0x184d2a50;
/** The largest window that is accepted: 2^27 bytes, as the zstd program does unless told otherwise. */
const MOST_WINDOW = 1 << 27;

/** A frame that is being read. */
interface Frame {
  readonly window: number;
  readonly size: number | undefined;
  readonly blocks: BlockDecoder;
  readonly hash: Xxh64 | undefined;
  produced: number;
}

/**
 * Unpacks a stream of zstd frames (RFC 8878) as its bytes arrive, block by block.
 *
 * `node:zlib` cannot stand in for it: not every runtime's gives the bytes before the end has come, goes on after the
 * first frame, or tells a stream that was cut off from a whole one. This one gives every whole block, checks each
 * frame's checksum and knows where a stream broke.
 */
export class ZstdDecoder {
  #input: Uint8Array = new Uint8Array(0);
  #at = 0;
  #consumed = 0;
  #skip = 0;
  #frame: Frame | undefined;
  #checksumDue = false;
  #out: Uint8Array = new Uint8Array(0);
  #outAt = 0;
  /** The block just unpacked. */
  #fresh: Uint8Array<ArrayBuffer> | undefined;

  /** Packed bytes that have been unpacked for good: where in the file a problem is found. */
  get position(): number {
    return this.#consumed + this.#at;
  }

  /**
   * Takes packed bytes and yields what they unpack to, a block at a time.
   *
   * @throws {DataError} If they are not zstd or corrupt; the message says what, not where.
   */
  *push(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
    const left = this.#input.length - this.#at;
    const input = new Uint8Array(left + bytes.length);
    input.set(this.#input.subarray(this.#at));
    input.set(bytes, left);
    this.#consumed += this.#at;
    this.#input = input;
    this.#at = 0;
    while (this.#step()) {
      if (this.#fresh) {
        yield this.#fresh;
        this.#fresh = undefined;
      }
    }
  }

  /**
   * Says that no more bytes come.
   *
   * @throws {DataError} If they end within a frame.
   */
  end(): void {
    if (this.#frame || this.#skip > 0 || this.#at < this.#input.length) {
      throw new DataError("the zstd data ends in the middle of a frame");
    }
  }

  /** Does the next thing that the bytes at hand allow; `false` where more are needed. */
  #step(): boolean {
    const there = this.#input.length - this.#at;
    if (there === 0) return false;
    if (this.#skip > 0) {
      const step = Math.min(this.#skip, there);
      this.#at += step;
      this.#skip -= step;
      return true;
    }
    if (this.#frame === undefined) return this.#startFrame(there);
    if (this.#checksumDue) return this.#endFrame(this.#frame, there);
    return this.#block(this.#frame, there);
  }

  #uint(at: number, bytes: number): number {
    let value = 0;
    for (let i = bytes - 1; i >= 0; i--) value = value * 256 + this.#input[this.#at + at + i]!;
    return value;
  }

  #startFrame(there: number): boolean {
    if (there < 4) return false;
    const magic = this.#uint(0, 4);
    if ((magic & ~15) === SKIPPABLE) {
      if (there < 8) return false;
      this.#skip = this.#uint(4, 4);
      this.#at += 8;
      return true;
    }
    if (magic !== MAGIC) throw new DataError("there is no zstd frame");
    if (there < 5) return false;
    const flags = this.#uint(4, 1);
    if (flags & 8) throw new DataError("the zstd data is corrupt (reserved bits are set)");
    const single = (flags & 32) !== 0;
    const dictionaryBytes = [0, 1, 2, 4][flags & 3]!;
    const sizeBytes = flags >> 6 === 0 ? (single ? 1 : 0) : 1 << (flags >> 6);
    const header = 5 + (single ? 0 : 1) + dictionaryBytes + sizeBytes;
    if (there < header) return false;
    if (this.#uint(header - sizeBytes - dictionaryBytes, dictionaryBytes) !== 0) {
      throw new DataError("the zstd data needs a dictionary, which none of the known sources do");
    }
    const size = sizeBytes === 0
      ? undefined
      : this.#uint(header - sizeBytes, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
    let window = size ?? 0;
    if (!single) {
      const descriptor = this.#uint(5, 1);
      const power = 2 ** (10 + (descriptor >> 3));
      window = power + power / 8 * (descriptor & 7);
    }
    if (window > MOST_WINDOW) {
      throw new DataError(`the zstd data needs ${window} bytes of memory, at most ${MOST_WINDOW} are given`);
    }
    this.#at += header;
    this.#frame = {
      window,
      size,
      blocks: new BlockDecoder(),
      hash: flags & 4 ? new Xxh64() : undefined,
      produced: 0,
    };
    this.#outAt = 0;
    return true;
  }

  #block(frame: Frame, there: number): boolean {
    if (there < 3) return false;
    const header = this.#uint(0, 3);
    const type = (header >> 1) & 3;
    const size = header >> 3;
    if (type === 3) throw new DataError("the zstd data is corrupt (a block of no known type)");
    if (size > Math.min(BLOCK_BYTES, Math.max(frame.window, 1024))) {
      throw new DataError("the zstd data is corrupt (a block that is too large)");
    }
    const packed = type === 1 ? 1 : size;
    if (there < 3 + packed) return false;
    this.#makeRoom(frame);
    const from = this.#at + 3;
    const start = this.#outAt;
    if (type === 0) {
      this.#out.set(this.#input.subarray(from, from + size), start);
      this.#outAt += size;
    } else if (type === 1) {
      this.#out.fill(this.#input[from]!, start, start + size);
      this.#outAt += size;
    } else {
      const history = Math.min(frame.produced, frame.window);
      this.#outAt = frame.blocks.decode(this.#input, from, from + size, this.#out, start, history);
    }
    const made = this.#out.slice(start, this.#outAt);
    frame.produced += made.length;
    frame.hash?.update(made);
    if (made.length > 0) this.#fresh = made;
    this.#at += 3 + packed;
    if (header & 1) {
      if (frame.size !== undefined && frame.size !== frame.produced) {
        throw new DataError(
          `the zstd data is corrupt (${frame.produced} bytes where ${frame.size} are announced)`,
        );
      }
      if (frame.hash) this.#checksumDue = true;
      else this.#frame = undefined;
    }
    return true;
  }

  #endFrame(frame: Frame, there: number): boolean {
    if (there < 4) return false;
    if (this.#uint(0, 4) !== frame.hash!.low32()) {
      throw new DataError("the zstd data is corrupt (its checksum does not fit)");
    }
    this.#at += 4;
    this.#checksumDue = false;
    this.#frame = undefined;
    return true;
  }

  /** Sees to it that a whole block fits behind the output and that the window stays in front of it. */
  #makeRoom(frame: Frame): void {
    if (this.#outAt + BLOCK_BYTES <= this.#out.length) return;
    const kept = Math.min(this.#outAt, frame.window);
    const wanted = kept + BLOCK_BYTES;
    if (this.#out.length < 2 * wanted) {
      const grown = new Uint8Array(2 * wanted);
      grown.set(this.#out.subarray(this.#outAt - kept, this.#outAt));
      this.#out = grown;
    } else {
      this.#out.copyWithin(0, this.#outAt - kept, this.#outAt);
    }
    this.#outAt = kept;
  }
}
