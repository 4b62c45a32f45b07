import { basename } from "node:path";
import { DataError } from "../common/mod.ts";
import { type OpenOptions, openSource, SourceError } from "./_open_source.ts";
import { ZstdDecoder } from "./_zstd.ts";
import { ShardError } from "./shard.ts";

/** No line of a known source is longer; a file that is something else would otherwise fill the memory. */
const LONGEST_LINE = 1 << 22;

/** The name of a source without its folders, or its address. */
export function sourceName(source: string | URL): string {
  return source instanceof URL ? source.href : basename(source);
}

/**
 * The lines of a text, some thousand at a time, without their ends. A name that ends in `.zst` is unpacked on the
 * way, however many zstd frames it is made of.
 *
 * @param source A path or URL.
 * @param options Stops it, or looks at the bytes of the file.
 * @throws {ShardError} Where the file breaks off, after every whole line before.
 */
export async function* readLines(
  source: string | URL,
  options: OpenOptions & { readonly onBytes?: ((bytes: Uint8Array) => void) | undefined } = {},
): AsyncGenerator<string[]> {
  const name = source instanceof URL ? source.pathname : source;
  const unpacker = name.endsWith(".zst") ? new ZstdDecoder() : undefined;
  const text = new TextDecoder();
  let rest = "";
  let line = 0;
  let byte = 0;

  function cut(bytes: Uint8Array): string[] {
    rest += text.decode(bytes, { stream: true });
    byte += bytes.length;
    const lines = rest.split("\n");
    rest = lines.pop()!;
    line += lines.length;
    if (rest.length > LONGEST_LINE) throw new DataError("there is no end");
    return lines;
  }

  try {
    for await (const chunk of openSource(source, options)) {
      options.signal?.throwIfAborted();
      options.onBytes?.(chunk);
      for (const block of unpacker ? unpacker.push(chunk) : [chunk]) {
        const lines = cut(block);
        if (lines.length > 0) yield lines;
      }
    }
    unpacker?.end();
    rest += text.decode();
    if (rest !== "") yield [rest];
  } catch (error) {
    if (error instanceof SourceError || !(error instanceof DataError)) throw error;
    const start = byte - new TextEncoder().encode(rest).length;
    throw new ShardError(sourceName(source), error.message, line, start, { unit: "line", format: "text" });
  }
}
