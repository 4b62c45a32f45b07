import { dirname, join } from "node:path";
import { writeFileAtomic } from "../../common/mod.ts";
import type { BlockStore } from "./block_store.ts";

/**
 * Blocks in a folder that all workers see, on one machine or over a network. A block is written to a temporary name and
 * linked into place: unlike renaming, linking fails where the name is taken, on NFS too.
 */
export class FolderStore implements BlockStore {
  /** The folder. */
  readonly address: string;

  /** A store in a folder, which is made when the first block is written. */
  constructor(folder: string) {
    this.address = folder;
  }

  /** Whether a file has this name. */
  async has(name: string): Promise<boolean> {
    try {
      return (await Deno.stat(join(this.address, name))).isFile;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }

  /** Writes a file whole, unless one has that name. */
  async put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const path = join(this.address, name);
    if (await this.has(name)) return false;
    await Deno.mkdir(dirname(path), { recursive: true });
    const whole = `${path}.${crypto.randomUUID()}.whole`;
    try {
      await writeFileAtomic(whole, bytes);
      await Deno.link(whole, path);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      throw error;
    } finally {
      await Deno.remove(whole).catch(() => {});
    }
  }

  /** A file's bytes. */
  async get(name: string, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return await Deno.readFile(join(this.address, name), signal ? { signal } : {});
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }
}
