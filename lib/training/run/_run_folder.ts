import { join } from "node:path";
import { DataError } from "../../common/mod.ts";

/**
 * Makes a folder if need be, and keeps every other process out of it until the file is closed. The system frees the lock
 * when the process ends, even if it was killed.
 *
 * @throws {DataError} If another process has it.
 */
export async function lockFolder(folder: string, name: string): Promise<Deno.FsFile> {
  const path = join(folder, name);
  let file: Deno.FsFile;
  try {
    await Deno.mkdir(folder, { recursive: true });
    file = await Deno.open(path, { write: true, create: true });
  } catch (error) {
    const why = error instanceof Error
      ? error.message.replace(/ \(os error.*$/, "").toLowerCase()
      : String(error);
    throw new Error(`Cannot write into ${folder}: ${why}, a folder that may be written is wanted`, {
      cause: error,
    });
  }
  if (await file.tryLock(true)) return file;
  file.close();
  throw new DataError(
    `Cannot open the run in ${folder}: another process works on it; stop that one first (touch ${
      join(folder, "stop")
    }), or begin a new run in another folder`,
  );
}
