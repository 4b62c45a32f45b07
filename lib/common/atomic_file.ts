import { dirname } from "node:path";

/**
 * Writes a file so that its final name never shows half of it: the bytes go to a temporary name beside it,
 * are flushed to the disk, and the finished file is renamed into place.
 *
 * @param path Where the file goes; missing folders are made.
 * @param content The bytes or text, or a function that writes to the open file.
 * @throws What the disk throws; the temporary file is removed and a former file of that name stays as it was.
 */
export async function writeFileAtomic(
  path: string,
  content: Uint8Array | string | ((file: Deno.FsFile) => Promise<void> | void),
): Promise<void> {
  const folder = dirname(path);
  await Deno.mkdir(folder, { recursive: true });
  const temporary = `${path}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}.part`;
  try {
    using file = await Deno.open(temporary, { write: true, createNew: true });
    if (typeof content === "function") {
      await content(file);
    } else {
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    }
    await file.sync();
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
  await Deno.rename(temporary, path);
}
