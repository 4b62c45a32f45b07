import { constants, zstdCompressSync } from "node:zlib";

/** Zstandard's strongest level: shards are written once and read many times. */
const STRONGEST = 22;

/**
 * Encoded rows as a file: one zstd frame, with its checksum.
 *
 * @param rows Rows as MessagePack.
 * @param level From 1, fast, to 22, small.
 */
export function packRows(rows: readonly Uint8Array[], level: number = STRONGEST): Uint8Array {
  const whole = new Uint8Array(rows.reduce((sum, row) => sum + row.length, 0));
  let at = 0;
  for (const row of rows) {
    whole.set(row, at);
    at += row.length;
  }
  return zstdCompressSync(whole, {
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}
