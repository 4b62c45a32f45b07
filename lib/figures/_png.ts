import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

/** A chunk: its length, its name, its bytes and their checksum (PNG specification, section 5.3). */
function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length), view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = name.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/**
 * A picture of few colours as a PNG in a `data:` address.
 *
 * @param pixels `[height][width]`: for every pixel a colour's place in the palette.
 * @param width Pixels a row.
 * @param palette Colours like `#0072b2`, up to 256; the first is transparent.
 */
export function pngUrl(pixels: Uint8Array, width: number, palette: readonly string[]): string {
  const height = pixels.length / width, rows = new Uint8Array(height * (width + 1));
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const header = new Uint8Array(13), view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // 8 bits a pixel, places in a palette.
  header.set([8, 3], 8);
  const colours = palette.flatMap((colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)));
  const parts = [
    Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10),
    chunk("IHDR", header),
    chunk("PLTE", Uint8Array.from(colours)),
    chunk("tRNS", Uint8Array.of(0)),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", new Uint8Array(0)),
  ];
  return `data:image/png;base64,${Buffer.concat(parts).toString("base64")}`;
}
