import { createHash } from "node:crypto";

/**
 * The SHA-256 of some text and arrays, in order, as 64 hex digits. Each part is preceded by its length in
 * bytes, so that moving a byte from one part to the next gives another digest.
 */
export function digest(parts: Iterable<string | ArrayBufferView>): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const bytes = typeof part === "string"
      ? new TextEncoder().encode(part)
      : new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
    hash.update(`${bytes.length}:`);
    hash.update(bytes);
  }
  return hash.digest("hex");
}
