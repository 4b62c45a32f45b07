import assert from "node:assert/strict";
import fc from "fast-check";
import lz4 from "lz4js";
import { decompressLz4Frame } from "../../lib/connectome/_lz4.ts";

/** Bytes that repeat themselves near and far, as tables do. */
const bytes = fc.array(
  fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 200 })),
  { maxLength: 12 },
).map((parts) => Uint8Array.from(parts.flatMap(([part, times]) => Array(times).fill([...part]).flat())));

Deno.test("`decompressLz4Frame()` undoes what lz4js packed", () => {
  fc.assert(fc.property(bytes, (plain) => {
    assert.deepEqual(decompressLz4Frame(new Uint8Array(lz4.compress(plain)), plain.length), plain);
  }));
});

Deno.test("a frame with checksums, a content size and stored blocks is read", () => {
  // Flags: version 1, block checksums, content size, content checksum; "abc" stored, then "abc" as a match.
  const frame = Uint8Array.from([
    ...[0x04, 0x22, 0x4d, 0x18, 0x5c, 0x40, 6, 0, 0, 0, 0, 0, 0, 0, 0xff],
    ...[3, 0, 0, 0x80, 97, 98, 99, 1, 2, 3, 4],
    ...[6, 0, 0, 0, 0x20, 120, 121, 5, 0, 0x00, 1, 2, 3, 4],
    ...[0, 0, 0, 0, 1, 2, 3, 4],
  ]);
  assert.throws(() => decompressLz4Frame(frame, 6), RangeError);
  // Two literals, then four bytes from five back.
  assert.equal(new TextDecoder().decode(decompressLz4Frame(frame, 9)), "abcxyabcx");
});

Deno.test("frames in a row are read as one", () => {
  const first = new Uint8Array(lz4.compress(Uint8Array.of(1, 2, 3)));
  const second = new Uint8Array(lz4.compress(new Uint8Array(100)));
  const both = Uint8Array.from([...first, ...second]);
  assert.deepEqual(
    decompressLz4Frame(both, 103),
    Uint8Array.from([1, 2, 3, ...new Array<number>(100).fill(0)]),
  );
});

Deno.test("broken or cut frames end in a RangeError, never in reading or writing outside", () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.integer({ min: 0, max: 7 }), fc.nat(), (plain, at, bit, cut) => {
      const packed = new Uint8Array(lz4.compress(plain));
      const changed = packed.slice(0, packed.length - cut % packed.length);
      changed[at % changed.length]! ^= 1 << bit;
      try {
        assert.equal(decompressLz4Frame(changed, plain.length).length, plain.length);
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
  );
});
