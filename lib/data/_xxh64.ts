/**
 * XXH64, the checksum at the end of a zstd frame (Collet, "xxHash fast digest algorithm", version 0.1.1), with
 * seed 0. Every 64-bit number is a pair of 32-bit halves: BigInt would be a hundred times slower.
 */
export class Xxh64 {
  /** The four lanes, low and high halves in turn. */
  readonly #lanes = new Int32Array(8);
  readonly #rest = new Uint8Array(32);
  #restLength = 0;
  #total = 0;

  constructor() {
    const product = new Pair();
    product.set(P1L, P1H).add(P2L, P2H);
    this.#lanes.set([product.low, product.high, P2L | 0, P2H | 0, 0, 0]);
    product.set(0, 0).subtract(P1L, P1H);
    this.#lanes.set([product.low, product.high], 6);
  }

  /** Takes more bytes. */
  update(bytes: Uint8Array): void {
    this.#total += bytes.length;
    let at = 0;
    if (this.#restLength > 0) {
      at = Math.min(32 - this.#restLength, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restLength);
      this.#restLength += at;
      if (this.#restLength < 32) return;
      this.#stripes(this.#rest, 0, 32);
      this.#restLength = 0;
    }
    const whole = at + ((bytes.length - at) & ~31);
    this.#stripes(bytes, at, whole);
    this.#rest.set(bytes.subarray(whole));
    this.#restLength = bytes.length - whole;
  }

  #stripes(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) return;
    const lanes = this.#lanes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const lane = new Pair();
    for (let i = 0; i < 4; i++) {
      lane.set(lanes[2 * i]!, lanes[2 * i + 1]!);
      for (let at = from + 8 * i; at < to; at += 32) {
        lane.round(view.getInt32(at, true), view.getInt32(at + 4, true));
      }
      lanes[2 * i] = lane.low;
      lanes[2 * i + 1] = lane.high;
    }
  }

  /** The low 32 bits of the hash, as zstd stores them. */
  low32(): number {
    const lanes = this.#lanes;
    const hash = new Pair();
    const other = new Pair();
    if (this.#total < 32) {
      hash.set(P5L, P5H);
    } else {
      hash.set(0, 0);
      [1, 7, 12, 18].forEach((turn, i) => {
        other.set(lanes[2 * i]!, lanes[2 * i + 1]!).rotate(turn);
        hash.add(other.low, other.high);
      });
      for (let i = 0; i < 4; i++) {
        other.set(0, 0).round(lanes[2 * i]!, lanes[2 * i + 1]!);
        hash.xor(other.low, other.high).multiply(P1L, P1H).add(P4L, P4H);
      }
    }
    hash.add(this.#total | 0, Math.floor(this.#total / 0x100000000));
    const view = new DataView(this.#rest.buffer);
    let at = 0;
    for (; at + 8 <= this.#restLength; at += 8) {
      other.set(0, 0).round(view.getInt32(at, true), view.getInt32(at + 4, true));
      hash.xor(other.low, other.high).rotate(27).multiply(P1L, P1H).add(P4L, P4H);
    }
    if (at + 4 <= this.#restLength) {
      other.set(view.getInt32(at, true), 0).multiply(P1L, P1H);
      hash.xor(other.low, other.high).rotate(23).multiply(P2L, P2H).add(P3L, P3H);
      at += 4;
    }
    for (; at < this.#restLength; at++) {
      other.set(this.#rest[at]!, 0).multiply(P5L, P5H);
      hash.xor(other.low, other.high).rotate(11).multiply(P1L, P1H);
    }
    hash.xorShift(33).multiply(P2L, P2H).xorShift(29).multiply(P3L, P3H).xorShift(32);
    return hash.low >>> 0;
  }
}

// The five primes of the algorithm, in halves.
const P1L = 0x85ebca87;
const P1H = 0x9e3779b1;
const P2L = 0x27d4eb4f;
const P2H = 0xc2b2ae3d;
const P3L = 0x9e3779f9;
const P3H = 0x165667b1;
const P4L = 0xc2b2ae63;
const P4H = 0x85ebca77;
const P5L = 0x165667c5;
const P5H = 0x27d4eb2f;

/** A 64-bit number that arithmetic changes in place. */
class Pair {
  low = 0;
  high = 0;

  set(low: number, high: number): this {
    this.low = low | 0;
    this.high = high | 0;
    return this;
  }

  add(low: number, high: number): this {
    const sum = (this.low >>> 0) + (low >>> 0);
    this.high = (this.high + high + (sum > 0xffffffff ? 1 : 0)) | 0;
    this.low = sum | 0;
    return this;
  }

  subtract(low: number, high: number): this {
    const borrow = (this.low >>> 0) < (low >>> 0) ? 1 : 0;
    this.low = (this.low - low) | 0;
    this.high = (this.high - high - borrow) | 0;
    return this;
  }

  multiply(low: number, high: number): this {
    const a0 = this.low & 0xffff;
    const a1 = this.low >>> 16;
    const b0 = low & 0xffff;
    const b1 = low >>> 16;
    // Partial products of 16 bits each stay exact in a double.
    const middle = a1 * b0 + ((a0 * b0) >>> 16);
    const carried = a0 * b1 + (middle & 0xffff);
    const upper = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(carried / 0x10000);
    this.high = (upper + Math.imul(this.high, low) + Math.imul(this.low, high)) | 0;
    this.low = Math.imul(this.low, low);
    return this;
  }

  rotate(by: number): this {
    const { low, high } = this;
    this.low = (low << by) | (high >>> (32 - by));
    this.high = (high << by) | (low >>> (32 - by));
    return this;
  }

  xor(low: number, high: number): this {
    this.low ^= low;
    this.high ^= high;
    return this;
  }

  xorShift(by: number): this {
    if (by >= 32) return this.xor(by === 32 ? this.high : this.high >>> (by - 32), 0);
    return this.xor((this.low >>> by) | (this.high << (32 - by)), this.high >>> by);
  }

  /** One step of a lane: rotl(lane + input * P2, 31) * P1. */
  round(low: number, high: number): this {
    const laneLow = this.low;
    const laneHigh = this.high;
    return this.set(low, high).multiply(P2L, P2H).add(laneLow, laneHigh).rotate(31).multiply(P1L, P1H);
  }
}
