import { DataError, writeFileAtomic } from "../../common/mod.ts";
import {
  bytesOf,
  KINDS,
  layOut,
  type SafeTensorsLayout,
  SEAL_KEY,
  sealOf,
  sealPlace,
} from "./_safetensors_layout.ts";

/** The numbers that a file may hold. */
export type TensorData =
  | Float32Array
  | Float64Array
  | Int32Array
  | Uint8Array
  | Int8Array
  | Uint16Array
  | BigInt64Array;

/** Numbers with a shape. */
export interface NamedTensor {
  /** Its sizes, the slowest first. */
  readonly shape: readonly number[];
  /** The numbers, in rows. */
  readonly data: TensorData;
}

/** What a file holds. */
export interface SafeTensors {
  /** Arrays by name. */
  readonly tensors: Readonly<Record<string, NamedTensor>>;
  /** What they are, for whoever opens it: text by name. `sha256` is the file's own. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** No header is longer: what claims to be is another kind of file. */
const MOST_HEADER = 100e6;

/**
 * Saves arrays as a safetensors file (https://github.com/huggingface/safetensors), which Python, Rust and JavaScript open
 * without running anything that stands in it. Its metadata gets a `sha256` over every byte of the file, taken with 64 zeros
 * in its place, so that no flipped bit goes unnoticed.
 *
 * @param path Where it goes; it appears whole or not at all.
 * @param content What goes in.
 * @returns The SHA-256.
 * @throws {RangeError} If a shape does not fit its numbers.
 *
 * @example Saving and loading
 * ```ts
 * import { loadSafeTensors, saveSafeTensors } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * const path = `${folder}/small.safetensors`;
 * const tensors = { weight: { shape: [2, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6) } };
 * await saveSafeTensors(path, { tensors, metadata: { about: "six numbers" } });
 * const loaded = await loadSafeTensors(path);
 * assert.deepEqual(loaded.tensors, tensors);
 * assert.equal(loaded.metadata["about"], "six numbers");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function saveSafeTensors(path: string, content: SafeTensors): Promise<string> {
  const layout = layOut(content);
  await writeLayout(path, layout);
  return layout.sha256;
}

/** Writes a file that has been laid out. */
export async function writeLayout(path: string, { head, data }: SafeTensorsLayout): Promise<void> {
  await writeFileAtomic(path, async (file) => {
    for (const part of [head, ...data]) {
      const bytes = bytesOf(part);
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    }
  });
}

/**
 * Opens a file of `saveSafeTensors` and checks that not one byte of it has changed.
 *
 * @param path The file.
 * @throws {DataError} If it was cut, changed, or is another kind of file.
 */
export async function loadSafeTensors(path: string): Promise<SafeTensors> {
  const bytes = await Deno.readFile(path);
  const refuse = (found: string): never => {
    throw new DataError(`Cannot open ${path}: ${found}; a safetensors file written by flychess is wanted`);
  };
  if (bytes.length < 8) refuse(`it has ${bytes.length} bytes, even its header is cut off`);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  if (length > MOST_HEADER) refuse(`its first bytes promise a header of ${length} bytes`);
  const start = 8 + length;
  if (start > bytes.length) {
    refuse(`it is cut off after ${bytes.length} bytes, within its header, which takes ${start}`);
  }
  const head = bytes.subarray(0, start);
  let header: Record<string, unknown> = {};
  try {
    header = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(head.subarray(8)));
  } catch {
    refuse("its header is no JSON, it was changed");
  }
  const { __metadata__: metadata, ...entries } = header;
  const place = sealPlace(head);
  if (place < 0 || !isText(metadata)) return refuse("it carries no SHA-256 of its own");
  const tensors: Record<string, NamedTensor> = {};
  let at = 0;
  const found = Object.entries(entries).map(([name, entry]) => {
    const read = readEntry(entry);
    return read ?? refuse(`its header describes the tensor '${name}' in a way that makes no sense`);
  });
  const names = Object.keys(entries);
  const end = found.reduce((most, { to }) => Math.max(most, to), 0);
  if (start + end !== bytes.length) {
    refuse(`it has ${bytes.length} bytes, its header promises ${start + end}`);
  }
  const sha256 = sealOf(head, place, [bytes.subarray(start)]);
  if (sha256 !== metadata[SEAL_KEY]) {
    refuse(
      `its bytes have changed since it was written (SHA-256 ${sha256}, ${metadata[SEAL_KEY]} stands in it)`,
    );
  }
  const aligned = bytes.byteOffset % 8 === 0 && start % 8 === 0 ? bytes.subarray(start) : bytes.slice(start);
  names.forEach((name, i) => {
    const { shape, kind, from, to } = found[i]!;
    if (from !== at) refuse(`its tensor '${name}' begins at byte ${from} of the data, ${at} would follow`);
    at = to;
    const { view, bytes: each } = KINDS[kind]!;
    tensors[name] = { shape, data: view(aligned.buffer, aligned.byteOffset + from, (to - from) / each) };
  });
  return { tensors, metadata };
}

/** What a file of `saveSafeTensors` says about itself, without its tensors and unchecked: fast, however large it is. */
export async function peekSafeTensors(path: string): Promise<Readonly<Record<string, string>> | undefined> {
  using file = await Deno.open(path);
  const read = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) {
      const got = await file.read(bytes.subarray(at));
      if (got === null) return undefined;
      at += got;
    }
    return bytes;
  };
  const first = await read(new Uint8Array(8));
  if (first === undefined) return undefined;
  const length = Number(new DataView(first.buffer).getBigUint64(0, true));
  if (length > MOST_HEADER || length > (await file.stat()).size) return undefined;
  const head = await read(new Uint8Array(length));
  if (head === undefined) return undefined;
  try {
    const metadata: unknown = JSON.parse(new TextDecoder().decode(head)).__metadata__;
    return isText(metadata) ? metadata : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is Record<string, string> {
  return typeof value === "object" && value !== null &&
    Object.values(value).every((each) => typeof each === "string");
}

/** One entry of the header, if it makes sense. */
function readEntry(
  entry: unknown,
): { shape: number[]; kind: string; from: number; to: number } | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { dtype, shape, data_offsets: offsets } = entry as Record<string, unknown>;
  const whole = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every((each) => Number.isInteger(each) && each >= 0);
  if (!whole(shape) || !whole(offsets) || offsets.length !== 2) return undefined;
  const known = typeof dtype === "string" ? KINDS[dtype] : undefined;
  const [from, to] = offsets as [number, number];
  const numbers = shape.reduce((product, size) => product * size, 1);
  if (known === undefined || to - from !== numbers * known.bytes) return undefined;
  return { shape, kind: String(dtype), from, to };
}
