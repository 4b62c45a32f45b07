/** The bytes every LZ4 frame begins with. */
const MAGIC = 0x184d2204;

/**
 * Undoes LZ4-frame compression, into a buffer of known length. Written here because Feather tables of the size
 * of a connectome (0.5 GB) take several times as long with the packages there are.
 *
 * Format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md. Checksums are stepped over, not checked.
 *
 * @throws {RangeError} If the bytes are no LZ4 frame, are cut off, or hold another length than `length`.
 */
export function decompressLz4Frame(source: Uint8Array, length: number): Uint8Array {
  const target = new Uint8Array(length);
  const view = new DataView(source.buffer, source.byteOffset, source.byteLength);
  let at = 0;
  let written = 0;
  // A buffer may be several frames in a row.
  while (at < source.length) {
    if (view.getUint32(at, true) !== MAGIC) throw new RangeError("it does not begin like an LZ4 frame");
    const flags = view.getUint8(at + 4);
    if (flags >> 6 !== 1) throw new RangeError("its LZ4 frame is of an unknown version");
    const blockChecksum = (flags & 0x10) !== 0;
    const contentChecksum = (flags & 0x04) !== 0;
    // Magic, flags, block size, content size, dictionary, header checksum.
    at += 4 + 2 + ((flags & 0x08) !== 0 ? 8 : 0) + ((flags & 0x01) !== 0 ? 4 : 0) + 1;
    for (;;) {
      const size = view.getUint32(at, true);
      at += 4;
      if (size === 0) break;
      const bytes = size & 0x7fffffff;
      if (at + bytes > source.length) throw new RangeError("its LZ4 data end early");
      if (size >>> 31 === 1) {
        if (written + bytes > length) throw new RangeError("its LZ4 data are longer than stated");
        target.set(source.subarray(at, at + bytes), written);
        written += bytes;
      } else {
        written = decompressBlock(source, at, at + bytes, target, written);
      }
      at += bytes + (blockChecksum ? 4 : 0);
    }
    if (contentChecksum) at += 4;
  }
  if (written !== length) {
    throw new RangeError(`its LZ4 data hold ${written} bytes, not the ${length} stated`);
  }
  return target;
}

/** Below this length a plain loop beats a call of `copyWithin` or `set`. */
const SHORT_COPY = 32;

function decompressBlock(
  source: Uint8Array,
  from: number,
  end: number,
  target: Uint8Array,
  start: number,
): number {
  const limit = target.length;
  let at = from;
  let written = start;
  while (at < end) {
    const token = source[at++]!;
    let literals = token >> 4;
    if (literals === 15) {
      let more = 255;
      while (more === 255 && at < end) literals += more = source[at++]!;
    }
    if (at + literals > end || written + literals > limit) throw new RangeError("its LZ4 data are broken");
    if (literals < SHORT_COPY) {
      for (let i = 0; i < literals; i++) target[written + i] = source[at + i]!;
    } else {
      target.set(source.subarray(at, at + literals), written);
    }
    at += literals;
    written += literals;
    // The last sequence of a block has no match.
    if (at >= end) break;
    const offset = source[at]! | (source[at + 1]! << 8);
    at += 2;
    let match = (token & 15) + 4;
    if (match === 19) {
      let more = 255;
      while (more === 255 && at < end) match += more = source[at++]!;
    }
    const back = written - offset;
    if (offset === 0 || back < 0 || written + match > limit) throw new RangeError("its LZ4 data are broken");
    if (match < SHORT_COPY || offset < match) {
      for (let i = 0; i < match; i++) target[written + i] = target[back + i]!;
    } else {
      target.copyWithin(written, back, back + match);
    }
    written += match;
  }
  return written;
}
