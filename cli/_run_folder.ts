import { Buffer } from "node:buffer";
import { join } from "node:path";
import { DataError, writeFileAtomic } from "../lib/common/mod.ts";
import type { JsonValue, RunCheckpoint, RunFolder } from "../lib/training/mod.ts";

/**
 * Opens a run's folder or makes it: `config.json`, `log.jsonl` and the last checkpoint. The log is cut back to where it was
 * when the checkpoint was saved, so that nothing stands in it twice.
 *
 * @param folder The folder.
 * @param config What decides the run's result.
 * @throws {DataError} If the folder is another run's, or another process works in it.
 */
export async function openRunFolder(
  folder: string,
  config: Readonly<Record<string, JsonValue>>,
): Promise<RunFolder & AsyncDisposable> {
  await Deno.mkdir(folder, { recursive: true });
  const lock = await Deno.open(join(folder, "lock"), { create: true, write: true });
  if (!await lock.tryLock(true)) {
    lock.close();
    throw new DataError(`Cannot open ${folder}: another process works on this run, one at a time is wanted`);
  }
  try {
    await checkConfig(folder, config);
    const path = join(folder, "checkpoint.json"), logPath = join(folder, "log.jsonl");
    const saved = await read(path);
    const log = await Deno.open(logPath, { create: true, write: true });
    const logged = typeof saved?.logged === "number" ? saved.logged : 0;
    await log.truncate(logged);
    let length = await log.seek(0, Deno.SeekMode.End);
    return {
      folder,
      checkpoint: () => Promise.resolve(saved === undefined ? undefined : fromText(path, saved)),
      async save(checkpoint: RunCheckpoint) {
        await log.sync();
        await writeFileAtomic(path, JSON.stringify({ ...toText(checkpoint), logged: length }));
      },
      async log(event, values = {}) {
        const line = JSON.stringify({ time: new Date().toISOString(), event, ...values }) + "\n";
        const bytes = new TextEncoder().encode(line);
        for (let at = 0; at < bytes.length;) at += await log.write(bytes.subarray(at));
        length += bytes.length;
      },
      stopAsked: () => Deno.stat(join(folder, "stop")).then(() => true, () => false),
      [Symbol.asyncDispose]() {
        log.close();
        lock.close();
        return Promise.resolve();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

async function checkConfig(folder: string, config: Readonly<Record<string, JsonValue>>): Promise<void> {
  const path = join(folder, "config.json"), text = JSON.stringify(config, null, 2) + "\n";
  const found = await read(path);
  if (found === undefined) return await writeFileAtomic(path, text);
  for (const name of new Set([...Object.keys(found), ...Object.keys(config)])) {
    const [was, is] = [JSON.stringify(found[name]), JSON.stringify(config[name])];
    if (was === is) continue;
    throw new DataError(
      `Cannot go on with the run in ${folder}: its ${name} is ${was}, ${is} is asked for; ` +
        "give the same options, or take another --name",
    );
  }
}

async function read(path: string): Promise<Record<string, unknown> | undefined> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new DataError(`Cannot open ${path}: it is not whole, the JSON of a run is wanted`);
  }
}

function toText({ tensors, metadata, state }: RunCheckpoint) {
  return {
    tensors: Object.entries(tensors).map(([name, { shape, data }]) => ({
      name,
      shape,
      data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64"),
    })),
    metadata,
    state,
  };
}

function fromText(path: string, { tensors, metadata, state }: Record<string, unknown>): RunCheckpoint {
  if (!Array.isArray(tensors)) throw new DataError(`Cannot open ${path}: it is no checkpoint, one is wanted`);
  return {
    tensors: Object.fromEntries(tensors.map(({ name, shape, data }) => [
      String(name),
      { shape, data: new Float32Array(Uint8Array.from(Buffer.from(String(data), "base64")).buffer) },
    ])),
    metadata: metadata as RunCheckpoint["metadata"],
    state: state as JsonValue,
  };
}
