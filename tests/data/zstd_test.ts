import assert from "node:assert/strict";
import { constants, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { DataError, Random } from "../../lib/common/mod.ts";
import { ZstdDecoder } from "../../lib/data/_zstd.ts";
import { concat } from "./_shards.ts";

function unpack(bytes: Uint8Array, piece = bytes.length): Uint8Array {
  const decoder = new ZstdDecoder();
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += piece) {
    parts.push(...decoder.push(bytes.subarray(at, at + piece)));
  }
  decoder.end();
  return concat(parts);
}

function pack(bytes: Uint8Array, level: number, checksum: boolean): Uint8Array {
  const params = {
    [constants.ZSTD_c_compressionLevel]: level,
    [constants.ZSTD_c_checksumFlag]: Number(checksum),
  };
  return zstdCompressSync(bytes, { params });
}

/** Bytes of several characters, so that every kind of block and table occurs. */
function sample(kind: number, size: number, seed: number): Uint8Array {
  const random = new Random(seed);
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    if (kind === 0) bytes[i] = random.int(256); // nothing to gain: raw blocks
    else if (kind === 1) bytes[i] = random.int(4); // few symbols
    else if (kind === 2) bytes[i] = 7; // one symbol: RLE blocks
    else if (kind === 3) bytes[i] = Math.min(random.int(256), random.int(256), random.int(256)); // skewed
    else bytes[i] = i > 60 && random.int(9) > 0 ? bytes[i - 1 - random.int(60)]! : random.int(256); // repeats
  }
  return bytes;
}

Deno.test("zstd frames of all levels unpack to what was packed, however they are cut into pieces", () => {
  fc.assert(
    fc.property(
      fc.nat(4),
      fc.oneof(fc.nat(300), fc.nat(70_000)),
      fc.nat(),
      fc.constantFrom(-5, 1, 3, 9, 19),
      fc.boolean(),
      fc.integer({ min: 1, max: 5000 }),
      (kind, size, seed, level, checksum, piece) => {
        const bytes = sample(kind, size, seed >>> 0);
        assert.deepEqual(unpack(pack(bytes, level, checksum), piece), bytes);
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("matches reach back over the whole window and blocks are 128 kB at most", () => {
  const once = sample(3, 300_000, 5);
  const bytes = concat([once, sample(0, 1000, 6), once, once]);
  for (const level of [1, 19, 22]) assert.deepEqual(unpack(pack(bytes, level, true), 10_000), bytes);
});

Deno.test("frames follow each other, and skippable ones are passed over", () => {
  const [a, b] = [sample(3, 5000, 1), sample(4, 3000, 2)];
  const skippable = Uint8Array.of(0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
  const bytes = concat([pack(a, 3, true), skippable, pack(new Uint8Array(0), 3, true), pack(b, 3, false)]);
  for (const piece of [1, 7, bytes.length]) assert.deepEqual(unpack(bytes, piece), concat([a, b]));
});

Deno.test("a flipped bit in a frame with a checksum never gives other bytes without an error", () => {
  const bytes = sample(4, 2000, 3);
  const packed = pack(bytes, 19, true);
  for (let at = 0; at < packed.length; at++) {
    const changed = packed.slice();
    changed[at]! ^= 1 << (at % 8);
    try {
      assert.deepEqual(unpack(changed), bytes);
    } catch (error) {
      assert.ok(error instanceof DataError, `byte ${at}: ${error}`);
    }
  }
});

Deno.test("a frame that is cut off anywhere is noticed", () => {
  const packed = pack(sample(4, 2000, 4), 3, true);
  for (let length = 1; length < packed.length; length++) {
    assert.throws(() => unpack(packed.subarray(0, length)), DataError, `cut to ${length}`);
  }
  assert.deepEqual(unpack(new Uint8Array(0)), new Uint8Array(0));
});
