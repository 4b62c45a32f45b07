import { createHash } from "node:crypto";
import { removeIfThere, writeFileAtomic } from "../../common/mod.ts";

/** Bytes of the SHA-256 that ends a part. */
const SEAL = 32;

const nameOf = (path: string, part: number): string => `${path}.part-${String(part).padStart(5, "0")}`;

function sealOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

/** Keeps a part of a block that is being filled, so that a process that is killed loses little. */
export async function savePart(path: string, part: number, bytes: Uint8Array): Promise<void> {
  const whole = new Uint8Array(bytes.length + SEAL);
  whole.set(bytes);
  whole.set(sealOf(bytes), bytes.length);
  await writeFileAtomic(nameOf(path, part), whole);
}

/** A part's bytes; `undefined` where it is not there, cut or changed, and has to be filled in again. */
export async function partOf(path: string, part: number, length: number): Promise<Uint8Array | undefined> {
  let whole: Uint8Array;
  try {
    whole = await Deno.readFile(nameOf(path, part));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  if (whole.length !== length + SEAL) return undefined;
  const bytes = whole.subarray(0, length), seal = sealOf(bytes);
  return whole.subarray(length).every((byte, i) => byte === seal[i]) ? bytes : undefined;
}

/** Removes the parts of a block that is whole. */
export async function clearParts(path: string, parts: number): Promise<void> {
  for (let part = 0; part < parts; part++) await removeIfThere(nameOf(path, part));
}
