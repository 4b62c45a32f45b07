import { DataError, writeFileAtomic } from "../common/mod.ts";

/**
 * Notes what decides a folder's content, where that is not noted yet.
 *
 * @throws {DataError} If something else was noted: the two do not belong in one folder.
 */
export async function keepSettings(path: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const text = JSON.stringify(settings, null, 2) + "\n";
  let found: string;
  try {
    found = await Deno.readTextFile(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await writeFileAtomic(path, text);
    return;
  }
  if (found === text) return;
  const flat = (json: string) => json.replaceAll(/\s+/g, " ").trim();
  throw new DataError(
    `Cannot add to the set that ${path} describes: it was made with ${flat(found)}, ${
      flat(text)
    } is wanted; ` +
      "choose another folder",
  );
}

/** Whether there is a file. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
