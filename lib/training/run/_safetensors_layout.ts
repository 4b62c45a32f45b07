import { createHash } from "node:crypto";
import type { NamedTensor, SafeTensors, TensorData } from "./safetensors.ts";

/** The metadata key that holds the file's own SHA-256, and what stands there while it is computed. */
export const SEAL_KEY = "sha256", BLANK = "0".repeat(64);

/** What the format calls each kind of number, and how to look at bytes as such. */
export const KINDS: Readonly<
  Record<string, { bytes: number; view: (buffer: ArrayBuffer, at: number, length: number) => TensorData }>
> = {
  F64: { bytes: 8, view: (buffer, at, length) => new Float64Array(buffer, at, length) },
  I64: { bytes: 8, view: (buffer, at, length) => new BigInt64Array(buffer, at, length) },
  F32: { bytes: 4, view: (buffer, at, length) => new Float32Array(buffer, at, length) },
  I32: { bytes: 4, view: (buffer, at, length) => new Int32Array(buffer, at, length) },
  U16: { bytes: 2, view: (buffer, at, length) => new Uint16Array(buffer, at, length) },
  U8: { bytes: 1, view: (buffer, at, length) => new Uint8Array(buffer, at, length) },
  I8: { bytes: 1, view: (buffer, at, length) => new Int8Array(buffer, at, length) },
};

/** A file as it will be written. */
export interface SafeTensorsLayout {
  /** Its first bytes: the header's length and the header, sealed. */
  readonly head: Uint8Array;
  /** The tensors in the order of their bytes. */
  readonly data: readonly TensorData[];
  /** The SHA-256 of all bytes, with zeros where it stands itself. */
  readonly sha256: string;
}

/** Where the digits of the seal stand in a file's first bytes; -1 if there is none. */
export function sealPlace(head: Uint8Array): number {
  // Quotation marks inside a JSON string are escaped, so this can stand at one place only.
  const mark = `"${SEAL_KEY}":"`;
  const text = new TextDecoder("latin1").decode(head);
  const at = text.indexOf(mark);
  return at < 0 || !/^[0-9a-f]{64}"/.test(text.slice(at + mark.length, at + mark.length + 65))
    ? -1
    : at + mark.length;
}

/** The SHA-256 of a file's parts with the seal blanked. */
export function sealOf(head: Uint8Array, place: number, data: readonly ArrayBufferView[]): string {
  const hash = createHash("sha256");
  hash.update(head.subarray(0, place)).update(BLANK).update(head.subarray(place + BLANK.length));
  for (const each of data) hash.update(bytesOf(each));
  return hash.digest("hex");
}

/** The bytes of an array; copied only where the memory is shared, which files cannot be written from. */
export function bytesOf(array: ArrayBufferView): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = array;
  if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer, byteOffset, byteLength);
  return new Uint8Array(buffer, byteOffset, byteLength).slice();
}

/**
 * Lays tensors out as a file: large numbers first, so that all are aligned.
 *
 * @throws {RangeError} If a shape does not fit its numbers or a name is the format's own.
 */
export function layOut({ tensors, metadata }: SafeTensors): SafeTensorsLayout {
  const kinds = Object.entries(tensors).map(([name, tensor]) => ({
    name,
    tensor,
    kind: kindOf(name, tensor),
  }));
  kinds.sort((a, b) => KINDS[b.kind]!.bytes - KINDS[a.kind]!.bytes || (a.name < b.name ? -1 : 1));
  const header: Record<string, unknown> = { __metadata__: { ...metadata, [SEAL_KEY]: BLANK } };
  let at = 0;
  for (const { name, tensor: { shape, data }, kind } of kinds) {
    header[name] = { dtype: kind, shape, data_offsets: [at, at + data.byteLength] };
    at += data.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const head = new Uint8Array(8 + Math.ceil(text.length / 8) * 8).fill(0x20);
  new DataView(head.buffer).setBigUint64(0, BigInt(head.length - 8), true);
  head.set(text, 8);
  const data = kinds.map(({ tensor }) => tensor.data);
  const place = sealPlace(head);
  const sha256 = sealOf(head, place, data);
  head.set(new TextEncoder().encode(sha256), place);
  return { head, data, sha256 };
}

function kindOf(name: string, { shape, data }: NamedTensor): string {
  const numbers = shape.reduce((product, size) => product * size, 1);
  if (name === "__metadata__" || name === "" || numbers !== data.length) {
    throw new RangeError(
      `Cannot save the tensor '${name}': its shape [${shape}] and ${data.length} numbers, ` +
        "as many numbers as the shape says and a name of its own are wanted",
    );
  }
  if (data instanceof Float32Array) return "F32";
  if (data instanceof Float64Array) return "F64";
  if (data instanceof Int32Array) return "I32";
  if (data instanceof Uint16Array) return "U16";
  if (data instanceof Uint8Array) return "U8";
  return data instanceof Int8Array ? "I8" : "I64";
}
