import { Buffer } from "node:buffer";
import { join } from "node:path";
import { writeFileAtomic } from "../../lib/common/mod.ts";
import type { RunCheckpoint, RunFolder } from "../../lib/training/cached/cached_run_folder.ts";

/** A run's folder as small as it can be: one JSON file that holds the last checkpoint and the log up to it. */
export function fileRun(folder: string): RunFolder {
  const path = join(folder, "run.json");
  let log: string[] | undefined;
  const read = async () => {
    try {
      return JSON.parse(await Deno.readTextFile(path));
    } catch {
      return undefined;
    }
  };
  const lines = async () => log ??= (await read())?.log ?? [];
  return {
    folder,
    async checkpoint() {
      const saved = await read();
      if (saved === undefined) return undefined;
      const tensors: Record<string, { shape: number[]; data: Float32Array }> = {};
      for (
        const [name, { shape, data }] of Object.entries<{ shape: number[]; data: string }>(saved.tensors)
      ) {
        tensors[name] = {
          shape,
          data: new Float32Array(Uint8Array.from(Buffer.from(data, "base64")).buffer),
        };
      }
      return { tensors, metadata: saved.metadata, state: saved.state };
    },
    async save({ tensors, metadata, state }: RunCheckpoint) {
      const text = Object.fromEntries(
        Object.entries(tensors).map(([name, { shape, data }]) => {
          const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
          return [name, { shape, data: bytes.toString("base64") }];
        }),
      );
      await writeFileAtomic(path, JSON.stringify({ tensors: text, metadata, state, log: await lines() }));
    },
    async log(event, values = {}) {
      (await lines()).push(JSON.stringify({ event, ...values }));
    },
    stopAsked: () => Deno.stat(join(folder, "stop")).then(() => true, () => false),
  };
}
