import { join } from "node:path";
import { DataError } from "../../common/mod.ts";
import { FolderStore } from "./folder_store.ts";
import { type S3Settings, S3Store } from "./s3_store.ts";

/** A place that several machines write blocks to. A name is written once and never changed. */
export interface BlockStore {
  /** Where it is, in words. */
  readonly address: string;
  /** Whether something has this name. */
  has(name: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * Writes bytes under a name, all of them or nothing, unless something has that name already.
   *
   * @returns Whether they were written; `false` where somebody else was faster.
   */
  put(name: string, bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<boolean>;
  /** The bytes of a name, `undefined` where there are none. */
  get(name: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/**
 * Opens a store by its address.
 *
 * @param address A folder that all machines see, or `s3://BUCKET/PREFIX`.
 * @param settings Where an S3-compatible store is and who asks; wanted for `s3://` only.
 * @throws {DataError} If the address is an `s3://` without a bucket, or one without settings.
 *
 * @example A folder
 * ```ts
 * import { openBlockStore } from "flychess/training";
 * import assert from "node:assert/strict";
 *
 * const folder = await Deno.makeTempDir();
 * const store = openBlockStore(folder);
 * assert.ok(await store.put("a/b", new Uint8Array([1])));
 * assert.ok(!await store.put("a/b", new Uint8Array([2])));
 * assert.deepEqual(await store.get("a/b"), new Uint8Array([1]));
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export function openBlockStore(address: string, settings?: S3Settings): BlockStore {
  if (!address.startsWith("s3://")) return new FolderStore(join(address));
  const [bucket, ...prefix] = address.slice("s3://".length).replace(/\/+$/, "").split("/");
  if (!bucket) {
    throw new DataError(`Cannot open the store ${address}: it names no bucket, s3://BUCKET/PREFIX is wanted`);
  }
  if (settings === undefined) {
    throw new DataError(
      `Cannot open the store ${address}: nobody says where it is and who asks, an endpoint and keys are wanted`,
    );
  }
  return new S3Store(bucket, prefix.join("/"), settings);
}
