/**
 * A number that stands for a board of `BOARD_BYTES` bytes: 53 bits of two independent 32-bit hashes (FNV-1a with
 * different starts, each finished as MurmurHash3 is). Boards are in the mirrored frame, so a position and its
 * mirror have the same number. Among a million boards a false match has a chance of about 1 in 18,000.
 */
export function boardKey(boards: Uint8Array, at = 0, length = boards.length): number {
  let a = 0x811c9dc5;
  let b = 0x3ade68b1;
  for (let i = at; i < at + length; i++) {
    a = Math.imul(a ^ boards[i]!, 0x01000193);
    b = Math.imul(b ^ boards[i]!, 0x5bd1e995);
    b ^= b >>> 15;
  }
  return (finish(a) >>> 11) * 0x100000000 + finish(b);
}

function finish(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
