import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { LongWork } from "../common/mod.ts";

/** A file that something was made from. */
export interface SourceFile {
  /** Its name without folders. */
  readonly file: string;
  /** Its length. */
  readonly bytes: number;
  /** Its SHA-256 in hex digits. */
  readonly sha256: string;
}

/** SHA-256 of the tables, so that a result can name what it was made from. */
export async function hashFiles(paths: readonly string[], work: LongWork): Promise<SourceFile[]> {
  const sizes = await Promise.all(paths.map(async (path) => (await Deno.stat(path)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  const sources: SourceFile[] = [];
  const buffer = new Uint8Array(1 << 20);
  for (const [i, path] of paths.entries()) {
    const hash = createHash("sha256");
    using file = await Deno.open(path);
    for (let got = await file.read(buffer); got !== null; got = await file.read(buffer)) {
      work.signal?.throwIfAborted();
      hash.update(buffer.subarray(0, got));
      done += got;
      work.onProgress?.({ task: "naming the tables by their SHA-256", done, total, unit: "bytes" });
    }
    sources.push({ file: basename(path), bytes: sizes[i]!, sha256: hash.digest("hex") });
  }
  return sources;
}
